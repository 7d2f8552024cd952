"""Makers of the commonest blocks, so that every reader gives the same shape for the same thing."""

from __future__ import annotations

import re

from ricordo.types import Block, BlockKind

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LONE = re.compile("[\ud800-\udfff]")
_MARK = re.compile(r"^[\s•·▪◦●○■□◆–*\-]+(?=\S)")

Rows = tuple[tuple[str, ...], ...]


def heading(text: str, level: int, *, page: int | None = None, part: str | None = None) -> Block:
    return Block(kind=BlockKind.HEADING, text=squeeze(text), level=min(max(level, 1), 6), page=page, part=part)


def paragraph(text: str, *, page: int | None = None, part: str | None = None) -> Block:
    return Block(kind=BlockKind.PARAGRAPH, text=text.strip(), page=page, part=part)


def item(text: str, depth: int, label: str = "", *, page: int | None = None, part: str | None = None) -> Block:
    """A list item; depth counts from 0, a numbered item keeps its label in its text."""
    text = text.strip()
    text = f"{label} {text}".strip() if label else _MARK.sub("", text)
    return Block(kind=BlockKind.LIST, text=text, level=max(depth, 0) + 1, page=page, part=part)


def table(rows: Rows, *, page: int | None = None, sheet: str | None = None, part: str | None = None) -> Block:
    return Block(kind=BlockKind.TABLE, rows=rows, page=page, sheet=sheet, part=part)


def aside(kind: BlockKind, text: str, *, page: int | None = None, part: str | None = None) -> Block:
    """A note, comment, header or picture."""
    return Block(kind=kind, text=text.strip(), page=page, part=part)


def flat(block: Block) -> str:
    """The block as plain text, for where no structure fits: the inside of a table's cell."""
    if block.rows:
        return "\n".join(" / ".join(cell for cell in _once(row) if cell) for row in block.rows)
    return block.text


def squeeze(text: str) -> str:
    return " ".join(text.split())


def paired(units: str) -> str:
    """Text in which the halves of UTF-16 pairs, read one by one, are whole signs again."""
    text = _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), units)
    return _LONE.sub("\ufffd", text)


def _once(row: tuple[str, ...]) -> list[str]:
    return [cell for i, cell in enumerate(row) if not i or cell != row[i - 1]]
