"""One file through unstructured, inside a worker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib import import_module
from io import BytesIO
from typing import Any

from lxml import html

from ricordo.parse.outcome import finish, reader
from ricordo.parse.reading import Job
from ricordo.types import Block, BlockKind, Parsed

PARSER = "unstructured"
_KINDS = {
    "Title": BlockKind.HEADING,
    "ListItem": BlockKind.LIST,
    "Table": BlockKind.TABLE,
    "CodeSnippet": BlockKind.CODE,
    "Image": BlockKind.PICTURE,
    "FigureCaption": BlockKind.NOTE,
    "Footer": BlockKind.HEADER,
    "Header": BlockKind.HEADER,
}


def read(data: bytes, job: Job) -> Parsed:
    return replace(_read(data, job), parser=PARSER)


@reader
def _read(data: bytes, job: Job) -> Parsed:
    partition = import_module("unstructured.partition.auto").partition
    return finish(blocks_of(partition(file=BytesIO(data), metadata_filename=job.name)), job)


def blocks_of(elements: Iterable[Any]) -> Iterator[Block]:
    """One block an element, with its page; the cells of a table where the element carries its HTML."""
    for element in elements:
        kind = _KINDS.get(element.category, BlockKind.PARAGRAPH)
        said = element.metadata
        rows = _rows(said.text_as_html) if kind is BlockKind.TABLE and said.text_as_html else ()
        level = (said.category_depth or 0) + 1 if kind in (BlockKind.HEADING, BlockKind.LIST) else 0
        yield Block(
            kind=kind,
            text="" if rows else element.text,
            level=level,
            rows=rows,
            page=said.page_number,
            sheet=said.page_name,
        )


def _rows(source: str) -> tuple[tuple[str, ...], ...]:
    table = html.fromstring(source)
    return tuple(tuple(cell.text_content().strip() for cell in row.xpath("./td|./th")) for row in table.iter("tr"))
