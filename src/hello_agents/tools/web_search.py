"""Search of the web through a service that the reader has a key for."""

from __future__ import annotations

from typing import Any

from hello_agents.core.config import environment
from hello_agents.tools.base import Tool, ToolParameter

_RESULTS = 3
_TIMEOUT = 20.0


class SearchTool(Tool):
    """`backend`: tavily, serpapi, or hybrid, which takes the first that has a key; without keys it says so."""

    tavily_url = "https://api.tavily.com/search"
    serpapi_url = "https://serpapi.com/search"

    def __init__(self, backend: str = "hybrid", tavily_key: str | None = None, serpapi_key: str | None = None) -> None:
        super().__init__("search", "在互联网上搜索，适合询问时事、事实和最新信息")
        env = environment()
        self.backend = backend
        self.tavily_key = tavily_key or env.get("TAVILY_API_KEY")
        self.serpapi_key = serpapi_key or env.get("SERPAPI_API_KEY")

    def run(self, parameters: dict[str, Any]) -> str:
        query = str(parameters.get("input") or parameters.get("query") or "").strip()
        if not query:
            return "❌ 搜索查询不能为空"
        if self.backend not in ("tavily", "serpapi", "hybrid"):
            return f"❌ 未知的搜索后端 {self.backend!r}，可用的有 tavily、serpapi、hybrid"
        import httpx

        try:
            if self.tavily_key and self.backend != "serpapi":
                return self._tavily(query, self.tavily_key)
            if self.serpapi_key and self.backend != "tavily":
                return self._serpapi(query, self.serpapi_key)
        except (httpx.HTTPError, ValueError, KeyError, TypeError, AttributeError) as error:
            return f"❌ 搜索失败: {self._hide(f'{type(error).__name__}: {error}')}"
        return "❌ 没有可用的搜索服务：请设置 TAVILY_API_KEY 或 SERPAPI_API_KEY"

    def get_parameters(self) -> list[ToolParameter]:
        return [ToolParameter("input", "string", "搜索的关键词或问题")]

    def _tavily(self, query: str, key: str) -> str:
        import httpx

        body = {"query": query, "max_results": _RESULTS, "include_answer": True}
        headers = {"Authorization": f"Bearer {key}"}
        found = httpx.post(self.tavily_url, json=body, headers=headers, timeout=_TIMEOUT).raise_for_status().json()
        hits = [(hit["title"], hit["content"], hit["url"]) for hit in found["results"]]
        return _shown(query, found.get("answer"), hits)

    def _serpapi(self, query: str, key: str) -> str:
        import httpx

        asked = {"engine": "google", "q": query, "api_key": key, "hl": "zh-cn"}
        found = httpx.get(self.serpapi_url, params=asked, timeout=_TIMEOUT).raise_for_status().json()
        answer = (found.get("answer_box") or {}).get("answer")
        hits = [(hit["title"], hit.get("snippet", ""), hit["link"]) for hit in found.get("organic_results", ())]
        return _shown(query, answer, hits[:_RESULTS])

    def _hide(self, text: str) -> str:
        for key in filter(None, (self.tavily_key, self.serpapi_key)):
            text = text.replace(key, "***")
        return text


def search(query: str, backend: str = "hybrid") -> str:
    """What the web says, with addresses, or a `❌` line."""
    return SearchTool(backend).run({"input": query})


def _shown(query: str, answer: str | None, hits: list[tuple[str, str, str]]) -> str:
    if not answer and not hits:
        return f"🔍 未找到与 '{query}' 相关的网页"
    lines = [f"💡 {answer}"] if answer else []
    lines += [f"[{number}] {title}\n    {text[:300]}\n    {url}" for number, (title, text, url) in enumerate(hits, 1)]
    return "\n".join(lines)
