"""One message of a conversation."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias, get_args

from hello_agents.core.exceptions import HelloAgentsException

MessageRole: TypeAlias = Literal["user", "assistant", "system", "tool"]


def _now() -> datetime:
    return datetime.now(UTC).astimezone()


@dataclass
class Message:
    content: str
    role: MessageRole
    timestamp: datetime = field(default_factory=_now)
    metadata: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.role not in get_args(MessageRole):
            raise HelloAgentsException(f"a message's role is one of {get_args(MessageRole)}, got {self.role!r}")

    def to_dict(self) -> dict[str, Any]:
        """As a chat endpoint takes it."""
        return {"role": self.role, "content": self.content}

    def __str__(self) -> str:
        return f"[{self.role}] {self.content}"
