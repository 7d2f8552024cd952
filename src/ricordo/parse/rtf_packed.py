"""The compression of RTF inside Outlook messages ([MS-OXRTFCP])."""

from __future__ import annotations

import struct

from ricordo.parse.reading import Exceeded

_HEADER = struct.Struct("<IIII")
_PACKED, _PLAIN = 0x75465A4C, 0x414C454D
_WINDOW = 4096
_KNOWN = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS "
    b"Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard"
    b"\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
"""What every window begins with."""


def unpacked(data: bytes, at_most: int) -> bytes:
    """The RTF, as far as the data reaches; ValueError when it is neither packed nor plain."""
    if len(data) < _HEADER.size:
        raise ValueError("too short for a compressed RTF body")
    _, size, kind, _ = _HEADER.unpack_from(data)
    if kind == _PLAIN:
        return data[_HEADER.size :][:size]
    if kind != _PACKED:
        raise ValueError("an RTF body of unknown compression")
    if size > at_most:
        raise Exceeded(f"an RTF body of {size} bytes")
    return _inflated(data, size)


def _inflated(data: bytes, size: int) -> bytes:
    window = bytearray(_KNOWN.ljust(_WINDOW, b"\0"))
    at, place = len(_KNOWN), _HEADER.size
    out = bytearray()
    flags = 1
    while len(out) < size:
        if flags == 1:  # the eight flags before are used up
            flags = data[place] | 0x100 if place < len(data) else 0
            place += 1
        refers, flags = flags & 1, flags >> 1
        if place + refers >= len(data):
            break
        start, length = at, 1
        if refers:
            token = data[place] << 8 | data[place + 1]
            start, length = token >> 4, (token & 15) + 2
            if start == at:  # the end mark
                break
        else:
            window[at] = data[place]
        place += 1 + refers
        for offset in range(length):  # one by one: a run may reach into what it writes
            sign = window[(start + offset) % _WINDOW]
            window[at] = sign
            out.append(sign)
            at = (at + 1) % _WINDOW
    return bytes(out[:size])
