"""One file through markitdown, inside a worker."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from io import BytesIO
from typing import Any

from markitdown import MarkItDown, StreamInfo, UnsupportedFormatException

from ricordo.parse.detect import detect
from ricordo.parse.markdown import cut
from ricordo.parse.outcome import damaged, finish, reader
from ricordo.parse.readers import extension
from ricordo.parse.reading import Job
from ricordo.types import Parsed, ParseStatus

PARSER = "markitdown"
_TEXT = frozenset(("json", "jsonl", "ipynb", "txt", "text", "md", "markdown", "csv", "html", "htm"))


def read(data: bytes, job: Job) -> Parsed:
    return replace(_read(data, job), parser=PARSER)


@reader
def _read(data: bytes, job: Job) -> Parsed:
    ending = extension(job.name)
    if ending not in _TEXT and detect("", data) not in (job.kind, "encrypted"):
        raise damaged(f"{job.name!r} is named {ending!r} and its bytes are not")
    # markitdown guesses a charset from the beginning alone
    charset = "utf-8" if ending in _TEXT and _is_utf8(data) else None
    info = StreamInfo(extension=f".{ending}" if ending else None, filename=job.name, charset=charset)
    try:
        result = _converter().convert_stream(BytesIO(data), stream_info=info)
    except UnsupportedFormatException as error:
        return Parsed(parser=PARSER, status=ParseStatus.UNSUPPORTED, warnings=(f"{job.name!r}: {error}",))
    blocks, title = cut(result.markdown)
    return finish(blocks, job, title=result.title or title)


@cache
def _converter() -> Any:
    return MarkItDown(enable_plugins=False)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
