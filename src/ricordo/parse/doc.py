"""Word 97 documents: paragraphs with their headings and lists, tables, notes, comments, headers."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from ricordo.parse.blocks import aside, heading, item, paired, paragraph, table
from ricordo.parse.edged_table import Cell, grid_of
from ricordo.parse.word_binary import STORIES, Fib, Properties, Property, StyleSheet, Text, modifiers
from ricordo.parse.word_styles import LONGEST_HEADING
from ricordo.types import Block, BlockKind

_ENDS = re.compile("[\r\x07\x0c]")
_FIELD_MARKS = re.compile("[\x13\x14\x15]")
_LEFT_OUT_FIELDS = re.compile(r"\s*(TOC|PAGE|NUMPAGES)\b", re.IGNORECASE)
_SIGNS = str.maketrans(
    {"\x0b": "\n", "\x1e": "-", "\xa0": " ", **dict.fromkeys("\x00\x01\x02\x05\x13\x14\x15\x08\x0e\x1f\xad")}
)
_ASIDES = {
    "footnotes": BlockKind.NOTE,
    "endnotes": BlockKind.NOTE,
    "comments": BlockKind.COMMENT,
    "headers": BlockKind.HEADER,
    "boxes": BlockKind.PARAGRAPH,
    "header_boxes": BlockKind.HEADER,
}


@dataclass(slots=True)
class _Look:
    """What a paragraph's properties say of it."""

    style: int = 0
    outline: int | None = None
    list_id: int = 0
    depth: int = 0
    in_table: bool = False
    row_end: bool = False
    cells: tuple[Cell, ...] = ()


def document(fib: Fib, data: bytes, tables: bytes, notes: list[str]) -> list[Block]:
    """The blocks of the body, then text boxes, notes and comments; headers come first."""
    text = Text(fib, data, tables)
    looks = Properties(fib, data, tables, paragraphs=True)
    runs = Properties(fib, data, tables, paragraphs=False)
    if len(text.units) < sum(max(length, 0) for length in fib.lengths[:1]):
        notes.append("the text is shorter than the file says; what is there was kept")
    words = _words(text, runs)
    start = 0
    stories: dict[str, tuple[int, int]] = {}
    for name, length in zip(STORIES, fib.lengths, strict=True):
        stories[name] = (start, start + max(length, 0))
        start += max(length, 0)
    body = _Body(StyleSheet(fib, tables))
    for paragraph_text, mark, at in _paragraphs(words, *stories["text"]):
        body.take(paragraph_text, mark, _look(looks.at(text.offset(at))))
    found = list(dict.fromkeys(_others(words, stories)))
    headers = [block for block in found if block.kind is BlockKind.HEADER]
    return [*headers, *body.finish(), *(block for block in found if block.kind is not BlockKind.HEADER)]


class _Body:
    def __init__(self, styles: StyleSheet) -> None:
        self._styles = styles
        self._blocks: list[Block] = []
        self._rows: list[list[Cell]] = []
        self._cells: list[str] = []
        self._cell: list[str] = []

    def take(self, text: str, mark: str, look: _Look) -> None:
        if look.row_end and mark == "\x07":
            shapes = [*look.cells, *(Cell() for _ in self._cells[len(look.cells) :])]
            row = [
                Cell(text=text, right=shape.right, below=shape.below, beside=shape.beside)
                for shape, text in zip(shapes, self._cells, strict=False)
            ]
            self._rows += [row] if row else []
            self._cells, self._cell = [], []
        elif mark == "\x07" or look.in_table:
            self._cell.append(text)
            if mark == "\x07":
                self._cells.append("\n".join(filter(None, self._cell)))
                self._cell = []
        else:
            self._end_table()
            self._blocks.append(self._worded(text, look))

    def finish(self) -> list[Block]:
        self._end_table()
        return self._blocks

    def _end_table(self) -> None:
        left = [*self._cells, *self._cell]
        if self._rows:
            titles, rows = grid_of(self._rows)
            self._blocks += map(paragraph, titles)
            self._blocks.append(table(rows))
        self._blocks += map(paragraph, left)
        self._rows, self._cells, self._cell = [], [], []

    def _worded(self, text: str, look: _Look) -> Block:
        level = self._styles.level(look.style)
        if look.outline is not None:
            level = look.outline + 1 if look.outline < 9 else None
        if level is not None and text and len(text) <= LONGEST_HEADING:
            return heading(text, level)
        return item(text, look.depth) if look.list_id else paragraph(text)


