"""A table under construction: cells with spans go in, rows with every merged label repeated come out."""

from __future__ import annotations

from collections import Counter

from ricordo.parse.blocks import Rows

WIDEST = 1_000
"""Columns that one span may cover; Word allows 63, HTML 1,000."""

_Cell = tuple[int, str]
"""The number of the cell in the order of making, and its text."""
_NOTHING: _Cell = (0, "")


class Grid:
    def __init__(self) -> None:
        self._rows: list[dict[int, _Cell]] = []
        self._hanging: dict[int, tuple[int, _Cell]] = {}
        self._made = 0

    def row(self) -> None:
        """Begins the next row; cells that span down into it are there already."""
        filled = {column: cell for column, (_, cell) in self._hanging.items()}
        self._hanging = {c: (left - 1, cell) for c, (left, cell) in self._hanging.items() if left > 1}
        self._rows.append(filled)

    def free(self, column: int = 0) -> int:
        """The first column from here on that nothing covers in the current row."""
        while column in self._rows[-1]:
            column += 1
        return column

    def place(self, column: int, text: str, *, down: int = 1, across: int = 1) -> None:
        self._made += 1
        cell = (self._made, text.strip())
        for covered in range(column, column + min(max(across, 1), WIDEST)):
            self._rows[-1][covered] = cell
            if down > 1:
                self._hanging[covered] = (down - 1, cell)

    def above(self, column: int) -> bool:
        """Whether a cell stands over this column in the row above."""
        return len(self._rows) > 1 and column in self._rows[-2]

    def extend(self, column: int, across: int = 1) -> None:
        """The cell above goes on into the current row."""
        above = self._rows[-2][column]
        for covered in range(column, column + min(max(across, 1), WIDEST)):
            self._rows[-1][covered] = above

    def titles_and_rows(self) -> tuple[list[str], Rows]:
        """Full-width rows at the top are titles, no cells; columns in which no cell begins are left out.

        A form, most of whose cells span columns of a layout, has no columns to speak of: each cell stands once a row.
        """
        width = max((max(row, default=-1) + 1 for row in self._rows), default=0)
        columns = [c for c in range(width) if c == 0 or any(_begins(row, c) for row in self._rows)]
        rows = [[row.get(c, _NOTHING) for c in columns] for row in self._rows]
        rows = [row for row in rows if any(text for _, text in row)]
        titles: list[str] = []
        while len(rows) > 1 and len(columns) > 1 and _one_cell(rows[0]):
            titles.append(rows.pop(0)[0][1])
        if _is_form(rows):
            rows = [list(dict.fromkeys(row)) for row in rows]
        return titles, tuple(tuple(_texts(row)) for row in rows)


def _begins(row: dict[int, _Cell], column: int) -> bool:
    mine, left = row.get(column), row.get(column - 1)
    return mine is not None and mine[0] != 0 and (left is None or left[0] != mine[0])


def _one_cell(row: list[_Cell]) -> bool:
    return len({made for made, _ in row}) == 1 and row[0][0] != 0


def _is_form(rows: list[list[_Cell]]) -> bool:
    widths = [width for row in rows for made, width in Counter(made for made, _ in row).items() if made]
    return sum(width > 1 for width in widths) * 2 > len(widths)


def _texts(row: list[_Cell]) -> list[str]:
    if len(row) > 1 and _one_cell(row):
        return [row[0][1], *[""] * (len(row) - 1)]
    return [text for _, text in row]
