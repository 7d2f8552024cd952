"""Markdown: the file's own text, cut at its headings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.parse.decode import clean, decode
from ricordo.parse.outcome import finish, reader
from ricordo.parse.reading import Job
from ricordo.types import Block, BlockKind, Parsed

_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(?!#*[ \t]*$)\S")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_RAW = re.compile(r" {0,3}<(pre|script|style|textarea)(?=[\s>]|$)", re.IGNORECASE)
_NOT_PARAGRAPH = re.compile(r"\s*$| {4}|\t| {0,3}(?:>|[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|\||<)")
_FRONT = re.compile(r"(?:---|\+\+\+)[ \t]*$")
_TITLE = re.compile(r"title[ \t]*[:=][ \t]*(\S.*)$", re.IGNORECASE)
_MAX_FRONT_LINES = 300


@reader
def read(data: bytes, job: Job) -> Parsed:
    """Headings and what stands between them; joined, the blocks give back the decoded file."""
    decoded = decode(data)
    blocks, title = cut(clean(decoded.text))
    return finish(blocks, job, title=title, warnings=decoded.warnings, partial=bool(decoded.damaged))


def cut(text: str) -> tuple[list[Block], str]:
    """The blocks of a Markdown text, each ending in a line break, and its title."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    front = _front_matter(lines)
    blocks: list[Block] = []
    start = 0
    for first, last, level in _headings(lines, front):
        _add(blocks, lines[start:first], BlockKind.PARAGRAPH, 0)
        _add(blocks, lines[first : last + 1], BlockKind.HEADING, level)
        start = last + 1
    _add(blocks, lines[start:], BlockKind.PARAGRAPH, 0)
    return blocks, _title(lines[:front], blocks)


def _add(blocks: list[Block], lines: list[str], kind: BlockKind, level: int) -> None:
    """Empty lines go to the block above them, so that no block is without words."""
    if not lines:
        return
    piece = "\n".join(lines) + "\n"
    if not piece.strip() and blocks:
        above = blocks.pop()
        blocks.append(Block(kind=above.kind, text=above.text + piece, level=above.level))
    elif blocks and not blocks[-1].text.strip():
        blank = blocks.pop()
        blocks.append(Block(kind=kind, text=blank.text + piece, level=level))
    else:
        blocks.append(Block(kind=kind, text=piece, level=level))


def _front_matter(lines: list[str]) -> int:
    """How many lines the front matter takes, its marks included."""
    if not lines or not _FRONT.match(lines[0]):
        return 0
    mark = lines[0].strip()
    for number, line in enumerate(lines[1:_MAX_FRONT_LINES], 1):
        if line.rstrip() == mark or (mark == "---" and line.rstrip() == "..."):
            keyed = any(re.match(r"[\w-]+[ \t]*[:=]", inner) for inner in lines[1:number])
            return number + 1 if keyed or number == 1 else 0
    return 0


def _title(front: list[str], blocks: list[Block]) -> str:
    for line in front:
        found = _TITLE.match(line)
        if found:
            return found[1].strip().strip("\"'")
    top = next((block for block in blocks if block.kind is BlockKind.HEADING and block.level == 1), None)
    return "" if top is None else heading_words(top.text)


def heading_words(text: str) -> str:
    """The words of a heading's source."""
    first = text.strip().partition("\n")[0]
    return re.sub(r"[ \t]+#+[ \t]*$", "", re.sub(r"^#{1,6}[ \t]+", "", first)).strip()


def _headings(lines: list[str], start: int) -> Iterator[tuple[int, int, int]]:
    """(first line, last line, level) of each heading, outside fences, comments and raw HTML."""
    closing: re.Pattern[str] | None = None
    lines_of_paragraph = 0  # an underline makes a heading of a paragraph of one line
    for number in range(start, len(lines)):
        line = lines[number]
        if closing is not None:
            closing = None if closing.search(line) else closing
            continue
        closing = _opened(line)
        atx = _ATX.match(line) if closing is None else None
        underline = _UNDERLINE.match(line) if lines_of_paragraph == 1 else None
        if atx:
            yield number, number, len(atx[1])
        elif underline:
            yield number - 1, number, 1 if underline[1][0] == "=" else 2
        if closing is not None or atx or underline or not line.strip():
            lines_of_paragraph = 0
        elif lines_of_paragraph or not _NOT_PARAGRAPH.match(line):
            lines_of_paragraph += 1
        else:
            lines_of_paragraph = 2  # a list, a quote or a table goes on until an empty line


def _opened(line: str) -> re.Pattern[str] | None:
    """What ends the fence, comment or raw HTML that begins on this line and does not end on it."""
    fence = _FENCE.match(line)
    if fence:
        return re.compile(rf" {{0,3}}{re.escape(fence[1][0])}{{{len(fence[1])},}}[ \t]*$")
    raw = _RAW.match(line)
    if raw and f"</{raw[1].lower()}" not in line.lower():
        return re.compile(f"</{raw[1]}", re.IGNORECASE)
    comment = line.rfind("<!--")
    if comment >= 0 and "-->" not in line[comment:]:
        return re.compile("-->")
    return None
