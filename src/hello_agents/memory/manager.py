"""One user's memories of every enabled kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from hello_agents.memory.base import DEFAULT_USER, BaseMemory, guess_importance
from hello_agents.memory.config import MemoryConfig
from hello_agents.memory.episodic import EpisodicMemory
from hello_agents.memory.items import KINDS, MemoryItem, item_of
from hello_agents.memory.perceptual import PerceptualMemory, perceived
from hello_agents.memory.semantic import SemanticMemory
from hello_agents.memory.user_bank import Found, UserBank, kind_of, time_filters
from hello_agents.memory.working import WorkingMemory

CLASSES: Mapping[str, type[BaseMemory]] = {
    "working": WorkingMemory,
    "episodic": EpisodicMemory,
    "semantic": SemanticMemory,
    "perceptual": PerceptualMemory,
}
_EPISODIC_WORDS = (
    "昨天", "今天", "上次", "记得", "发生", "经历", "yesterday", "today", "last time", "remember", "happened",
)  # fmt: skip
_SEMANTIC_WORDS = (
    "定义", "概念", "规则", "知识", "原理", "方法", "definition", "concept", "rule", "knowledge", "principle", "method",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Added:
    """missing: what could not be kept of it, or had to go for it."""

    id: str
    memory_type: str
    missing: tuple[str, ...]


class MemoryManager:
    """`memory_types` maps each enabled kind to its class."""

    def __init__(
        self,
        config: MemoryConfig | None = None,
        user_id: str = DEFAULT_USER,
        enable_working: bool = True,
        enable_episodic: bool = True,
        enable_semantic: bool = True,
        enable_perceptual: bool = False,
    ) -> None:
        self.config = config or MemoryConfig()
        self.user_id = user_id
        self.storage = UserBank(self.config, user_id)
        self.memory_types: dict[str, BaseMemory] = {}
        wanted = (enable_working, enable_episodic, enable_semantic, enable_perceptual)
        for kind, enabled in zip(KINDS, wanted, strict=True):
            if enabled:
                self.enable(kind)

    def enable(self, kind: str) -> None:
        if kind_of(kind) not in self.memory_types:
            self.memory_types[kind] = CLASSES[kind](self.config, self.storage)

    def add_memory(
        self,
        content: str,
        memory_type: str = "working",
        importance: float | None = None,
        metadata: dict[str, Any] | None = None,
        auto_classify: bool = True,
    ) -> str:
        """The new memory's id. ValueError for a kind that is not enabled.

        auto_classify: metadata["type"] decides the kind, else another kind than working as given, else the words.
        """
        metadata = dict(metadata or {})
        if auto_classify:
            memory_type = self._classify(content, memory_type, metadata)
        if importance is None:
            importance = self._estimate(content, metadata)
        return self.remember(content, memory_type, importance, metadata).id

    def remember(
        self,
        content: str,
        memory_type: str,
        importance: float,
        metadata: Mapping[str, Any],
        at: datetime | None = None,
    ) -> Added:
        """Stores exactly this, and says what is missing of it."""
        self.need(memory_type)
        missing: list[str] = []
        if memory_type == "perceptual":
            content, metadata, missing = perceived(content, metadata)
        id, warnings = self.storage.add(content, memory_type, importance, metadata, at=at)
        return Added(id, memory_type, (*missing, *warnings))

    def need(self, memory_type: str) -> None:
        if kind_of(memory_type) not in self.memory_types:
            raise ValueError(f"记忆类型 {memory_type!r} 未启用；已启用: {', '.join(self.memory_types)}")

    def _chosen(self, memory_types: Iterable[str] | None) -> list[str]:
        if not memory_types:
            return list(self.memory_types)
        chosen = list(dict.fromkeys(memory_types))
        for kind in chosen:
            self.need(kind)
        return chosen

    def search(
        self,
        query: str,
        memory_types: Iterable[str] | None = None,
        limit: int = 10,
        min_importance: float = 0.0,
        time_range: Sequence[datetime | str | None] | None = None,
        session_id: str | None = None,
    ) -> tuple[list[Found], tuple[str, ...]]:
        """The best of all these kinds, best first, and what kept more from being found."""
        filters: dict[str, Any] = {"min_importance": min_importance, **time_filters(time_range)}
        if session_id is not None:
            filters["session"] = session_id
        search = self.storage.search(query, self._chosen(memory_types), limit, **filters)
        return search.found, search.notes

    def retrieve_memories(
        self,
        query: str,
        memory_types: Iterable[str] | None = None,
        limit: int = 10,
        min_importance: float = 0.0,
        time_range: Sequence[datetime | str | None] | None = None,
    ) -> list[MemoryItem]:
        """The best of all these kinds together, best first; both ends of time_range are within it."""
        found, _ = self.search(query, memory_types, limit, min_importance, time_range)
        return [self.memory_types[one.memory.kind].item(one) for one in found]

    def update_memory(
        self,
        memory_id: str,
        content: str | None = None,
        importance: float | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> bool:
        """Metadata is merged key by key. The id may be its unambiguous beginning."""
        memory = self.storage.get(memory_id)
        if memory is None or memory.kind not in self.memory_types:
            return False
        return self.storage.update(memory.id, content, importance, metadata)

    def remove_memory(self, memory_id: str) -> bool:
        memory = self.storage.get(memory_id)
        return memory is not None and memory.kind in self.memory_types and self.storage.remove(memory.id)

    def forget_memories(
        self, strategy: str = "importance_based", threshold: float = 0.1, max_age_days: float = 30
    ) -> int:
        """How many went. ValueError for an unknown strategy."""
        return len(self.storage.forget(strategy, threshold, max_age_days, list(self.memory_types)))

    def consolidate_memories(
        self, from_type: str = "working", to_type: str = "episodic", importance_threshold: float = 0.7
    ) -> int:
        """How many moved; what moved is not there to move again."""
        return len(self.consolidate(from_type, to_type, importance_threshold))

    def consolidate(self, from_type: str, to_type: str, importance_threshold: float) -> list[str]:
        """The ids that moved."""
        self.need(from_type)
        self.need(to_type)
        return self.storage.consolidate(from_type, to_type, importance_threshold)

    def important(self, limit: int, lowest: float = 0.5) -> list[MemoryItem]:
        """The most important memories of the enabled kinds, each text once."""
        kinds, picked = list(self.memory_types), dict[str, MemoryItem]()
        offset, page = 0, max(50, 2 * limit)
        while len(picked) < limit:
            memories = self.storage.list(kinds, limit=page, order="importance", min_importance=lowest, offset=offset)
            for memory in memories:
                picked.setdefault(memory.text, item_of(memory, self.user_id))
            if len(memories) < page:
                break
            offset += page
        return list(picked.values())[:limit]

    def has(self, kind: str) -> bool:
        """True when the user has memories of the kind, enabled or not."""
        return bool(self.storage.list([kind], limit=1))

    def count(self) -> dict[str, tuple[int, float]]:
        """Enabled kind → how many, and their mean importance."""
        tally = self.storage.tally()
        return {kind: tally.get(kind, (0, 0.0)) for kind in self.memory_types}

    def get_memory_stats(self) -> dict[str, Any]:
        by_type = {kind: memory.get_stats() for kind, memory in self.memory_types.items()}
        return {
            "user_id": self.user_id,
            "enabled_types": list(self.memory_types),
            "total_memories": sum(stats["count"] for stats in by_type.values()),
            "memories_by_type": by_type,
            "config": {
                "max_capacity": self.config.max_capacity,
                "importance_threshold": self.config.importance_threshold,
                "decay_factor": self.config.decay_factor,
            },
        }

    def clear_all_memories(self) -> int:
        """Takes away this user's memories of the enabled kinds, and nobody else's; gives how many."""
        return self.storage.clear(list(self.memory_types))

    def _classify(self, content: str, memory_type: str, metadata: Mapping[str, Any]) -> str:
        told = metadata.get("type")
        if told in KINDS:
            return str(told)
        if memory_type != "working":
            return memory_type
        folded = content.casefold()
        for kind, words in (("episodic", _EPISODIC_WORDS), ("semantic", _SEMANTIC_WORDS)):
            if kind in self.memory_types and any(word in folded for word in words):
                return kind
        return memory_type

    def _estimate(self, content: str, metadata: Mapping[str, Any]) -> float:
        priority = {"high": 0.3, "low": -0.2}.get(str(metadata.get("priority", "")), 0.0)
        return max(0.0, min(1.0, round(guess_importance(content) + priority, 10)))

    def __str__(self) -> str:
        counts = ", ".join(f"{kind}={count}" for kind, (count, _) in self.count().items())
        return f"MemoryManager(user={self.user_id}, {counts})"
