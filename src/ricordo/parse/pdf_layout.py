"""Words with boxes into lines in reading order: columns are found by the white between them, then cut one by one."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import NamedTuple, TypeAlias

HYPHEN = "\u00ad"
"""Stands at the end of a word that goes on in the next line."""

_DEEPEST = 12
_FEWEST_ROWS = 3
_MOST_EDGES = 12
_MOST_COLUMNS = 8
_WIDE_WHITE = 4.0
"""Lines of white across both columns that end them."""
_LEADER = re.compile(r"\s*(?:[.…·．‥]\s?){4,}\s*")


class Word(NamedTuple):
    """Characters that touch; the box counts from the upright page's top left corner, in points."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table that was cut out of the page already: to the layout, one thing with a box."""

    rows: tuple[tuple[str, ...], ...]
    left: float
    top: float
    right: float
    bottom: float

    size = 10.0

    @property
    def box(self) -> tuple[float, float, float, float]:
        return self.left, self.top, self.right, self.bottom


Item: TypeAlias = Word | Table
Row: TypeAlias = list[Item]
Gap: TypeAlias = tuple[float, float]


@dataclass(slots=True)
class Line:
    """Words beside each other; `cells` are its parts where wide gaps cut it, `weight` is the share that is bold."""

    cells: list[list[Word]]
    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float
    weight: float

    @property
    def bold(self) -> bool:
        return self.weight >= 0.8

    @classmethod
    def of(cls, words: Sequence[Word]) -> Line:
        """The line of words that are sorted from left to right."""
        cells = [[words[0]]]
        for before, word in pairwise(words):
            if word.left - before.right > max(1.1 * min(before.size, word.size), 5.0):
                cells.append([])
            cells[-1].append(word)
        letters = sum(len(word.text) for word in words)
        big = max(words, key=lambda word: len(word.text)).size
        return cls(
            cells=cells,
            text=" ".join(joined(cell) for cell in cells),
            left=words[0].left,
            top=min(word.top for word in words),
            right=max(word.right for word in words),
            bottom=max(word.bottom for word in words),
            size=big,
            weight=sum(len(word.text) for word in words if word.bold) / letters,
        )


Region: TypeAlias = list[Line | Table]


def is_cjk(sign: str) -> bool:
    """Whether the sign is of a writing that puts no spaces between words, or its punctuation."""
    code = ord(sign)
    return 0x2E80 <= code < 0xA4D0 or 0xF900 <= code < 0xFB00 or 0xFE30 <= code < 0xFE50 or code >= 0xFF00


def joined(words: Sequence[Word]) -> str:
    """The words of one line as text: a space where the gap is one, none between two Chinese signs."""
    parts = [words[0].text]
    for before, word in pairwise(words):
        gap, size = word.left - before.right, min(before.size, word.size)
        tight = gap < 1.1 * size and is_cjk(before.text[-1]) and is_cjk(word.text[0])
        if gap > 0.12 * size and not tight:
            parts.append(" ")
        parts.append(word.text)
    return _LEADER.sub(" … ", "".join(parts)).strip()


def arrange(items: Iterable[Item]) -> list[Region]:
    """The regions of a page in reading order; a region is one column's lines and tables from top to bottom."""
    regions: list[Region] = []
    for rows in _regions(rows_of(items), 0):
        region: Region = []
        for row in rows:
            words = [item for item in row if isinstance(item, Word)]
            if words:
                region.append(Line.of(words))
            region.extend(item for item in row if isinstance(item, Table))
        regions.append(region)
    return regions


def rows_of(items: Iterable[Item]) -> list[Row]:
    """Items on one height, each row from left to right; a table is a row of its own."""
    rows: list[Row] = []
    middle = reach = -math.inf
    for item in sorted(items, key=_height):
        height = _height(item)
        if isinstance(item, Word) and rows and height - middle < max(reach, 0.42 * (item.bottom - item.top)):
            rows[-1].append(item)
            if item.bottom - item.top > 2.2 * reach:
                middle, reach = height, 0.45 * (item.bottom - item.top)
        else:
            rows.append([item])
            middle = height if isinstance(item, Word) else -math.inf
            reach = 0.45 * (item.bottom - item.top)
    for row in rows:
        row.sort(key=lambda item: item.left)
    return rows


def _height(item: Item) -> float:
    return (item.top + item.bottom) / 2 if isinstance(item, Word) else item.top


def _regions(rows: list[Row], depth: int) -> Iterator[list[Row]]:
    """The columns among the rows, one by one, and what stands above, between and below them."""
    found = _columns(rows) if depth < _DEEPEST and len(rows) >= _FEWEST_ROWS else None
    if found is None:
        if rows:
            yield rows
        return
    start, end, edge = found
    band = rows[start:end]
    for part in (rows[:start], _left_of(band, edge), _right_of(band, edge), rows[end:]):
        yield from _regions(part, depth + 1)


