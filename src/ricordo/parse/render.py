"""Blocks into Markdown, last, with the character range that each block takes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ricordo.types import Block, BlockKind, Parsed

_MARK = re.compile(r"^( {0,3})(#{1,6}(?=\s|$)|`{3,}|~{3,}|=+[ \t]*$|-+[ \t]*$)", re.MULTILINE)
_LIST_MARK = re.compile(r"(?:[-*+•·]|\(?[0-9A-Za-z]{1,3}[.)、])\s|[①-⑳]")
_SOURCE_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+|[ \t]+#+[ \t]*$|\n {0,3}(?:=+|-+)[ \t]*$")


@dataclass(frozen=True, slots=True)
class Rendered:
    """The text that is stored, and where each block stands in it, in order: (start, end, block)."""

    text: str
    spans: tuple[tuple[int, int, Block], ...]


def render(parsed: Parsed) -> Rendered:
    """Markdown made from the blocks.

    A heading or paragraph whose text ends in a line break is a piece of a text file: it is taken as it is and nothing
    is put after it, so that a text or Markdown file comes out as its own decoded text. All else is made Markdown, and
    parted by an empty line (items of a list by a line break).
    """
    parts: list[str] = []
    spans: list[tuple[int, int, Block]] = []
    at = 0
    before: Block | None = None
    for block in parsed.blocks:
        text = _markdown(block)
        if not text:
            continue
        if before is not None and not is_source(before):
            gap = "\n" if before.kind is block.kind is BlockKind.LIST else "\n\n"
            parts.append(gap)
            at += len(gap)
        parts.append(text)
        spans.append((at, at + len(text), block))
        at += len(text)
        before = block
    return Rendered("".join(parts), tuple(spans))


def is_source(block: Block) -> bool:
    """Whether the block's text is a piece of a text file, to be kept as it is."""
    return block.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING) and block.text.endswith("\n")


def title_of(heading: Block) -> str:
    """The words of a heading, without the marks of a Markdown source."""
    text = heading.text.strip()
    return _SOURCE_HEADING.sub("", text).strip() if is_source(heading) else " ".join(text.split())


def anchors(rendered: Rendered) -> list[tuple[int, int, str]]:
    """(offset, level, title) of each heading, in order."""
    return [
        (start, block.level or 1, title_of(block))
        for start, _, block in rendered.spans
        if block.kind is BlockKind.HEADING
    ]


def pages(rendered: Rendered) -> list[tuple[int, int]]:
    """(offset, page) wherever the page changes, in order."""
    found: list[tuple[int, int]] = []
    for start, _, block in rendered.spans:
        if block.page is not None and (not found or found[-1][1] != block.page):
            found.append((start, block.page))
    return found


def _markdown(block: Block) -> str:
    if is_source(block):
        return block.text
    match block.kind:
        case BlockKind.HEADING:
            title = title_of(block)
            return f"{'#' * min(max(block.level, 1), 6)} {title}" if title else ""
        case BlockKind.TABLE:
            return "\n\n".join(filter(None, (_escaped(block.text.strip()), _table(block.rows))))
        case BlockKind.CODE:
            return _fenced(block.text, block.language)
        case BlockKind.LIST:
            return _item(block)
        case BlockKind.NOTE | BlockKind.COMMENT:
            return "\n".join(f"> {line}".rstrip() for line in _escaped(block.text.strip()).splitlines())
    return _escaped(block.text.strip("\r\n"))


def _escaped(text: str) -> str:
    """Text whose lines cannot be taken for a heading, a rule or a fence."""
    return _MARK.sub(r"\1\\\2", text)


def _table(rows: tuple[tuple[str, ...], ...]) -> str:
    width = max(map(len, rows), default=0)
    if not width:
        return ""
    lines = [f"| {' | '.join(_cell(row[i]) if i < len(row) else '' for i in range(width))} |" for row in rows]
    lines.insert(1, f"|{' --- |' * width}")
    return "\n".join(lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|")


def _fenced(text: str, language: str) -> str:
    if not text.strip():
        return ""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _item(block: Block) -> str:
    text = block.text.strip()
    if not text:
        return ""
    indent = "  " * max(block.level - 1, 0)
    mark = "" if _LIST_MARK.match(text) else "- "
    first, *rest = text.splitlines()
    return "\n".join((f"{indent}{mark}{first}", *(f"{indent}  {line}".rstrip() for line in rest)))
