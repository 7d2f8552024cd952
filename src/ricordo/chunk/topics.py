"""Where the topic changes: how deep similarity dips between sentences, and the best cuts of bounded size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ricordo.protocols import Vectors

Gains = NDArray[np.float64]


def similarities(vectors: Vectors, window: int) -> Gains:
    """For each gap between rows, the cosine of the means of up to `window` rows before and after it, which share none.

    A gap beside rows of zeros alone says nothing: 1.
    """
    gaps = len(vectors) - 1
    before, after = vectors[:-1].copy(), vectors[1:].copy()
    for step in range(1, min(window, gaps)):
        before[step:] += vectors[: gaps - step]
        after[: gaps - step] += vectors[1 + step :]
    lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    similarity: Gains = np.ones(gaps)
    np.divide(np.einsum("ij,ij->i", before, after, dtype=np.float64), lengths, out=similarity, where=lengths > 0)
    return similarity


def depths(similarity: Gains) -> Gains:
    """How far each gap lies below the peaks to its left and right (Hearst, TextTiling, 1997)."""
    return _climbs(similarity) + _climbs(similarity[::-1])[::-1]


def _climbs(similarity: Gains) -> Gains:
    """From each value, how far it goes up to the left before it goes down."""
    peaks = similarity.copy()
    for at in range(1, len(peaks)):
        if similarity[at - 1] >= similarity[at]:
            peaks[at] = peaks[at - 1]
    return peaks - similarity


def best_cuts(marks: Sequence[int], gains: Sequence[float], least: int, limit: int) -> list[int]:
    """The indices of marks that end parts, by the greatest sum of gains.

    marks[i] is how much stands before step i, and gains[i] what a cut behind it is worth. A part over the limit is a
    single step; parts under the least size are as few as can be.
    """
    fine = sum(map(abs, gains)) + 1.0
    best, origin = [0.0], [0]
    low = high = 0
    for end in range(1, len(marks)):
        while marks[low] < marks[end] - limit and low < end - 1:
            low += 1
        high = max(high, low)
        while high < end and marks[high] <= marks[end] - least:
            high += 1
        fair, small = best[low:high], [value - fine for value in best[high:end]]
        values = fair + small
        value = max(values)
        best.append(value + (gains[end - 1] if end <= len(gains) else 0.0))
        origin.append(low + values.index(value))
    ends = []
    end = len(marks) - 1
    while end:
        ends.append(end)
        end = origin[end]
    return ends[::-1]
