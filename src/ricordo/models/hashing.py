"""An embedder without a model: character n-grams, hashed. It costs nothing and knows no synonyms."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np

from ricordo.errors import Invalid
from ricordo.models.rows import clean, slices, unit
from ricordo.protocols import Vectors

_MULTIPLIERS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], dtype=np.uint64)
_NOTHING = 1e-3
"""Added to one fixed bucket: counts are whole numbers, so no row can come out as zero."""


class HashEmbedder:
    """Signed counts of single characters, pairs and triples, case folded: Chinese words and English stems meet.

    The same text gives the same vector on every machine.
    """

    max_characters = 1_000_000

    def __init__(self, dimension: int = 384) -> None:
        if dimension < 2:
            raise Invalid(f"dimension must be 2 or more, got {dimension}")
        self.name = f"hash-{dimension}"
        self._dimension = dimension

    async def dimension(self) -> int:
        return self._dimension

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:  # noqa: ARG002 - both are one here
        rows = [np.empty((0, self._dimension), np.float32)]
        for part in slices(clean(texts, self.max_characters), most=64, size=100_000):
            rows.append(self._rows(part))
            await asyncio.sleep(0)
        return np.concatenate(rows)

    def _rows(self, texts: Sequence[str]) -> Vectors:
        folded = [f" {text.casefold()} " for text in texts]
        codes = np.frombuffer("".join(folded).encode("utf-32-le"), dtype="<u4").astype(np.uint64)
        owner = np.repeat(np.arange(len(texts)), [len(text) for text in folded])
        counts = np.zeros(len(texts) * self._dimension)
        grams = np.zeros(len(codes), np.uint64)
        for n, multiplier in enumerate(_MULTIPLIERS):
            size = len(codes) - n
            grams = grams[:size] * _MULTIPLIERS[0] + codes[n:] * multiplier
            mixed = grams ^ (grams >> np.uint64(29))
            mixed = (mixed * _MULTIPLIERS[1]) >> np.uint64(33)
            inside = owner[:size] == owner[n:]
            bucket = (mixed >> np.uint64(1)).astype(np.int64) % self._dimension + owner[:size] * self._dimension
            sign = (mixed & np.uint64(1)).astype(np.float64) * 2 - 1
            counts += np.bincount(bucket, weights=sign * inside, minlength=len(counts))
        table = counts.reshape(len(texts), self._dimension)
        table[:, 0] += _NOTHING
        return unit(table, self.name)
