"""The best of many scores, in the one order that every store gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ricordo.protocols import Scored

DIGITS = 6


def ranked(scores: Iterable[Scored], limit: int) -> list[Scored]:
    """Rounded, best first, ties by id."""
    rounded = [(id, round(score, DIGITS)) for id, score in scores]
    return sorted(rounded, key=lambda scored: (-scored[1], scored[0]))[: max(limit, 0)]


def best(
    scores: NDArray[np.floating],
    places: NDArray[np.int64],
    ids: Sequence[str],
    limit: int,
    *,
    error: float = 0.0,
    exact: Callable[[NDArray[np.int64]], NDArray[np.float64]] | None = None,
) -> list[Scored]:
    """The best of `places`, whose scores stand beside them.

    Scores may be wrong by `error`; `exact` computes the true ones, given indexes into `places`, for those that might
    be among the best.
    """
    if limit <= 0 or not len(places):
        return []
    indexes = np.arange(len(places))
    if limit < len(places):
        last = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        indexes = np.flatnonzero(scores >= last - 2 * error - 10.0**-DIGITS)
    true = scores[indexes] if exact is None else exact(indexes)
    return ranked(zip((ids[place] for place in places[indexes].tolist()), true.tolist(), strict=True), limit)
