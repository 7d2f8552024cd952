"""Tables of RTF and old Word, whose columns are known only by where their cells end."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from ricordo.parse.blocks import Rows
from ricordo.parse.grid import Grid

NEAR = 40
"""Twentieths of a point: edges nearer than this are one."""


@dataclass(slots=True)
class Cell:
    """right: its edge, None where not stated; below: it goes on the cell above; beside: the one to its left."""

    text: str = ""
    right: int | None = None
    below: bool = False
    beside: bool = False


def grid_of(rows: list[list[Cell]]) -> tuple[list[str], Rows]:
    """Titles and rows, merged labels repeated."""
    stated = all(cell.right is not None for row in rows for cell in row)
    edges = _edges(rows) if stated else []
    grid = Grid()
    for row in rows:
        grid.row()
        column, last = 0, ""
        for cell in row:
            end = bisect_left(edges, cell.right - NEAR) + 1 if edges and cell.right is not None else column + 1
            across = max(end - column, 1)
            if cell.below and grid.above(column):
                grid.extend(column, across)
            else:
                last = last if cell.beside and not cell.text else cell.text
                grid.place(column, last, across=across)
            column += across
    return grid.titles_and_rows()


def _edges(rows: list[list[Cell]]) -> list[int]:
    edges: list[int] = []
    for right in sorted({cell.right for row in rows for cell in row if cell.right is not None}):
        if not edges or right - edges[-1] > NEAR:
            edges.append(right)
    return edges
