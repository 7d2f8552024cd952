"""The environment, `.env`, and which service they point to: each row of the published tables."""

import sys

import pytest

from hello_agents.core.config import Config, environment, parse_env
from hello_agents.core.exceptions import HelloAgentsException
from hello_agents.core.llm import HelloAgentsLLM
from hello_agents.core.message import Message
from hello_agents.core.providers import PROVIDERS, credentials, default_model, detect

LONG_SK = "sk-" + "a.b" * 20


@pytest.fixture(autouse=True)
def bare(monkeypatch, tmp_path):
    """No variable of the machine and no `.env` but the test's own."""
    names = {name for provider in PROVIDERS.values() for name in (*provider.keys, provider.host) if name}
    for name in names | {"LLM_MODEL_ID", "LLM_API_KEY", "LLM_BASE_URL", "LLM_TIMEOUT", "TEMPERATURE", "MAX_TOKENS"}:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


VARIABLES = [
    ("OPENAI_API_KEY", "openai"),
    ("DEEPSEEK_API_KEY", "deepseek"),
    ("DASHSCOPE_API_KEY", "qwen"),
    ("MODELSCOPE_API_KEY", "modelscope"),
    ("KIMI_API_KEY", "kimi"),
    ("MOONSHOT_API_KEY", "kimi"),
    ("ZHIPU_API_KEY", "zhipu"),
    ("GLM_API_KEY", "zhipu"),
    ("OLLAMA_API_KEY", "ollama"),
    ("OLLAMA_HOST", "ollama"),
    ("VLLM_API_KEY", "vllm"),
    ("VLLM_HOST", "vllm"),
]


@pytest.mark.parametrize(("variable", "provider"), VARIABLES)
def test_a_provider_s_own_variable_decides_before_anything_else(variable, provider):
    assert detect("ms-key", "https://api.openai.com/v1", {variable: "x"}) == provider


def test_of_several_variables_the_first_of_the_list_decides():
    env = {name: "x" for name, _ in VARIABLES}
    for name, provider in VARIABLES:
        assert detect(None, None, env) == provider
        del env[name]


@pytest.mark.parametrize(
    ("key", "provider"),
    [
        ("ms-123", "modelscope"),
        ("ollama", "ollama"),
        ("VLLM", "vllm"),
        ("local", "local"),
        (LONG_SK, "auto"),
        ("sk-short", "auto"),
        ("0123456789abcdef.ABCDEF", "zhipu"),
        ("early.dot" + "x" * 20, "auto"),
        ("plain", "auto"),
    ],
)
def test_the_shape_of_a_key_tells_its_provider(key, provider):
    assert detect(key, None, {}) == provider
    assert detect(None, None, {"LLM_API_KEY": key}) == provider


@pytest.mark.parametrize(
    ("url", "provider"),
    [
        ("https://api.openai.com/v1", "openai"),
        ("https://api.deepseek.com", "deepseek"),
        ("https://DashScope.aliyuncs.com/compatible-mode/v1", "qwen"),
        ("https://api-inference.modelscope.cn/v1/", "modelscope"),
        ("https://api.moonshot.cn/v1", "kimi"),
        ("https://open.bigmodel.cn/api/paas/v4", "zhipu"),
        ("http://localhost:11434/v1", "ollama"),
        ("http://127.0.0.1/ollama", "ollama"),
        ("http://localhost:8000/vllm", "vllm"),
        ("http://localhost:8000/v1", "local"),
        ("http://localhost:8080/v1", "local"),
        ("http://127.0.0.1:7860", "local"),
        ("http://localhost:1234", "local"),
        ("http://10.0.0.5:8080/v1", "local"),
        ("http://10.0.0.5:7860/v1", "local"),
        ("http://10.0.0.5:5000/v1", "local"),
        ("http://10.0.0.5:9000/v1", "auto"),
        ("https://example.com/v1", "auto"),
    ],
)
def test_the_url_tells_the_provider(url, provider):
    assert detect("sk-x", url, {}) == provider
    assert detect(LONG_SK, None, {"LLM_BASE_URL": url}) == provider


