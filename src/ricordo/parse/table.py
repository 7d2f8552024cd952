"""docs/files.md, made from the tables in the code: `python -m ricordo.parse.table > docs/files.md`."""

from __future__ import annotations

import sys
from dataclasses import fields

from ricordo.parse.readers import FORMATS, Format
from ricordo.parse.reading import Limits

_HEAD = """# Files that are read, and what one may cost

Made from the code by `python -m ricordo.parse.table`; a test holds the two equal.

A file's bytes decide what it is, then its name, and last the media type that the client gave. Every file ends with one
status: `ok`, `partial`, `needs_ocr`, `needs_transcription`, `needs_password`, `damaged`, `unsupported`, `too_large` or
`empty`, and the reason with it; only `ok` and `partial` carry text.

## Kinds

| kind | extensions | kept |
| --- | --- | --- |
"""

_LIMITS = """
## Limits of one file

| limit | default | what it bounds |
| --- | --- | --- |
"""

_MEANING = {
    "file_bytes": "bytes of the file",
    "inflated_bytes": "bytes that come out of archives and packages, counted while inflating",
    "entries": "files inside archives and packages",
    "ratio": "inflated to packed size of an entry, once it is over the floor",
    "ratio_floor_bytes": "inflated size below which the ratio is not looked at",
    "depth": "files inside each other",
    "pixels": "pixels of a picture",
    "text_characters": "characters of text",
    "xml_depth": "elements inside each other",
    "cpu_seconds": "seconds of processor time",
    "wall_seconds": "seconds by the clock",
    "memory_bytes": "bytes of memory of the process that reads it",
}

_WALLS = """
A file is read in a worker process: a bomb, crash, loop or leak ends that file alone, as `too_large` or `damaged`, and
the next one is read. Short text, Markdown and code in UTF-8 (to 262,144 bytes) need no walls and are read in a thread.

| wall | Linux | macOS | Windows |
| --- | --- | --- | --- |
| processor time, clock | limit of the kernel, alarm of the parent | the same | watching thread, alarm of the parent |
| memory | limit of the kernel, watching thread | watching thread (peak) | watching thread |
| no socket, no fork | filter on system calls, audit hook | audit hook | audit hook |
| killed together with what it runs | process group | process group | the worker |
| keys of the environment | not inherited | not inherited | not inherited |
| temporary files | a folder that goes with the worker | the same | the same |
"""


def page() -> str:
    """The whole of docs/files.md."""
    limits = "".join(f"| `{field.name}` | {field.default:,} | {_MEANING[field.name]} |\n" for field in fields(Limits))
    return _HEAD + "".join(map(_row, FORMATS)) + _LIMITS + limits + _WALLS


def _row(row: Format) -> str:
    extensions = " ".join(f"`.{extension}`" for extension in row.extensions.split()) or "by its bytes alone"
    return f"| {row.kind} | {extensions} | {row.keeps} |\n"


if __name__ == "__main__":
    sys.stdout.write(page())
