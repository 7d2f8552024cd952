"""What happened, when, and in which session."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any

from hello_agents.memory import formulas
from hello_agents.memory.base import BaseMemory
from hello_agents.memory.items import MemoryItem, item_of
from hello_agents.memory.user_bank import Found
from ricordo.types import Memory


class EpisodicMemory(BaseMemory):
    kind = "episodic"

    def item(self, found: Found) -> MemoryItem:
        return scored_by_time(found, self.storage.user_id)

    @property
    def sessions(self) -> dict[str, list[str]]:
        """Session → the ids of its memories, oldest first."""
        index: dict[str, list[str]] = {}
        for memory in self.storage.list([self.kind], descending=False):
            if memory.session is not None:
                index.setdefault(memory.session, []).append(memory.id)
        return index

    def get_session_episodes(self, session_id: str) -> list[MemoryItem]:
        """Oldest first."""
        return self._items(self.storage.list([self.kind], session=session_id, descending=False))

    def find_patterns(self, user_id: str | None = None, min_frequency: int = 2) -> list[dict[str, Any]]:
        """Words and metadata that come back in several episodes, the most frequent first."""
        from ricordo.stores.cut import cut_query

        memories = self._of(user_id)
        words = Counter(word for m in memories for word in set(cut_query(m.text)) if len(word) > 1)
        told = Counter(
            f"{key}:{value}" for m in memories for key, value in m.data.items() if isinstance(value, str | int | bool)
        )
        found = [
            {"type": kind, "pattern": pattern, "frequency": times, "confidence": times / len(memories)}
            for kind, counts in (("keyword", words), ("context", told))
            for pattern, times in counts.items()
            if times >= min_frequency
        ]
        return sorted(found, key=lambda one: (-one["frequency"], one["type"], one["pattern"]))

    def get_timeline(self, user_id: str | None = None, limit: int = 50) -> list[dict[str, Any]]:
        """Newest first."""
        return [
            {
                "episode_id": memory.id,
                "timestamp": memory.at.astimezone().replace(tzinfo=None).isoformat(),
                "content": memory.text,
                "session_id": memory.session,
                "importance": memory.importance,
                "outcome": memory.data.get("outcome"),
            }
            for memory in self._of(user_id)[:limit]
        ]

    def _of(self, user_id: str | None) -> list[Memory]:
        return self.storage.list([self.kind], **self._where({"user_id": user_id}))

    def _where(self, options: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in self._filters(options).items() if value is not None}

    def get_stats(self) -> dict[str, Any]:
        memories = self.storage.list([self.kind])
        days = (memories[0].at - memories[-1].at).total_seconds() / 86400 if memories else 0.0
        return {
            **super().get_stats(),
            "sessions_count": len({m.session for m in memories if m.session is not None}),
            "time_span_days": days,
            **store_stats(self.storage.handle.sync.stats()),
        }

    def _calculate_recency_score(self, timestamp: datetime | str) -> float:
        return formulas.recency(timestamp)


def scored_by_time(found: Found, user_id: str) -> MemoryItem:
    """The item with the parts of its score: what was found, and how long ago it was."""
    memory = found.memory
    recency = formulas.recency(memory.at)
    score = formulas.episodic_score(found.relevance, recency, memory.importance)
    return item_of(memory, user_id, relevance_score=score, vector_score=found.relevance, recency_score=recency)


def store_stats(stats: Any) -> dict[str, Any]:
    """What the engine says of itself, under the names that the published statistics have."""
    coverage = stats.coverage
    return {
        "vector_store": {"vectors_count": coverage.done, "model": coverage.model, "waiting": stats.waiting},
        "document_store": {"store_type": "ricordo", "memories_count": stats.total},
    }
