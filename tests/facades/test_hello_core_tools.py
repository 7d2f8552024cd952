"""Tools, their registry, chains, the parallel executor, and the two small tools."""

import asyncio
import io
import subprocess
import sys
import threading
from typing import Annotated

import pytest

import hello_agents
import hello_agents.agents
import hello_agents.core
import hello_agents.tools
from hello_agents.core.exceptions import HelloAgentsException
from hello_agents.tools import (
    AsyncToolExecutor,
    CalculatorTool,
    SearchTool,
    Tool,
    ToolChain,
    ToolChainManager,
    ToolParameter,
    ToolRegistry,
    calculate,
    global_registry,
    search,
    tool_action,
)
from servers.scripted import Scripted


class Shelf(Tool):
    def __init__(self, *, expandable=False):
        super().__init__("shelf", "放书和找书", expandable)

    def run(self, parameters):
        return f"run {sorted(parameters.items())}"

    def get_parameters(self):
        return [
            ToolParameter("title", "string", "书名"),
            ToolParameter("copies", "integer", "册数", required=False, default=1),
            ToolParameter("tags", "array", "标签", required=False),
        ]

    @tool_action("shelf_put", "把书放上书架")
    def put(self, title: str, copies: Annotated[int, "多少册"] = 1, tags: list[str] | None = None, **more: str) -> str:
        """Puts a book.

        Args:
            title (str): 书的名字
        """
        return f"put {title} x{copies} {tags} {more}"

    @tool_action()
    def count(self) -> int:
        """数一数有多少书"""
        return 3


@pytest.fixture
def registry():
    return ToolRegistry()


@pytest.mark.parametrize("package", [hello_agents.core, hello_agents.agents])
def test_every_exported_name_is_there(package):
    assert package.__all__ == sorted(package.__all__)
    for name in package.__all__:
        assert getattr(package, name) is not None


@pytest.mark.parametrize("name", hello_agents.__all__)
def test_the_front_exports(name):
    assert getattr(hello_agents, name) is not None


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = hello_agents.nothing


