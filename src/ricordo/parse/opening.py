"""One file read from its bytes to its blocks: detected, read, its children counted, and settled under one status."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ricordo.parse.detect import EMPTY, UNKNOWN, detect
from ricordo.parse.outcome import PARSER
from ricordo.parse.readers import load, reader
from ricordo.parse.reading import Exceeded, Job, Limits
from ricordo.types import READABLE, Block, Parsed, ParseStatus

log = logging.getLogger(__name__)

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    """What to read and how: everything that a worker is told, apart from the bytes.

    reader: `module:name` of the function that reads the file itself, in place of the one for its kind.
    """

    name: str
    media_type: str | None = None
    password: str | None = None
    limits: Limits = field(default_factory=Limits)
    ocr_languages: str = "chi_sim+eng"
    speech_model: str | None = None
    reader: str = ""


def open_file(data: bytes, order: Order, before: Callable[[str], None] | None = None) -> Parsed:
    """The file's blocks, or the status that says why there are none; never raises.

    before: is told the kind of the file, and of each file inside it, before that is read.
    """
    if len(data) > order.limits.file_bytes:
        return failed(
            ParseStatus.TOO_LARGE, f"{order.name!r} has {len(data)} bytes; {order.limits.file_bytes} may be read"
        )
    return _Opening(order, before).read(order.name, data, order.media_type, depth=0)


def failed(status: ParseStatus, reason: str) -> Parsed:
    return Parsed(parser=PARSER, status=status, warnings=(reason,))


class _Opening:
    """One file and all that lies inside it: what they use up together."""

    def __init__(self, order: Order, before: Callable[[str], None] | None) -> None:
        self._order = order
        self._before = before
        self._files = 0
        self._bytes = 0

    def read(self, name: str, data: bytes, media_type: str | None, *, depth: int) -> Parsed:
        kind = detect(name, data, media_type)
        if kind == EMPTY:
            return failed(ParseStatus.EMPTY, f"{name!r} has no bytes")
        chosen = self._order.reader if depth == 0 else ""
        if kind == UNKNOWN:
            return failed(ParseStatus.UNSUPPORTED, f"{name!r} is of no kind that can be read; see docs/files.md")
        if self._before is not None:
            self._before(kind)
        try:
            read = load(chosen) if chosen else reader(kind)
            return _settled(read(data, self._job(name, kind, media_type, depth)), name, self._order.limits)
        except (Exceeded, MemoryError, RecursionError) as error:
            return failed(ParseStatus.TOO_LARGE, _too_much(name, error))
        except ImportError as error:
            return failed(ParseStatus.UNSUPPORTED, f"{name!r} needs a library that is not installed: {error}")
        except Exception as error:
            log.warning("cannot read %r as %s", name, kind, exc_info=True)
            reason = f"{name!r} cannot be read as {kind}: {type(error).__name__}: {error}"
            return failed(ParseStatus.DAMAGED, reason[:500])

    def _job(self, name: str, kind: str, media_type: str | None, depth: int) -> Job:
        def child(inner: str, data: bytes) -> Parsed:
            return self._child(inner, data, depth + 1)

        order = self._order
        return Job(
            name=name,
            kind=kind,
            media_type=media_type,
            password=order.password,
            depth=depth,
            limits=order.limits,
            ocr_languages=order.ocr_languages,
            speech_model=order.speech_model,
            child=child,
        )

    def _child(self, name: str, data: bytes, depth: int) -> Parsed:
        limits = self._order.limits
        self._files += 1
        self._bytes += len(data)
        if depth > limits.depth:
            return failed(ParseStatus.TOO_LARGE, f"{name!r} lies deeper than {limits.depth} files inside each other")
        if self._files > limits.entries or self._bytes > limits.inflated_bytes:
            raise Exceeded(f"more than {limits.entries} files or {limits.inflated_bytes} bytes lie inside the file")
        return self.read(name, data, None, depth=depth)


def _too_much(name: str, error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return f"{name!r} needs more memory than a file may use"
    if isinstance(error, RecursionError):
        return f"{name!r} is nested too deeply"
    return f"{name!r}: {error}" if name not in str(error) else str(error)


def _settled(parsed: Parsed, name: str, limits: Limits) -> Parsed:
    """Holds a reader to its word: readable means text, and text that a store can hold."""
    if parsed.status not in READABLE:
        return replace(parsed, blocks=())
    size = sum(len(block.text) + sum(len(cell) for row in block.rows for cell in row) for block in parsed.blocks)
    if size > limits.text_characters:
        raise Exceeded(f"{name!r} holds more than {limits.text_characters} characters of text")
    if not any(_says_something(block) for block in parsed.blocks):
        reasons = parsed.warnings or (f"{name!r} holds no text",)
        return replace(parsed, blocks=(), status=ParseStatus.EMPTY, warnings=reasons)
    return replace(parsed, title=_storable(parsed.title), blocks=tuple(map(_clean, parsed.blocks)))


def _says_something(block: Block) -> bool:
    return (not block.text.isspace() and bool(block.text)) or any(cell.strip() for row in block.rows for cell in row)


def _storable(text: str) -> str:
    """The text without NUL and lone surrogates, which no store can hold."""
    return text if text.isascii() and "\x00" not in text else _UNSTORABLE.sub(_replacement, text)


def _replacement(match: re.Match[str]) -> str:
    return "" if match[0] == "\x00" else "\ufffd"


def _clean(block: Block) -> Block:
    text = _storable(block.text)
    rows = tuple(tuple(map(_storable, row)) for row in block.rows)
    return block if text == block.text and rows == block.rows else replace(block, text=text, rows=rows)
