"""Workbooks of Excel and OpenDocument: a heading a sheet, a table a connected region."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from types import MappingProxyType

import python_calamine as calamine

from ricordo.parse.blocks import aside, heading
from ricordo.parse.cells import text_of
from ricordo.parse.encrypted import unlocked
from ricordo.parse.odf_cells import spreadsheet
from ricordo.parse.ooxml import attribute, links
from ricordo.parse.outcome import damaged, finish, reader
from ricordo.parse.package import EntryError, Package
from ricordo.parse.reading import Exceeded, Job
from ricordo.parse.regions import Box, Cells, tables
from ricordo.types import Block, BlockKind, Parsed

_ZIP_MAGIC = b"PK"
_REFERENCE = re.compile(rb"""\br=["']([A-Z]{1,3})(\d{1,7})["']""")
_NONE: Mapping[str, int] = MappingProxyType({})
MOST_CELLS = 8_000_000
"""The area of a sheet, filled or not: the library holds all of it at once, at 32 bytes a cell."""


@reader
def read(data: bytes, job: Job) -> Parsed:
    """The workbook's blocks; each carries the name of its sheet."""
    if not data.startswith(_ZIP_MAGIC):
        book = _Book(_load(data, job))
        return finish(book.blocks(), job, warnings=book.notes, partial=book.lost)
    package = Package(data, job.limits)
    if "content.xml" in package:
        return spreadsheet(data, job)
    areas = _areas(package)
    book = _Book(_load(data if package.whole else package.rebuilt(), job), package, areas)
    blocks = list(book.blocks())
    if book.too_large and not blocks:
        raise Exceeded(book.notes[0])
    lost = book.lost or not package.whole
    return finish(blocks, job, warnings=[*package.warnings, *book.notes], partial=lost)


def _load(data: bytes, job: Job) -> calamine.CalamineWorkbook:
    try:
        with _panics():
            return calamine.load_workbook(BytesIO(data))
    except calamine.PasswordError:
        return calamine.load_workbook(BytesIO(unlocked(data, job)))
    except (calamine.CalamineError, OSError) as error:
        raise damaged(f"{job.name!r} is no workbook that can be read: {error}") from error


@contextmanager
def _panics() -> Iterator[None]:
    """Turns a panic of the library, which is no Exception, into its ordinary error."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ == "PanicException":
            raise calamine.CalamineError(f"the workbook's structure contradicts itself: {error}") from error
        raise


class _Book:
    def __init__(
        self, workbook: calamine.CalamineWorkbook, package: Package | None = None, areas: Mapping[str, int] = _NONE
    ) -> None:
        self._workbook = workbook
        self._package = package
        self._areas = areas
        self.notes: list[str] = []
        self.lost = False
        self.too_large = False

    def blocks(self) -> Iterator[Block]:
        parts = {} if self._package is None else _parts(self._package)
        for sheet in self._workbook.sheets_metadata:
            if sheet.typ is not calamine.SheetTypeEnum.WorkSheet:
                continue
            found = list(self._sheet(sheet.name, parts.get(sheet.name)))
            if found and sheet.visible is not calamine.SheetVisibleEnum.Visible:
                self.notes.append(f"the sheet {sheet.name!r} is hidden; its cells were kept")
            for block in [heading(sheet.name, 1), *found] if found else []:
                yield replace(block, sheet=sheet.name)

    def _sheet(self, name: str, part: str | None) -> Iterator[Block]:
        area = self._areas.get(part or "", 0)
        if area > MOST_CELLS:
            self.lost = self.too_large = True
            self.notes.append(f"the sheet {name!r} spans {area} cells, {MOST_CELLS} can be read; it was left out")
            return
        try:
            with _panics():
                cells, merged = self._cells(name)
        except (calamine.CalamineError, OSError, ValueError, OverflowError) as error:
            self.lost = True
            self.notes.append(f"the sheet {name!r} cannot be read: {error}")
            return
        yield from tables(cells, merged)
        if self._package is not None and part is not None:
            yield from _comments(self._package, part)

    def _cells(self, name: str) -> tuple[Cells, list[Box]]:
        """The filled area as text, and the merged ranges counted from its corner."""
        sheet = self._workbook.get_sheet_by_name(name)
        top, left = sheet.start or (0, 0)
        merged = [
            (r - top, c - left, last - top, end - left)
            for (r, c), (last, end) in sheet.merged_cell_ranges or ()
            if r >= top and c >= left
        ]
        return [list(map(text_of, row)) for row in sheet.to_python()], merged


def _parts(package: Package) -> dict[str, str]:
    """Sheet name → the name of its part, where the workbook is XML."""
    workbook = "xl/workbook.xml"
    try:
        root = package.xml(workbook)
    except (KeyError, EntryError):
        return {}
    targets = links(package, workbook)
    found: dict[str, str] = {}
    for sheet in root.iter("{*}sheet"):
        for key, value in sheet.items():
            if key.startswith("{") and value in targets and targets[value].target in package:
                found[attribute(sheet, "name")] = targets[value].target
    return found


def _areas(package: Package) -> dict[str, int]:
    """Part → rows times columns between its outermost cells. Inflates, and so counts, all that is read later."""
    areas: dict[str, int] = {}
    for entry in package.entries:
        if not entry.name.casefold().endswith((".xml", ".bin", ".rels")):
            continue
        try:
            data = package.inflate(entry)
        except EntryError as error:
            package.warnings.append(str(error))
            continue
        if entry.name.endswith(".xml") and b"sheetData" in data:
            areas[entry.name] = _area(data)
    return areas


def _area(data: bytes) -> int:
    rows, letters = set(), set()
    for match in _REFERENCE.finditer(data):
        letters.add(match[1])
        rows.add(match[2])
    columns = list(map(_column, letters))
    numbers = list(map(int, rows))
    return (max(numbers) - min(numbers) + 1) * (max(columns) - min(columns) + 1) if rows else 0


def _column(letters: bytes) -> int:
    value = 0
    for letter in letters:
        value = value * 26 + letter - 64
    return value


def _comments(package: Package, part: str) -> Iterator[Block]:
    for link in links(package, part).values():
        if link.kind != "comments" or link.target not in package:
            continue
        try:
            root = package.xml(link.target)
        except EntryError as error:
            package.warnings.append(str(error))
            continue
        for comment in root.iter("{*}comment"):
            text = "".join(t.text or "" for t in comment.iter("{*}t")).strip()
            if text:
                yield aside(BlockKind.COMMENT, f"{attribute(comment, 'ref')}: {text}")
