"""A memory as readers of HelloAgents know it, and the way from and to the engine's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import uuid4

from ricordo.types import Memory

KINDS = ("working", "episodic", "semantic", "perceptual")


def _naive_now() -> datetime:
    return datetime.now().astimezone().replace(tzinfo=None)


@dataclass
class MemoryItem:
    """`timestamp` is local time without a zone, as the interface has it; one with a zone is taken as it is."""

    content: str
    id: str = field(default_factory=lambda: str(uuid4()))
    memory_type: str = "working"
    user_id: str = "default_user"
    timestamp: datetime = field(default_factory=_naive_now)
    importance: float = 0.5
    metadata: dict[str, Any] = field(default_factory=dict)

    def model_dump(self) -> dict[str, Any]:
        return asdict(self)

    dict = model_dump


def aware(moment: datetime | str) -> datetime:
    """The moment with a zone; without one it is local time."""
    if isinstance(moment, str):
        moment = datetime.fromisoformat(moment)
    return moment if moment.tzinfo is not None else moment.astimezone()


def item_of(memory: Memory, user_id: str, **scores: float) -> MemoryItem:
    """The engine's memory as an item; what it was scored by goes into the metadata."""
    metadata = dict(memory.data)
    user_id = metadata.pop("user_id", user_id)
    if memory.session is not None:
        metadata["session_id"] = memory.session
    return MemoryItem(
        content=memory.text,
        id=memory.id,
        memory_type=str(memory.kind),
        user_id=user_id,
        timestamp=memory.at.astimezone().replace(tzinfo=None),
        importance=memory.importance,
        metadata={**metadata, **scores},
    )


def storable(value: Any) -> Any:
    """The value as JSON can hold it: moments and paths as text, sets and tuples as lists, anything else as its text."""
    if value is None or isinstance(value, bool | int | float | str):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, Mapping):
        return {str(key): storable(one) for key, one in value.items()}
    if isinstance(value, set | frozenset):
        return [storable(one) for one in sorted(value, key=repr)]
    if isinstance(value, list | tuple):
        return [storable(one) for one in value]
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, PurePath):
        return str(value)
    if hasattr(value, "tolist"):
        return storable(value.tolist())
    return str(value)
