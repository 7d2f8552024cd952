"""Which service a key, a URL and the environment point to, and what that service is asked by default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hello_agents.core.config import first

_GENERIC_KEY, _GENERIC_URL = "LLM_API_KEY", "LLM_BASE_URL"


@dataclass(frozen=True, kw_only=True, slots=True)
class Provider:
    """`keys`: variables that hold its key. `host`: one that holds its URL. `key`: stands in where none is needed."""

    url: str = ""
    model: str = ""
    keys: tuple[str, ...] = ()
    host: str = ""
    key: str = ""


PROVIDERS: Mapping[str, Provider] = {
    "openai": Provider(url="https://api.openai.com/v1", model="gpt-3.5-turbo", keys=("OPENAI_API_KEY",)),
    "deepseek": Provider(url="https://api.deepseek.com", model="deepseek-chat", keys=("DEEPSEEK_API_KEY",)),
    "qwen": Provider(
        url="https://dashscope.aliyuncs.com/compatible-mode/v1", model="qwen-plus", keys=("DASHSCOPE_API_KEY",)
    ),
    "modelscope": Provider(
        url="https://api-inference.modelscope.cn/v1/", model="Qwen/Qwen2.5-72B-Instruct", keys=("MODELSCOPE_API_KEY",)
    ),
    "kimi": Provider(
        url="https://api.moonshot.cn/v1", model="moonshot-v1-8k", keys=("KIMI_API_KEY", "MOONSHOT_API_KEY")
    ),
    "zhipu": Provider(url="https://open.bigmodel.cn/api/paas/v4", model="glm-4", keys=("ZHIPU_API_KEY", "GLM_API_KEY")),
    "ollama": Provider(
        url="http://localhost:11434/v1", model="llama3.2", keys=("OLLAMA_API_KEY",), host="OLLAMA_HOST", key="ollama"
    ),
    "vllm": Provider(
        url="http://localhost:8000/v1",
        model="meta-llama/Llama-2-7b-chat-hf",
        keys=("VLLM_API_KEY",),
        host="VLLM_HOST",
        key="vllm",
    ),
    "local": Provider(url="http://localhost:8000/v1", model="local-model", key="local"),
    "auto": Provider(),
    "custom": Provider(),
}
"""In the order in which their variables decide."""

_HOSTS = {
    "api.openai.com": "openai",
    "api.deepseek.com": "deepseek",
    "dashscope.aliyuncs.com": "qwen",
    "api-inference.modelscope.cn": "modelscope",
    "api.moonshot.cn": "kimi",
    "open.bigmodel.cn": "zhipu",
}
_MODELS_BY_URL = (
    ("modelscope", "modelscope"),
    ("deepseek", "deepseek"),
    ("dashscope", "qwen"),
    ("moonshot", "kimi"),
    ("bigmodel", "zhipu"),
    ("ollama", "ollama"),
    (":11434", "ollama"),
    ("vllm", "vllm"),
    (":8000", "vllm"),
    ("localhost", "local"),
    ("127.0.0.1", "local"),
)


def detect(api_key: str | None, base_url: str | None, env: Mapping[str, str]) -> str:
    """A name of PROVIDERS: by its own variables, else by the key's shape, else by the URL, else "auto"."""
    for name, provider in PROVIDERS.items():
        if first(env, *provider.keys, provider.host):
            return name
    key = api_key or env.get(_GENERIC_KEY) or ""
    return _by_key(key) or _by_url((base_url or env.get(_GENERIC_URL) or "").lower()) or "auto"


def _by_key(key: str) -> str | None:
    if key.startswith("ms-"):
        return "modelscope"
    if key.lower() in ("ollama", "vllm", "local"):
        return key.lower()
    if key.startswith("sk-") and len(key) > 50:
        return None
    return "zhipu" if "." in key[-20:] else None


def _by_url(url: str) -> str | None:
    for host, name in _HOSTS.items():
        if host in url:
            return name
    if "localhost" in url or "127.0.0.1" in url:
        if ":11434" in url or "ollama" in url:
            return "ollama"
        if ":8000" in url and "vllm" in url:
            return "vllm"
        return "local"
    return "local" if any(port in url for port in (":8080", ":7860", ":5000")) else None


def credentials(
    name: str, api_key: str | None, base_url: str | None, env: Mapping[str, str]
) -> tuple[str | None, str | None]:
    """The key and the URL: the arguments first, then the provider's variables, then LLM_*, then its defaults."""
    provider = PROVIDERS.get(name, Provider())
    key = api_key or first(env, *provider.keys, _GENERIC_KEY) or provider.key
    host = env.get(provider.host)
    url = base_url or (_with_scheme(host) if host else None) or env.get(_GENERIC_URL) or provider.url
    return key or None, url or None


def default_model(name: str, url: str | None) -> str:
    """The provider's own; for one that is not known, what the URL suggests."""
    if model := PROVIDERS.get(name, Provider()).model:
        return model
    guessed = next((found for word, found in _MODELS_BY_URL if word in (url or "").lower()), "openai")
    return PROVIDERS[guessed].model


def _with_scheme(host: str) -> str:
    """OLLAMA_HOST is often a host and a port alone."""
    return host if "://" in host else f"http://{host}"
