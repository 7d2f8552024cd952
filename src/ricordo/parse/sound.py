"""The format and length of a sound, by its headers alone."""

from __future__ import annotations

import struct
from dataclasses import dataclass

_MOVIE = 100_000_000


@dataclass(frozen=True, slots=True)
class Sound:
    """seconds: None where the headers do not say."""

    format: str
    seconds: float | None = None

    def __str__(self) -> str:
        return self.format if self.seconds is None else f"{self.format}, {self.seconds:.1f} s"


def sound_of(data: bytes) -> Sound:
    """What the bytes are; `sound` where no known header begins them."""
    for mark, at, read in _KINDS:
        if data[at : at + len(mark)] == mark:
            try:
                return read(data)
            except (struct.error, ZeroDivisionError, ValueError, IndexError):
                return Sound(_NAMES[mark])
    return Sound("MP3") if data[:3] == b"ID3" or data[:1] == b"\xff" else Sound("sound")


def _wave(data: bytes) -> Sound:
    position, rate, size = 12, 0, 0
    while position + 8 <= len(data):
        name, length = data[position : position + 4], struct.unpack_from("<I", data, position + 4)[0]
        if name == b"fmt ":
            rate = struct.unpack_from("<I", data, position + 16)[0]
        elif name == b"data":
            size = min(length, len(data) - position - 8)
            break
        position += 8 + length + length % 2
    return Sound("WAV", size / rate)


def _flac(data: bytes) -> Sound:
    packed = int.from_bytes(data[18:26], "big")
    rate, samples = packed >> 44, packed & 0xF_FFFF_FFFF
    return Sound("FLAC", samples / rate if samples else None)


def _ogg(data: bytes) -> Sound:
    last = data.rindex(b"OggS")
    position = struct.unpack_from("<q", data, last + 6)[0]
    if b"OpusHead" in data[:200]:
        return Sound("Ogg Opus", position / 48_000)
    rate = struct.unpack_from("<I", data, data.index(b"\x01vorbis", 0, 200) + 12)[0]
    return Sound("Ogg Vorbis", position / rate)


def _mp4(data: bytes) -> Sound:
    at = data.index(b"mvhd", 0, _MOVIE) + 4
    wide = data[at] == 1
    scale = struct.unpack_from(">I", data, at + (20 if wide else 12))[0]
    length = struct.unpack_from(">Q" if wide else ">I", data, at + (24 if wide else 16))[0]
    return Sound("MP4", length / scale or None)


_KINDS = ((b"RIFF", 0, _wave), (b"fLaC", 0, _flac), (b"OggS", 0, _ogg), (b"ftyp", 4, _mp4))
_NAMES = {b"RIFF": "WAV", b"fLaC": "FLAC", b"OggS": "Ogg", b"ftyp": "MP4"}
