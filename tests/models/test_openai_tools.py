"""Native function calls: what a model asks for, and servers that cannot."""

import pytest

from ricordo.errors import ModelFailed
from ricordo.models.chat import Call, OpenAILLM, Turn
from servers.openai_server import OpenAIServer, broken, changed

ASK = [{"role": "user", "content": "请记住我叫张三"}]
TOOLS = [{"type": "function", "function": {"name": "memory", "parameters": {"type": "object", "properties": {}}}}]


@pytest.fixture
def server():
    with OpenAIServer() as server:
        yield server


@pytest.fixture
def llm(server):
    return OpenAILLM(server.url, model="test", backoff=0.001, retries=1)


def calling(*calls, content=None):
    def change(answer):
        answer["choices"][0] |= {
            "message": {"role": "assistant", "content": content, "tool_calls": list(calls)},
            "finish_reason": "tool_calls",
        }
        return answer

    return changed(change)


def function(name, arguments, **more):
    return {"type": "function", "function": {"name": name, "arguments": arguments}, **more}


async def test_a_call_is_returned_with_its_arguments_as_they_came(server, llm):
    server.faults.append(calling(function("memory", '{"content": "我叫张三, ok]"}', id="c1")))
    turn = await llm.converse(ASK, tools=TOOLS, options={"top_p": 0.5})
    assert turn == Turn("", (Call("c1", "memory", '{"content": "我叫张三, ok]"}'),))
    (body,) = server.bodies("completions")
    assert body["tools"] == TOOLS
    assert body["top_p"] == 0.5


async def test_calls_without_ids_or_with_arguments_as_an_object_are_understood(server, llm):
    server.faults.append(calling(function("a", {"x": "值"}), function("b", None)))
    turn = await llm.converse(ASK, tools=TOOLS)
    assert turn.calls == (Call("call_0", "a", '{"x": "值"}'), Call("call_1", "b", "{}"))


async def test_without_calls_it_is_an_answer(server, llm):
    server.answers.append("<think>想一想</think>你好，张三")
    assert await llm.converse(ASK, tools=TOOLS) == Turn("你好，张三")


async def test_a_server_without_tools_is_asked_without_them_from_then_on(server, llm):
    server.refuse = {"tools"}
    server.answers.extend(["好", "好的"])
    assert (await llm.converse(ASK, tools=TOOLS)).text == "好"
    assert (await llm.converse(ASK, tools=TOOLS)).text == "好的"
    assert ["tools" in body for body in server.bodies("completions")] == [True, False, False]


async def test_a_server_that_was_started_without_tools_is_not_asked_twice(server, llm):
    server.faults.append(broken(500, "tools param requires --jinja flag"))
    server.answers.append("好")
    assert (await llm.converse(ASK, tools=TOOLS)).text == "好"
    assert ["tools" in body for body in server.bodies("completions")] == [True, False]


async def test_a_call_without_a_name_is_said(server, llm):
    server.faults.append(calling({"type": "function"}))
    with pytest.raises(ModelFailed, match="without its name"):
        await llm.converse(ASK, tools=TOOLS)


async def test_options_reach_the_server_and_override_the_temperature(server, llm):
    server.answers.append("好")
    assert "".join([piece async for piece in llm.stream(ASK, options={"temperature": 0.9})]) == "好"
    assert server.bodies("completions")[0]["temperature"] == 0.9
