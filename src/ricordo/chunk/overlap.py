"""How far a chunk reaches back into the one before it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from ricordo.chunk.boundaries import Cut, phrases, sentences
from ricordo.chunk.graphemes import joined
from ricordo.chunk.measure import Measure


def overlapping_starts(
    text: str,
    ends: Sequence[Cut],
    measure: Measure,
    *,
    overlap: int,
    limit: int,
    barriers: Collection[int],
) -> list[int]:
    """Where chunks begin with up to `overlap` of the chunk before: at a sentence, else at a phrase, else anywhere.

    A chunk that begins at a barrier keeps its start, and no chunk comes to more than the limit.
    """
    starts = [0]
    for before, (start, end) in pairwise(pairwise([0, *(at for at, _ in ends)])):
        floor = start if start in barriers else before[0]

        def near(at: int, start: int = start, end: int = end) -> bool:
            return measure.size(at, start) <= overlap and measure.size(at, end) <= limit

        for offsets in _offsets(text, floor, start):
            first = bisect_left(offsets, True, key=near)
            if first < len(offsets):
                starts.append(offsets[first])
                break
        else:
            starts.append(start)
    return starts


def _offsets(text: str, floor: int, start: int) -> Iterator[list[int]]:
    yield [at for at, _ in sentences(text, floor, start) if at < start]
    yield [at for at, _ in phrases(text, floor, start) if at < start]
    yield [at for at in range(floor, start) if not joined(text, at)]
