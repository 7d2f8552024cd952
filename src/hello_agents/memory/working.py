"""What is on the mind now: few memories, that fade within hours and expire."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from hello_agents.memory import formulas
from hello_agents.memory.base import BaseMemory, hours_since
from hello_agents.memory.config import MemoryConfig
from hello_agents.memory.items import MemoryItem
from hello_agents.memory.user_bank import UserBank
from ricordo.rank.budget import approx_tokens


class WorkingMemory(BaseMemory):
    """Durable within its time to live: a restart does not lose it."""

    kind = "working"

    def __init__(self, config: MemoryConfig | None = None, storage_backend: UserBank | None = None) -> None:
        super().__init__(config, storage_backend)
        self.session_start = datetime.now().astimezone()

    @property
    def max_capacity(self) -> int | None:
        return self.config.working_memory_capacity

    @property
    def max_tokens(self) -> int | None:
        return self.config.working_memory_tokens

    @property
    def max_age_minutes(self) -> float:
        return self.config.working_memory_ttl_minutes

    @property
    def current_tokens(self) -> int:
        """About as many as a language model would count."""
        return sum(approx_tokens(memory.text) for memory in self.storage.list([self.kind]))

    def get_recent(self, limit: int = 10) -> list[MemoryItem]:
        return self._items(self.storage.list([self.kind], limit=limit))

    def get_important(self, limit: int = 10) -> list[MemoryItem]:
        return self._items(self.storage.list([self.kind], limit=limit, order="importance"))

    def get_context_summary(self, max_length: int = 500) -> str:
        """The most important memories, newest first among equals, as many as fit."""
        items = self.get_all()
        items.sort(key=lambda item: (item.importance, item.timestamp), reverse=True)
        lines: list[str] = []
        room = max_length
        for item in items:
            if len(item.content) > room:
                if not lines and room > 3:
                    lines.append(f"{item.content[: room - 3]}...")
                break
            lines.append(item.content)
            room -= len(item.content) + 1
        if not lines:
            return "没有工作记忆。"
        return "工作记忆:\n" + "\n".join(f"- {line}" for line in lines)

    def get_stats(self) -> dict[str, Any]:
        stats = super().get_stats()
        tokens = self.current_tokens
        session = datetime.now().astimezone() - self.session_start
        return {
            **stats,
            "current_tokens": tokens,
            "max_capacity": self.max_capacity,
            "max_tokens": self.max_tokens,
            "max_age_minutes": self.max_age_minutes,
            "session_duration_minutes": session.total_seconds() / 60,
            "capacity_usage": stats["count"] / self.max_capacity if self.max_capacity else 0.0,
            "token_usage": tokens / self.max_tokens if self.max_tokens else 0.0,
        }

    def _calculate_time_decay(self, timestamp: datetime) -> float:
        return formulas.time_decay(hours_since(timestamp), self.config.decay_factor)

    def _calculate_keyword_score(self, query: str, content: str) -> float:
        return formulas.keyword_score(query, content)
