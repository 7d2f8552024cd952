"""The structures of the Word 97 binary format that say where text and its properties lie ([MS-DOC])."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from ricordo.parse.outcome import damaged
from ricordo.parse.word_styles import level_by_name

_MAGIC = 0xA5EC
_WORD_97 = 0xC1
_ENCRYPTED, _TABLE_ONE = 0x0100, 0x0200
_LENGTHS, _OFFSETS = 64 + 12, 154
_STYLES, _CHARACTERS, _PARAGRAPHS, _PIECES = 1, 12, 13, 33
_PAGE = 512
_COMPRESSED = 0x40000000
_TABS = 0xC615
_TITLE, _SUBTITLE = 62, 74


class Property(IntEnum):
    """The codes (sprm) of the properties that tell structure from looks."""

    DELETED = 0x0800
    IN_TABLE = 0x2416
    ROW_END = 0x2417
    LIST_LEVEL = 0x260A
    OUTLINE = 0x2640
    LIST = 0x460B
    TABLE_DEFINITION = 0xD608


STORIES = ("text", "footnotes", "headers", "macros", "comments", "endnotes", "boxes", "header_boxes")


@dataclass(frozen=True, kw_only=True, slots=True)
class Fib:
    """The file's head: which table stream counts, how long each story is, where each structure lies."""

    older: bool
    encrypted: bool
    table: int
    lengths: tuple[int, ...]
    places: tuple[tuple[int, int], ...]

    @classmethod
    def read(cls, data: bytes) -> Fib:
        if len(data) < 898 or struct.unpack_from("<H", data)[0] & 0xFFEF not in (_MAGIC, 0xA5CC, 0xA5DC, 0xA5DB):
            raise damaged("the stream 'WordDocument' does not begin as Word's does")
        version, flags = struct.unpack_from("<H", data, 2)[0], struct.unpack_from("<H", data, 10)[0]
        return cls(
            older=version < _WORD_97,
            encrypted=bool(flags & _ENCRYPTED),
            table=int(bool(flags & _TABLE_ONE)),
            lengths=struct.unpack_from(f"<{len(STORIES)}l", data, _LENGTHS),
            places=tuple(struct.iter_unpack("<LL", data[_OFFSETS : _OFFSETS + 8 * (_PIECES + 1)])),
        )

    def structure(self, tables: bytes, index: int) -> bytes:
        offset, size = self.places[index]
        return tables[offset : offset + size]


class Text:
    """The document's UTF-16 units in order, and where in the file each of them lies."""

    def __init__(self, fib: Fib, data: bytes, tables: bytes) -> None:
        self._starts: list[int] = []
        self._pieces: list[tuple[int, int]] = []
        parts: list[str] = []
        position = 0
        for count, offset, width in _pieces(fib.structure(tables, _PIECES)):
            raw = data[offset : offset + count * width]
            part = raw.decode("cp1252", "replace") if width == 1 else "".join(map(chr, _units(raw)))
            self._starts.append(position)
            self._pieces.append((offset, width))
            parts.append(part.ljust(count, "\x00") if len(part) < count <= len(data) else part)
            position += count
        self.units = "".join(parts)

    def offset(self, position: int) -> int:
        """Where in the file the unit at this position lies."""
        piece = bisect_right(self._starts, position) - 1
        if piece < 0:
            return 0
        start, width = self._pieces[piece]
        return start + (position - self._starts[piece]) * width


