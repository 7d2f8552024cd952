"""How a noun's fields are written into a cell of a table, and read back the same."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from ricordo.errors import Invalid
from ricordo.types import EPOCH, Json

_MICROSECOND = timedelta(microseconds=1)
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def micros(time: datetime) -> int:
    """Microseconds since 1970 in UTC."""
    return (time - EPOCH) // _MICROSECOND


def moment(value: int) -> datetime:
    return EPOCH + timedelta(microseconds=value)


def maybe_micros(time: datetime | None) -> int | None:
    return None if time is None else micros(time)


def maybe_moment(value: int | None) -> datetime | None:
    return None if value is None else moment(value)


def pack(text: str) -> str | bytes:
    """The text, or its bytes where it holds lone surrogates, which UTF-8 and so a text cell cannot carry."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def unpack(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode("utf-8", "surrogatepass")


def maybe_pack(text: str | None) -> str | bytes | None:
    return None if text is None else pack(text)


def maybe_unpack(value: str | bytes | None) -> str | None:
    return None if value is None else unpack(value)


def identifier(text: str, what: str) -> str:
    """The text, refused where it is empty or could not be ordered and compared by code points in every store."""
    if text and text.isascii():
        return text
    if not text or not isinstance(pack(text), str):
        raise Invalid(f"{what} must be text without lone surrogates and not empty, got {text!r}")
    return text


def to_json(value: object, what: str) -> str:
    """JSON text that gives the value back; Invalid for what JSON cannot hold, such as not-a-number."""
    try:
        _text_keys(value)
        return _encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise Invalid(f"{what} cannot be kept as JSON: {error}") from error


def _text_keys(value: object) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise TypeError(f"the key {key!r} is not text")
            _text_keys(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            _text_keys(inner)


def json_cell(value: Json, what: str) -> str | bytes:
    return pack(to_json(dict(value), what)) if value else "{}"


@lru_cache(maxsize=4096)
def list_cell(values: tuple[str, ...], what: str) -> str | bytes:
    """A list of text as JSON, kept at hand since headings and tags come again and again."""
    if not values:
        return "[]"
    if not all(isinstance(value, str) for value in values):
        raise Invalid(f"{what} must all be text, got {values!r}")
    return pack(to_json(values, what))


def from_json(cell: str | bytes) -> Any:
    return json.loads(unpack(cell))


def strings(cell: str | bytes) -> tuple[str, ...]:
    return () if cell == "[]" else tuple(from_json(cell))
