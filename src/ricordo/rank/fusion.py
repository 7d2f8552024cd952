"""Several arms' results as one list: scores normalised by value, then mixed.

By value and not by rank: a weak arm's first place is then worth what its score says, and cannot drag the others down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

FROM_ZERO = frozenset({"words", "graph"})
"""Arms whose scores start at zero. The others (cosines in a narrow band) are stretched between lowest and highest."""
TRUST: Mapping[str, float] = {"words": 1.0, "vectors": 0.8, "graph": 0.5}
"""What an arm's peaks are worth beside the others', measured over question sets in two languages."""
FOLLOWING = 30
"""How many of an arm's results say how far its first stands out."""
LEAST = 0.01


@dataclass(frozen=True, slots=True)
class Part:
    """What one arm gave: its own score, and its share of the fused one."""

    score: float
    share: float


@dataclass(frozen=True, slots=True)
class Fused:
    id: str
    score: float
    arms: Mapping[str, Part]


def normalise(arm: str, scored: Sequence[tuple[str, float]]) -> dict[str, float]:
    """id → 0..1. What an arm did not find counts as its floor, 0."""
    if not scored:
        return {}
    highest = max(score for _, score in scored)
    floor = 0.0 if arm in FROM_ZERO else min(score for _, score in scored)
    width = highest - floor
    return {id: (score - floor) / width if width > 0 else 1.0 for id, score in scored}


def peakedness(normal: Iterable[float]) -> float:
    """How far the arm's first stands out: 1 less the mean of what follows it; an arm that cannot tell gives about 0."""
    following = sorted(normal, reverse=True)[1:FOLLOWING]
    return 1.0 - sum(following) / len(following) if following else 1.0


def fuse(arms: Mapping[str, Sequence[tuple[str, float]]]) -> list[Fused]:
    """Best first, ties by id, scores 0..1 rounded to 6 digits. An arm without results has no say.

    How much an arm has to say is judged for each query, by how far its first results stand out.
    """
    normal = {arm: normalise(arm, scored) for arm, scored in arms.items() if scored}
    weights = {arm: TRUST.get(arm, 1.0) * max(peakedness(by_id.values()), LEAST) for arm, by_id in normal.items()}
    whole = sum(weights.values())
    parts: dict[str, dict[str, Part]] = {}
    for arm, by_id in normal.items():
        for id, score in arms[arm]:
            parts.setdefault(id, {})[arm] = Part(score, round(by_id[id] * weights[arm] / whole, 6))
    fused = [Fused(id, round(sum(p.share for p in by.values()), 6), by) for id, by in parts.items()]
    return sorted(fused, key=lambda one: (-one.score, one.id))
