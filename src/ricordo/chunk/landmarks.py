"""Cuts that are found again in an edited text, however far the edit has moved them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ricordo.chunk.boundaries import Cut


def landmarks(cuts: Sequence[Cut], marks: Sequence[int], radius: int) -> list[int]:
    """The indices of cuts that are better than every other within the radius; between equals a hash decides.

    marks[i] is how much the text counts before piece i. The hash is of the sizes of the two pieces beside a cut, so
    nothing beyond the radius has a say, and a run of lines that could be cut anywhere equally well has landmarks too.
    """
    sizes = [*(end - start for start, end in pairwise(marks)), 0]
    ranks = [
        (level << 8) + (before * 151 + after * 83) % 256
        for (_, level), (before, after) in zip(cuts, pairwise(sizes), strict=True)
    ]
    return [
        index
        for index, rank in enumerate(ranks)
        if _first(ranks, marks, index, -1, radius, rank + 1) and _first(ranks, marks, index, 1, radius, rank)
    ]


def _first(ranks: Sequence[int], marks: Sequence[int], index: int, step: int, radius: int, bound: int) -> bool:
    """Whether every rank on one side, within the radius, is at least the bound."""
    here = marks[index + 1]
    other = index + step
    while 0 <= other < len(ranks) and abs(marks[other + 1] - here) <= radius:
        if ranks[other] < bound:
            return False
        other += step
    return True