def test_a_local_server_is_what_its_key_says():
    assert detect("vllm", "http://localhost:8000/v1", {}) == "vllm"


@pytest.mark.parametrize(
    ("provider", "url", "model"),
    [
        ("openai", "https://api.openai.com/v1", "gpt-3.5-turbo"),
        ("deepseek", "https://api.deepseek.com", "deepseek-chat"),
        ("qwen", "https://dashscope.aliyuncs.com/compatible-mode/v1", "qwen-plus"),
        ("modelscope", "https://api-inference.modelscope.cn/v1/", "Qwen/Qwen2.5-72B-Instruct"),
        ("kimi", "https://api.moonshot.cn/v1", "moonshot-v1-8k"),
        ("zhipu", "https://open.bigmodel.cn/api/paas/v4", "glm-4"),
        ("ollama", "http://localhost:11434/v1", "llama3.2"),
        ("vllm", "http://localhost:8000/v1", "meta-llama/Llama-2-7b-chat-hf"),
        ("local", "http://localhost:8000/v1", "local-model"),
    ],
)
def test_each_provider_has_a_default_url_and_model(provider, url, model):
    llm = HelloAgentsLLM(provider=provider, api_key="k")
    assert (llm.provider, llm.base_url, llm.model, llm.api_key) == (provider, url, model, "k")


@pytest.mark.parametrize(
    ("url", "model"),
    [
        ("https://proxy.example/modelscope", "Qwen/Qwen2.5-72B-Instruct"),
        ("https://proxy.example/deepseek", "deepseek-chat"),
        ("https://proxy.example/dashscope", "qwen-plus"),
        ("https://proxy.example/moonshot", "moonshot-v1-8k"),
        ("https://proxy.example/bigmodel", "glm-4"),
        ("https://proxy.example:11434", "llama3.2"),
        ("https://proxy.example:8000/v1", "meta-llama/Llama-2-7b-chat-hf"),
        ("https://proxy.example/v1", "gpt-3.5-turbo"),
    ],
)
def test_an_unknown_service_s_model_is_guessed_from_its_url(url, model):
    assert default_model("auto", url) == model
    assert default_model("custom", url) == model


@pytest.mark.parametrize(("variable", "provider"), [row for row in VARIABLES if row[0].endswith("_KEY")])
def test_a_provider_s_key_comes_from_its_variable_then_from_the_generic_one(variable, provider):
    assert credentials(provider, None, None, {variable: "own", "LLM_API_KEY": "any"})[0] == "own"
    assert credentials(provider, None, None, {"LLM_API_KEY": "any", "LLM_BASE_URL": "http://h/v1"}) == (
        "any",
        "http://h/v1",
    )
    assert credentials(provider, "given", "http://g/v1", {variable: "own"}) == ("given", "http://g/v1")


def test_local_servers_need_no_key_and_a_host_needs_no_scheme():
    assert credentials("ollama", None, None, {"OLLAMA_HOST": "box:11434"}) == ("ollama", "http://box:11434")
    assert credentials("vllm", None, None, {"VLLM_HOST": "http://box:8000/v1"}) == ("vllm", "http://box:8000/v1")
    assert credentials("local", None, None, {}) == ("local", "http://localhost:8000/v1")


def test_a_custom_provider_takes_the_arguments_or_the_generic_variables_and_detects_nothing(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "other")
    monkeypatch.setenv("LLM_BASE_URL", "https://example.com/v1")
    llm = HelloAgentsLLM(provider="custom", api_key="mine", model="m")
    assert (llm.provider, llm.api_key, llm.base_url) == ("custom", "mine", "https://example.com/v1")


