"""Which pieces go together: few chunks that are cut well, and sections that end at headings."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from zlib import crc32

from ricordo.chunk.boundaries import HEADING, Cut
from ricordo.chunk.landmarks import landmarks
from ricordo.chunk.measure import Measure

COSTS = (-1.2, -0.3, 0.3, 0.5, 1.0, 2.5, 3.0, 4.0)
"""What a cut costs by its level, in chunks; one at a heading gains, so that what a chunk says stands under one heading.

A wide spread keeps edits local: cuts that differ find each other again."""
SLACK = 0.1
"""What an almost empty chunk costs more than a full one, in chunks; in between it falls with the square of the room."""
LANDMARK = -2.0
"""What a cut costs more at a landmark, so that most of them are taken and chunks behind an edit stay as they were."""


def chunks(cuts: Sequence[Cut], measure: Measure, limit: int) -> list[Cut]:
    """Those of the cuts that end chunks, each within the limit, by the least sum of costs."""
    marks = _marks(cuts, measure)
    prices = [COSTS[level] for _, level in cuts]
    for index in landmarks(cuts, marks, 2 * limit):
        prices[index] += LANDMARK
    best, origin = [0.0], [0]
    low = 0
    for end in range(1, len(marks)):
        reach = marks[end] - limit
        while marks[low] < reach and low < end - 1:
            low += 1
        least, chosen = float("inf"), low
        for start in range(low, end):
            room = (marks[start] - reach) / limit
            cost = best[start] + SLACK * room * room
            if cost < least:
                least, chosen = cost, start
        best.append(least + 1 + prices[end - 1])
        origin.append(chosen)
    ends = []
    end = len(cuts)
    while end:
        ends.append(end)
        end = origin[end]
    return held(cuts, ends[::-1], measure, limit)


def sections(text: str, cuts: Sequence[Cut], measure: Measure, limit: int) -> list[Cut]:
    """Those of the chunks' cuts that end sections: the first heading once half of the limit is full, else the best cut.

    Between equals the text around them decides, not how far they are, so that sections after an edit stay as they were.
    """
    marks = _marks(cuts, measure)
    ends = [0]
    while (first := ends[-1]) < len(cuts):
        last = max(bisect_right(marks, marks[first] + limit) - 1, first + 1)
        half = min(bisect_left(marks, marks[first] + limit / 2, first + 1), last)
        window = range(half, last + 1)
        level = min(cuts[end - 1][1] for end in window)
        equals = (end for end in window if cuts[end - 1][1] == level)
        ends.append(next(equals) if level == HEADING else min(equals, key=lambda end: _imprint(text, cuts[end - 1][0])))
    return held(cuts, ends[1:], measure, limit)


def _marks(cuts: Sequence[Cut], measure: Measure) -> list[int]:
    """How much the text counts up to the start, and up to each cut, if counts add up."""
    offsets = [0, *(at for at, _ in cuts)]
    return list(accumulate((measure.size(start, end) for start, end in pairwise(offsets)), initial=0))


def held(cuts: Sequence[Cut], ends: Sequence[int], measure: Measure, limit: int) -> list[Cut]:
    """The cuts at these ends, and more where counts did not add up and a range is over its limit."""
    kept: list[Cut] = []
    todo = [(first, last) for first, last in pairwise([0, *ends])][::-1]
    while todo:
        first, last = todo.pop()
        start = cuts[first - 1][0] if first else 0
        if last - first == 1 or measure.size(start, cuts[last - 1][0]) <= limit:
            kept.append(cuts[last - 1])
            continue
        middle = min(range(first + 1, last), key=lambda end: (cuts[end - 1][1], abs(2 * end - first - last)))
        todo += [(middle, last), (first, middle)]
    return kept


def _imprint(text: str, at: int) -> int:
    return crc32(text[max(at - 16, 0) : at + 16].encode("utf-8", "surrogatepass"))
