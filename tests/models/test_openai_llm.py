import asyncio
import json

import pytest

from ricordo.errors import Invalid, ModelFailed, TooLarge, Unavailable
from ricordo.models.chat import OpenAILLM, Usage
from ricordo.models.thinking import Thinking, without_thinking
from servers.openai_server import OpenAIServer, broken, changed, cut

ASK = [{"role": "user", "content": "小猫喜欢吃什么？"}]
SCHEMA = {
    "type": "object",
    "properties": {"food": {"type": "string"}, "sure": {"type": "boolean"}},
    "required": ["food"],
    "additionalProperties": False,
}
GOOD = '{"food": "鱼"}'


@pytest.fixture
def server():
    with OpenAIServer() as server:
        yield server


@pytest.fixture
def llm(server):
    return OpenAILLM(server.url, model="test", backoff=0.001, retries=1)


async def collect(stream):
    return [piece async for piece in stream]


async def test_an_answer_comes_back(server, llm):
    server.answers.append("小猫喜欢吃鱼。")
    assert await llm.complete(ASK, max_tokens=50) == "小猫喜欢吃鱼。"
    (body,) = server.bodies("completions")
    assert body == {"model": "test", "messages": ASK, "temperature": 0.0, "max_tokens": 50}


async def test_spent_tokens_are_counted(llm):
    await llm.complete(ASK)
    await collect(llm.stream(ASK))
    assert llm.usage.requests == 2
    assert llm.usage.prompt_tokens == 14
    assert llm.usage.completion_tokens > 2


def test_a_server_that_counts_nothing_does_not_disturb():
    usage = Usage()
    usage.add(None)
    usage.add({"prompt_tokens": None})
    assert usage == Usage(requests=2)


async def test_the_schema_is_handed_to_the_server(server, llm):
    server.answers.append(GOOD)
    assert json.loads(await llm.complete(ASK, schema=SCHEMA)) == {"food": "鱼"}
    form = server.bodies("completions")[0]["response_format"]
    assert form == {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA}}


@pytest.mark.parametrize("refused", [{"json_schema"}, {"json_schema", "json_object"}])
async def test_a_server_without_schemas_is_told_in_words_from_then_on(server, llm, refused):
    server.refuse = refused
    server.answers.extend([GOOD] * 2)
    await llm.complete(ASK, schema=SCHEMA)
    asked = len(server.requests)
    assert asked == len(refused) + 1
    assert json.loads(await llm.complete(ASK, schema=SCHEMA)) == {"food": "鱼"}
    last = server.bodies("completions")[-1]
    assert len(server.requests) == asked + 1
    assert json.dumps(SCHEMA) in last["messages"][-1]["content"]
    assert ("response_format" in last) == ("json_object" not in refused)


@pytest.mark.parametrize(
    "said",
    [
        f"```json\n{GOOD}\n```",
        f"Sure! Here it is: {GOOD} Anything else?",
        f"<think>maybe {{fish}}?</think>\n{GOOD}",
        f"[not json] {GOOD}",
    ],
)
async def test_json_is_found_in_whatever_stands_around_it(server, llm, said):
    server.answers.append(said)
    assert json.loads(await llm.complete(ASK, schema=SCHEMA)) == {"food": "鱼"}
    assert len(server.requests) == 1


@pytest.mark.parametrize("bad", ["I do not know", '{"food": 3}', "{}", '{"food": "鱼", "extra": 1}', '{"food": "鱼"'])
async def test_a_wrong_answer_is_repaired_once(server, llm, bad):
    server.answers.extend([bad, GOOD])
    assert json.loads(await llm.complete(ASK, schema=SCHEMA)) == {"food": "鱼"}
    messages = server.bodies("completions")[1]["messages"]
    assert [m["role"] for m in messages] == ["user", "assistant", "user"]
    assert messages[1]["content"] == bad
    assert "wrong" in messages[2]["content"]


async def test_a_second_wrong_answer_is_an_error_that_says_why(server, llm):
    server.answers.extend(['{"food": 1}'] * 3)
    with pytest.raises(ModelFailed, match=r"asked twice: \$\.food must be string, not int"):
        await llm.complete(ASK, schema=SCHEMA)
    assert len(server.requests) == 2


@pytest.mark.parametrize("name", ["temperature", "max_tokens", "stream_options"])
async def test_a_parameter_that_the_server_does_not_know_is_left_out_from_then_on(server, llm, name):
    server.refuse = {name}
    await collect(llm.stream(ASK, max_tokens=99))
    await collect(llm.stream(ASK, max_tokens=99))
    assert [name in body for body in server.bodies("completions")] == [True, False, False]
    assert (name == "max_tokens") == ("max_completion_tokens" in server.bodies("completions")[-1])


async def test_any_other_refusal_is_an_error(server, llm):
    server.faults.append(broken(400, "the messages must alternate"))
    with pytest.raises(ModelFailed, match="HTTP 400: the messages must alternate"):
        await llm.complete(ASK, schema=SCHEMA)
    assert len(server.requests) == 1


