"""HelloAgentsLLM against a real HTTP server: answers, streams and each way in which a server fails."""

import json

import pytest

from hello_agents import HelloAgentsException, HelloAgentsLLM
from ricordo.errors import ModelFailed, Unavailable
from servers.openai_server import Fault, OpenAIServer, broken, changed, cut, malformed, slow, too_many

ASK = [{"role": "user", "content": "小猫喜欢吃什么？"}]


@pytest.fixture
def server():
    with OpenAIServer() as server:
        yield server


@pytest.fixture
def llm(server):
    return HelloAgentsLLM(model="test", api_key="secret-key", base_url=server.url, provider="custom", timeout=5)


def test_an_answer_comes_back_without_its_reasoning(server, llm):
    server.answers.append("<think>猫……</think>小猫喜欢吃鱼。")
    assert llm.invoke(ASK) == "小猫喜欢吃鱼。"
    (body,) = server.bodies("completions")
    assert body == {"model": "test", "messages": ASK, "temperature": 0.7}
    assert server.requests[0].headers["Authorization"] == "Bearer secret-key"


def test_arguments_of_a_call_are_forwarded(server, llm):
    llm.invoke(ASK, temperature=0.1, max_tokens=9, top_p=0.5)
    (body,) = server.bodies("completions")
    assert (body["temperature"], body["max_tokens"], body["top_p"]) == (0.1, 9, 0.5)


def test_arguments_of_the_constructor_hold_for_every_call(server):
    llm = HelloAgentsLLM("test", "k", server.url, max_tokens=5, seed=1)
    llm.invoke(ASK)
    list(llm.stream_invoke(ASK, seed=2))
    assert [(b["max_tokens"], b["seed"]) for b in server.bodies("completions")] == [(5, 1), (5, 2)]


def test_thinking_aloud_yields_pieces_and_shows_them(server, llm, capsys):
    server.answers.append("<think>嗯</think>小猫喜欢吃鱼。")
    pieces = list(llm.think(ASK, temperature=0.2))
    assert "".join(pieces) == "小猫喜欢吃鱼。"
    assert len(pieces) > 1
    shown = capsys.readouterr().out
    assert "test" in shown.splitlines()[0]
    assert shown.endswith("小猫喜欢吃鱼。\n")
    assert server.bodies("completions")[0]["temperature"] == 0.2


def test_a_temperature_of_zero_is_sent_as_zero(server, llm):
    list(llm.think(ASK, temperature=0))
    assert server.bodies("completions")[0]["temperature"] == 0


def test_a_stream_may_be_left_half_way(server, llm):
    server.answers.append("很长的回答" * 50)
    stream = llm.stream_invoke(ASK)
    assert next(stream)
    stream.close()
    assert llm.invoke(ASK)


@pytest.mark.parametrize("politely", [True, False])
def test_a_cut_stream_is_an_error_after_the_pieces_that_came(server, llm, politely):
    server.answers.append("小猫喜欢吃鱼和虾")
    server.faults.append(cut(2, politely=politely))
    pieces = []
    with pytest.raises(HelloAgentsException, match="模型调用失败") as raised:
        pieces.extend(llm.stream_invoke(ASK))
    assert isinstance(raised.value.__cause__, Unavailable)


def test_a_server_that_is_too_busy_is_asked_again(server, llm):
    server.faults.extend([too_many("0"), broken(503)])
    server.answers.append("好")
    assert llm.invoke(ASK) == "好"
    assert len(server.requests) == 3


def test_a_server_that_stays_busy_is_an_error(server, llm):
    server.faults.extend([too_many("0")] * 3)
    with pytest.raises(HelloAgentsException, match=r"429.*slow down.*tried 3 times"):
        llm.invoke(ASK)


def test_a_server_that_is_too_slow_is_an_error(server):
    server.faults.extend([slow(30)] * 3)
    llm = HelloAgentsLLM("test", "k", server.url, timeout=0.05)
    with pytest.raises(HelloAgentsException, match="does not answer"):
        llm.invoke(ASK)


def test_a_server_that_is_not_there_is_an_error():
    llm = HelloAgentsLLM("test", "k", "http://127.0.0.1:9/v1")
    with pytest.raises(HelloAgentsException, match="is the server running"):
        llm.invoke(ASK)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (broken(401, "bad key"), "check the key"),
        (broken(404, "no such model"), "check the URL and the model's name"),
        (malformed(), "not JSON"),
        (changed(lambda _: {"choices": []}), "without a message"),
        (changed(lambda a: {**a, "choices": [{"message": {"content": ""}, "finish_reason": "stop"}]}), "empty answer"),
        (changed(lambda a: {**a, "choices": [{**a["choices"][0], "finish_reason": "content_filter"}]}), "filter"),
        (Fault(status=400, body={"error": {"message": "the key secret-key is odd"}}), "the key \\*\\*\\* is odd"),
    ],
)
def test_what_a_server_does_wrong_is_told_and_keeps_its_cause(server, llm, fault, said):
    server.faults.extend([fault] * 3)
    with pytest.raises(HelloAgentsException, match=said) as raised:
        llm.invoke(ASK)
    assert isinstance(raised.value.__cause__, ModelFailed)


def test_a_model_that_reads_no_url_is_told_on_first_use():
    llm = HelloAgentsLLM("test", "k", "not a url")
    with pytest.raises(HelloAgentsException, match="http://"):
        llm.invoke(ASK)


def test_a_setting_that_changes_after_the_first_call_is_honoured(server, llm):
    llm.invoke(ASK)
    llm.model = "other"
    llm.invoke(ASK)
    assert [body["model"] for body in server.bodies("completions")] == ["test", "other"]


def test_a_subclass_that_sets_the_attributes_itself_works(server):
    class Mine(HelloAgentsLLM):
        def __init__(self):
            self.model, self.api_key, self.base_url = "mine", "k", server.url

    assert Mine().invoke(ASK)
    assert server.bodies("completions")[0]["model"] == "mine"


def test_the_key_is_in_no_repr(llm):
    assert "secret-key" not in repr(llm) + json.dumps(str(llm))


async def test_it_may_be_called_inside_a_running_loop(server, llm):
    server.answers.append("好")
    assert llm.invoke(ASK) == "好"