class Properties:
    """Ranges of the file with their property lists, from the 512-byte pages that a table points to."""

    def __init__(self, fib: Fib, data: bytes, tables: bytes, *, paragraphs: bool) -> None:
        index = fib.structure(tables, _PARAGRAPHS if paragraphs else _CHARACTERS)
        count = max((len(index) - 4) // 8, 0)
        found: dict[int, tuple[int, bytes]] = {}
        for (page,) in struct.iter_unpack("<L", index[4 * (count + 1) :][: 4 * count]):
            at = (page & 0x3FFFFF) * _PAGE
            for start, end, properties in _page(data[at : at + _PAGE], paragraphs=paragraphs):
                found[start] = (end, properties)
        self._starts = sorted(found)
        self._found = found

    def at(self, offset: int) -> bytes:
        """The property list that covers this place in the file, b"" when none does."""
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            return b""
        end, properties = self._found[self._starts[index]]
        return properties if offset < end else b""

    def where(self, code: int) -> list[tuple[int, int]]:
        """The ranges of the file in which this property is switched on."""
        return [
            (start, end)
            for start, (end, properties) in self._found.items()
            if any(found == code and operand[:1] == b"\x01" for found, operand in modifiers(properties))
        ]


class StyleSheet:
    """Style number → heading level."""

    def __init__(self, fib: Fib, tables: bytes) -> None:
        self._styles: dict[int, tuple[int, int, str]] = {}
        sheet = fib.structure(tables, _STYLES)
        if len(sheet) < 6:
            return
        head, _, base = struct.unpack_from("<HHH", sheet)
        at, number = head + 2, 0
        while at + 2 <= len(sheet):
            (size,) = struct.unpack_from("<H", sheet, at)
            style = sheet[at + 2 : at + 2 + size]
            if len(style) >= base + 2 >= 6:
                built_in, parent = struct.unpack_from("<HH", style)
                (length,) = struct.unpack_from("<H", style, base)
                name = style[base + 2 : base + 2 + 2 * length].decode("utf-16-le", "replace")
                self._styles[number] = (built_in & 0xFFF, parent >> 4, name)
            at += 2 + size + size % 2
            number += 1

    def level(self, number: int) -> int | None:
        seen: set[int] = set()
        while number not in seen:
            seen.add(number)
            if number not in self._styles:
                return number if 1 <= number <= 9 else None
            built_in, parent, name = self._styles[number]
            known = {_TITLE: 1, _SUBTITLE: 2}.get(built_in, built_in if 1 <= built_in <= 9 else level_by_name(name))
            if known:
                return known
            number = parent
        return None


def modifiers(properties: bytes) -> Iterator[tuple[int, bytes]]:
    """The single properties (sprm) of a list: code and operand."""
    at = 0
    while at + 2 <= len(properties):
        (code,) = struct.unpack_from("<H", properties, at)
        at += 2
        size = (1, 1, 2, 4, 2, 2, 0, 3)[code >> 13]
        if code == Property.TABLE_DEFINITION and at + 2 <= len(properties):
            size = struct.unpack_from("<H", properties, at)[0] + 1
        elif not size and at < len(properties):
            size = properties[at] + 1
            if code == _TABS and size == 256:
                return
        yield code, properties[at : at + size]
        at += max(size, 1)


def _pieces(clx: bytes) -> Iterator[tuple[int, int, int]]:
    """(units, offset in the file, bytes a unit) of each piece."""
    at = 0
    while at + 3 <= len(clx) and clx[at] == 1:
        at += 3 + struct.unpack_from("<H", clx, at + 1)[0]
    if at + 5 > len(clx) or clx[at] != 2:
        raise damaged("the piece table, which says where the text lies, is missing")
    (size,) = struct.unpack_from("<L", clx, at + 1)
    table = clx[at + 5 : at + 5 + size]
    count = (len(table) - 4) // 12
    if count < 1:
        raise damaged("the piece table, which says where the text lies, is empty")
    positions = struct.unpack_from(f"<{count + 1}L", table)
    for i in range(count):
        (place,) = struct.unpack_from("<L", table, 4 * (count + 1) + 8 * i + 2)
        units = positions[i + 1] - positions[i]
        if units < 0:
            raise damaged("the piece table, which says where the text lies, contradicts itself")
        yield (units, (place & ~_COMPRESSED) // 2, 1) if place & _COMPRESSED else (units, place, 2)


def _units(raw: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(raw) // 2}H", raw[: len(raw) // 2 * 2])


def _page(page: bytes, *, paragraphs: bool) -> Iterator[tuple[int, int, bytes]]:
    if len(page) < _PAGE:
        return
    count = min(page[-1], (_PAGE - 5) // 5)
    places = struct.unpack_from(f"<{count + 1}L", page)
    width = 13 if paragraphs else 1
    for i in range(count):
        at = page[min(4 * (count + 1) + width * i, _PAGE - 1)] * 2
        if not at:
            yield places[i], places[i + 1], b""
        elif not paragraphs:
            yield places[i], places[i + 1], page[at + 1 : at + 1 + page[at]]
        elif page[at]:
            yield places[i], places[i + 1], page[at + 1 : at + 2 * page[at]]
        else:
            yield places[i], places[i + 1], page[at + 2 : at + 2 + 2 * page[min(at + 1, _PAGE - 1)]]