async def test_a_prompt_over_the_context_is_too_large(server, llm):
    server.faults.append(broken(400, "request (3031 tokens) exceeds the available context size (1024 tokens)"))
    with pytest.raises(TooLarge, match="1024 tokens") as caught:
        await llm.complete(ASK)
    assert caught.value.limit == 1024


async def test_an_answer_cut_at_the_tokens_that_the_caller_gave_is_an_answer(server, llm):
    server.finish_reason = "length"
    assert await llm.complete(ASK, max_tokens=5)
    assert await collect(llm.stream(ASK, max_tokens=5))


async def test_an_answer_cut_by_the_server_is_an_error(server, llm):
    server.finish_reason = "length"
    server.answers.extend(["half an", "half an", '{"food": "f'])
    with pytest.raises(ModelFailed, match="raise max_tokens"):
        await llm.complete(ASK)
    with pytest.raises(ModelFailed, match="raise max_tokens"):
        await collect(llm.stream(ASK))
    with pytest.raises(ModelFailed, match="raise max_tokens"):
        await llm.complete(ASK, schema=SCHEMA, max_tokens=5)


@pytest.mark.parametrize("said", ["", "  ", "<think>only thoughts</think>", "<think>never done"])
async def test_an_answer_that_says_nothing_is_an_error(server, llm, said):
    server.answers.extend([said, said])
    with pytest.raises(ModelFailed, match="empty answer"):
        await llm.complete(ASK)
    with pytest.raises(ModelFailed, match="empty answer"):
        await collect(llm.stream(ASK))


async def test_a_filtered_answer_is_an_error(server, llm):
    server.finish_reason = "content_filter"
    with pytest.raises(ModelFailed, match="content filter"):
        await llm.complete(ASK)


@pytest.mark.parametrize("answer", [{}, {"choices": []}, {"choices": [{"message": {"content": [1]}}]}, [], None])
async def test_an_answer_without_a_message_is_an_error(server, llm, answer):
    server.faults.append(changed(lambda _: answer))
    with pytest.raises(ModelFailed, match="without a message"):
        await llm.complete(ASK)


async def test_a_stream_arrives_in_pieces_without_its_reasoning(server, llm):
    server.answers.append("<think>it is a cat, so…</think>\n\n小猫喜欢吃鱼。 Really.")
    pieces = await collect(llm.stream(ASK))
    assert "".join(pieces) == "小猫喜欢吃鱼。 Really."
    assert len(pieces) > 2


@pytest.mark.parametrize("fault", [cut(0), cut(2), cut(0, politely=True), cut(2, politely=True)])
async def test_a_stream_that_breaks_off_is_an_error(server, llm, fault):
    server.faults.append(fault)
    with pytest.raises(Unavailable):
        await collect(llm.stream(ASK))


async def test_a_stream_of_something_else_is_an_error(server, llm):
    server.faults.append(changed(lambda events: [events[0], "text"]))
    with pytest.raises(ModelFailed, match="middle of its answer"):
        await collect(llm.stream(ASK))


async def test_an_error_in_the_middle_of_a_stream_is_an_error(server, llm):
    server.faults.append(changed(lambda events: [events[0], {"error": {"message": "out of memory"}}]))
    with pytest.raises(ModelFailed, match="out of memory"):
        await collect(llm.stream(ASK))


async def test_a_stream_that_cannot_begin_is_tried_again(server, llm):
    server.faults.append(broken(503))
    assert await collect(llm.stream(ASK))
    assert len(server.requests) == 2


async def test_a_reader_may_stop_in_the_middle(server, llm):
    async for _ in llm.stream(ASK):
        break
    assert await llm.complete(ASK)
    await llm.close()


def test_it_serves_one_event_loop_after_another(llm):
    assert asyncio.run(llm.complete(ASK)) == asyncio.run(llm.complete(ASK))


def test_a_model_must_be_named():
    with pytest.raises(Invalid, match="/v1/models"):
        OpenAILLM("http://127.0.0.1:1/v1", model="")


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("plain", "plain"),
        ("<think>a</think>b", "b"),
        ("\n<think>\na\n</think>\n\nb </think>", "b </think>"),
        ("<think>a</think><think>b</think>c", "c"),
        ("reasons, no opening tag</think>\nb", "b"),
        ("the tag <think> in prose", "the tag <think> in prose"),
        ("<thin ice", "<thin ice"),
        ("<th", "<th"),
        ("<think>open", ""),
    ],
)
def test_reasoning_is_taken_out(said, shown):
    assert without_thinking(said) == shown


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50])
def test_reasoning_is_taken_out_however_the_stream_is_cut(size):
    said = "  <think>a <b> </thin </think>\n c <think> d"
    thinking = Thinking()
    shown = "".join(thinking.feed(said[i : i + size]) for i in range(0, len(said), size)) + thinking.rest()
    assert shown == "c <think> d"
