"""RTF as a stream of tokens, and the code pages that its fonts are written in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|((?:\\'[0-9a-fA-F]{2})+)|\\([^a-zA-Z])|([{}])|[\r\n\x00]+|([^\\{}\r\n\x00]+)"
)

CHARSETS = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030", 136: "cp950", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250",
}  # fmt: skip
"""fcharset → codec. 0 and 1 (ANSI, default) are the document's own code page."""

SIGNS = {
    "tab": "\t", "line": "\n", "lbr": "\n", "emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’",
    "ldblquote": "“", "rdblquote": "”", "emspace": " ", "enspace": " ", "qmspace": " ",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """kind: "open", "close", "word" (a control word), "byte" (escaped bytes), "text" or "sign" (a control symbol)."""

    kind: str
    word: str = ""
    number: int | None = None
    data: bytes = b""


def tokens(data: bytes) -> Iterator[Token]:
    at = 0
    while match := _TOKEN.search(data, at):
        at = match.end()
        word, number, escaped, symbol, brace, text = match.groups()
        if word is not None:
            value = None if number is None else int(number)
            if word == b"bin":
                at += max(value or 0, 0)
            yield Token("word", word.decode("ascii"), value)
        elif escaped is not None:
            yield Token("byte", data=bytes.fromhex(escaped.replace(b"\\'", b"").decode("ascii")))
        elif symbol is not None:
            yield Token("sign", symbol.decode("latin-1"))
        elif brace is not None:
            yield Token("open" if brace == b"{" else "close")
        elif text is not None:
            yield Token("text", data=text)


def codec(code_page: int) -> str:
    """The codec of \\ansicpg; Windows-1252 for what is unknown."""
    known = {936: "gb18030", 10000: "mac_roman", 65001: "utf-8", 1361: "johab"}
    name = known.get(code_page, f"cp{code_page}")
    try:
        b"".decode(name)
    except LookupError:
        return "cp1252"
    return name
