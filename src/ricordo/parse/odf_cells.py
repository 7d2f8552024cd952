"""OpenDocument spreadsheets: only the cells that exist, however often a file says that nothing is repeated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ricordo.parse.blocks import aside, heading
from ricordo.parse.cells import number_text
from ricordo.parse.odf_text import line, open_odf, title_of
from ricordo.parse.ooxml import attribute, child, name_of, number
from ricordo.parse.outcome import finish
from ricordo.parse.package import Element
from ricordo.parse.reading import Exceeded, Job
from ricordo.parse.regions import Box, Cells, tables
from ricordo.types import Block, BlockKind, Parsed

MOST_CELLS = 8_000_000
GAP = 2
"""Empty rows beyond this many say no more than that two tables are apart."""

_DURATION = re.compile(r"(-?)PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,]\d+)?S)?")


def spreadsheet(data: bytes, job: Job) -> Parsed:
    """The workbook's blocks; each carries the name of its sheet."""
    package = open_odf(data, job)
    root = package.xml("content.xml")
    notes: list[str] = []
    hidden = _hidden_styles(root)
    blocks: list[Block] = []
    for sheet in root.iter("{*}table"):
        if name_of(sheet.getparent()) != "spreadsheet":
            continue
        name = attribute(sheet, "name")
        found = list(_Sheet(sheet, job).blocks())
        if found:
            blocks += (replace(block, sheet=name) for block in [heading(name, 1), *found])
            if attribute(sheet, "style-name") in hidden:
                notes.append(f"the sheet {name!r} is hidden; its cells were kept")
    return finish(blocks, job, title=title_of(package), warnings=[*package.warnings, *notes], partial=not package.whole)


class _Sheet:
    def __init__(self, element: Element, job: Job) -> None:
        self._element = element
        self._job = job
        self._cells: Cells = []
        self._merged: list[Box] = []
        self._comments: list[Block] = []
        self._held = 0

    def blocks(self) -> Iterator[Block]:
        for row in self._element.iter("{*}table-row"):
            self._row(row)
        yield from tables(self._cells, self._merged)
        yield from self._comments

    def _row(self, row: Element) -> None:
        cells: list[str] = []
        spans: list[tuple[int, int, int]] = []
        column = 0
        for cell in row.iterchildren("{*}table-cell", "{*}covered-table-cell"):
            repeated = max(number(cell, "number-columns-repeated", 1), 1)
            text = _value(cell)
            if text:
                self._hold(column + repeated - len(cells))
                cells += [""] * (column - len(cells)) + [text] * repeated
                down, across = number(cell, "number-rows-spanned", 1), number(cell, "number-columns-spanned", 1)
                if down > 1 or across > 1:
                    spans.append((column, max(down, 1), max(across, 1)))
            note = child(cell, "annotation")
            if note is not None:
                said = "\n".join(line(p).text for p in note.iterchildren("{*}p"))
                self._comments.append(aside(BlockKind.COMMENT, said))
            column += repeated
        top = len(self._cells)
        self._merged += [(top, c, top + down - 1, c + across - 1) for c, down, across in spans]
        repeated = max(number(row, "number-rows-repeated", 1), 1)
        reach = max((c + across for c, _, across in spans), default=0)
        cells += [""] * min(reach - len(cells), 1_000)
        repeated = repeated if any(cells) else min(repeated, GAP)
        self._hold((repeated - 1) * len(cells))
        self._cells += [list(cells) for _ in range(repeated)]

    def _hold(self, cells: int) -> None:
        self._held += cells
        if self._held > MOST_CELLS:
            raise Exceeded(f"{self._job.name!r} has a sheet of more than {MOST_CELLS} cells")


def _value(cell: Element) -> str:
    kind = attribute(cell, "value-type")
    shown = "\n".join(line(p).text for p in cell.iterchildren("{*}p")).strip()
    if kind == "date":
        day, _, clock = attribute(cell, "date-value").partition("T")
        return f"{day} {clock.removesuffix(':00')}" if clock.strip("0:") else day or shown
    if kind == "time":
        match = _DURATION.fullmatch(attribute(cell, "time-value"))
        return _clock(match) if match else shown
    if kind == "boolean":
        return attribute(cell, "boolean-value").upper() or shown
    if kind in ("float", "percentage", "currency"):
        try:
            return number_text(float(attribute(cell, "value")))
        except ValueError:
            return shown
    return shown


def _clock(match: re.Match[str]) -> str:
    sign, hours, minutes, seconds = match.groups()
    tail = f":{int(seconds):02d}" if int(seconds or 0) else ""
    return f"{sign}{int(hours or 0):02d}:{int(minutes or 0):02d}{tail}"


def _hidden_styles(root: Element) -> set[str]:
    return {
        attribute(style, "name")
        for style in root.iter("{*}style")
        for properties in style.iterchildren("{*}table-properties")
        if attribute(properties, "display") == "false"
    }
