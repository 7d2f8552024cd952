"""Sections and their chunks as spans, each with the headings that it stands under."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from ricordo.chunk.boundaries import Cut
from ricordo.chunk.markdown import Region, Shape
from ricordo.types import Section, Span

_SPACE = re.compile(r"\s*")


class _Headings:
    def __init__(self, text: str, found: Sequence[Region]) -> None:
        self._text = text
        self._starts, self._ends = [0], [0]
        self._paths: list[tuple[str, ...]] = [()]
        above: list[Region] = []
        for heading in found:
            if heading.shape is Shape.HEADING:
                above = [*(outer for outer in above if outer.level < heading.level), heading]
                self._starts.append(heading.start)
                self._ends.append(heading.end)
                self._paths.append(tuple(outer.title for outer in above if outer.title))

    def over(self, start: int, end: int) -> tuple[str, ...]:
        """The path of the first text in a range. A heading stands under itself, unless the next one follows at once."""
        at = bisect_right(self._starts, self._skip(start, end)) - 1
        while at + 1 < len(self._starts) and self._starts[at + 1] < end:
            if self._ends[at] < start or self._skip(self._ends[at], end) < self._starts[at + 1]:
                break
            at += 1
        return self._paths[at]

    def _skip(self, start: int, end: int) -> int:
        space = _SPACE.match(self._text, start, end)
        return space.end() if space else start


def sections_of(
    text: str, found: Sequence[Region], ends: Sequence[Cut], closes: Sequence[Cut], starts: Sequence[int] | None = None
) -> list[Section]:
    """The sections that end at `closes`, filled by the chunks that end at `ends`.

    starts: where the chunks begin, if not at the end of the one before; a section then begins with its first chunk.
    """
    headings = _Headings(text, found)
    sections: list[Section] = []
    children: list[Span] = []
    closing = iter(closes)
    start, close = 0, next(closing, (0, 0))[0]
    for index, (end, _) in enumerate(ends):
        path = headings.over(start, end)
        children.append(Span(start=starts[index] if starts else start, end=end, headings=path))
        start = end
        if end == close:
            first = children[0]
            sections.append(Section(start=first.start, end=end, headings=first.headings, children=tuple(children)))
            children = []
            close = next(closing, (0, 0))[0]
    return sections
