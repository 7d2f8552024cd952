"""A kind of memory is a row: how relevance, graph, time and importance make its score, and what it may hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from types import MappingProxyType
from typing import Any

from ricordo.errors import Invalid
from ricordo.types import Bank, Json, Kind

HOUR = timedelta(hours=1)
IMPORTANCE_BASE, IMPORTANCE_GAIN = 0.8, 0.4
HIGHEST = IMPORTANCE_BASE + IMPORTANCE_GAIN
RECENCY_FLOOR = 0.1


@dataclass(frozen=True, kw_only=True, slots=True)
class Policy:
    """score = (relevance, graph and recency, mixed by their shares) × fading × (0.8 + 0.4 × importance).

    half_life: age at which recency is one half (none: recency is 1). fades: recency multiplies instead of being mixed
    in. vector and keyword: how the published formula splits relevance between the two, for callers that score by it.
    capacity, tokens and ttl: how many there may be, how much text, and for how long.
    """

    relevance: float = 1.0
    graph: float = 0.0
    recency_share: float = 0.0
    vector: float = 0.5
    keyword: float = 0.5
    half_life: timedelta | None = None
    fades: bool = False
    capacity: int | None = None
    tokens: int | None = None
    ttl: timedelta | None = None
    searchable: bool = True

    def recency(self, age: timedelta) -> float:
        """1 for what happened now, halved by every half-life, never under 0.1."""
        if self.half_life is None or age <= timedelta(0):
            return 1.0
        return max(RECENCY_FLOOR, math.pow(0.5, age / self.half_life))

    def weigh(self, relevance: float, age: timedelta, importance: float, graph: float | None = None) -> float:
        """The score, 0 to 1.2. Without a graph (None) its share goes to relevance."""
        by_graph = 0.0 if graph is None else self.graph
        recency = self.recency(age)
        mixed = self.relevance * relevance + by_graph * (graph or 0.0)
        if not self.fades:
            mixed += self.recency_share * recency
        mixed /= self.relevance + by_graph + self.recency_share
        return mixed * (recency if self.fades else 1.0) * (IMPORTANCE_BASE + IMPORTANCE_GAIN * importance)


def graph_score(matching: int, asked: int, entities: int, relations: int) -> float:
    """How near a memory lies to what a query names, 0 to 1.

    matching: how many of the `asked` entities of the query it names. entities, relations: how many it has in all.
    """
    return 0.6 * matching / asked + 0.2 * min(entities / 10, 1.0) + 0.2 * min(relations / 5, 1.0)


def _half_life(factor: float, every: timedelta) -> timedelta:
    """The half-life of something that is multiplied by `factor` in every such time."""
    return every * (math.log(0.5) / math.log(factor))


DAYS = _half_life(math.exp(-0.1), 24 * HOUR)
WITHIN_SESSION = _half_life(0.95, 6 * HOUR)

POLICIES: Mapping[Kind, Policy] = MappingProxyType(
    {
        Kind.WORKING: Policy(
            vector=0.7, keyword=0.3, half_life=WITHIN_SESSION, fades=True, capacity=50, ttl=timedelta(minutes=60)
        ),
        Kind.EPISODIC: Policy(relevance=0.8, recency_share=0.2, half_life=DAYS),
        Kind.SEMANTIC: Policy(relevance=0.7, graph=0.3),
        Kind.PERCEPTUAL: Policy(relevance=0.8, recency_share=0.2, half_life=DAYS),
        Kind.OBSERVATION: Policy(),
        Kind.CHUNK: Policy(),
        Kind.SECTION: Policy(searchable=False),
        Kind.DOCUMENT: Policy(searchable=False),
    }
)

_TIMES = ("half_life", "ttl")
_COUNTS = ("capacity", "tokens")


def policy_of(bank: Bank, kind: Kind) -> Policy:
    """The kind's row, with what the bank has set in place of it."""
    own = (bank.settings.get("policies") or {}).get(kind)
    if not own:
        return POLICIES[kind]
    times = {k: None if v is None else timedelta(seconds=v) for k, v in own.items() if k in _TIMES}
    return replace(POLICIES[kind], **{**own, **times})


def policy_json(kind: Kind, changes: Mapping[str, Any]) -> Json:
    """What a bank may set of a kind's row, as its settings keep it; None lifts a limit."""
    kept: dict[str, float | None] = {}
    for name, value in changes.items():
        if name not in (*_TIMES, *_COUNTS):
            raise Invalid(f"unknown part of a policy {name!r}; known are {', '.join((*_TIMES, *_COUNTS))}")
        if value is None:
            kept[name] = None
        elif name in _TIMES and isinstance(value, timedelta) and value > timedelta(0):
            kept[name] = value.total_seconds()
        elif name in _COUNTS and isinstance(value, int) and value >= 1:
            kept[name] = value
        else:
            what = "a time over 0" if name in _TIMES else "a whole number of 1 or more"
            raise Invalid(f"{name} of {kind} must be {what}, or None, got {value!r}")
    return kept
