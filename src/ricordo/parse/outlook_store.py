"""Properties of an Outlook message, read from the streams of its OLE file ([MS-OXMSG])."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from ricordo.parse.decode import clean, decode

Ole = Any

_PROPERTIES = "__properties_version1.0"
_UNICODE, _NARROW, _BINARY = "001F", "001E", "0102"
_MESSAGE_CODE_PAGE, _INTERNET_CODE_PAGE = 0x3FFD, 0x3FDE
_CODE_PAGES = {
    20127: "us-ascii", 28591: "iso-8859-1", 50220: "iso-2022-jp", 50221: "iso-2022-jp", 51932: "euc-jp",
    51936: "gb2312", 51949: "euc-kr", 52936: "hz-gb-2312", 54936: "gb18030", 65000: "utf-7", 65001: "utf-8",
    20866: "koi8-r", 21866: "koi8-u",
}  # fmt: skip


class Store:
    """One storage of the file: the message, a recipient, an attachment. `header`: bytes before its fixed properties."""

    def __init__(self, ole: Ole, path: tuple[str, ...], header: int, code_page: str | None = None) -> None:
        self._ole = ole
        self._path = path
        self._fixed = dict(_fixed(self._stream(_PROPERTIES) or b"", header))
        own = self.number(_MESSAGE_CODE_PAGE) or self.number(_INTERNET_CODE_PAGE)
        self.code_page = _label(own) or code_page
        self.body_code_page = _label(self.number(_INTERNET_CODE_PAGE)) or self.code_page

    def text(self, *properties: int) -> str:
        """The first of these properties that holds text."""
        for number in properties:
            wide = self._stream(f"__substg1.0_{number:04X}{_UNICODE}")
            if wide is not None:
                found = wide.decode("utf-16-le", "replace")
            else:
                narrow = self._stream(f"__substg1.0_{number:04X}{_NARROW}")
                found = decode(narrow, self.code_page).text if narrow else ""
            found = clean(found).strip()
            if found:
                return found
        return ""

    def binary(self, number: int) -> bytes:
        return self._stream(f"__substg1.0_{number:04X}{_BINARY}") or b""

    def number(self, number: int) -> int:
        return int.from_bytes(self._fixed.get(number, b"")[:4], "little")

    def time(self, number: int) -> datetime | None:
        """A property that counts tenths of microseconds since 1601."""
        ticks = int.from_bytes(self._fixed.get(number, b""), "little")
        try:
            return datetime(1601, 1, 1, tzinfo=UTC) + timedelta(seconds=ticks // 10_000_000) if ticks else None
        except OverflowError:
            return None

    def inside(self, prefix: str, header: int) -> Iterator[Store]:
        """The storages in this one whose names begin so, in order."""
        depth = len(self._path)
        names = {
            path[depth]
            for path in self._ole.listdir(streams=True, storages=True)
            if len(path) > depth and tuple(path[:depth]) == self._path and path[depth].startswith(prefix)
        }
        for name in sorted(names):
            yield Store(self._ole, (*self._path, name), header, self.code_page)

    def _stream(self, name: str) -> bytes | None:
        path = [*self._path, name]
        if not self._ole.exists(path) or self._ole.get_type(path) != 2:
            return None
        with self._ole.openstream(path) as stream:
            return bytes(stream.read())


def _fixed(data: bytes, header: int) -> Iterator[tuple[int, bytes]]:
    for at in range(header, len(data) - 15, 16):
        _, number = struct.unpack_from("<HH", data, at)
        yield number, data[at + 8 : at + 16]


def _label(code_page: int) -> str | None:
    return _CODE_PAGES.get(code_page, f"cp{code_page}") if code_page else None
