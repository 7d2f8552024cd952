"""The published formulas, as pure functions over the engine's policies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta

from ricordo.rank.policy import IMPORTANCE_BASE, IMPORTANCE_GAIN, POLICIES, RECENCY_FLOOR, graph_score
from ricordo.types import Kind

__all__ = [
    "episodic_score",
    "graph_score",
    "importance_weight",
    "keyword_score",
    "recency",
    "semantic_score",
    "softmax",
    "time_decay",
    "working_score",
]

UNREADABLE_TIME = 0.5
WORKING, SEMANTIC = POLICIES[Kind.WORKING], POLICIES[Kind.SEMANTIC]


def importance_weight(importance: float) -> float:
    """0.8 for what does not matter, 1.2 for what matters most."""
    return IMPORTANCE_BASE + IMPORTANCE_GAIN * importance


def time_decay(age_hours: float, decay_factor: float = 0.95) -> float:
    """decay_factor ** (hours / 6), never under 0.1."""
    return float(max(RECENCY_FLOOR, decay_factor ** (max(0.0, age_hours) / 6)))


def recency(timestamp: datetime | str, now: datetime | None = None) -> float:
    """exp(-0.1 * hours / 24), never under 0.1; 0.5 for a time that cannot be read."""
    try:
        moment = datetime.fromisoformat(timestamp) if isinstance(timestamp, str) else timestamp
        age = (now or datetime.now(moment.tzinfo)) - moment
    except (ValueError, TypeError, AttributeError):
        return UNREADABLE_TIME
    return POLICIES[Kind.EPISODIC].recency(max(age, timedelta(0)))


def keyword_score(query: str, content: str) -> float:
    """len(query) / len(content) for a query that stands in the content, else 0.8 × Jaccard of their terms."""
    from ricordo.stores.cut import cut, cut_query  # its tables take a moment to load

    sought, text = query.casefold(), content.casefold()
    if sought and sought in text:
        return len(sought) / len(text)
    terms, held = set(cut_query(query)), set(cut(content))
    return 0.8 * len(terms & held) / len(terms | held) if terms and held else 0.0


def working_score(tfidf: float, keyword: float, decay: float, importance: float) -> float:
    base = WORKING.vector * tfidf + WORKING.keyword * keyword if tfidf > 0 else keyword
    return base * decay * importance_weight(importance)


def episodic_score(vector: float, recency: float, importance: float) -> float:
    """That of perceptual memories too."""
    policy = POLICIES[Kind.EPISODIC]
    return (policy.relevance * vector + policy.recency_share * recency) * importance_weight(importance)


def semantic_score(vector: float, graph: float, importance: float) -> float:
    return (SEMANTIC.relevance * vector + SEMANTIC.graph * graph) * importance_weight(importance)


def softmax(scores: Sequence[float]) -> list[float]:
    if not scores:
        return []
    highest = max(scores)
    powers = [math.exp(score - highest) for score in scores]
    return [power / sum(powers) for power in powers]
