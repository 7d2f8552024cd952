"""Word and PowerPoint files of 1997 to 2003: OLE containers with the old binary streams."""

from __future__ import annotations

from io import BytesIO

import olefile

from ricordo.parse.doc import document
from ricordo.parse.encrypted import unlocked
from ricordo.parse.outcome import ReadError, damaged, finish, reader
from ricordo.parse.ppt import is_encrypted, slides
from ricordo.parse.reading import Job
from ricordo.parse.word_binary import Fib
from ricordo.types import Block, Parsed, ParseStatus

_TABLES = ("0Table", "1Table")
_DECK, _USER, _TEXT = "PowerPoint Document", "Current User", "WordDocument"


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
            return {name: ole.openstream(name).read() for name in names}, _title(ole)
    except (OSError, ValueError, IndexError, TypeError) as error:
        raise damaged(f"{job.name!r} is a damaged OLE container: {error}") from error


def _title(ole: olefile.OleFileIO) -> str:
    try:
        properties = ole.get_metadata()
    except (OSError, ValueError, IndexError, TypeError, KeyError):
        return ""
    page = properties.codepage if isinstance(properties.codepage, int) and properties.codepage > 0 else 1252
    title = properties.title or b""
    try:
        return bytes(title).decode("utf-8" if page == 65001 else f"cp{page}", "replace").strip("\x00 ")
    except LookupError:
        return ""
