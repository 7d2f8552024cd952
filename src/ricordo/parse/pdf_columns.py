"""Tables without lines: neighbouring lines whose parts stand under each other."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from statistics import median

from ricordo.parse.pdf_layout import Line, Region, Table, Word, joined
from ricordo.parse.pdf_pieces import flowing

_Bounds = list[float]


def with_tables(region: Region) -> Region:
    """The region with every run of lines that form a table replaced by it."""
    found: Region = []
    at = 0
    while at < len(region):
        thing = region[at]
        run = _run(region, at) if isinstance(thing, Line) and len(thing.cells) > 1 else []
        table = _table(run)
        found.append(table or thing)
        at += len(run) if table else 1
    return found


def _run(region: Region, start: int) -> list[Line]:
    """Lines from here on that may be a table's rows: parted ones, and short ones between them."""
    run: list[Line] = []
    whole = 0
    for thing in region[start:]:
        if not isinstance(thing, Line):
            break
        if run and not -thing.size < thing.top - run[-1].bottom < 2.0 * thing.size:
            break
        if len(thing.cells) == 1:
            whole += 1
            wide = thing.right - thing.left > 0.55 * (max(line.right for line in run) - run[0].left)
            if whole > 2 or wide:
                break
        else:
            whole = 0
        run.append(thing)
    while run and len(run[-1].cells) == 1:
        run.pop()
    return run


def _table(run: list[Line]) -> Table | None:
    parted = [line for line in run if len(line.cells) > 1]
    if len(parted) < 2:
        return None
    counts = Counter(len(line.cells) for line in parted)
    for width in sorted(counts, reverse=True):
        if counts[width] < 2 and len(parted[0].cells) != width:
            continue
        if len(parted) < (3 if width == 2 else 2):
            continue
        bounds = _bounds([line for line in parted if len(line.cells) == width])
        if bounds and _aligned(parted, bounds):
            left, right = min(line.left for line in run), max(line.right for line in run)
            return Table(_rows(run, bounds), left, run[0].top, right, run[-1].bottom)
    return None


def _bounds(lines: list[Line]) -> _Bounds:
    """The x between each two columns, by the lines that have all of them; none where they do not agree."""
    bounds: _Bounds = []
    for before in range(len(lines[0].cells) - 1):
        left = max(line.cells[before][-1].right for line in lines)
        right = min(line.cells[before + 1][0].left for line in lines)
        if right - left < 1.0:
            return []
        bounds.append((left + right) / 2)
    return bounds


def _column(cell: list[Word], bounds: _Bounds) -> int:
    middle = (cell[0].left + cell[-1].right) / 2
    return sum(middle > bound for bound in bounds)


def _aligned(lines: list[Line], bounds: _Bounds) -> bool:
    """Whether most cells share their left, right or middle with another of their column."""
    edges: Counter[tuple[int, str, int]] = Counter()
    marks: list[tuple[tuple[int, str, int], ...]] = []
    for line in lines:
        for cell in line.cells:
            column, left, right = _column(cell, bounds), cell[0].left, cell[-1].right
            own = (
                (column, "left", round(left / 3)),
                (column, "right", round(right / 3)),
                (column, "middle", round((left + right) / 6)),
            )
            edges.update(own)
            marks.append(own)
    return sum(any(edges[mark] > 1 for mark in own) for own in marks) >= 0.6 * len(marks)


def _rows(run: list[Line], bounds: _Bounds) -> tuple[tuple[str, ...], ...]:
    pitches = [below.top - above.top for above, below in pairwise(run)]
    usual = median(pitches) if pitches else 0.0
    rows: list[list[str]] = []
    for index, line in enumerate(run):
        row = _cells(line, bounds, header=index < 2)
        if rows and not row[0] and pitches[index - 1] < 0.8 * usual:
            rows[-1] = [
                flowing([above, own]) if above and own else above or own
                for above, own in zip(rows[-1], row, strict=True)
            ]
        else:
            rows.append(row)
    return tuple(map(tuple, rows))


def _cells(line: Line, bounds: _Bounds, *, header: bool) -> list[str]:
    """The texts by column; a heading over several columns is said in each."""
    row = [""] * (len(bounds) + 1)
    for cell in line.cells:
        text = joined(cell)
        first = last = _column(cell, bounds)
        if header:
            first = sum(cell[0].left > bound for bound in bounds)
            last = sum(cell[-1].right > bound for bound in bounds)
        for column in range(first, last + 1):
            row[column] = f"{row[column]} {text}".strip()
    return row
