"""What the parent and a worker say to each other: length-prefixed JSON and bytes, so that neither trusts the other."""

from __future__ import annotations

import json
import struct
from dataclasses import asdict
from typing import Any, BinaryIO

from ricordo.parse.opening import Order
from ricordo.parse.reading import Limits
from ricordo.types import Block, BlockKind, Parsed, ParseStatus

_LENGTHS = struct.Struct(">QQ")
_Head = dict[str, Any]


class WireError(Exception):
    """The other side closed, or sent what is no message."""


def send(pipe: BinaryIO, head: _Head, body: bytes = b"") -> None:
    text = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    pipe.write(_LENGTHS.pack(len(text), len(body)))
    pipe.write(text)
    pipe.write(body)
    pipe.flush()


def receive(pipe: BinaryIO, at_most: int) -> tuple[_Head, bytes]:
    """The next message; WireError when it ends early, is longer than at_most, or is no JSON object."""
    head_length, body_length = _LENGTHS.unpack(_exactly(pipe, _LENGTHS.size))
    if head_length + body_length > at_most:
        raise WireError(f"a message of {head_length + body_length} bytes, of at most {at_most}")
    try:
        head = json.loads(_exactly(pipe, head_length).decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise WireError("a message that is no JSON") from error
    if not isinstance(head, dict):
        raise WireError("a message that is no JSON object")
    return head, _exactly(pipe, body_length)


def _exactly(pipe: BinaryIO, length: int) -> bytes:
    data = pipe.read(length) if length else b""
    if len(data) < length:
        raise WireError("the pipe was closed")
    return data


def order_to_json(order: Order) -> _Head:
    return asdict(order)


def order_from_json(head: _Head) -> Order:
    return Order(**{**head, "limits": Limits(**head["limits"])})


def parsed_to_json(parsed: Parsed) -> _Head:
    return {
        "parser": parsed.parser,
        "title": parsed.title,
        "status": parsed.status,
        "warnings": parsed.warnings,
        "blocks": [
            (b.kind, b.text, b.level, b.rows, b.page, b.sheet, b.box, b.part, b.language) for b in parsed.blocks
        ],
    }


def parsed_from_json(head: _Head) -> Parsed:
    """WireError when it is no Parsed: a worker that was taken over can say anything."""
    try:
        return Parsed(
            parser=str(head["parser"]),
            title=str(head["title"]),
            status=ParseStatus(head["status"]),
            warnings=tuple(map(str, head["warnings"])),
            blocks=tuple(map(_block, head["blocks"])),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise WireError("a message that is no parsed file") from error


def _block(row: list[Any]) -> Block:
    kind, text, level, rows, page, sheet, box, part, language = row
    return Block(
        kind=BlockKind(kind),
        text=str(text),
        level=int(level),
        rows=tuple(tuple(map(str, cells)) for cells in rows),
        page=None if page is None else int(page),
        sheet=None if sheet is None else str(sheet),
        box=None if box is None else _box(box),
        part=None if part is None else str(part),
        language=str(language),
    )


def _box(box: list[Any]) -> tuple[float, float, float, float]:
    left, top, right, bottom = map(float, box)
    return left, top, right, bottom