def _columns(rows: list[Row]) -> tuple[int, int, float] | None:
    """The longest run of rows that some white cuts into columns, and the x at which the right one begins."""
    narrowest = max(0.6 * median(item.size for row in rows for item in row), 4.0)
    left, right = min(row[0].left for row in rows), max(item.right for row in rows for item in row)
    whites = [_white(row, left, right, narrowest) for row in rows]
    edges = Counter(round(gap[1]) for white in whites for gap in white if gap[1] < right)
    best: tuple[int, int, float] | None = None
    for edge in sorted(edge for edge, count in edges.most_common(_MOST_EDGES) if count > 1):
        for start, end in _clear(rows, whites, edge - 1.0, narrowest - 1.0):
            longer = end - start >= (best[1] - best[0] + 1 if best else _FEWEST_ROWS)
            if longer and _parts_columns(rows[start:end], edge - 1.0):
                best = start, end, edge - 1.0
    return best


def _clear(rows: list[Row], whites: list[list[Gap]], edge: float, width: float) -> Iterator[tuple[int, int]]:
    """Runs of rows that are white left of the edge; a wide white across, as around a figure, ends a run too."""
    start, bottom = 0, math.inf
    for at, row in enumerate(rows):
        if not any(gap[0] <= edge - width and edge <= gap[1] for gap in whites[at]):
            yield start, at - _trailing(rows[start:at], edge)
            start, bottom = at + 1, math.inf
            continue
        if row[0].top - bottom > _WIDE_WHITE * row[0].size:
            yield start, at - _trailing(rows[start:at], edge)
            start, bottom = at, math.inf
        lowest = max(item.bottom for item in row)
        bottom = lowest if bottom == math.inf else max(bottom, lowest)
    yield start, len(rows) - _trailing(rows[start:], edge)


def _trailing(rows: list[Row], edge: float) -> int:
    """How many rows at the end stand on one side only, away from the columns above them."""
    last = len(rows)
    while last and all(item.left < edge for item in rows[last - 1]):
        last -= 1
    for at in range(max(last, 1), len(rows)):
        if rows[at][0].top - max(item.bottom for item in rows[at - 1]) > 1.5 * rows[at][0].size:
            return len(rows) - at
    return 0


def _white(row: Row, left: float, right: float, narrowest: float) -> list[Gap]:
    """What the row leaves free between the region's edges."""
    gaps: list[Gap] = []
    edge = left
    for item in row:
        if item.left - edge >= narrowest:
            gaps.append((edge, item.left))
        edge = max(edge, item.right)
    if right - edge >= narrowest:
        gaps.append((edge, right))
    return gaps


def _left_of(rows: list[Row], x: float) -> list[Row]:
    return [part for row in rows if (part := [item for item in row if item.left < x])]


def _right_of(rows: list[Row], x: float) -> list[Row]:
    return [part for row in rows if (part := [item for item in row if item.left >= x])]


def _parts_columns(rows: list[Row], edge: float) -> bool:
    """Whether running text stands on both sides of the white, so that it is no gap between a table's cells."""
    left, right = _left_of(rows, edge), _right_of(rows, edge)
    if not left or not right or len(left) + len(right) < 6:
        return False
    if _is_prose(left) and _is_prose(right):
        return True
    shorter = min(len(left), len(right))
    mates = len(left) + len(right) - len(rows)
    return shorter >= 3 and mates < 0.4 * shorter and min(_letters(left), _letters(right)) >= 8


def _is_prose(rows: list[Row], depth: int = 0) -> bool:
    """Whether the rows are running text, in one column or in several."""
    left, right = min(row[0].left for row in rows), max(row[-1].right for row in rows)
    fill = median((row[-1].right - row[0].left) / max(right - left, 1.0) for row in rows)
    if _letters(rows) < 18 or fill < 0.6:
        return False
    wide = [b.left for row in rows for a, b in pairwise(row) if b.left - a.right > 1.5 * b.size]
    if len(wide) <= 0.3 * len(rows):
        return True
    edge = Counter(map(round, wide)).most_common(1)[0][0] - 1.0
    clear = all(not item.left < edge < item.right for row in rows for item in row)
    parts = _left_of(rows, edge), _right_of(rows, edge)
    return depth < _MOST_COLUMNS and clear and all(part and _is_prose(part, depth + 1) for part in parts)


def _letters(rows: list[Row]) -> float:
    """The usual length of a row, in the width of Latin letters."""
    return median(sum(2 * (item.right - item.left) / max(item.size, 1.0) for item in row) for row in rows)
