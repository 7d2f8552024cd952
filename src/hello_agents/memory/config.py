"""What a memory system may hold, how long, and where it lies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

MODALITIES = ("text", "image", "audio", "video")
_PLAIN = {
    "storage_path": "./memory_data",
    "max_capacity": 100,
    "importance_threshold": 0.1,
    "decay_factor": 0.95,
    "working_memory_capacity": 50,
    "working_memory_tokens": 2000,
    "working_memory_ttl_minutes": 60,
    "qdrant_url": None,
    "qdrant_api_key": None,
}


class MemoryConfig:
    """Every field may be given by name and assigned later, in either of the two published spellings.

    working_memory_ttl is working_memory_ttl_minutes; database_path is a file in storage_path. None as a capacity or
    number of tokens lifts that limit. qdrant_url and qdrant_api_key are kept for readers: memories need no server.
    """

    storage_path: str
    max_capacity: int
    importance_threshold: float
    decay_factor: float
    working_memory_capacity: int | None
    working_memory_tokens: int | None
    working_memory_ttl_minutes: float
    qdrant_url: str | None
    qdrant_api_key: str | None
    perceptual_memory_modalities: list[str]

    def __init__(self, **fields: Any) -> None:
        modalities = fields.pop("perceptual_memory_modalities", MODALITIES)
        self.perceptual_memory_modalities = list(modalities)
        for name, value in {**_PLAIN, **fields}.items():
            if name not in _PLAIN and name not in ("working_memory_ttl", "database_path"):
                known = ", ".join((*_PLAIN, "working_memory_ttl", "database_path", "perceptual_memory_modalities"))
                raise TypeError(f"unknown field of MemoryConfig {name!r}; known are {known}")
            setattr(self, name, value)

    @property
    def working_memory_ttl(self) -> float:
        return self.working_memory_ttl_minutes

    @working_memory_ttl.setter
    def working_memory_ttl(self, minutes: float) -> None:
        self.working_memory_ttl_minutes = minutes

    @property
    def database_path(self) -> str:
        return str(Path(self.storage_path) / "memory.db")

    @database_path.setter
    def database_path(self, path: str) -> None:
        self.storage_path = str(Path(path).parent if Path(path).suffix else path)

    @property
    def policies(self) -> Mapping[str, Mapping[str, Any]]:
        """How these limits differ from the engine's own, kind by kind."""
        factor = self.decay_factor
        if not 0 < factor <= 1:
            raise ValueError(f"decay_factor must lie above 0 and not above 1, got {factor!r}")
        working: dict[str, Any] = {
            "capacity": self.working_memory_capacity,
            "tokens": self.working_memory_tokens,
            "ttl": timedelta(minutes=self.working_memory_ttl_minutes),
            "half_life": None if factor == 1 else timedelta(hours=6) * (math.log(0.5) / math.log(factor)),
        }
        return {"working": working}

    def model_dump(self) -> dict[str, Any]:
        names = (*_PLAIN, "perceptual_memory_modalities")
        return {name: getattr(self, name) for name in names}

    dict = model_dump

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MemoryConfig) and self.model_dump() == other.model_dump()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = {**self.model_dump(), "qdrant_api_key": "***" if self.qdrant_api_key else None}
        return f"MemoryConfig({', '.join(f'{name}={value!r}' for name, value in shown.items())})"
