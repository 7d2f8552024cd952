import asyncio
import gc
import logging
import threading

import httpx
import numpy as np
import pytest

from ricordo.errors import Invalid, ModelFailed, TooLarge, Unavailable
from ricordo.models import endpoint
from ricordo.models.openai import OpenAIEmbedder
from ricordo.secret import Secret
from servers.openai_server import OpenAIServer, broken, changed, malformed, slow, too_many

KEY = "sk-very-secret-1234"


@pytest.fixture
def server():
    with OpenAIServer() as server:
        yield server


def embedder_of(server, **options):
    return OpenAIEmbedder(server.url, **{"model": "test", "backoff": 0.001, **options})


def change_item(number, **fields):
    def change(answer):
        answer["data"][number] |= fields
        return answer

    return changed(change)


async def test_vectors_come_back_in_the_order_of_the_texts_over_many_requests(server):
    embedder = embedder_of(server, batch=3)
    texts = [f"text number {n}" for n in range(10)]
    rows = await embedder.embed(texts)
    expected = np.array([server.vector(text) for text in texts])
    assert np.allclose(rows, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-6)
    assert [len(body["input"]) for body in server.bodies("embeddings")].count(3) == 3


async def test_a_request_is_bounded_by_bytes_too(server):
    await embedder_of(server, batch_bytes=100).embed(["x" * 60] * 4 + ["猫" * 100])
    assert [len(body["input"]) for body in server.bodies("embeddings")] == [1] * 5


async def test_the_dimension_is_asked_for_once(server):
    embedder = embedder_of(server)
    assert [await embedder.dimension() for _ in range(3)] == [16, 16, 16]
    assert len(server.requests) == 1


async def test_shorter_vectors_and_prefixes_are_part_of_the_name(server):
    short = embedder_of(server, dimensions=8)
    prefixed = embedder_of(server, query_prefix="query: ", passage_prefix="passage: ")
    assert short.name == "openai:test:8"
    assert await short.dimension() == 8
    assert prefixed.name.startswith("openai:test:")
    assert prefixed.name != embedder_of(server, query_prefix="Q: ").name
    await prefixed.embed(["猫"], query=True)
    assert server.bodies("embeddings")[-1]["input"] == ["query: 猫"]


async def test_indexes_decide_over_the_order_of_the_answer(server):
    embedder = embedder_of(server)
    right = await embedder.embed(["a", "b", "c"])
    server.faults.append(changed(lambda answer: answer | {"data": answer["data"][::-1]}))
    assert np.array_equal(await embedder.embed(["a", "b", "c"]), right)


async def test_an_answer_without_indexes_is_in_order(server):
    server.faults.append(changed(lambda a: {"data": [{"embedding": item["embedding"]} for item in a["data"]]}))
    embedder = embedder_of(server)
    assert np.array_equal(await embedder.embed(["a", "b"]), await embedder.embed(["a", "b"]))


async def test_base64_answers_are_read():
    with OpenAIServer(encoding="base64") as server:
        as_base64 = await embedder_of(server).embed(["猫 fish"])
        server.encoding = "float"
        assert np.allclose(as_base64, await embedder_of(server).embed(["猫 fish"]), atol=1e-6)


@pytest.mark.parametrize(
    "fault",
    [
        changed(lambda a: a | {"data": a["data"][:1]}),
        changed(lambda a: {"object": "error"}),
        changed(lambda a: []),
        change_item(1, index=0),
        change_item(1, index="1"),
        change_item(1, embedding=[1.0]),
        change_item(1, embedding=[]),
        change_item(1, embedding=None),
        change_item(1, embedding=[None] * 16),
        change_item(1, embedding=[float("nan")] * 16),
        change_item(1, embedding=[float("inf")] * 16),
        change_item(1, embedding=[0.0] * 16),
        change_item(1, embedding=[1e400] * 16),
        change_item(1, embedding=["x"] * 16),
        change_item(1, embedding="not base64!"),
        change_item(1, embedding="AAA="),
    ],
)
async def test_an_answer_that_cannot_be_used_is_an_error_and_never_a_vector(server, fault):
    server.faults.append(fault)
    with pytest.raises(ModelFailed):
        await embedder_of(server).embed(["a", "b"])