def _words(text: Text, runs: Properties) -> str:
    """The units with deleted runs and what fields do not show put out, place for place, by NUL."""
    units = list(text.units)
    deleted = runs.where(Property.DELETED)
    if deleted:
        for position, unit in enumerate(units):
            offset = text.offset(position)
            if unit not in "\r\x07\x0c" and any(start <= offset < end for start, end in deleted):
                units[position] = "\x00"
    begun: list[tuple[int, int]] = []
    for match in _FIELD_MARKS.finditer("".join(units)):
        at = match.start()
        if match[0] == "\x13":
            begun.append((at, -1))
        elif begun and match[0] == "\x14":
            begun[-1] = (begun[-1][0], at)
        elif begun:
            begin, separator = begun.pop()
            instruction = "".join(units[begin + 1 : separator if separator >= 0 else at])
            until = at if separator < 0 or _LEFT_OUT_FIELDS.match(instruction) else separator
            units[begin:until] = ["\x00"] * (until - begin)
    return "".join(units)


def _paragraphs(words: str, start: int, end: int) -> Iterator[tuple[str, str, int]]:
    """Text, end mark, and the position of the mark, of each paragraph of a story."""
    at = start
    for match in _ENDS.finditer(words, start, min(end, len(words))):
        yield _clean(words[at : match.start()]), match[0], match.start()
        at = match.end()
    if at < min(end, len(words)):
        yield _clean(words[at:end]), "\r", min(end, len(words)) - 1


def _clean(units: str) -> str:
    return paired(units.translate(_SIGNS)).strip()


def _others(words: str, stories: dict[str, tuple[int, int]]) -> Iterator[Block]:
    for name, kind in _ASIDES.items():
        for text, _, _ in _paragraphs(words, *stories[name]):
            if text and (kind is not BlockKind.HEADER or any(sign.isalpha() for sign in text)):
                yield aside(kind, text)


def _look(properties: bytes) -> _Look:
    look = _Look()
    if len(properties) >= 2:
        (look.style,) = struct.unpack_from("<H", properties)
    for code, operand in modifiers(properties[2:]):
        if not operand:
            continue
        match code:
            case Property.IN_TABLE:
                look.in_table = bool(operand[0])
            case Property.ROW_END:
                look.row_end = bool(operand[0])
            case Property.OUTLINE:
                look.outline = operand[0]
            case Property.LIST_LEVEL:
                look.depth = min(operand[0], 8)
            case Property.LIST:
                look.list_id = int.from_bytes(operand[:2], "little")
            case Property.TABLE_DEFINITION:
                look.cells = tuple(_cells(operand))
    return look


def _cells(definition: bytes) -> Iterator[Cell]:
    """The shapes of a row's cells: right edges, and what is merged."""
    count = definition[2] if len(definition) > 2 else 0
    edges = definition[3 : 3 + 2 * (count + 1)]
    shapes = definition[3 + 2 * (count + 1) :]
    for i in range(min(count, len(edges) // 2 - 1)):
        (right,) = struct.unpack_from("<h", edges, 2 * (i + 1))
        flags = int.from_bytes(shapes[20 * i : 20 * i + 2], "little")
        yield Cell(right=right, below=flags & 0x60 == 0x20, beside=flags & 0x03 == 0x02)
