"""Headers of mails in any charset: encoded words, raw bytes, names of attachments, and text parts."""

from __future__ import annotations

import binascii
import re
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from typing import Any

from ricordo.parse.decode import Decoded, clean, decode
from ricordo.types import Block, BlockKind

HEADERS = ("Subject", "From", "To", "Cc", "Date")


def header_block(fields: list[tuple[str, str]]) -> Block:
    """The lines of a mail's head that people read."""
    return Block(kind=BlockKind.HEADER, text="\n".join(f"{name}: {value}" for name, value in fields if value))


def header(message: Message, name: str) -> str:
    """All values of a header in readable form, on one line; "" when it is absent."""
    values = (value for key, value in message.raw_items() if key.lower() == name.lower())
    return ", ".join(filter(None, (readable(str(value)) for value in values)))


def readable(value: str) -> str:
    """Encoded words decoded; words of one charset are joined as bytes first, for they may cut a sign in two."""
    value = re.sub(r"\r?\n[ \t]*", " ", value)
    if "=?" not in value:
        return _squeezed(_raw(value))
    try:
        parts = decode_header(value)
    except (HeaderParseError, binascii.Error, ValueError):
        return _squeezed(_raw(value))
    return _squeezed("".join(_part(text, charset) for text, charset in parts))


def filename(part: Message) -> str:
    """The name of an attachment, by RFC 2231, by RFC 2047, or as raw bytes; "" when it has none."""
    for field, where in (("filename", "content-disposition"), ("name", "content-type")):
        value = _parameter(part, field, where)
        if isinstance(value, tuple):
            charset, _, text = value
            return clean(decode(text.encode("latin-1", "replace"), charset or None).text)
        if value:
            return readable(str(value))
    return ""


def body(part: Message) -> Decoded:
    """The text of a part by its own charset."""
    return decode(payload(part), charset(part))


def charset(part: Message) -> str | None:
    value = _parameter(part, "charset", "content-type")
    return str(value[2] if isinstance(value, tuple) else value) if value else None


def payload(part: Message) -> bytes:
    """The part's bytes, with its transfer encoding undone as far as it can be."""
    data: Any = part.get_payload(decode=True)
    if isinstance(data, bytes):
        return data
    text: Any = part.get_payload()
    return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else b""


def unflowed(part: Message, text: str) -> str:
    """Lines that the sender's program broke to fit (RFC 3676), joined again."""
    if str(part.get_param("format", "")).lower() != "flowed":
        return text
    delete = str(part.get_param("delsp", "")).lower() == "yes"
    out = ""
    for line in text.split("\n"):
        soft = line.endswith(" ") and line != "-- "
        unstuffed = line.removeprefix(" ")
        out += (unstuffed[:-1] if delete else unstuffed) if soft else f"{unstuffed}\n"
    return out


def _parameter(part: Message, field: str, where: str) -> Any:
    """A parameter of a header as (charset, language, text) or text; raw bytes in it are judged first."""
    headers = Message()
    for key, value in part.raw_items():
        if key.lower() == where:
            headers[where] = _raw(str(value))
            break
    return headers.get_param(field, header=where)


def _part(text: bytes | str, charset: str | None) -> str:
    if isinstance(text, str):
        return _raw(text)
    if charset is None:
        return _raw(text.decode("ascii", "surrogateescape"))
    return decode(text, charset).text


def _raw(text: str) -> str:
    """Bytes beyond ASCII that no charset was given for."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return decode(text.encode("utf-8", "surrogateescape")).text
    return text


def _squeezed(text: str) -> str:
    return " ".join(clean(text).split())
