"""The smallest ranges that are moved as a whole: a sentence, a line, or a part of one that is too long."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from ricordo.chunk.boundaries import ANY, Cut, boundaries, phrases, sentences
from ricordo.chunk.graphemes import untorn
from ricordo.chunk.markdown import Region
from ricordo.chunk.measure import Measure

LEAST = 20
"""No piece has fewer characters, unless its text has, or the limit leaves no room for so many."""

FINER = (sentences, phrases)
"""What is tried in turn inside a range that is too long."""


def pieces(text: str, found: Sequence[Region], measure: Measure, limit: int) -> list[Cut]:
    """The ends of pieces that fill the text; each fits the limit, so every run of them has a fair size."""
    cuts, whole = boundaries(text, found, measure, limit)
    cutter = _Cutter(text, measure, limit, whole)
    return cutter.join_short(cutter.cut_long(cuts))


class _Cutter:
    def __init__(self, text: str, measure: Measure, limit: int, whole: dict[int, int]) -> None:
        self.text = text
        self.measure = measure
        self.limit = limit
        self.whole = whole
        self.starts = list(whole)
        self.least = min(LEAST, (limit + 1) // 2)

    def fits(self, start: int, end: int) -> bool:
        return self.measure.size(start, end) <= self.limit

    def cut_long(self, cuts: Sequence[Cut]) -> list[Cut]:
        short: list[Cut] = []
        start = 0
        for at, level in cuts:
            if not self.fits(start, at):
                short += self._finer(start, at, self.whole.get(start, start), 0)
            short.append((at, level))
            start = at
        return short

    def _finer(self, start: int, end: int, after: int, rank: int) -> list[Cut]:
        """Cuts inside a range that is over the limit, each behind `after`, that leave no part over it."""
        if rank == len(FINER):
            return self._anywhere(max(start, after), end)
        cuts: list[Cut] = []
        for at, level in FINER[rank](self.text, start, end):
            if after < at < end:
                if not self.fits(start, at):
                    cuts += self._finer(start, at, after, rank + 1)
                cuts.append((at, level))
                start = at
        return cuts if self.fits(start, end) else cuts + self._finer(start, end, after, rank + 1)

    def _anywhere(self, at: int, end: int) -> list[Cut]:
        """Cuts in steps that are small beside the limit, so that the parts pack well."""
        cuts: list[Cut] = []
        while (reached := self.measure.reach(at, max(self.limit // 8, 1))) < end:
            at = untorn(self.text, at + 1, reached, min(end - 1, self.measure.reach(at, self.limit)))
            cuts.append((at, ANY))
        return cuts

    def join_short(self, cuts: Sequence[Cut]) -> list[Cut]:
        """Joins what is under the least size to a neighbour, across the weaker of its two boundaries if that fits."""
        kept: list[Cut] = [(0, ANY)]
        for (at, level), (following, _) in zip(cuts, [*cuts[1:], (0, ANY)], strict=True):
            start, opened = kept[-1]
            if at - start >= self.least:
                kept.append((at, level))
                continue
            before = kept[-2][0] if len(kept) > 1 else start
            ahead = following > 0 and self.fits(start, following)
            if start > before and (opened > level or not ahead) and self.fits(before, at):
                kept[-1] = (at, level)
            elif not ahead:
                self._lend(kept, (at, level), following)
        return kept[1:]

    def _lend(self, kept: list[Cut], cut: Cut, following: int) -> None:
        """Ends a short range that no neighbour has room for: one lends it some text, torn from a whole if need be."""
        start, at = kept[-1][0], cut[0]
        for tear in (False, True):
            if len(kept) > 1 and (moved := self._between(kept[-2][0], at, start, tear=tear)):
                kept[-1:] = [moved, cut]
                return
            if following and (moved := self._between(start, following, at, tear=tear)):
                kept.append(moved)
                return
        kept.append(cut)

    def _between(self, start: int, end: int, near: int, *, tear: bool) -> Cut | None:
        """The best cut of a range that is just over the limit into two parts of at least the least size."""
        low = max(start + self.least, end - self.limit)
        high = min(end - self.least, self.measure.reach(start, self.limit))

        def serves(at: int) -> bool:
            return low <= at <= high and self.fits(at, end) and (tear or not self._torn(at))

        for find in FINER:
            if found := [cut for cut in find(self.text, start, end) if serves(cut[0])]:
                return min(found, key=lambda cut: (cut[1], abs(cut[0] - near)))
        at = untorn(self.text, low, min(max(near, low), high), high)
        return (at, ANY) if serves(at) else None

    def _torn(self, at: int) -> bool:
        index = bisect_left(self.starts, at) - 1
        return index >= 0 and at <= self.whole[self.starts[index]]
