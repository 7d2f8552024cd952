"""A local model runs on a thread of its own, so that no event loop waits for it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

import numpy as np

from ricordo.models.rows import slices, unit
from ricordo.protocols import Vectors

Encode: TypeAlias = Callable[[Sequence[str], bool], Vectors]

SLICE_TEXTS = 32
SLICE_BYTES = 2_000
"""About 500 tokens in Chinese and in English: enough to use the processor well, and at most about a second of it."""


class Worker:
    """Turns texts into vectors with an encoder that `load` makes at the first call.

    Texts are taken in slices. Between two of them other callers get their turn and a cancelled call ends. It serves any
    number of event loops, and goes on in a forked child, where the parent's thread does not exist.
    """

    def __init__(
        self, name: str, dimension: int, load: Callable[[], Encode], *, slice_bytes: int = SLICE_BYTES
    ) -> None:
        self._name = name
        self._dimension = dimension
        self._load = load
        self._slice_bytes = slice_bytes
        self._encode: Encode | None = None
        self._start()

    def _start(self) -> None:
        self._pid = os.getpid()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=self._name)

    async def embed(self, texts: Sequence[str], *, query: bool) -> Vectors:
        """One row of unit length a text."""
        if self._pid != os.getpid():
            self._start()
        loop = asyncio.get_running_loop()
        rows = [np.empty((0, self._dimension), np.float32)]
        for part in slices(texts, most=SLICE_TEXTS, size=self._slice_bytes):
            rows.append(await loop.run_in_executor(self._thread, self._run, part, query))  # noqa: PERF401 - it awaits
        return np.concatenate(rows)

    def _run(self, part: Sequence[str], query: bool) -> Vectors:
        encode = self._encode = self._encode or self._load()
        return unit(encode(part, query), self._name)