def test_arguments_come_before_the_environment(monkeypatch):
    for name, value in {"LLM_MODEL_ID": "e", "LLM_API_KEY": "e", "LLM_BASE_URL": "http://e/v1"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("LLM_TIMEOUT", "7")
    llm = HelloAgentsLLM(model="a", base_url="http://a/v1", timeout=3)
    assert (llm.model, llm.api_key, llm.base_url, llm.timeout) == ("a", "e", "http://a/v1", 3)
    assert HelloAgentsLLM().timeout == 7
    assert HelloAgentsLLM().model == "e"


def test_the_defaults_are_the_published_ones():
    llm = HelloAgentsLLM(top_p=0.5)
    assert (llm.temperature, llm.max_tokens, llm.timeout, llm.kwargs) == (0.7, None, 60, {"top_p": 0.5})


def test_nothing_configured_is_an_error_on_first_use_and_not_before():
    llm = HelloAgentsLLM()
    assert (llm.provider, llm.api_key, llm.base_url) == ("auto", None, None)
    with pytest.raises(HelloAgentsException, match="LLM_BASE_URL"):
        llm.invoke([{"role": "user", "content": "你好"}])
    with pytest.raises(HelloAgentsException, match="LLM_API_KEY"):
        HelloAgentsLLM(base_url="https://example.com/v1").invoke([{"role": "user", "content": "你好"}])


def test_a_timeout_that_is_no_number_is_named(monkeypatch):
    monkeypatch.setenv("LLM_TIMEOUT", "soon")
    with pytest.raises(HelloAgentsException, match="LLM_TIMEOUT must be a number, got 'soon'"):
        HelloAgentsLLM()


def test_a_dot_env_beside_the_script_is_read_and_a_later_change_is_seen(monkeypatch, tmp_path):
    script = tmp_path / "lesson" / "main.py"
    script.parent.mkdir()
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(script), raising=False)
    env = script.parent / ".env"
    env.write_text('LLM_MODEL_ID="qwen"  # 模型\nLLM_API_KEY=\nLLM_TIMEOUT=\n', "utf-8")
    assert HelloAgentsLLM().model == "qwen"
    assert HelloAgentsLLM().timeout == 60
    env.write_text("LLM_MODEL_ID=glm", "utf-8")
    assert HelloAgentsLLM().model == "glm"
    monkeypatch.setenv("LLM_MODEL_ID", "process")
    assert HelloAgentsLLM().model == "process"
    monkeypatch.setenv("LLM_MODEL_ID", "")
    assert HelloAgentsLLM().model == "glm"


def test_a_dot_env_in_the_working_directory_is_read_too(tmp_path):
    (tmp_path / ".env").write_bytes("\ufeff# 注释\r\nLLM_MODEL_ID=本地\r\n".encode())
    assert environment()["LLM_MODEL_ID"] == "本地"
    (tmp_path / ".env").write_bytes("# 注释\nLLM_MODEL_ID=本地".encode("gb18030"))
    assert environment()["LLM_MODEL_ID"] == "本地"


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("A=b", "b"),
        ("export A = b ", "b"),
        ("A='b # c'", "b # c"),
        ('A="b # c" # d', "b # c"),
        ("A=b#c", "b#c"),
        ("A=b # c", "b"),
        ("A=x=y==", "x=y=="),
        (r'A="two\nlines"', "two\nlines"),
        ("A=", None),
        ("A=''", None),
        ("A= # only a remark", None),
        ("# A=b", None),
        ("A", None),
    ],
)
def test_a_line_of_dot_env_is_understood(line, value):
    assert parse_env(f"B=1\n{line}\r\nC=2\n") == {"B": "1", "C": "2", **({"A": value} if value else {})}


def test_a_config_comes_from_the_environment(monkeypatch):
    assert Config().to_dict() == {
        "default_model": "gpt-3.5-turbo",
        "default_provider": "openai",
        "temperature": 0.7,
        "max_tokens": None,
        "debug": False,
        "log_level": "INFO",
        "max_history_length": 100,
    }
    monkeypatch.setenv("DEBUG", "true")
    monkeypatch.setenv("MAX_TOKENS", "50")
    monkeypatch.setenv("TEMPERATURE", "0.1")
    config = Config.from_env()
    assert (config.debug, config.max_tokens, config.temperature) == (True, 50, 0.1)


def test_a_message_has_a_known_role_and_an_aware_time():
    message = Message("你好", "user")
    assert message.to_dict() == {"role": "user", "content": "你好"}
    assert message.timestamp.tzinfo
    assert str(message) == "[user] 你好"
    with pytest.raises(HelloAgentsException, match="'robot'"):
        Message("x", "robot")