async def test_another_model_behind_the_name_is_noticed(server):
    embedder = embedder_of(server)
    await embedder.embed(["a"])
    server.dimension = 8
    with pytest.raises(ModelFailed, match="8 numbers, and 16 before"):
        await embedder.embed(["a"])


@pytest.mark.parametrize("fault", [too_many("0"), broken(500), broken(503), malformed()], ids=lambda f: str(f.status))
async def test_what_may_pass_is_tried_again(server, fault):
    server.faults.extend([fault, fault])
    assert len(await embedder_of(server).embed(["a"])) == 1
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("fault", "error"), [(too_many("0"), Unavailable), (broken(503), Unavailable), (malformed(), ModelFailed)]
)
async def test_tries_come_to_an_end(server, fault, error):
    server.faults.extend([fault] * 9)
    with pytest.raises(error, match=server.url):
        await embedder_of(server, retries=2).embed(["a"])
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
async def test_what_cannot_pass_is_not_tried_again(server, status):
    server.faults.append(broken(status, "no such model"))
    with pytest.raises(ModelFailed, match=f"HTTP {status}: no such model"):
        await embedder_of(server).embed(["a"])
    assert len(server.requests) == 1


@pytest.mark.parametrize("asked", ["3600", "Fri, 31 Dec 2100 23:59:59 GMT"])
async def test_a_long_retry_after_is_not_waited_for(server, asked):
    server.faults.append(too_many(asked))
    with pytest.raises(Unavailable, match="slow down"):
        await embedder_of(server).embed(["a"])
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("header", "seconds"), [("2.5", 2.5), ("-1", 0), ("soon", 0), ("", 0), ("Fri, 01 Jan 2021 00:00:00 GMT", 0)]
)
def test_retry_after_is_read_as_seconds_or_as_a_date(header, seconds):
    assert endpoint._wait(httpx.Response(429, headers={"retry-after": header})) == seconds


async def test_a_server_that_is_too_slow_is_unavailable(server):
    server.faults.append(slow(5))
    with pytest.raises(Unavailable, match="ReadTimeout"):
        await embedder_of(server, timeout=0.1, retries=0).embed(["a"])


async def test_a_server_that_is_not_there_is_unavailable_and_named():
    with OpenAIServer() as gone:
        pass
    embedder = OpenAIEmbedder(
        gone.url.replace("//", "//user:hunter2@") + "?token=t0p", model="test", key=KEY, retries=1, backoff=0.001
    )
    with pytest.raises(Unavailable, match=f"{gone.url} does not answer .*is the server running") as caught:
        await embedder.embed(["a"])
    assert not any(secret in str(caught.value) for secret in ("hunter2", "t0p", KEY))


async def test_the_key_reaches_the_server_and_nothing_else(server, caplog):
    caplog.set_level(logging.DEBUG)
    embedder = embedder_of(server, key=Secret(KEY), retries=0)
    await embedder.embed(["a"])
    assert server.requests[0].headers["Authorization"] == f"Bearer {KEY}"
    server.faults.extend([broken(401, f"Incorrect API key provided: {KEY}"), broken(500, KEY)])
    for _ in range(2):
        with pytest.raises((ModelFailed, Unavailable)) as caught:
            await embedder.embed(["a"])
        assert KEY not in str(caught.value)
    assert KEY not in caplog.text + repr(embedder) + repr(vars(embedder)) + repr(vars(embedder._endpoint))


async def test_no_key_sends_no_header(server):
    await embedder_of(server, key=Secret("")).embed(["a"])
    assert "Authorization" not in server.requests[0].headers


