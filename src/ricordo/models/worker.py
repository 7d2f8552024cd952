"""Local models run on threads of their own, so that no event loop waits for them."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

import numpy as np

from ricordo.models.rows import slices, unit
from ricordo.models.together import together
from ricordo.protocols import Vectors

Encode: TypeAlias = Callable[[Sequence[str], bool], Vectors]

SLICE_TEXTS = 32
SLICE_BYTES = 2_000
"""About 500 tokens in Chinese and in English: enough to use the processor well, and at most about a second of it."""


class Worker:
    """Turns texts into vectors with an encoder that `load` makes at the first call.

    Texts are taken in slices. Between two of them other callers get their turn and a cancelled call ends. It serves any
    number of event loops, and goes on in a forked child, where the parent's threads do not exist.
    """

    def __init__(self, name: str, dimension: int, load: Callable[[], Encode], *, threads: int = 1) -> None:
        self._name = name
        self._dimension = dimension
        self._load = load
        self._threads = threads
        self._encode: Encode | None = None
        self._start()

    def _start(self) -> None:
        self._pid = os.getpid()
        self._loading = threading.Lock()
        self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix=self._name)

    async def embed(self, texts: Sequence[str], *, query: bool) -> Vectors:
        """One row of unit length a text."""
        if self._pid != os.getpid():
            self._start()
        turns = asyncio.Semaphore(self._threads)
        parts = slices(texts, most=SLICE_TEXTS, size=SLICE_BYTES)
        rows = await together(self._turn(part, query, turns) for part in parts)
        return np.concatenate([np.empty((0, self._dimension), np.float32), *rows])

    async def _turn(self, part: Sequence[str], query: bool, turns: asyncio.Semaphore) -> Vectors:
        async with turns:
            return await asyncio.get_running_loop().run_in_executor(self._pool, self._run, part, query)

    def _run(self, part: Sequence[str], query: bool) -> Vectors:
        with self._loading:
            encode = self._encode = self._encode or self._load()
        return unit(encode(part, query), self._name)
