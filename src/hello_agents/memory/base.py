"""What the four kinds have in common: each is a view of one user's bank, through the engine."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

from hello_agents.memory.config import MemoryConfig
from hello_agents.memory.items import MemoryItem, item_of
from hello_agents.memory.user_bank import Found, UserBank, time_filters
from ricordo.types import And, Compare, Memory, Op

TELLING = (
    "重要", "关键", "必须", "注意", "警告", "错误",
    "important", "key", "critical", "must", "note", "warning", "error",
)  # fmt: skip
DEFAULT_USER = "default_user"


def guess_importance(content: str, base: float = 0.5) -> float:
    """The base, more for a long text and for one that says that it matters; 0..1."""
    folded = content.casefold()
    more = 0.1 * (len(content) > 100) + 0.2 * any(word in folded for word in TELLING)
    return max(0.0, min(1.0, base + more))


class BaseMemory:
    """`storage_backend` is a UserBank; without one, the default user's under config.storage_path."""

    kind = ""
    label = ""

    def __init__(self, config: MemoryConfig | None = None, storage_backend: UserBank | None = None) -> None:
        self.config = config or MemoryConfig()
        self.storage = storage_backend or UserBank(self.config, DEFAULT_USER)
        self.memory_type = self.label or self.kind

    def add(self, memory_item: MemoryItem) -> str:
        """Stores the item under its own id and gives the id."""
        metadata = dict(memory_item.metadata)
        if memory_item.user_id != self.storage.user_id:
            metadata["user_id"] = memory_item.user_id
        id, _ = self.storage.add(
            memory_item.content,
            self.kind,
            memory_item.importance,
            metadata,
            at=memory_item.timestamp,
            id=memory_item.id or None,
        )
        return id

    def retrieve(self, query: str, limit: int = 5, **options: Any) -> list[MemoryItem]:
        """The best items for the query, best first.

        Options: user_id, session_id, time_range, min_importance (or importance_threshold), target_modality.
        """
        search = self.storage.search(query, [self.kind], limit, **self._filters(options))
        return [self.item(found) for found in search.found]

    def _filters(self, options: dict[str, Any]) -> dict[str, Any]:
        lowest = options.get("min_importance", options.get("importance_threshold"))
        user_id = options.get("user_id")
        session = options.get("session_id")
        chosen: dict[str, Any] = {
            "session": None if session is None else str(session),
            "min_importance": float(lowest or 0.0),
            "modality": options.get("target_modality"),
            **time_filters(options.get("time_range")),
        }
        if user_id == self.storage.user_id:
            chosen["where"] = And(of=(Compare(key="user_id", op=Op.EXISTS, value=False),))
        elif user_id is not None:
            chosen["where"] = {"user_id": user_id}
        return chosen

    def item(self, found: Found) -> MemoryItem:
        return item_of(found.memory, self.storage.user_id)

    def _items(self, memories: Sequence[Memory]) -> list[MemoryItem]:
        return [item_of(memory, self.storage.user_id) for memory in memories]

    def _own(self, memory_id: str) -> Memory | None:
        memory = self.storage.get(memory_id)
        return memory if memory is not None and memory.kind == self.kind else None

    def update(
        self,
        memory_id: str,
        content: str | None = None,
        importance: float | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> bool:
        """Metadata is merged key by key; False when there is no such memory of this kind."""
        memory = self._own(memory_id)
        return memory is not None and self.storage.update(memory.id, content, importance, metadata)

    def remove(self, memory_id: str) -> bool:
        memory = self._own(memory_id)
        return memory is not None and self.storage.remove(memory.id)

    def has_memory(self, memory_id: str) -> bool:
        return self._own(memory_id) is not None

    def clear(self) -> None:
        self.storage.clear([self.kind])

    def get_all(self) -> list[MemoryItem]:
        """Oldest first."""
        return self._items(self.storage.list([self.kind], descending=False))

    def forget(self, strategy: str = "importance_based", threshold: float = 0.1, max_age_days: float = 30) -> int:
        return len(self.storage.forget(strategy, threshold, max_age_days, [self.kind]))

    def get_stats(self) -> dict[str, Any]:
        count, mean = self.storage.tally().get(self.kind, (0, 0.0))
        return {
            "count": count,
            "forgotten_count": 0,
            "total_count": count,
            "avg_importance": mean,
            "memory_type": self.memory_type,
        }

    def _generate_id(self) -> str:
        return str(uuid4())

    def _calculate_importance(self, content: str, base_importance: float = 0.5) -> float:
        return guess_importance(content, base_importance)

    def __str__(self) -> str:
        return f"{type(self).__name__}(count={self.get_stats()['count']})"


def hours_since(moment: datetime) -> float:
    return (datetime.now(moment.tzinfo) - moment).total_seconds() / 3600
