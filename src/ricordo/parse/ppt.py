"""PowerPoint 97 decks: the text of each slide, its tables, its notes ([MS-PPT])."""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from ricordo.parse.blocks import aside, heading, item, paragraph, table
from ricordo.parse.grid import Grid
from ricordo.parse.outcome import damaged
from ricordo.types import Block, BlockKind

_ENCRYPTED_TOKEN = 0xF3D1C4DF
_DOCUMENT, _SLIDE, _NOTES = 0x03E8, 0x03EE, 0x03F0
_NOTES_ATOM, _SLIDE_PLACE, _TEXT_LIST = 0x03F1, 0x03F3, 0x0FF0
_USER_EDIT, _DIRECTORY = 0x0FF5, 0x1772
_REFERENCE, _HEADER, _CHARACTERS, _BYTES = 0x0F9E, 0x0F9F, 0x0FA0, 0x0FA8
_GROUP, _SHAPE, _TEXT_BOX, _CHILD_ANCHOR, _MORE_OPTIONS = 0xF003, 0xF004, 0xF00D, 0xF00F, 0xF122
_TABLE_PROPERTY = 0x039F
_TITLES, _BODIES, _NOTES_TEXT = (0, 6), (1, 7, 8), 2
_OTHER = 4
_DEEPEST = 40


@dataclass(frozen=True, slots=True)
class _Record:
    container: bool
    instance: int
    kind: int
    data: bytes

    def children(self) -> Iterator[_Record]:
        return _records(self.data) if self.container else iter(())

    def find(self, kind: int) -> _Record | None:
        return next((record for record in self.children() if record.kind == kind), None)

    def every(self, *kinds: int, depth: int = 0) -> Iterator[_Record]:
        """The nearest records of these kinds, however deep."""
        for record in self.children():
            if record.kind in kinds:
                yield record
            elif record.container and depth < _DEEPEST:
                yield from record.every(*kinds, depth=depth + 1)


def is_encrypted(user: bytes) -> bool:
    return len(user) >= 16 and struct.unpack_from("<L", user, 12)[0] == _ENCRYPTED_TOKEN


def slides(data: bytes, user: bytes, notes: list[str]) -> list[Block]:
    """The deck's blocks, each with its slide's number as page."""
    places, document_id = _directory(data, user, notes)
    document = _at(data, places.get(document_id, -1), _DOCUMENT)
    if document is None:
        document = next((record for record in _records(data) if record.kind == _DOCUMENT), None)
    if document is None:
        raise damaged("the stream 'PowerPoint Document' holds no document")
    lists = {record.instance: record for record in document.children() if record.kind == _TEXT_LIST}
    said = _speaker_notes(data, places, lists.get(2))
    scanned = (record for record in _records(data) if record.kind == _SLIDE)
    blocks: list[Block] = []
    for page, (place, slide_id, outline) in enumerate(_listed(lists.get(0)), 1):
        slide = _at(data, places.get(place, -1), _SLIDE) if places else next(scanned, None)
        if slide is None:
            notes.append(f"slide {page} cannot be found; the text in the outline was kept")
            blocks += (block for kind, text in outline for block in _worded(kind, text, page))
            continue
        blocks += _slide(slide, outline, page)
        blocks += (aside(BlockKind.NOTE, text, page=page) for text in said.get(slide_id, ()))
    return blocks


def _records(data: bytes) -> Iterator[_Record]:
    at = 0
    while at + 8 <= len(data):
        version, kind, size = struct.unpack_from("<HHL", data, at)
        yield _Record(version & 0xF == 0xF, version >> 4, kind, data[at + 8 : at + 8 + size])
        at += 8 + size


def _at(data: bytes, offset: int, kind: int) -> _Record | None:
    if not 0 <= offset <= len(data) - 8:
        return None
    size = struct.unpack_from("<L", data, offset + 4)[0]
    record = next(_records(data[offset : offset + 8 + size]), None)
    return record if record is not None and record.kind == kind else None


def _directory(data: bytes, user: bytes, notes: list[str]) -> tuple[dict[int, int], int]:
    """Persistent id → offset, and the document's id, from the newest edit back to the first."""
    places: dict[int, int] = {}
    document_id = 0
    edit = struct.unpack_from("<L", user, 16)[0] if len(user) >= 20 else -1
    seen: set[int] = set()
    while edit not in seen and (record := _at(data, edit, _USER_EDIT)) is not None and len(record.data) >= 20:
        seen.add(edit)
        edit, directory, newest = struct.unpack_from("<LLL", record.data, 8)
        document_id = document_id or newest
        table = _at(data, directory, _DIRECTORY)
        for place, offset in () if table is None else _entries(table.data):
            places.setdefault(place, offset)
    if not seen:
        notes.append("the list of edits is damaged; the slides were taken as they lie in the file")
    return places, document_id


