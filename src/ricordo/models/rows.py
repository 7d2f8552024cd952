"""What goes into every embedder and what comes out: usable texts, rows of unit length."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ricordo.errors import Invalid, ModelFailed
from ricordo.protocols import Vectors

_SURROGATE = re.compile("[\ud800-\udfff]")
_BREAK = re.compile(r"[\s。！？；，、]+|[.!?;,]+(?=\s)")


def clean(texts: Sequence[str], limit: int) -> list[str]:
    """The texts without NUL, lone surrogates replaced; Invalid for one that is longer than `limit`, or no text."""
    if isinstance(texts, str):
        raise Invalid("embed takes a sequence of texts, got one string; put it in a list")
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            raise Invalid(f"text {number} of {len(texts)} is of type {type(text).__name__}, not str")
        if len(text) > limit:
            raise Invalid(
                f"text {number} of {len(texts)} has {len(text)} characters and this embedder takes {limit}; "
                "split it, or average the vectors of its windows"
            )
    return [_SURROGATE.sub("\ufffd", text.replace("\0", "")) for text in texts]


def slices(texts: Sequence[str], *, most: int, size: int) -> Iterator[list[str]]:
    """The texts in order, in groups of at most `most` texts and `size` bytes of UTF-8; a longer text stands alone."""
    group: list[str] = []
    filled = 0
    for text in texts:
        length = len(text.encode("utf-8"))
        if group and (len(group) == most or filled + length > size):
            yield group
            group, filled = [], 0
        group.append(text)
        filled += length
    if group:
        yield group


def unit(rows: NDArray[Any], model: str) -> Vectors:
    """The rows as float32 of length 1; ModelFailed when one is zero or not finite."""
    rows = np.asarray(rows, dtype=np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or (lengths == 0).any():
        number = int(np.argmax(~np.isfinite(lengths) | (lengths == 0)))
        raise ModelFailed(f"{model} gave a vector that is zero or not finite for text {number} of {len(rows)}")
    return np.asarray(rows / lengths, dtype=np.float32)


def halves(text: str) -> tuple[str, str]:
    """The text cut in two at the sentence end or space nearest its middle, or else in the middle."""
    middle = len(text) // 2
    cuts = [found.end() for found in _BREAK.finditer(text, len(text) // 4, 3 * len(text) // 4)]
    cut = min(cuts, key=lambda place: abs(place - middle), default=middle)
    return text[:cut], text[cut:]
