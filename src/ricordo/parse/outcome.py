"""How a reader ends: every way out of it is a Parsed with one status, except Exceeded."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import wraps

from ricordo.parse.reading import Exceeded, Job, Reader
from ricordo.types import Block, BlockKind, Parsed, ParseStatus

log = logging.getLogger(__name__)

PARSER = "native"


class ReadError(Exception):
    """Ends a reader with a status other than `ok`, and the reason."""

    def __init__(self, status: ParseStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


def damaged(reason: str) -> ReadError:
    return ReadError(ParseStatus.DAMAGED, reason)


def locked(job: Job) -> ReadError:
    """The file is encrypted: with what was given (or not given) it cannot be opened."""
    if job.password is None:
        return ReadError(ParseStatus.NEEDS_PASSWORD, f"{job.name!r} is encrypted: give its password")
    return ReadError(ParseStatus.NEEDS_PASSWORD, f"the password given does not open {job.name!r}")


def reader(read: Reader) -> Reader:
    """Turns every exception of a reader but Exceeded into a status with its reason."""

    @wraps(read)
    def guarded(data: bytes, job: Job) -> Parsed:
        if not data:
            return Parsed(parser=PARSER, status=ParseStatus.EMPTY, warnings=(f"{job.name!r} has no bytes",))
        try:
            return read(data, job)
        except ReadError as stop:
            return Parsed(parser=PARSER, status=stop.status, warnings=(stop.reason,))
        except Exceeded:
            raise
        except MemoryError as error:
            raise Exceeded(f"{job.name!r} needs more memory than a file may use") from error
        except Exception as error:
            log.warning("cannot read %r as %s", job.name, job.kind, exc_info=True)
            reason = f"{job.name!r} cannot be read as {job.kind}: {type(error).__name__}: {error}"[:500]
            return Parsed(parser=PARSER, status=ParseStatus.DAMAGED, warnings=(reason,))

    return guarded


def finish(
    blocks: Iterable[Block], job: Job, *, title: str = "", warnings: Iterable[str] = (), partial: bool = False
) -> Parsed:
    """The blocks that say something, under the status that they deserve."""
    kept: list[Block] = []
    characters = 0
    for block in blocks:
        if block.text.strip() or block.kind is BlockKind.PICTURE or any(any(row) for row in block.rows):
            kept.append(block)
            characters += len(block.text) + sum(len(cell) for row in block.rows for cell in row)
            if characters > job.limits.text_characters:
                raise Exceeded(f"{job.name!r} holds more than {job.limits.text_characters} characters of text")
    notes = list(dict.fromkeys(warnings))
    status = ParseStatus.PARTIAL if partial else ParseStatus.OK
    if not characters:
        if any(block.kind is BlockKind.PICTURE for block in kept):
            status = ParseStatus.NEEDS_OCR
            notes.append(f"{job.name!r} holds pictures and no text: it needs OCR")
        else:
            status = ParseStatus.DAMAGED if partial else ParseStatus.EMPTY
            notes.append(f"{job.name!r} holds no text")
    return Parsed(parser=PARSER, blocks=tuple(kept), title=title.strip(), status=status, warnings=tuple(notes))