def _entries(table: bytes) -> Iterator[tuple[int, int]]:
    at = 0
    while at + 4 <= len(table):
        head = struct.unpack_from("<L", table, at)[0]
        first, count = head & 0xFFFFF, head >> 20
        offsets = table[at + 4 : at + 4 + 4 * count]
        for i, (offset,) in enumerate(struct.iter_unpack("<L", offsets[: len(offsets) // 4 * 4])):
            yield first + i, offset
        at += 4 + 4 * count


def _listed(texts: _Record | None) -> Iterator[tuple[int, int, list[tuple[int, str]]]]:
    """(persistent id, slide id, texts of the outline) of each slide in the order of the show."""
    current: tuple[int, int, list[tuple[int, str]]] | None = None
    inside: list[_Record] = []
    for record in () if texts is None else texts.children():
        if record.kind != _SLIDE_PLACE:
            inside.append(record)
            continue
        if current is not None:
            current[2].extend(_texts(inside))
            yield current
        inside = []
        if len(record.data) >= 16:
            place, _, _, slide_id = struct.unpack_from("<LLLL", record.data)
            current = (place, slide_id, [])
    if current is not None:
        current[2].extend(_texts(inside))
        yield current


def _texts(records: list[_Record]) -> Iterator[tuple[int, str]]:
    """(type, text) of each text: a header, then the letters."""
    kind: int | None = None
    for record in records:
        if record.kind == _HEADER and len(record.data) >= 4:
            if kind is not None:
                yield kind, ""
            (kind,) = struct.unpack_from("<L", record.data)
        elif record.kind in (_CHARACTERS, _BYTES):
            codec = "utf-16-le" if record.kind == _CHARACTERS else "latin-1"
            yield _OTHER if kind is None else kind, record.data.decode(codec, "replace")
            kind = None
    if kind is not None:
        yield kind, ""


def _slide(slide: _Record, outline: list[tuple[int, str]], page: int) -> list[Block]:
    """Titles first, then what else stands there; then what the outline has and no shape shows."""
    used: set[int] = set()
    blocks = [block for record in slide.children() for block in _drawn(record, outline, used, page)]
    blocks += (block for i, (kind, text) in enumerate(outline) if i not in used for block in _worded(kind, text, page))
    return sorted(blocks, key=lambda block: block.kind is not BlockKind.HEADING)


def _drawn(
    record: _Record, outline: list[tuple[int, str]], used: set[int], page: int, depth: int = 0
) -> Iterator[Block]:
    if record.kind == _TEXT_BOX:
        for kind, text in _box(record, outline, used):
            yield from _worded(kind, text, page)
    elif record.kind == _GROUP and _is_table(record):
        yield from _table(record, outline, used, page)
    elif depth < _DEEPEST:
        for inner in record.children():
            yield from _drawn(inner, outline, used, page, depth + 1)


def _box(record: _Record, outline: list[tuple[int, str]], used: set[int]) -> Iterator[tuple[int, str]]:
    inside = list(_records(record.data))
    for reference in inside:
        if reference.kind == _REFERENCE and len(reference.data) >= 4:
            (index,) = struct.unpack_from("<L", reference.data)
            if index < len(outline) and index not in used:
                used.add(index)
                yield outline[index]
    yield from _texts(inside)


def _worded(kind: int, text: str, page: int) -> Iterator[Block]:
    lines = [line for line in map(_clean, text.split("\r")) if line and line != "*"]
    if kind in _TITLES and lines:
        yield heading(" ".join(lines), 1, page=page)
    elif kind in _BODIES and len(lines) > 1:
        yield from (item(line, 0, page=page) for line in lines)
    else:
        yield from (paragraph(line, page=page) for line in lines)


def _clean(text: str) -> str:
    return text.replace("\x0b", "\n").replace("\x00", "").strip()


def _is_table(group: _Record) -> bool:
    """Whether the group's own shape says that it is a table."""
    own = group.find(_SHAPE)
    options = None if own is None else own.find(_MORE_OPTIONS)
    if options is None:
        return False
    entries = options.data[: 6 * options.instance]
    return any(
        code & 0x3FFF == _TABLE_PROPERTY for code, _ in struct.iter_unpack("<HL", entries[: len(entries) // 6 * 6])
    )


def _table(group: _Record, outline: list[tuple[int, str]], used: set[int], page: int) -> Iterator[Block]:
    """The cells by where they lie: their edges are the lines of the grid."""
    cells: list[tuple[int, int, int, int, str]] = []
    for shape in group.every(_SHAPE):
        box, anchor = shape.find(_TEXT_BOX), shape.find(_CHILD_ANCHOR)
        if box is not None and anchor is not None and len(anchor.data) >= 16:
            left, top, right, bottom = struct.unpack_from("<llll", anchor.data)
            text = "\n".join(_clean(t.replace("\r", "\n")) for _, t in _box(box, outline, used))
            cells.append((top, left, bottom, right, text))
    tops, lefts = sorted({c[0] for c in cells}), sorted({c[1] for c in cells})
    grid = Grid()
    for row in range(len(tops)):
        grid.row()
        for top, left, bottom, right, text in sorted(cells):
            if top == tops[row]:
                column = bisect_left(lefts, left)
                down, across = bisect_left(tops, bottom) - row, bisect_left(lefts, right) - column
                grid.place(column, text, down=down, across=across)
    titles, rows = grid.titles_and_rows()
    yield from (paragraph(title, page=page) for title in titles)
    yield table(rows, page=page)


def _speaker_notes(data: bytes, places: dict[int, int], texts: _Record | None) -> dict[int, list[str]]:
    """Slide id → what its notes say."""
    found: dict[int, list[str]] = {}
    for place, _, _ in _listed(texts):
        record = _at(data, places.get(place, -1), _NOTES)
        atom = None if record is None else record.find(_NOTES_ATOM)
        if record is None or atom is None or len(atom.data) < 4:
            continue
        (slide_id,) = struct.unpack_from("<L", atom.data)
        for box in record.every(_TEXT_BOX):
            said = [
                _clean(text.replace("\r", "\n"))
                for kind, text in _texts(list(_records(box.data)))
                if kind == _NOTES_TEXT
            ]
            found.setdefault(slide_id, []).extend(filter(None, said))
    return found
