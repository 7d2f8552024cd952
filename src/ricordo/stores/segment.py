"""An inverted index in immutable segments: numpy arrays that are built, merged, stored and read as wholes."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ricordo.errors import Corrupt
from ricordo.stores.cut import EDITION, cut_all

FANOUT = 8
"""So many neighbouring segments of about one size are merged into one."""

_MAGIC = b"RWS1"
_HEADER = struct.Struct("<4sIIII")
_MOST = np.iinfo(np.uint16).max

Rows = NDArray[np.int64]
EMPTY: Rows = np.empty(0, np.int64)
Number = TypeVar("Number", np.int64, np.uint64)


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Which terms stand how often in which rows.

    docs: row numbers, ascending. lengths: terms of each doc. terms: term keys, ascending. The postings of terms[i] are
    postings[starts[i]:starts[i + 1]], places in `docs`, with `counts` beside them.
    """

    docs: Rows
    lengths: NDArray[np.int32]
    terms: NDArray[np.uint64]
    starts: NDArray[np.int64]
    postings: NDArray[np.uint32]
    counts: NDArray[np.uint16]

    def __len__(self) -> int:
        return len(self.docs)

    @classmethod
    def build(cls, docs: Iterable[tuple[int, str]]) -> Segment:
        """The segment of these (row, text); of a row given twice the last."""
        rows = dict(docs)
        order = sorted(rows)
        places = max(len(order), 1)
        keys, where = cut_all(rows[row] for row in order)
        terms, ranks = np.unique(keys, return_inverse=True)
        cells, counts = np.unique(ranks * places + where, return_counts=True)
        term_of, postings = np.divmod(cells, places)
        return cls(
            docs=np.array(order, np.int64),
            lengths=np.bincount(where, minlength=len(order)).astype(np.int32),
            terms=terms,
            starts=np.searchsorted(term_of, np.arange(len(terms) + 1)).astype(np.int64),
            postings=postings.astype(np.uint32),
            counts=np.minimum(counts, _MOST).astype(np.uint16),
        )

    @classmethod
    def merge(cls, segments: Sequence[Segment], alive: Rows) -> Segment:
        """One segment of the rows that are alive, each taken from the newest (last) segment that has it."""
        keeps = _newest(segments, alive)
        docs = np.concatenate([EMPTY, *(s.docs[keep] for s, keep in zip(segments, keeps, strict=True))])
        order = np.argsort(docs, kind="stable")
        ranks = np.empty(len(docs), np.uint32)
        ranks[order] = np.arange(len(docs), dtype=np.uint32)
        parts, first = [], 0
        for segment, keep in zip(segments, keeps, strict=True):
            last = first + int(np.count_nonzero(keep))
            parts.append(_kept(segment, keep, ranks[first:last]))
            first = last
        return cls._joined(docs[order], parts)

    @classmethod
    def _joined(cls, docs: Rows, parts: Sequence[Segment]) -> Segment:
        """The parts' postings under the union of their terms; they are places in `docs` already."""
        terms = _distinct(np.concatenate([EMPTY.astype(np.uint64), *(part.terms for part in parts)]))
        places = [np.searchsorted(terms, part.terms) for part in parts]
        spans = [np.diff(part.starts) for part in parts]
        sizes = np.zeros(len(terms), np.int64)
        for place, span in zip(places, spans, strict=True):
            sizes[place] += span
        starts = starts_of(sizes)
        joined = cls(
            docs=docs,
            lengths=np.empty(len(docs), np.int32),
            terms=terms,
            starts=starts,
            postings=np.empty(starts[-1], np.uint32),
            counts=np.empty(starts[-1], np.uint16),
        )
        free = starts[:-1].copy()
        for part, place, span in zip(parts, places, spans, strict=True):
            target = np.repeat(free[place] - part.starts[:-1], span) + np.arange(len(part.postings))
            joined.postings[target] = part.postings
            joined.counts[target] = part.counts
            joined.lengths[part.docs] = part.lengths
            free[place] += span
        return joined

    def dump(self) -> bytes:
        """The segment in few bytes; `load` takes them back."""
        body = b"".join(
            _narrow(numbers)
            for numbers in (
                np.diff(self.docs, prepend=0),
                self.lengths,
                np.diff(self.starts),
                self.postings,
                self.counts,
            )
        )
        body += self.terms.astype("<u8").tobytes()
        sizes = (len(self.docs), len(self.terms), len(self.postings))
        blob = _HEADER.pack(_MAGIC, EDITION, *sizes) + body
        return blob + zlib.crc32(blob).to_bytes(4, "little")

    @classmethod
    def load(cls, blob: bytes) -> Segment:
        """The segment that was dumped; Corrupt when it is damaged or of another edition."""
        if blob[:4] != _MAGIC or zlib.crc32(blob[:-4]) != int.from_bytes(blob[-4:], "little"):
            raise Corrupt(f"a words segment of {len(blob)} bytes is damaged; rebuild the words index")
        _, edition, docs, terms, postings = _HEADER.unpack_from(blob)
        if edition != EDITION:
            raise Corrupt(f"a words segment is of edition {edition}, this release reads {EDITION}; rebuild the index")
        body = memoryview(blob)[_HEADER.size : -4]
        arrays, offset = [], 0
        for size in (docs, docs, terms, postings, postings):
            numbers, offset = _widen(body, offset, size)
            arrays.append(numbers)
        return cls(
            docs=np.cumsum(arrays[0], dtype=np.int64),
            lengths=arrays[1].astype(np.int32),
            terms=np.frombuffer(body, "<u8", terms, offset).astype(np.uint64),
            starts=np.concatenate([[0], np.cumsum(arrays[2], dtype=np.int64)]),
            postings=arrays[3].astype(np.uint32),
            counts=arrays[4].astype(np.uint16),
        )


