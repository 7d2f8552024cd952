"""Text cut where its topic changes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TypeAlias

import numpy as np

from ricordo.chunk.boundaries import HEADING, SENTENCE, Cut
from ricordo.chunk.markdown import Region, regions
from ricordo.chunk.measure import Count, Measure, check_sizes, measure_of
from ricordo.chunk.packing import held, sections
from ricordo.chunk.pieces import pieces
from ricordo.chunk.sections import sections_of
from ricordo.chunk.topics import best_cuts, depths, similarities
from ricordo.errors import Invalid
from ricordo.protocols import Embedder, Vectors
from ricordo.types import Section

Anchors: TypeAlias = Sequence[tuple[int, int, str]]

JOINED = 240
"""Wrapped lines, lines of code and parts of long sentences are embedded together, up to so much."""

ABOVE = 0.1
"""What a heading is worth more than the best gap, as a cosine."""


@dataclass(frozen=True, slots=True)
class _Sentences:
    """A text and the ends of the sentences that are embedded."""

    text: str
    found: list[Region]
    measure: Measure
    cuts: list[Cut]

    def ranges(self) -> Iterator[tuple[int, int]]:
        return pairwise([0, *(at for at, _ in self.cuts)])

    def texts(self) -> list[str]:
        return [self.text[start:end].strip() for start, end in self.ranges()]


class SemanticChunker:
    """Chunks that end where what stands before a gap and what stands after it are least alike.

    Each sentence is embedded once. A gap is worth its depth below the peaks of similarity around it, less the mean and
    `z` standard deviations of the depths in its text; or, given a `threshold`, what its cosine lacks to that (with
    window=1, the cosine of neighbouring sentences). The cuts of most worth are taken, so that chunks count `least` to
    `size`, and never more. A heading is worth more than any gap. With a `parent`, chunks are grouped in sections
    of up to so much; without, each is a section of its own.
    """

    def __init__(
        self,
        embedder: Embedder,
        size: int = 1000,
        parent: int | None = 0,
        unit: str = "characters",
        count: Count | None = None,
        *,
        least: int = 120,
        window: int = 3,
        z: float = 1.0,
        threshold: float | None = None,
    ) -> None:
        check_sizes(size, parent or 0, unit, count)
        if window < 1:
            raise Invalid(f"window must be 1 or more, got {window}")
        if threshold is not None and not -1 <= threshold <= 1:
            raise Invalid(f"threshold is a cosine and must lie between -1 and 1, got {threshold}")
        self._embedder = embedder
        self._size = size
        self._parent = parent or 0
        self._count = count
        self._least = min(least, size // 2)
        self._window = window
        self._z = z
        self._threshold = threshold

    async def split(self, text: str, anchors: Anchors = ()) -> list[Section]:
        return (await self.split_many([text], [anchors]))[0]

    async def split_many(self, texts: Sequence[str], anchors: Sequence[Anchors] = ()) -> list[list[Section]]:
        """The sections of each text; the sentences of all are embedded in one batch, equal ones once."""
        pairs = zip(texts, anchors or [()] * len(texts), strict=True)
        read = [await asyncio.to_thread(self._read, text, given) for text, given in pairs]
        sentences = [each.texts() for each in read]
        distinct = list(dict.fromkeys(sentence for each in sentences for sentence in each if sentence))
        if not distinct:
            return [self._cut(each, np.zeros((len(each.cuts), 1), np.float32)) for each in read]
        longest = self._embedder.max_characters  # a longer sentence is judged by its beginning
        vectors = await self._embedder.embed([sentence[:longest] for sentence in distinct])
        vectors = np.vstack([vectors, np.zeros_like(vectors[:1])])
        row = {sentence: number for number, sentence in enumerate(distinct)}
        rows = [[row.get(sentence, -1) for sentence in each] for each in sentences]  # white space has the row of zeros
        return [
            await asyncio.to_thread(self._cut, each, vectors[chosen]) for each, chosen in zip(read, rows, strict=True)
        ]

    def _read(self, text: str, anchors: Anchors) -> _Sentences:
        found = regions(text, anchors)
        measure = measure_of(text, self._count)
        cuts = pieces(text, found, measure, self._size) if text else []
        joined = min(JOINED, self._size)
        whole: list[Cut] = []
        start = 0
        for (at, level), following in pairwise([*cuts, (len(text), HEADING)]):
            if level <= SENTENCE or measure.size(start, following[0]) > joined:
                whole.append((at, level))
                start = at
        return _Sentences(text, found, measure, whole)

    def _cut(self, read: _Sentences, vectors: Vectors) -> list[Section]:
        sizes = (read.measure.size(start, end) for start, end in read.ranges())
        marks = list(accumulate(sizes, initial=0))
        chosen = best_cuts(marks, self._gains(read.cuts, vectors), self._least, self._size)
        ends = held(read.cuts, chosen, read.measure, self._size)
        closes = sections(read.text, ends, read.measure, self._parent) if self._parent else ends
        return sections_of(read.text, read.found, ends, closes)

    def _gains(self, cuts: Sequence[Cut], vectors: Vectors) -> list[float]:
        """What a cut at each gap between sentences is worth."""
        if len(cuts) < 2:
            return []
        similarity = similarities(vectors, self._window)
        if self._threshold is not None:
            gains = self._threshold - similarity
        else:
            depth = depths(similarity)
            gains = depth - depth.mean() - self._z * depth.std()
        levels = np.array([level for _, level in cuts[:-1]])
        gains[levels == HEADING] = max(gains.max(), 0.0) + ABOVE
        gains[levels > SENTENCE] = min(gains.min(), 0.0)
        return gains.tolist()  # type: ignore[no-any-return]
