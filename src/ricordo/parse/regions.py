"""The tables on a worksheet: each connected region of filled cells is one, its titles above it and its head first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ricordo.parse.blocks import Rows, paragraph, table
from ricordo.parse.cells import is_figure
from ricordo.types import Block

Cells = list[list[str]]
Box = tuple[int, int, int, int]
"""Top, left, bottom, right; all inside."""

MOST_REGIONS = 500
"""More than this and the sheet is a scatter of cells, not tables: it is read as one."""
MOST_MERGED = 1_000_000
"""Cells that all merged ranges of a sheet may fill together."""


def spread(cells: Cells, merged: Sequence[Box]) -> None:
    """Repeats the label of each merged range over it, as far as the sheet's filled area goes."""
    left_to_fill = MOST_MERGED
    width = max(map(len, cells), default=0)
    for top, left, bottom, right in merged:
        if top >= len(cells) or left >= len(cells[top]) or not cells[top][left]:
            continue
        last, end = min(bottom, len(cells) - 1), min(right, width - 1)
        left_to_fill -= (last - top + 1) * (end - left + 1)
        if left_to_fill < 0:
            return
        label = cells[top][left]
        for r in range(top, last + 1):
            cells[r] += [""] * (end + 1 - len(cells[r]))
            cells[r][left : end + 1] = [label] * (end - left + 1)


def tables(cells: Cells, merged: Sequence[Box] = ()) -> Iterator[Block]:
    """The sheet's blocks from the top down; a region of one cell, or of one merged label, is a paragraph."""
    spread(cells, merged)
    for titles, rows in _joined(_read(cells, box, merged) for box in _regions(cells)):
        yield from map(paragraph, titles)
        if rows:
            yield table(rows)


def _regions(cells: Cells) -> list[Box]:
    boxes = _connected(cells)
    if len(boxes) > MOST_REGIONS:
        boxes = [_around(boxes)]
    changed = True
    while changed:
        changed = False
        for box in boxes:
            meeting = [other for other in boxes if _meet(box, other)]
            if len(meeting) > 1:
                boxes = [other for other in boxes if other not in meeting] + [_around(meeting)]
                changed = True
                break
    return sorted(boxes)


def _connected(cells: Cells) -> list[Box]:
    """Bounding boxes of filled cells that touch, by runs of filled cells in each row."""
    boxes: dict[int, Box] = {}
    above: list[tuple[int, int, int]] = []
    fresh = 0
    for r, row in enumerate(cells):
        here: list[tuple[int, int, int]] = []
        for left, right in _runs(row):
            touched = {region for start, end, region in above if start <= right + 1 and end >= left - 1}
            fresh += 1
            boxes[fresh] = _around([(r, left, r, right), *(boxes.pop(region) for region in touched)])
            above = [(start, end, fresh if region in touched else region) for start, end, region in above]
            here = [(start, end, fresh if region in touched else region) for start, end, region in here]
            here.append((left, right, fresh))
        above = here
    return list(boxes.values())


def _runs(row: list[str]) -> Iterator[tuple[int, int]]:
    start = -1
    for column, text in enumerate(row):
        if text and start < 0:
            start = column
        elif not text and start >= 0:
            yield start, column - 1
            start = -1
    if start >= 0:
        yield start, len(row) - 1


def _around(boxes: Sequence[Box]) -> Box:
    tops, lefts, bottoms, rights = zip(*boxes, strict=True)
    return min(tops), min(lefts), max(bottoms), max(rights)


def _meet(one: Box, other: Box) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def _read(cells: Cells, box: Box, merged: Sequence[Box]) -> tuple[list[str], Rows]:
    top, left, bottom, right = box
    width = right - left + 1
    rows = [tuple(row[left : right + 1]) + ("",) * (right + 1 - max(len(row), left)) for row in cells[top : bottom + 1]]
    rows = [row[:width] for row in rows]
    spanned = {
        r - top
        for first, start, last, end in merged
        if start <= left and end >= right
        for r in range(max(first, top), min(last, bottom) + 1)
    }
    titles: list[str] = []
    while rows and (len(titles) in spanned or width == len(rows) == 1 or _is_title(rows, width)):
        titles.append(next(filter(None, rows.pop(0)), ""))
    body = [row if len(titles) + i not in spanned or width == 1 else _once(row) for i, row in enumerate(rows)]
    return list(dict.fromkeys(titles)), tuple(row for row in body if any(row))


def _is_title(rows: list[tuple[str, ...]], width: int) -> bool:
    """One filled cell over a row of several: a title, unless it may be the only name of a head above figures."""
    if len(rows) < 2 or sum(map(bool, rows[0])) != 1 or sum(map(bool, rows[1])) < 2:
        return False
    return width > 2 or not any(map(is_figure, rows[1]))


def _once(row: tuple[str, ...]) -> tuple[str, ...]:
    return (row[0], *("" for _ in row[1:]))


def _joined(regions: Iterator[tuple[list[str], Rows]]) -> Iterator[tuple[list[str], Rows]]:
    """Regions, where a table that was cut by an empty row has its parts under one head again."""
    pending: tuple[list[str], Rows] | None = None
    for region in regions:
        if pending is not None and not region[0] and _continues(pending[1], region[1]):
            pending = (pending[0], pending[1] + region[1])
            continue
        if pending is not None:
            yield pending
        pending = region
    if pending is not None:
        yield pending


def _continues(rows: Rows, more: Rows) -> bool:
    """The second begins with figures where the first ends with figures, so that it has no head of its own."""
    if len(rows) < 2 or not more or len(rows[0]) != len(more[0]) or any(map(is_figure, rows[0])):
        return False
    ends, begins = [is_figure(cell) for cell in rows[-1]], [is_figure(cell) for cell in more[0]]
    return any(begins) and ends == begins
