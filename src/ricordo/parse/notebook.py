"""Jupyter notebooks: Markdown cells as text, code cells as code, and what the code printed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ricordo.parse.decode import clean, decode
from ricordo.parse.markdown import cut
from ricordo.parse.outcome import damaged, finish, reader
from ricordo.parse.reading import Job
from ricordo.types import Block, BlockKind, Parsed

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_INLINE_DATA = re.compile(r"\(data:[^)\s]*\)")


@reader
def read(data: bytes, job: Job) -> Parsed:
    """Cells in order. Pictures among the outputs are left out, and so are their bytes."""
    decoded = decode(data)
    try:
        notebook = json.loads(decoded.text, strict=False)
    except (ValueError, RecursionError) as error:
        raise damaged(f"{job.name!r} is not a notebook: {error}") from error
    if not isinstance(notebook, dict):
        raise damaged(f"{job.name!r} is not a notebook: no object of cells")
    metadata = notebook.get("metadata")
    language = _language(metadata if isinstance(metadata, dict) else {})
    cells = [cell for cell in _cells(notebook) if isinstance(cell, dict)]
    found = [block for cell in cells for block in _blocks(cell, language)]
    title = next((" ".join(b.text.strip("# \n").split()) for b in found if b.kind is BlockKind.HEADING), "")
    return finish(found, job, title=title, warnings=decoded.warnings, partial=bool(decoded.damaged))


def _cells(notebook: dict[str, Any]) -> Iterator[Any]:
    """The cells of today's format, and of the one before 2014, which had worksheets."""
    for holder in (notebook, *_listed(notebook.get("worksheets"))):
        if isinstance(holder, dict):
            yield from _listed(holder.get("cells"))


def _language(metadata: dict[str, Any]) -> str:
    for key in ("language_info", "kernelspec"):
        inner = metadata.get(key)
        if isinstance(inner, dict):
            name = inner.get("language") or inner.get("name")
            if isinstance(name, str):
                return name.lower()
    return ""


def _blocks(cell: dict[str, Any], language: str) -> Iterator[Block]:
    text = _text(cell.get("source", cell.get("input")))
    match cell.get("cell_type"):
        case "markdown":
            yield from _markdown(text)
        case "heading":
            level = cell.get("level")
            yield Block(kind=BlockKind.HEADING, text=text.strip(), level=level if isinstance(level, int) else 1)
        case "code":
            yield Block(kind=BlockKind.CODE, text=text, language=language)
            for output in _listed(cell.get("outputs")):
                if isinstance(output, dict):
                    yield Block(kind=BlockKind.CODE, text=_output(output))
        case _:
            yield Block(kind=BlockKind.PARAGRAPH, text=text.strip())


def _markdown(text: str) -> Iterator[Block]:
    found, _ = cut(_INLINE_DATA.sub("()", text.strip("\n")))
    for block in found[:-1]:
        yield block
    for block in found[-1:]:
        yield replace(block, text=f"{block.text}\n")  # the next cell begins after an empty line


def _output(output: dict[str, Any]) -> str:
    if output.get("ename"):
        return f"{output['ename']}: {_text(output.get('evalue'))}"
    data = output.get("data")
    bundle = data if isinstance(data, dict) else {}
    return _COLOURS.sub("", _text(output.get("text") or bundle.get("text/plain") or bundle.get("text/markdown")))


def _text(value: Any) -> str:
    lines = value if isinstance(value, list) else [value]
    return clean("".join(line for line in lines if isinstance(line, str)))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