def test_importing_costs_next_to_nothing():
    code = """
import sys
from hello_agents import SimpleAgent, HelloAgentsLLM, ToolRegistry
print(*[m for m in ("numpy", "httpx", "asyncio", "pydantic", "sqlite3") if m in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_tool_describes_itself():
    tool = Shelf()
    assert tool.validate_parameters({"title": "x"})
    assert not tool.validate_parameters({"copies": 1})
    assert tool.to_dict()["parameters"][1] == {
        "name": "copies",
        "type": "integer",
        "description": "册数",
        "required": False,
        "default": 1,
    }
    assert tool.to_openai_schema() == {
        "type": "function",
        "function": {
            "name": "shelf",
            "description": "放书和找书",
            "parameters": {
                "type": "object",
                "properties": {
                    "title": {"type": "string", "description": "书名"},
                    "copies": {"type": "integer", "description": "册数", "default": 1},
                    "tags": {"type": "array", "description": "标签", "items": {"type": "string"}},
                },
                "required": ["title"],
            },
        },
    }


def test_an_expandable_tool_is_one_tool_an_action(registry):
    registry.register_tool(Shelf(expandable=True))
    assert registry.list_tools() == ["shelf_count", "shelf_put"]
    put = registry.get_tool("shelf_put")
    assert put.description == "把书放上书架"
    assert [(p.name, p.type, p.description, p.required, p.default) for p in put.get_parameters()] == [
        ("title", "string", "书的名字", True, None),
        ("copies", "integer", "多少册", False, 1),
        ("tags", "array", "tags", False, None),
    ]
    assert registry.execute_tool("shelf_put", "title=红楼梦, 上,copies=2") == "put 红楼梦, 上 x2 None {}"
    assert registry.execute_tool("shelf_put", {"title": "a", "mood": "x"}) == "put a x1 None {'mood': 'x'}"
    assert registry.get_tool("shelf_count").description == "数一数有多少书"
    assert registry.execute_tool("shelf_count", "") == "3"


def test_an_expandable_tool_may_be_registered_whole(registry):
    registry.register_tool(Shelf(expandable=True), auto_expand=False)
    assert registry.list_tools() == ["shelf"]
    assert Shelf().get_expanded_tools() is None


def test_registering_says_so_and_overwriting_warns(registry, capsys):
    registry.register_tool(Shelf())
    assert capsys.readouterr().out == "✅ 工具 'shelf' 已注册。\n"
    registry.register_function("shelf", "函数", str.upper)
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("⚠️")
    assert said[1] == "✅ 工具 'shelf' 已注册。"
    assert registry.get_tool("shelf") is None
    assert registry.get_function("shelf")("a") == "A"


def test_a_console_without_emoji_is_no_error(registry, monkeypatch):
    shown = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(shown, "gbk"))
    registry.register_tool(Shelf())
    assert shown.getvalue().decode("gbk").strip() == "? 工具 'shelf' 已注册。"


def test_a_registry_lists_describes_removes_and_clears(registry, capsys):
    assert "暂无" in registry.get_tools_description()
    registry.register_tool(Shelf())
    registry.register_function("shout", "大声说", str.upper)
    assert registry.get_tools_description() == "- shelf: 放书和找书\n- shout: 大声说"
    assert [tool.name for tool in registry.get_all_tools()] == ["shelf"]
    assert registry.unregister("shelf")
    assert not registry.unregister("shelf")
    assert "不存在" in capsys.readouterr().out
    registry.clear()
    assert registry.list_tools() == []
    assert registry.get_function("shout") is None


def test_executing_takes_text_or_parameters_and_tells_failures(registry):
    registry.register_tool(Shelf())
    registry.register_function("fail", "失败", lambda text: 1 // 0)
    assert (
        registry.execute_tool("shelf", {"title": "红楼梦", "copies": "2"}) == "run [('copies', 2), ('title', '红楼梦')]"
    )
    assert (
        registry.execute_tool("fail", "x")
        == "❌ 工具 'fail' 执行失败：ZeroDivisionError: integer division or modulo by zero"
    )
    assert registry.execute_tool("none", "x").startswith("❌ 未找到工具 'none'")
    with pytest.raises(HelloAgentsException) as raised:
        registry.call("fail", "x")
    assert isinstance(raised.value.__cause__, ZeroDivisionError)


def test_there_is_one_global_registry():
    assert isinstance(global_registry, ToolRegistry)
    assert hello_agents.global_registry is global_registry


def test_a_chain_feeds_each_tool_from_what_came_before(registry):
    registry.register_function("upper", "大写", str.upper)
    registry.register_function("twice", "两遍", lambda text: text * 2)
    chain = ToolChain("loud", "大声两遍")
    chain.add_step("upper", "{input}", "loud")
    chain.add_step("twice", "{loud}{mark}")
    manager = ToolChainManager(registry)
    manager.register_chain(chain)
    assert manager.list_chains() == ["loud"]
    assert manager.execute_chain("loud", "{a}", {"mark": "!"}) == "{A}!{A}!"
    assert manager.get_chain_info("loud")["step_details"][1]["output_key"] == "step_1_result"
    assert manager.get_chain_info("none") is None


def test_a_chain_that_cannot_go_on_says_where(registry):
    registry.register_function("upper", "大写", str.upper)
    chain = ToolChain("broken", "")
    assert chain.execute(registry, "x").startswith("❌ 工具链 'broken' 没有步骤")
    chain.add_step("upper", "{input}")
    chain.add_step("none", "{input}")
    assert chain.execute(registry, "x").startswith("❌ 工具链 'broken' 第 2 步失败：未找到工具 'none'")
    other = ToolChain("other", "")
    other.add_step("upper", "{unknown}")
    assert "{unknown}" in other.execute(registry, "x")
    assert ToolChainManager(registry).execute_chain("none", "x").startswith("❌ 工具链 'none' 不存在")


async def test_tools_run_side_by_side(registry):
    meeting = threading.Barrier(2, timeout=10)
    registry.register_function("meet", "碰头", lambda text: f"{text}{meeting.wait() * 0}")
    with AsyncToolExecutor(registry, max_workers=2) as executor:
        met = await executor.execute_tools_batch("meet", ["a", "b"])
        mixed = await executor.execute_tools_parallel([{"tool_name": "none", "input_data": "x"}])
        alone = await asyncio.wait_for(executor.execute_tool_async("none", ""), 10)
    assert [task["result"] for task in met] == ["a0", "b0"]
    assert mixed[0]["result"] == alone
    assert alone.startswith("❌")


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2*(3+4)", "14"),
        ("2 ** 10 % 7", "2"),
        ("7 // 2 - -1", "4"),
        ("（1＋2）× 3 ÷ 2", "4.5"),
        ("sqrt(16) + abs(-2)", "6.0"),
        ("round(sin(pi/2) + log10(100), 2)", "3.0"),
        ("max(1, 2, 3)", "3"),
        ("0.1", "0.1"),
    ],
)
def test_arithmetic_is_calculated(expression, value):
    assert calculate(expression) == value
    assert CalculatorTool().run({"expression": expression}) == value


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "1/0",
        "9**9**9",
        "10**10000",
        "__import__('os').getcwd()",
        "().__class__",
        "'a'*9",
        "x",
        "2 ^ 3",
        "1+",
        "(-8)**0.5",
        "[1]",
        "sqrt(-1)",
        "round(1, ndigits=2)",
        "+".join("1" * 600),
        "(" * 300 + "1" + ")" * 300,
        "True",
    ],
)
def test_what_is_no_arithmetic_or_too_much_is_refused(expression):
    assert calculate(expression).startswith("❌")


@pytest.fixture
def web():
    class Web(Scripted):
        def answer(self, method, path, headers, body):
            if method == "POST":
                results = [{"title": "标题", "content": "内容", "url": "https://a.example"}]
                return 200, {"answer": "晴", "results": results}
            hits = [{"title": "页", "snippet": "摘要", "link": "https://b.example"}]
            return 200, {"organic_results": hits, "answer_box": {"answer": "22 度"}}

    web = Web()
    yield web
    web.close()


def test_web_search_without_a_key_says_what_is_missing(monkeypatch, tmp_path):
    for name in ("TAVILY_API_KEY", "SERPAPI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    assert search("天气") == "❌ 没有可用的搜索服务：请设置 TAVILY_API_KEY 或 SERPAPI_API_KEY"
    assert search("天气", "other").startswith("❌ 未知的搜索后端 'other'")
    assert search(" ").startswith("❌ 搜索查询不能为空")


@pytest.mark.parametrize(
    ("keys", "backend", "shown"),
    [
        ({"tavily_key": "t-key"}, "hybrid", "💡 晴\n[1] 标题\n    内容\n    https://a.example"),
        (
            {"tavily_key": "t-key", "serpapi_key": "s-key"},
            "serpapi",
            "💡 22 度\n[1] 页\n    摘要\n    https://b.example",
        ),
    ],
)
def test_web_search_shows_what_the_service_found(web, keys, backend, shown):
    tool = SearchTool(backend, **keys)
    tool.tavily_url = tool.serpapi_url = f"{web.url}/search"
    assert tool.run({"input": "北京天气"}) == shown


def test_a_web_search_that_fails_is_said_without_the_key(web):
    tool = SearchTool("serpapi", serpapi_key="s-key")
    tool.serpapi_url = f"{web.url}/search"
    web.orders["GET /search"] += [(401, {"error": "no"}), (200, "not JSON")]
    for _ in range(2):
        said = tool.run({"query": "天气"})
        assert said.startswith("❌ 搜索失败")
        assert "s-key" not in said