async def test_a_text_over_the_limit_of_the_server_is_the_mean_of_its_parts(caplog):
    with OpenAIServer(token_limit=20) as server:
        embedder = embedder_of(server)
        long = "the cat sat on the mat and looked at the rain. " * 8
        (row,) = await embedder.embed([long])
        assert row @ (np.array(server.vector(long)) / np.linalg.norm(server.vector(long))) > 0.97
        await embedder.embed([long, "short", "长" * 50])
        assert [record.levelname for record in caplog.records if record.name.startswith("ricordo")] == ["WARNING"]
        assert "current batch size: 20" in caplog.text


async def test_the_parts_of_a_long_text_weigh_as_much_as_they_are_long():
    first, second = "猫" * 14 + " ", "狗" * 30
    with OpenAIServer(token_limit=40) as server:
        (row,) = await embedder_of(server).embed([first + second])
        parts = [np.array(server.vector(part)) for part in (first, second)]
    mean = sum(part / np.linalg.norm(part) * len(text) for part, text in zip(parts, (first, second), strict=True))
    assert np.allclose(row, mean / np.linalg.norm(mean), atol=1e-6)


async def test_the_vector_of_a_long_text_does_not_depend_on_what_came_before():
    texts = ["短", "长文本，有很多字。" * 9, "x", "many words in a row " * 7]
    with OpenAIServer(token_limit=20) as server:
        fresh = np.concatenate([await embedder_of(server).embed([text]) for text in texts])
        used = embedder_of(server)
        await used.embed(texts)
        assert np.allclose(await used.embed(texts), fresh, atol=1e-6)


async def test_once_the_limit_is_known_long_texts_do_not_spoil_the_batches_of_others():
    with OpenAIServer(token_limit=40) as server:
        embedder = embedder_of(server)
        await embedder.embed(["word " * 60])
        before = len(server.requests)
        await embedder.embed(["word " * 60, *["short"] * 20])
        assert [len(body["input"]) for body in server.bodies("embeddings")[before:]].count(20) == 1


async def test_a_server_that_refuses_even_a_short_text_ends_in_an_error():
    with OpenAIServer(token_limit=0) as server, pytest.raises(TooLarge, match="too large to process"):
        await embedder_of(server).embed(["a few words"])


async def test_no_more_requests_at_once_than_allowed(server):
    server.faults.extend([slow(0.02)] * 12)
    await embedder_of(server, batch=1, concurrency=3).embed(["a"] * 12)
    assert server.most_at_once == 3


def test_each_event_loop_has_its_own_connections_and_closes_them(server):
    embedder = embedder_of(server)
    threads = [threading.Thread(target=lambda: asyncio.run(embedder.embed(["a"]))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.requests) == 4
    assert asyncio.run(embedder.embed(["a"])).shape == (1, 16)
    assert embedder._endpoint._sessions == {}


async def test_a_closed_embedder_opens_again_when_asked(server):
    embedder = embedder_of(server)
    await embedder.embed(["a"])
    await embedder.close()
    assert embedder._endpoint._sessions == {}
    assert len(await embedder.embed(["a"])) == 1


def test_a_dropped_embedder_leaves_no_connection_open_when_its_loop_ends(server):
    async def use_and_drop():
        await asyncio.gather(*(embedder_of(server, batch=1).embed(["a"] * 4) for _ in range(3)))
        gc.collect()

    others = set(endpoint._connected)  # of models that other tests keep open on the bridge
    asyncio.run(use_and_drop())
    gc.collect()
    assert not set(endpoint._connected) - others


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/", "/v1/embeddings"])
async def test_the_usual_ways_to_write_the_url_all_work(server, ending):
    assert len(await OpenAIEmbedder(server.root + ending, model="test").embed(["a"])) == 1


@pytest.mark.parametrize("url", ["", "host:8080/v1", "ftp://host/v1", "http://", "http://a b:x"])
def test_a_url_that_cannot_be_one_is_refused_at_once(url):
    with pytest.raises(Invalid, match=r"http://127\.0\.0\.1:8080/v1"):
        OpenAIEmbedder(url, model="test")


def test_a_model_must_be_named():
    with pytest.raises(Invalid, match="/v1/models"):
        OpenAIEmbedder("http://127.0.0.1:1/v1", model="")