def _distinct(numbers: NDArray[Number]) -> NDArray[Number]:
    """The numbers in order, each once; np.unique hashes here, which is many times slower."""
    numbers = np.sort(numbers)
    first = np.ones(len(numbers), np.bool_)
    first[1:] = numbers[1:] != numbers[:-1]
    return numbers[first]


def starts_of(sizes: NDArray[np.int64] | NDArray[np.bool_]) -> NDArray[np.int64]:
    starts = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


def _newest(segments: Sequence[Segment], alive: Rows) -> list[NDArray[np.bool_]]:
    """For each segment, which of its docs to keep."""
    keeps: list[NDArray[np.bool_]] = []
    newer = EMPTY
    for segment in reversed(segments):
        keep = _held(segment.docs, alive) & ~_held(segment.docs, newer)
        newer = _distinct(np.concatenate([newer, segment.docs]))
        keeps.append(keep)
    return keeps[::-1]


def _held(rows: Rows, ascending: Rows) -> NDArray[np.bool_]:
    """Which of the rows stand in the other ones."""
    if not len(ascending):
        return np.zeros(len(rows), np.bool_)
    places = np.searchsorted(ascending, rows)
    places[places == len(ascending)] = 0
    held: NDArray[np.bool_] = ascending[places] == rows
    return held


def _kept(segment: Segment, keep: NDArray[np.bool_], places: NDArray[np.uint32]) -> Segment:
    """The segment without the docs that are not kept, its docs and postings renamed to their new places."""
    if keep.all():
        return replace(segment, docs=places.astype(np.int64), postings=places[segment.postings])
    renamed = np.zeros(len(keep), np.uint32)
    renamed[keep] = places
    kept = keep[segment.postings]
    sizes = np.diff(starts_of(kept)[segment.starts])
    present = sizes > 0
    return Segment(
        docs=places.astype(np.int64),
        lengths=segment.lengths[keep],
        terms=segment.terms[present],
        starts=starts_of(sizes[present]),
        postings=renamed[segment.postings[kept]],
        counts=segment.counts[kept],
    )


def _narrow(numbers: NDArray[np.generic]) -> bytes:
    """The numbers in the narrowest width that holds them, after one byte that tells the width."""
    top, bottom = (int(numbers.max()), int(numbers.min())) if len(numbers) else (0, 0)
    if bottom < 0:
        return b"\x08" + numbers.astype("<i8").tobytes()
    width = 1 if top < 1 << 8 else 2 if top < 1 << 16 else 4 if top < 1 << 32 else 8
    return bytes([width]) + numbers.astype(f"<u{width}" if width < 8 else "<i8").tobytes()


def _widen(body: memoryview, offset: int, size: int) -> tuple[NDArray[np.generic], int]:
    width = body[offset]
    numbers = np.frombuffer(body, f"<u{width}" if width < 8 else "<i8", size, offset + 1)
    return numbers, offset + 1 + size * width


def merge_plan(sizes: Sequence[int]) -> range:
    """Which segments at the end, oldest first, to merge into one in their place; empty when none should be.

    Sizes are in docs. Segments merge when FANOUT have come together, along with older ones that are no larger than what
    came after them: so sizes at least double from one to the next older, and a doc is copied once a doubling.
    """
    start, newer = len(sizes), 0
    while start and (not newer or sizes[start - 1] <= newer):
        start -= 1
        newer += sizes[start]
    return range(start, len(sizes)) if len(sizes) - start >= FANOUT else range(0)
