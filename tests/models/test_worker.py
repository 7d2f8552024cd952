import asyncio
import threading

import numpy as np
import pytest

from ricordo.errors import ModelFailed
from ricordo.models.worker import SLICE_BYTES, Worker

LONG = "x" * SLICE_BYTES


class Recorder:
    """An encoder that notes what it was given, and by which thread."""

    def __init__(self):
        self.loads = 0
        self.calls = []
        self.threads = set()
        self.go_on = threading.Event()
        self.go_on.set()

    def load(self):
        self.loads += 1
        return self.encode

    def encode(self, texts, query):
        self.go_on.wait(5)
        self.calls.append((list(texts), query))
        self.threads.add(threading.current_thread())
        return np.ones((len(texts), 2), np.float32)


async def test_the_model_is_loaded_by_the_first_call_and_once():
    model = Recorder()
    worker = Worker("test", 2, model.load)
    assert model.loads == 0
    await asyncio.gather(*(worker.embed(["a"], query=False) for _ in range(5)))
    assert model.loads == 1


async def test_the_model_never_runs_on_the_callers_thread():
    model = Recorder()
    await Worker("test", 2, model.load).embed(["a"], query=True)
    assert threading.current_thread() not in model.threads


async def test_a_cancelled_call_ends_at_the_next_slice():
    model = Recorder()
    worker = Worker("test", 2, model.load)
    model.go_on.clear()
    task = asyncio.create_task(worker.embed([LONG] * 50, query=False))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    model.go_on.set()
    await worker.embed(["after"], query=False)
    assert len(model.calls) <= 2


async def test_a_short_call_does_not_wait_for_the_whole_of_a_long_one():
    model = Recorder()
    worker = Worker("test", 2, model.load)
    long = asyncio.create_task(worker.embed([LONG] * 50, query=False))
    await asyncio.sleep(0)
    await worker.embed(["question"], query=True)
    assert [texts for texts, _ in model.calls].index(["question"]) < 5
    assert len(await long) == 50


async def test_rows_come_back_in_the_order_of_the_texts():
    def encode(texts, _query):
        return np.array([[1.0, len(text)] for text in texts], np.float32)

    rows = await Worker("test", 2, lambda: encode).embed(["y" * n for n in range(1, 200)], query=False)
    assert np.all(np.diff(rows[:, 0]) < 0)


async def test_a_model_that_cannot_be_loaded_says_so_at_every_call():
    def load():
        raise ModelFailed("no weights")

    worker = Worker("test", 2, load)
    for _ in range(2):
        with pytest.raises(ModelFailed, match="no weights"):
            await worker.embed(["a"], query=False)


@pytest.mark.parametrize("number", [0.0, np.nan, np.inf])
async def test_a_vector_that_stands_for_nothing_is_refused(number):
    worker = Worker("test", 2, lambda: lambda texts, _query: np.full((len(texts), 2), number, np.float32))
    with pytest.raises(ModelFailed, match="text 0 of 1"):
        await worker.embed(["a"], query=False)
