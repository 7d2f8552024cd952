"""Nested data as lines that people read: `key: value`, deeper levels indented."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from ricordo.types import Block, BlockKind


class Pairs(tuple[tuple[str, Any], ...]):
    """An object's members in their order, with keys that stand twice kept twice."""

    __slots__ = ()


Value: TypeAlias = Any
"""Text, a list of values, or Pairs."""


def blocks(value: Value, level: int = 1) -> Iterator[Block]:
    """A block for each record: an item of the outermost lists. A key that holds records is a heading."""
    if isinstance(value, Pairs):
        plain = Pairs((key, inner) for key, inner in value if not _holds_records(inner))
        if plain:
            yield record(plain)
        for key, inner in value:
            if _holds_records(inner):
                yield Block(kind=BlockKind.HEADING, text=key, level=min(level, 6))
                yield from blocks(inner, level + 1) if isinstance(inner, Pairs) else map(record, inner)
    elif isinstance(value, list) and _holds_records(value):
        yield from map(record, value)
    else:
        yield record(value)


def _holds_records(value: Value) -> bool:
    """A list of objects, or an object that has such a list in it."""
    if isinstance(value, Pairs):
        return any(_holds_records(inner) for _, inner in value)
    return isinstance(value, list) and any(isinstance(inner, list | Pairs) for inner in value)


def record(value: Value) -> Block:
    """One value as one paragraph."""
    return Block(kind=BlockKind.PARAGRAPH, text="\n".join(_lines(value, "")))


def _lines(value: Value, indent: str) -> Iterator[str]:
    if isinstance(value, Pairs):
        for key, inner in value:
            yield from _member(f"{indent}{key}:", inner, indent)
    elif isinstance(value, list):
        for inner in value:
            if isinstance(inner, list | Pairs):
                first, *rest = _lines(inner, f"{indent}  ") if inner else [""]
                yield f"{indent}- {first.strip()}".rstrip()
                yield from rest
            else:
                yield from _member(f"{indent}-", inner, indent)
    else:
        yield from (f"{indent}{line}" for line in str(value).split("\n"))


def _member(mark: str, value: Value, indent: str) -> Iterator[str]:
    if isinstance(value, list) and all(isinstance(inner, str) and "\n" not in inner for inner in value):
        yield f"{mark} {', '.join(value)}".rstrip()
    elif isinstance(value, list | Pairs):
        yield mark
        yield from _lines(value, f"{indent}  ")
    else:
        first, *rest = str(value).split("\n")
        yield f"{mark} {first}".rstrip()
        yield from (f"{indent}  {line}" for line in rest)
