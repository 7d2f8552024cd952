import asyncio
import threading

import pytest

from ricordo import blocking


async def double(number):
    await asyncio.sleep(0)
    return number * 2


def test_a_coroutine_runs_without_await():
    assert blocking.run(double(21)) == 42


async def test_it_works_while_a_loop_runs():
    assert blocking.run(double(2)) == 4


def test_errors_come_through():
    async def fail():
        raise LookupError("nowhere")

    with pytest.raises(LookupError, match="nowhere"):
        blocking.run(fail())


def test_many_threads_share_the_bridge():
    results = []
    threads = [threading.Thread(target=lambda n=n: results.append(blocking.run(double(n)))) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [n * 2 for n in range(16)]


def test_blocking_on_the_bridge_itself_is_refused_and_not_a_deadlock():
    async def nested():
        return blocking.run(double(1))

    with pytest.raises(RuntimeError, match="await the coroutine"):
        blocking.run(nested())


def test_a_wrapped_object_has_the_same_verbs():
    class Target:
        size = 3

        async def grow(self, by):
            self.size += by
            return self.size

        async def stream(self):
            yield 1
            yield 2

    wrapped = blocking.Blocking(Target())
    assert list(wrapped.stream()) == [1, 2]
    assert wrapped.size == 3
    assert wrapped.grow(2) == 5


async def pieces(closed):
    try:
        for number in range(5):
            await asyncio.sleep(0)
            yield number
    finally:
        closed.append(True)


def test_a_stream_is_iterated_without_await():
    closed = []
    assert list(blocking.iterate(pieces(closed))) == [0, 1, 2, 3, 4]
    assert closed


def test_giving_up_half_way_closes_the_stream():
    closed = []
    stream = blocking.iterate(pieces(closed))
    assert next(stream) == 0
    stream.close()
    assert closed
