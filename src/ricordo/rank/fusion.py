"""Fusion: the arms' scores brought to one measure by value, not by rank, and mixed as each query suggests.

An arm's scores are counted in their own standard deviations, so an arm whose best candidates stand out from the rest
weighs more in this query than one that finds everything alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ricordo.protocols import Scored

DENSE = frozenset({"vectors"})
"""Arms that give every memory a score. The others score matches alone: what they could have given and did not, is 0."""

FEW = 4
"""The spread of so few candidates is half chance, and counts half."""


class Part(NamedTuple):
    """What an arm gave a candidate (None: it did not find it), and its share of the fused score."""

    score: float | None
    share: float


class Fused(NamedTuple):
    id: str
    score: float
    arms: Mapping[str, Part]


def fuse(arms: Mapping[str, Sequence[Scored]]) -> list[Fused]:
    """Every candidate of the arms with its score in 0..1, best first, ties by id, rounded to 6 digits.

    1 is what a candidate would have that is the best in every arm. An arm that found nothing does not count.
    """
    found = {arm: dict(scored) for arm, scored in arms.items() if scored}
    if not found:
        return []
    ids = sorted({id for scores in found.values() for id in scores})
    longest = max(map(len, found.values()))
    values = np.array(
        [_values(scores, ids, arm not in DENSE and len(scores) < longest) for arm, scores in found.items()]
    )
    shares = values / values.max(axis=1).sum()
    scores = shares.sum(axis=0).round(6)
    order = np.argsort(-scores, kind="stable")
    columns = zip(order.tolist(), scores[order].tolist(), shares.round(6).T[order].tolist(), strict=True)
    return [
        Fused(
            ids[place],
            score,
            {arm: Part(found[arm].get(ids[place]), share) for arm, share in zip(found, given, strict=True)},
        )
        for place, score, given in columns
    ]


def _values(scores: Mapping[str, float], ids: Sequence[str], exhausted: bool) -> NDArray[np.float64]:
    """How many standard deviations each candidate lies above what is one below the mean, never negative.

    What the arm did not find is worth nothing where the arm is exhausted, else as much as the last that it found.
    """
    known = np.fromiter(scores.values(), np.float64)
    among = np.concatenate([known, np.zeros(len(ids) - len(known))]) if exhausted else known
    mean, unit = among.mean(), among.std() * (1 + FEW / len(among))
    if unit <= abs(mean) * 1e-9:  # all alike, but for the rounding of floats
        mean, unit = known.min(), 1.0
    given = np.array([scores.get(id, np.nan) for id in ids])
    values = np.maximum(0.0, 1.0 + (given - mean) / unit)
    return np.where(np.isnan(given), 0.0 if exhausted else np.nanmin(values), values)
