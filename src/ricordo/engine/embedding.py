"""Vectors for memories of any length, and how far a bank is covered by them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ricordo.engine.parts import Parts, models_of
from ricordo.protocols import Embedder, Vectors
from ricordo.types import SEARCHABLE_KINDS, Bank, Coverage, Filter

MOST_WINDOWS = 16


def windows(text: str, size: int) -> list[str]:
    """The text whole, or windows of `size` characters spread evenly over it, at most MOST_WINDOWS."""
    if len(text) <= size:
        return [text]
    starts = range(0, len(text), size)
    if len(starts) <= MOST_WINDOWS:
        return [text[s : s + size] for s in starts]
    last = len(text) - size
    return [text[s : s + size] for s in (last * i // (MOST_WINDOWS - 1) for i in range(MOST_WINDOWS))]


async def embed_texts(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """One unit vector a text; a text longer than the model takes is the mean of its windows."""
    pieces = [windows(text, embedder.max_characters) for text in texts]
    flat = await embedder.embed([piece for some in pieces for piece in some])
    if len(flat) == len(texts):
        return flat
    ends = np.cumsum([len(some) for some in pieces])
    means = np.stack([flat[end - len(some) : end].mean(axis=0) for end, some in zip(ends, pieces, strict=True)])
    return np.asarray(means / np.linalg.norm(means, axis=1, keepdims=True), dtype=np.float32)


async def coverage(parts: Parts, bank: Bank) -> Coverage:
    """How many of the bank's searchable memories have a vector under its model."""
    total = await parts.records.count(Filter(bank=bank.id, kinds=SEARCHABLE_KINDS, expired=True))
    models = models_of(bank)
    if not models or not models[0].space:
        return Coverage(done=0, total=total, model="words only")
    done = await parts.vectors.count(models[0].space, bank.id)
    return Coverage(done=min(done, total), total=total, model=models[0].space)
