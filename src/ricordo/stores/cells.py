"""Tags and the top-level values of a memory's data, cut into cells that an index can be asked for exactly.

A cell's value is a number, or bytes whose order is the order of what they stand for: UTF-8 for text, sign, length and
magnitude for integers beyond 64 bits. So SQLite compares as Python does, and no text passes through JSON functions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from ricordo.types import Json, Op

TEXT, NUMBER, BOOL, BIG, OTHER = range(1, 6)
ELEMENT = 10
"""Added to the type of a cell that is an element of a list."""
TAG = 20
NO_KEY = b""

Value: TypeAlias = int | float | bytes
Cell: TypeAlias = tuple[bytes, int, Value]

_WHOLE = range(-(1 << 63), 1 << 63)
SIGNS = {Op.EQ: "=", Op.LT: "<", Op.LE: "<=", Op.GT: ">", Op.GE: ">="}


def raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def cells_of(tags: Iterable[str], data: Json) -> set[Cell]:
    """(key, type, value) of all that a filter can ask a memory for."""
    cells: set[Cell] = {(NO_KEY, TAG, raw(tag)) for tag in tags}
    for key, value in data.items():
        if value is not None:
            cells.update(_of_value(raw(key), value))
    return cells


def _of_value(key: bytes, value: object) -> Iterator[Cell]:
    scalar = _scalar(value)
    yield (key, OTHER, 0) if scalar is None else (key, *scalar)
    if isinstance(value, list | tuple):
        for element in value:
            inner = _scalar(element)
            if inner is not None:
                yield key, ELEMENT + inner[0], inner[1]


def _scalar(value: object) -> tuple[int, Value] | None:
    if isinstance(value, bool):
        return BOOL, int(value)
    if isinstance(value, str):
        return TEXT, raw(value)
    if isinstance(value, int):
        return (NUMBER, value) if value in _WHOLE else (BIG, _ordered(value))
    return (NUMBER, value) if isinstance(value, float) else None


def _ordered(value: int) -> bytes:
    size = (abs(value).bit_length() + 7) // 8
    head = size.to_bytes(4, "big") + abs(value).to_bytes(size, "big")
    return b"\x01" + head if value >= 0 else b"\x00" + bytes(255 - byte for byte in head)


@dataclass(frozen=True, slots=True)
class Range:
    """Cells of one type whose value stands so to `value`."""

    type: int
    sign: str
    value: Value


def ranges(op: Op, value: Any) -> list[Range]:
    """Which cells compare so with the value; none for a value that nothing compares with."""
    scalar = _scalar(value)
    if scalar is None or (scalar[0] == BOOL and op is not Op.EQ):
        return []
    if scalar[0] in (TEXT, BOOL):
        return [Range(scalar[0], SIGNS[op], scalar[1])]
    return [*_among_numbers(op, value), *_among_big(op, value)]


def _among_numbers(op: Op, value: int | float) -> list[Range]:
    if isinstance(value, float) or value in _WHOLE:
        return [Range(NUMBER, SIGNS[op], value)]
    try:
        near = float(value)
    except OverflowError:
        near = math.inf if value > 0 else -math.inf
    if op is Op.EQ:
        return [Range(NUMBER, "=", near)] if near == value else []
    # No number that a cell can hold lies between the value and the nearest float.
    below = near < value if op in (Op.LT, Op.GE) else near <= value
    signs = ("<=", ">") if below else ("<", ">=")
    return [Range(NUMBER, signs[op in (Op.GT, Op.GE)], near)]


def _among_big(op: Op, value: int | float) -> list[Range]:
    if isinstance(value, float) and math.isinf(value):
        return [] if op is Op.EQ else [Range(BIG, SIGNS[op], b"\xff" if value > 0 else b"")]
    return [Range(BIG, SIGNS[op], _ordered(int(value)))]  # a fraction is as far from these as its whole part
