"""Running heads and feet: lines that stand at one height on many pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile

from ricordo.parse.pdf_layout import Row, Word, joined, rows_of
from ricordo.parse.pdf_page import Page

_MARGIN = 0.13
_OUTER_MARGIN = 0.2
"""Shares of the page's height: for any head or foot, and for the outermost line."""
_OUTERMOST = 4
_ENOUGH = 6
"""Pages on which a line at one height is a running head, however long the document."""
_DIGITS = re.compile(r"\d+|(?<![^\W_])[ivxlc]+(?![^\W_])", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]")


@dataclass(slots=True)
class Repeats:
    """For each page number: the heads and feet that are said there for the first time."""

    first: dict[int, list[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Edge:
    key: str
    height: int
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        return joined(self.words)


def take_repeats(pages: Sequence[Page]) -> Repeats:
    """Takes the running heads and feet out of the pages."""
    edges = {page.number: _edges(page) for page in pages}
    enough = max(2, min(len(pages) // 2, _ENOUGH))
    counts: Counter[tuple[str, int]] = Counter()
    for sides in edges.values():
        counts.update({(edge.key, edge.height + near) for side in sides for edge in side for near in (-1, 0, 1)})
    repeats = Repeats()
    said: set[str] = set()
    for page in pages:
        gone = [
            edge
            for side in edges[page.number]
            for edge in takewhile(lambda edge: counts[edge.key, edge.height] >= enough, side)
        ]
        if not gone:
            continue
        dropped = {word for edge in gone for word in edge.words}
        main = page.sheets[0]
        page.sheets[0] = replace(main, words=[word for word in main.words if word not in dropped])
        for edge in gone:
            if _LETTERS.search(edge.key) and edge.key not in said:
                said.add(edge.key)
                repeats.first.setdefault(page.number, []).append(edge.text)
    return repeats


def _edges(page: Page) -> tuple[list[_Edge], list[_Edge]]:
    """The lines near the upper and the lower edge that white parts from what is inside, from outside in."""
    sheet = page.sheets[0]
    height = sheet.frame.size[1]
    reach = height * (_OUTER_MARGIN + 0.05)
    near = [word for word in sheet.words if word.bottom < reach or word.top > height - reach]
    rows = rows_of(near)
    heads = [row for row in rows if row[0].bottom < height / 2]
    feet = [row for row in rows if row[0].top > height / 2][::-1]
    limits = [height * (_MARGIN if at else _OUTER_MARGIN) for at in range(_OUTERMOST)]
    return (
        [_edge(row) for row, limit in zip(_apart(heads), limits, strict=False) if row[0].bottom < limit],
        [_edge(row) for row, limit in zip(_apart(feet), limits, strict=False) if height - row[0].top < limit],
    )


def _apart(rows: list[Row]) -> list[Row]:
    """The outermost rows, up to the innermost white that is half a line high."""
    last = 0
    for at, (outer, inner) in enumerate(pairwise(rows[: _OUTERMOST + 1]), 1):
        white = max(inner[0].top - outer[0].bottom, outer[0].top - inner[0].bottom)
        if white > 0.5 * min(outer[0].size, inner[0].size):
            last = at
    return rows[: last if len(rows) > 1 else 1]


def _edge(row: Row) -> _Edge:
    words = tuple(item for item in row if isinstance(item, Word))
    key = _DIGITS.sub("#", joined(words)).replace(" ", "")
    return _Edge(key, round(words[0].top / 5), words)
