"""What lies inside a container, and whether bytes are text: looked at without unpacking or trusting anything."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

_MAX_ENTRIES = 10_000
_CONTROL = bytes({*range(32), 127} - set(b"\t\n\r\f\x08\x1b"))
_SAMPLE = 65_536

_ODF = {
    b"application/vnd.oasis.opendocument.text": "odt",
    b"application/vnd.oasis.opendocument.spreadsheet": "ods",
    b"application/vnd.oasis.opendocument.presentation": "odp",
    b"application/epub+zip": "epub",
}
_FOLDERS = {b"word/": "docx", b"xl/": "xlsx", b"ppt/": "pptx", b"meta-inf/container.xml": "epub"}
_PACKAGES = ("docx", "xlsx", "xlsb", "pptx", "odt", "ods", "odp", "epub")
_LOCAL = re.compile(rb"PK\x03\x04.{22}(..)..", re.DOTALL)
_EVERYDAY = re.compile(r"[\r\n\t -~\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]")
_CENTRAL = b"PK\x01\x02"


def zip_kind(data: bytes, told: str | None) -> str:
    """docx, xlsx, xlsb, pptx, odt, ods, odp, epub or zip, by the names inside; "unknown" for other packages."""
    if data[30:38] == b"mimetype":
        declared = data[38:118]
        for media_type, kind in _ODF.items():
            if declared.startswith(media_type):
                return kind
    names = set(_names(data))
    if b"xl/workbook.bin" in names:
        return "xlsb"
    for folder, kind in _FOLDERS.items():
        if any(name.startswith(folder) for name in names):
            return kind
    if b"content.xml" in names and b"meta-inf/manifest.xml" in names and told in ("odt", "ods", "odp"):
        return told
    if told in _PACKAGES and (not names or b"[content_types].xml" in names):
        return told  # a torn or odd package: its reader says what is wrong
    return "unknown" if b"[content_types].xml" in names or b"index/document.iwa" in names else "zip"


def _names(data: bytes) -> Iterator[bytes]:
    """Names of the central directory, lower case; where that is missing, of the local headers."""
    end = data.rfind(b"PK\x05\x06", max(0, len(data) - 65_557))
    if end >= 0 and len(data) >= end + 22:
        size = struct.unpack_from("<I", data, end + 12)[0]
        at = end - size
        if size and at >= 0 and data[at : at + 4] == _CENTRAL:
            yield from _central(data, at, end)
            return
    for count, match in enumerate(_LOCAL.finditer(data)):
        if count >= _MAX_ENTRIES:
            return
        length = int.from_bytes(match[1], "little")
        yield data[match.end() : match.end() + length].replace(b"\\", b"/").lower()


def _central(data: bytes, at: int, end: int) -> Iterator[bytes]:
    for _ in range(_MAX_ENTRIES):
        if at + 46 > end or data[at : at + 4] != _CENTRAL:
            return
        name, extra, comment = struct.unpack_from("<HHH", data, at + 28)
        yield data[at + 46 : at + 46 + name].replace(b"\\", b"/").lower()
        at += 46 + name + extra + comment


def office_kind(data: bytes) -> str | None:
    """doc, xls, ppt, msg or encrypted, by the streams in the root of an OLE file; None when it holds none of them."""
    names = _root_streams(data)
    if "encryptedpackage" in names:
        return "encrypted"
    if "worddocument" in names:
        return "doc"
    if names & {"workbook", "book"}:
        return "xls"
    if "powerpoint document" in names:
        return "ppt"
    return "msg" if "__properties_version1.0" in names or "__nameid_version1.0" in names else None


def _root_streams(data: bytes) -> set[str]:
    """Lower-case names of what stands in the root; of everything, where the directory is damaged."""
    import olefile  # the only use, and most files are no OLE files

    try:
        with olefile.OleFileIO(data) as ole:
            return {str(entry[0]).lower() for entry in ole.listdir(streams=True, storages=True)}
    except Exception:  # noqa: BLE001  a damaged directory raises anything; the raw names still tell
        known = ("EncryptedPackage", "WordDocument", "Workbook", "Book", "PowerPoint Document", "__nameid_version1.0")
        return {name.lower() for name in known if name.encode("utf-16le") in data}


def looks_like_text(data: bytes) -> bool:
    """Whether the bytes are text in some charset: valid UTF-8, likely UTF-16, or a legacy charset without controls."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        return True
    sample = data
    if len(data) > 3 * _SAMPLE:
        middle = len(data) // 2
        sample = data[:_SAMPLE] + data[middle : middle + _SAMPLE] + data[-_SAMPLE:]
    controls = len(sample) - len(sample.translate(None, _CONTROL))
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return controls <= len(sample) // 1000 or any(_utf16(sample, order) for order in ("utf-16-le", "utf-16-be"))
    return controls <= len(sample) // 10 or any(_utf16(sample, order) for order in ("utf-16-le", "utf-16-be"))


def _utf16(sample: bytes, order: str) -> bool:
    """Nearly every unit is printable, and blanks, ASCII or everyday Chinese make up most of them."""
    text = sample[: len(sample) & ~1].decode(order, "replace")
    if len(text) < 4:
        return False
    printable = sum(c.isprintable() or c in "\r\n\t" for c in text)
    everyday = len(_EVERYDAY.findall(text))
    return "\ufffd" not in text and printable >= len(text) * 0.99 and everyday >= len(text) * 0.8
