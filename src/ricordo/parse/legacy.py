"""Word and PowerPoint files of 1997 to 2003: OLE containers with the old binary streams."""

from __future__ import annotations

import struct
from io import BytesIO

import olefile

from ricordo.parse.doc import document
from ricordo.parse.encrypted import unlocked
from ricordo.parse.outcome import ReadError, damaged, finish, reader
from ricordo.parse.ppt import is_encrypted, slides
from ricordo.parse.reading import Job
from ricordo.parse.rtf_tokens import codec
from ricordo.parse.word_binary import Fib
from ricordo.types import Block, Parsed, ParseStatus

_TABLES = ("0Table", "1Table")
_DECK, _USER, _TEXT, _SUMMARY = "PowerPoint Document", "Current User", "WordDocument", "\x05SummaryInformation"
_CODE_PAGE, _TITLE, _MOST_PROPERTIES = 1, 2, 100


@reader
def read(data: bytes, job: Job) -> Parsed:
    """The document's or deck's blocks; UNSUPPORTED for what is older than 1997."""
    streams, title = _streams(data, job)
    notes: list[str] = []
    if _TEXT in streams:
        blocks = _word(streams, data, job, notes)
    elif _DECK in streams:
        if is_encrypted(streams.get(_USER, b"")):
            streams, title = _streams(unlocked(data, job), job)
        blocks = slides(streams[_DECK], streams.get(_USER, b""), notes)
    else:
        raise ReadError(
            ParseStatus.UNSUPPORTED, f"{job.name!r} is neither a Word nor a PowerPoint file: save it as DOCX or PPTX"
        )
    return finish(blocks, job, title=title, warnings=notes, partial=bool(notes))


def _word(streams: dict[str, bytes], data: bytes, job: Job, notes: list[str]) -> list[Block]:
    fib = Fib.read(streams[_TEXT])
    if fib.encrypted:
        streams, _ = _streams(unlocked(data, job), job)
        fib = Fib.read(streams[_TEXT])
    if fib.older:
        raise ReadError(ParseStatus.UNSUPPORTED, f"{job.name!r} is older than Word 97: save it as DOCX")
    tables = streams.get(_TABLES[fib.table])
    if tables is None:
        raise damaged(f"{job.name!r} has no stream {_TABLES[fib.table]!r}, which says where its text lies")
    return document(fib, streams[_TEXT], tables, notes)


def _streams(data: bytes, job: Job) -> tuple[dict[str, bytes], str]:
    """The streams that hold text, by name, and the title in the document's properties."""
    try:
        with olefile.OleFileIO(BytesIO(data)) as ole:
            names = [name for name in (*_TABLES, _DECK, _USER, _TEXT) if ole.exists(name)]
            streams = {name: ole.openstream(name).read() for name in names}
            return streams, title_of(ole.openstream(_SUMMARY).read()) if ole.exists(_SUMMARY) else ""
    except (OSError, ValueError, IndexError, TypeError) as error:
        raise damaged(f"{job.name!r} is a damaged OLE container: {error}") from error


def title_of(summary: bytes) -> str:
    """The title in a summary's property set; of its properties only this one and the code page are looked at."""
    try:
        (section,) = struct.unpack_from("<L", summary, 44)
        count = min(struct.unpack_from("<L", summary, section + 4)[0], _MOST_PROPERTIES)
        pairs = struct.unpack_from(f"<{2 * count}L", summary, section + 8)
        places = dict(zip(pairs[::2], pairs[1::2], strict=True))
        page = struct.unpack_from("<H", summary, section + places[_CODE_PAGE] + 4)[0] if _CODE_PAGE in places else 1252
        if _TITLE not in places:
            return ""
        (length,) = struct.unpack_from("<L", summary, section + places[_TITLE] + 4)
    except struct.error:
        return ""
    title = summary[section + places[_TITLE] + 8 :][:length]
    return title.decode(codec(page), "replace").replace("\x00", "").strip()
