"""BM25 over segments, exact for one bank: its own document frequencies, number of docs and average length."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ricordo.stores.cut import cut, cut_query, term_keys
from ricordo.stores.segment import EMPTY, Rows, Segment, merge_plan, starts_of

__all__ = ["K1", "B", "Segment", "bm25", "bm25_reference", "merge_plan"]

K1 = 0.8
"""How soon more of one term stops to count."""
B = 0.75
"""How much a long text must hold more: lengths count by (length / average) ** B, which has the slope of the usual
1 - B + B * length / average where it matters, at the average, and is milder to texts many times longer."""


def bm25(
    segments: Sequence[tuple[Segment, Rows]], query: str, size: int, *, k1: float = K1, b: float = B
) -> NDArray[np.float64]:
    """One score for each of the bank's `size` dense places.

    Each segment comes with the dense place of each of its docs, -1 where it is dead. Document frequencies, their
    number and their average length are those of the docs that are alive, and no score depends on the segmentation.
    """
    wanted = Counter(cut_query(query))
    keys = term_keys(wanted)
    total = length = 0
    frequencies = np.zeros(len(keys), np.int64)
    found = [_Found.nothing()]
    for segment, places in segments:
        live = places >= 0
        total += int(np.count_nonzero(live))
        length += int(segment.lengths.sum(where=live))
        found.append(_find(segment, places, keys))
        frequencies[found[-1].terms] += found[-1].spans
    terms, spans, places, counts, lengths = map(np.concatenate, zip(*found, strict=True))
    rarities = [inverse_frequency(frequency, total) for frequency in frequencies.tolist()]
    weights = (k1 + 1) * np.array(rarities) * np.fromiter(wanted.values(), np.float64)
    norms = k1 * (np.arange(lengths.max(initial=0) + 1) / max(length / max(total, 1), 1.0)) ** b
    gains = np.repeat(weights[terms], spans) * counts / (counts + norms.take(lengths))
    scores: NDArray[np.float64] = np.bincount(places, gains, size).astype(np.float64, copy=False)
    return scores


class _Found(NamedTuple):
    """Numbers of terms, in how many living docs each stands, and these docs' places, counts and lengths in a row."""

    terms: Rows
    spans: Rows
    places: Rows
    counts: NDArray[np.float64]
    lengths: NDArray[np.int32]

    @classmethod
    def nothing(cls) -> _Found:
        return cls(EMPTY, EMPTY, EMPTY, EMPTY.astype(np.float64), EMPTY.astype(np.int32))


def _find(segment: Segment, places: Rows, keys: NDArray[np.uint64]) -> _Found:
    if not len(segment.terms):
        return _Found.nothing()
    ranks = np.searchsorted(segment.terms, keys)
    ranks[ranks == len(segment.terms)] = 0
    terms = np.flatnonzero(segment.terms[ranks] == keys)
    if not len(terms):
        return _Found.nothing()
    firsts, lasts = segment.starts[ranks[terms]], segment.starts[ranks[terms] + 1]
    slices = [slice(*ends) for ends in zip(firsts.tolist(), lasts.tolist(), strict=True)]
    docs = np.concatenate([segment.postings[part] for part in slices]).astype(np.int64)
    counts = np.concatenate([segment.counts[part] for part in slices]).astype(np.float64)
    spans, where = lasts - firsts, places.take(docs)
    live = where >= 0
    if not live.all():
        spans = np.diff(starts_of(live)[starts_of(spans)])
        docs, where, counts = docs[live], where[live], counts[live]
    return _Found(terms, spans, where, counts, segment.lengths.take(docs))


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
