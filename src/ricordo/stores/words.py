"""BM25 over our own inverted index: immutable segments of numpy arrays that are built, merged and read as wholes."""

from __future__ import annotations

import math
import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ricordo.errors import Corrupt
from ricordo.stores.cut import EDITION, cut, cut_all, cut_query, term_keys

K1 = 1.0
"""How soon more of one term stops to count."""
B = 0.75
"""How much a long text must hold more: lengths count by (length / average) ** B, which has the slope of the usual
1 - B + B * length / average where it matters, at the average, and is milder to texts many times longer."""

FANOUT = 8
"""So many neighbouring segments of about one size are merged into one."""

_MAGIC = b"RWS1"
_HEADER = struct.Struct("<4sIIIII")
_MOST = np.iinfo(np.uint16).max

Rows = NDArray[np.int64]


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
        docs = np.concatenate([_EMPTY, *(s.docs[keep] for s, keep in zip(segments, keeps, strict=True))])
        order = np.argsort(docs, kind="stable")
        ranks = np.empty(len(docs), np.int64)
        ranks[order] = np.arange(len(docs))
        lengths = np.concatenate([_EMPTY, *(s.lengths[keep] for s, keep in zip(segments, keeps, strict=True))])
        keys, postings, counts = [_EMPTY.astype(np.uint64)], [_EMPTY], [_EMPTY.astype(np.uint16)]
        base = 0
        for segment, keep in zip(segments, keeps, strict=True):
            places = np.cumsum(keep) - 1 + base
            kept = keep[segment.postings]
            keys.append(np.repeat(segment.terms, np.diff(segment.starts))[kept])
            postings.append(ranks[places[segment.postings[kept]]])
            counts.append(segment.counts[kept])
            base += int(keep.sum())
        all_keys = np.concatenate(keys)
        by_key = np.argsort(all_keys, kind="stable")
        terms, firsts = np.unique(all_keys[by_key], return_index=True)
        return cls(
            docs=docs[order],
            lengths=lengths[order].astype(np.int32),
            terms=terms,
            starts=np.append(firsts, len(by_key)).astype(np.int64),
            postings=np.concatenate(postings)[by_key].astype(np.uint32),
            counts=np.concatenate(counts)[by_key],
        )

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
        return _HEADER.pack(_MAGIC, EDITION, *sizes, zlib.crc32(body)) + body

    @classmethod
    def load(cls, blob: bytes) -> Segment:
        """The segment that was dumped; Corrupt when it is damaged or of another edition."""
        if len(blob) < _HEADER.size or blob[:4] != _MAGIC:
            raise Corrupt(f"a words segment of {len(blob)} bytes does not begin like one; rebuild the words index")
        _, edition, docs, terms, postings, checksum = _HEADER.unpack_from(blob)
        if edition != EDITION:
            raise Corrupt(f"a words segment is of edition {edition}, this release reads {EDITION}; rebuild the index")
        body = memoryview(blob)[_HEADER.size :]
        if zlib.crc32(body) != checksum:
            raise Corrupt(f"a words segment of {len(blob)} bytes is damaged; rebuild the words index")
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


_EMPTY = np.empty(0, np.int64)


def _newest(segments: Sequence[Segment], alive: Rows) -> list[NDArray[np.bool_]]:
    """For each segment, which of its docs to keep."""
    keeps: list[NDArray[np.bool_]] = []
    newer = _EMPTY
    for segment in reversed(segments):
        keep = np.isin(segment.docs, alive) & ~np.isin(segment.docs, newer)
        newer = np.concatenate([newer, segment.docs])
        keeps.append(keep)
    return keeps[::-1]


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


