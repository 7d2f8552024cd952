"""The entries of a zip-based file, inflated on demand, counted while inflating, and never written anywhere."""

from __future__ import annotations

import posixpath
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from urllib.parse import unquote
from zipfile import BadZipFile, ZipFile

from lxml import etree

from ricordo.parse.outcome import damaged
from ricordo.parse.reading import Exceeded, Limits

Element = Any

_CHUNK = 1 << 16
_STEP = 1 << 10
"""Packed bytes fed at once; what a step gives is lost when the stream breaks in it."""
_LOCAL = struct.Struct("<4s5H3L2H")
_LOCAL_MAGIC, _CENTRAL_MAGIC, _END_MAGIC = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
_STORED, _DEFLATED = 0, 8
_ZIP64 = 0xFFFFFFFF
_ENCRYPTED, _UTF8, _SIZES_FOLLOW = 0x1, 0x800, 0x8


class EntryError(ValueError):
    """One entry cannot be read; the others may."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One entry as the directory states it. `raw` is its name in bytes; sizes here are claims and bound nothing."""

    name: str
    raw: bytes
    utf8: bool
    encrypted: bool
    method: int
    crc: int | None
    offset: int
    packed: int | None

    @property
    def folder(self) -> bool:
        return self.name.endswith("/")


class Package:
    """A zip held in memory. Names are keys into it, compared without case, and never become paths."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        self._data = data
        self._limits = limits
        self._inflated = 0
        self._counted: set[int] = set()
        self.warnings: list[str] = []
        try:
            self.entries = list(_directory(data, limits))
        except (BadZipFile, NotImplementedError, struct.error, ValueError, OverflowError) as error:
            self.entries = list(_salvaged(data, limits))
            if not self.entries:
                raise damaged(f"not a readable zip package: {error}") from error
            self.warnings.append(f"the zip directory is damaged ({error}); entries were found by scanning")
        self._by_name: dict[str, Entry] = {}
        for entry in self.entries:
            self._by_name.setdefault(_key(entry.name), entry)

    @property
    def whole(self) -> bool:
        """False once anything had to be repaired or left out."""
        return not self.warnings

    def __contains__(self, name: str) -> bool:
        return _key(name) in self._by_name

    def names(self) -> list[str]:
        return [entry.name for entry in self.entries]

    def read(self, name: str) -> bytes:
        """The bytes of an entry; KeyError when there is none of that name."""
        return self.inflate(self._by_name[_key(name)])

    def inflate(self, entry: Entry) -> bytes:
        """The bytes of an entry. What a damaged stream gave before its fault is returned, with a warning."""
        if entry.encrypted:
            raise EntryError(f"{entry.name!r} is encrypted")
        out = bytearray()
        try:
            for piece in self._pieces(entry):
                out += piece
                if entry.offset not in self._counted:
                    self._count(len(piece), entry)
        except zlib.error as error:
            if not out:
                raise EntryError(f"{entry.name!r} cannot be inflated: {error}") from error
            self.warnings.append(f"{entry.name!r} is damaged after {len(out)} bytes: {error}")
        else:
            if entry.crc is not None and zlib.crc32(out) != entry.crc:
                self.warnings.append(f"{entry.name!r} does not match its checksum")
        self._counted.add(entry.offset)
        return bytes(out)

    def xml(self, name: str) -> Element:
        """The root of an XML entry, entities unresolved; KeyError when absent, EntryError when nothing can be read."""
        data = self.read(name)
        try:
            return parse_xml(data)
        except etree.XMLSyntaxError as error:
            root = _recovered(data)
            if root is None:
                raise EntryError(f"{name!r} is not XML: {error}") from error
            self.warnings.append(f"{name!r} is broken XML ({error}); what could be read was kept")
            return root

    def rebuilt(self) -> bytes:
        """A sound zip of every entry that can be read, for a library that reads only sound ones."""
        out = BytesIO()
        with ZipFile(out, "w") as archive:
            for entry in self._by_name.values():
                try:
                    archive.writestr(entry.name, self.inflate(entry))
                except EntryError as error:
                    self.warnings.append(str(error))
        return out.getvalue()

    def _pieces(self, entry: Entry) -> Iterator[bytes]:
        start = _body(self._data, entry.offset)
        end = len(self._data) if entry.packed is None else start + entry.packed
        packed = memoryview(self._data)[start:end]
        if entry.method == _STORED:
            yield from (bytes(packed[i : i + _CHUNK]) for i in range(0, len(packed), _CHUNK))
        elif entry.method == _DEFLATED:
            yield from _inflated(packed)
        else:
            raise EntryError(f"{entry.name!r} uses compression method {entry.method}, which no office program writes")

    def _count(self, size: int, entry: Entry) -> None:
        self._inflated += size
        limits = self._limits
        if self._inflated > limits.inflated_bytes:
            raise Exceeded(f"more than {limits.inflated_bytes} bytes when inflated, at entry {entry.name!r}")
        if self._inflated > max(limits.ratio_floor_bytes, limits.ratio * len(self._data)):
            raise Exceeded(f"inflates to more than {limits.ratio} times its size, at entry {entry.name!r}")


def parse_xml(data: bytes, *, recover: bool = False) -> Element:
    """The root element; no entity is resolved, nothing is loaded from outside, depth is bounded by libxml2 (256)."""
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=recover,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        if "depth" in str(error):
            raise Exceeded(f"XML nests too deeply: {error}") from error
        raise


def _recovered(data: bytes) -> Element | None:
    try:
        return parse_xml(data, recover=True)
    except etree.XMLSyntaxError:
        return None


def resolve(base: str, target: str) -> str:
    """The entry that a reference inside `base` names: relative to it, unquoted, without a fragment."""
    target = unquote(target.partition("#")[0]).replace("\\", "/")
    path = target if target.startswith("/") else posixpath.join(posixpath.dirname(base), target)
    return posixpath.normpath(path).lstrip("/.") if path else ""


def _key(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").casefold()


def _name(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp437")


def _directory(data: bytes, limits: Limits) -> Iterator[Entry]:
    end = data.rfind(_END_MAGIC)
    if end >= 0:
        size, offset = struct.unpack_from("<LL", data, end + 12)
        if end - size != offset and data.startswith(_LOCAL_MAGIC) and offset != _ZIP64:
            raise BadZipFile("its end is missing; the last directory is that of a file inside")
        if data.count(_CENTRAL_MAGIC, max(0, end - size)) > limits.entries:
            raise Exceeded(f"more than {limits.entries} entries in the zip directory")
    with ZipFile(BytesIO(data)) as archive:
        for info in archive.infolist():
            raw = info.orig_filename.encode("utf-8" if info.flag_bits & _UTF8 else "cp437")
            yield Entry(
                name=_name(raw),
                raw=raw,
                utf8=bool(info.flag_bits & _UTF8),
                encrypted=bool(info.flag_bits & _ENCRYPTED),
                method=info.compress_type,
                crc=info.CRC,
                offset=info.header_offset,
                packed=info.compress_size,
            )


def _salvaged(data: bytes, limits: Limits) -> Iterator[Entry]:
    """Entries found by their local headers, where the directory at the end is missing or broken."""
    at, found = data.find(_LOCAL_MAGIC), 0
    while 0 <= at <= len(data) - _LOCAL.size:
        _, _, flags, method, _, _, crc, packed, _, length, extra = _LOCAL.unpack_from(data, at)
        raw = data[at + _LOCAL.size :][:length]
        streamed = bool(flags & _SIZES_FOLLOW)
        found += 1
        if found > limits.entries:
            raise Exceeded(f"more than {limits.entries} entries in the zip file")
        if raw:
            yield Entry(
                name=_name(raw),
                raw=raw,
                utf8=bool(flags & _UTF8),
                encrypted=bool(flags & _ENCRYPTED),
                method=method,
                crc=None if streamed else crc,
                offset=at,
                packed=None if streamed else packed,
            )
        inside = _LOCAL.size + length + extra + packed
        at = data.find(_LOCAL_MAGIC, at + (4 if streamed else inside))


def _body(data: bytes, offset: int) -> int:
    if not 0 <= offset <= len(data) - _LOCAL.size or data[offset : offset + 4] != _LOCAL_MAGIC:
        raise EntryError(f"no entry begins at byte {offset}")
    *_, name, extra = _LOCAL.unpack_from(data, offset)
    return int(offset + _LOCAL.size + name + extra)


def _inflated(packed: memoryview) -> Iterator[bytes]:
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    for i in range(0, len(packed), _STEP):
        pending: bytes | memoryview = packed[i : i + _STEP]
        while pending and not inflater.eof:
            yield inflater.decompress(pending, _CHUNK)
            pending = inflater.unconsumed_tail
        if inflater.eof:
            return
    yield inflater.flush()
    if not inflater.eof:
        raise zlib.error("the stream ends too early")
