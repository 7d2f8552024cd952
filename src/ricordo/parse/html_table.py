"""HTML tables as grids: a spanning cell is repeated over its range."""

from __future__ import annotations

import re
from typing import Any

from ricordo.parse.html_text import hidden, inner_text
from ricordo.parse.reading import Exceeded

Element = Any
Row = tuple[str, ...]

_MAX_COLUMNS = 1_000
_MAX_CELLS = 1_000_000
_STRUCTURE = ("table", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "form", "main", "article")
_PROSE = 1_500


def is_data(table: Element) -> bool:
    """A table of values; one that only lays out a page is read as the page that it is."""
    if table.get("role") in ("presentation", "none"):
        return False
    if any(inner is not table for inner in table.iter(*_STRUCTURE)):
        return False
    rows = [_cells(row) for row in table.iter("tr")]
    cells = [cell for row in rows for cell in row]
    if not cells or max(map(len, rows)) < 2 or (len(rows) < 2 and all(cell.tag == "td" for cell in cells)):
        return False
    return len(cells) > 8 or all(len("".join(cell.itertext())) < _PROSE for cell in cells)


def grid(table: Element) -> tuple[Row, ...]:
    """The rows, as wide as they are."""
    rows = [row for row in table.iter("tr") if not hidden(row)]
    filled: list[dict[int, str]] = [{} for _ in rows]
    total = 0
    for number, row in enumerate(rows):
        column = 0
        for cell in _cells(row):
            while column in filled[number]:
                column += 1
            text = inner_text(cell)
            width = min(_span(cell, "colspan") or 1, max(_MAX_COLUMNS - column, 0))
            height = min(_span(cell, "rowspan") or len(rows), len(rows) - number)
            total += width * height
            if total > _MAX_CELLS:
                raise Exceeded(f"a table of more than {_MAX_CELLS} cells")
            for down in range(number, number + height):
                filled[down] = dict.fromkeys(range(column, column + width), text) | filled[down]
            column += width
    return tuple(_row(cells) for cells in filled if any(cells.values()))


def caption(table: Element) -> str:
    found = table.find("caption")
    return "" if found is None else inner_text(found)


def _row(cells: dict[int, str]) -> Row:
    return tuple(cells.get(column, "") for column in range(max(cells) + 1))


def _cells(row: Element) -> list[Element]:
    return [cell for cell in row if cell.tag in ("td", "th") and not hidden(cell)]


def _span(cell: Element, name: str) -> int:
    found = re.match(r"\s*(\d{1,5})", cell.get(name, "1"))
    return int(found[1]) if found else 1