def bm25(
    segments: Sequence[tuple[Segment, Rows]], query: str, size: int, *, k1: float = K1, b: float = B
) -> NDArray[np.float32]:
    """One score for each of the bank's `size` dense places.

    Each segment comes with the dense place of each of its docs, -1 where it is dead. Document frequencies, their
    number and their average length are those of the docs that are alive.
    """
    scores = np.zeros(size, np.float32)
    wanted = Counter(cut_query(query))
    keys = term_keys(wanted)
    lives = [places >= 0 for _, places in segments]
    whole = [bool(live.all()) for live in lives]
    total = sum(int(np.count_nonzero(live)) for live in lives)
    if not total or not len(keys):
        return scores
    length = sum(int(segment.lengths.sum(where=live)) for (segment, _), live in zip(segments, lives, strict=True))
    found: list[list[tuple[int, NDArray[np.uint32], NDArray[np.uint16]]]] = [[] for _ in keys]
    frequency = [0] * len(keys)
    for number, (segment, _) in enumerate(segments):
        ranks = np.searchsorted(segment.terms, keys)
        for term, rank in enumerate(ranks.tolist()):
            if rank == len(segment.terms) or segment.terms[rank] != keys[term]:
                continue
            span = slice(segment.starts[rank], segment.starts[rank + 1])
            postings = segment.postings[span]
            frequency[term] += len(postings) if whole[number] else int(np.count_nonzero(lives[number][postings]))
            found[term].append((number, postings, segment.counts[span]))
    norms = [_norms(segment.lengths, length / total, k1, b) for segment, _ in segments]
    sums = [np.zeros(len(segment), np.float32) for segment, _ in segments]
    for term, times in enumerate(wanted.values()):
        weight = np.float32(times * (k1 + 1) * inverse_frequency(frequency[term], total))
        for number, postings, counts in found[term]:
            tf = counts.astype(np.float32)
            sums[number][postings] += weight * tf / (tf + norms[number][postings])
    for (_, places), live, part in zip(segments, lives, sums, strict=True):
        scores[places[live]] = part[live]
    return scores


def _norms(lengths: NDArray[np.int32], average: float, k1: float, b: float) -> NDArray[np.float32]:
    longest = int(lengths.max(initial=0))
    by_length = k1 * (np.maximum(np.arange(longest + 1), 1) / max(average, 1.0)) ** b
    return by_length.astype(np.float32)[lengths]


def inverse_frequency(frequency: int, total: int) -> float:
    """How much a term tells that stands in `frequency` of `total` docs; never negative."""
    return math.log1p((total - frequency + 0.5) / (frequency + 0.5))


def bm25_reference(docs: Mapping[str, str], query: str, *, k1: float = K1, b: float = B) -> dict[str, float]:
    """The same scores computed from the texts themselves, slowly; docs that hold no term of the query are left out."""
    bags = {name: Counter(cut(text)) for name, text in docs.items()}
    average = max(sum(bag.total() for bag in bags.values()) / max(len(bags), 1), 1.0)
    scores: dict[str, float] = {}
    for term, times in Counter(cut_query(query)).items():
        holders = {name: bag for name, bag in bags.items() if term in bag}
        weight = times * (k1 + 1) * inverse_frequency(len(holders), len(bags))
        for name, bag in holders.items():
            norm = k1 * (bag.total() / average) ** b
            scores[name] = scores.get(name, 0.0) + weight * bag[term] / (bag[term] + norm)
    return scores


def merge_plan(sizes: Sequence[int]) -> range:
    """Which neighbouring segments, oldest first, to merge into one in their place; empty when none should be.

    Sizes are in docs. A segment's tier is the logarithm of its size; FANOUT neighbours of one tier, or smaller, merge,
    so a doc is copied once a tier and the number of segments grows as the logarithm of the number of docs.
    """
    tiers = [int(math.log(max(size, 1), FANOUT) + 1e-9) for size in sizes]
    for tier in sorted(set(tiers)):
        end = len(tiers)
        for start in range(len(tiers) - 1, -2, -1):
            if start < 0 or tiers[start] > tier:
                if end - start - 1 >= FANOUT:
                    return range(start + 1, end)
                end = start
    return range(0)
