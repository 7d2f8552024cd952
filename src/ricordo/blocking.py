"""The one bridge for callers that do not await: one event loop on one thread of its own.

It works inside a running loop too (a notebook, a web handler), because the coroutine never runs on the caller's.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Iterator
from concurrent.futures import Future
from functools import wraps
from typing import Any, TypeVar, cast

T = TypeVar("T")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None
_thread: threading.Thread | None = None


def _bridge() -> asyncio.AbstractEventLoop:
    global _loop, _thread  # noqa: PLW0603 - one bridge a process is the point
    with _lock:
        if _loop is None or _thread is None or not _thread.is_alive():  # not alive: the process has forked
            _loop = asyncio.new_event_loop()
            _thread = threading.Thread(target=_loop.run_forever, name="ricordo-bridge", daemon=True)
            _thread.start()
        return _loop


def spawn(coroutine: Coroutine[Any, Any, T]) -> Future[T]:
    """Starts the coroutine on the bridge and does not wait for it."""
    return asyncio.run_coroutine_threadsafe(coroutine, _bridge())


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """The coroutine's result; an interrupt cancels it."""
    if threading.current_thread() is _thread:
        coroutine.close()
        raise RuntimeError("blocking.run was called on the bridge's own thread; await the coroutine instead")
    future = spawn(coroutine)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


def iterate(pieces: AsyncIterator[T]) -> Iterator[T]:
    """The pieces of an asynchronous stream as they come; giving up half way closes the stream."""
    end = object()

    async def following() -> T | object:
        return await anext(pieces, end)

    async def close() -> None:
        if isinstance(pieces, AsyncGenerator):
            await pieces.aclose()

    try:
        while (piece := run(following())) is not end:
            yield cast("T", piece)
    finally:
        run(close())


class Blocking:
    """Wraps an object so that what it would have awaited is returned, and what streams is iterated."""

    def __init__(self, target: Any) -> None:
        self._target = target

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._target, name)
        if not callable(found):
            return found

        @wraps(found)
        def call(*args: Any, **kwargs: Any) -> Any:
            result = found(*args, **kwargs)
            if asyncio.iscoroutine(result):
                return run(result)
            return iterate(result) if isinstance(result, AsyncIterator) else result

        return call

    def __repr__(self) -> str:
        return f"Blocking({self._target!r})"
