"""Several arms' results as one list: scores normalised by value, then mixed.

By value and not by rank: a weak arm's first place is then worth what its score says, and cannot drag the others down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

FROM_ZERO = frozenset({"words", "graph"})
"""Arms whose scores start at zero. The others (cosines in a narrow band) are stretched between lowest and highest."""


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


def fuse(arms: Mapping[str, Sequence[tuple[str, float]]]) -> list[Fused]:
    """Best first, ties by id, scores 0..1 rounded to 6 digits. An arm without results has no say."""
    found = {arm: scored for arm, scored in arms.items() if scored}
    if not found:
        return []
    share = 1.0 / len(found)
    parts: dict[str, dict[str, Part]] = {}
    for arm, scored in found.items():
        normal = normalise(arm, scored)
        for id, score in scored:
            parts.setdefault(id, {})[arm] = Part(score, round(normal[id] * share, 6))
    fused = [Fused(id, round(sum(p.share for p in by.values()), 6), by) for id, by in parts.items()]
    return sorted(fused, key=lambda one: (-one.score, one.id))
