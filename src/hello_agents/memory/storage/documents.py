"""Memories and documents by id, for programs that ask the store itself."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from hello_agents.memory.config import MemoryConfig
from hello_agents.memory.engine import bank_name, engine_at
from hello_agents.memory.user_bank import UserBank
from ricordo.errors import NotFound
from ricordo.types import Memory, content_digest

DOCUMENTS_USER = "documents/"
"""No user has this name and documents too: it is the store's own."""


class DocumentStore(Protocol):
    def add_memory(
        self,
        memory_id: str,
        user_id: str,
        content: str,
        memory_type: str,
        timestamp: float,
        importance: float,
        properties: dict[str, Any] | None = None,
    ) -> str: ...

    def get_memory(self, memory_id: str) -> dict[str, Any] | None: ...

    def delete_memory(self, memory_id: str) -> bool: ...


class SQLiteDocumentStore:
    """The data folder that `db_path` lies in, seen as a table of memories. Times are seconds since 1970."""

    def __init__(self, db_path: str = "./memory.db") -> None:
        self.db_path = str(Path(db_path).expanduser().resolve())
        self._config = MemoryConfig(database_path=self.db_path)
        self._banks: dict[str, UserBank] = {}

    def _user(self, user_id: str) -> UserBank:
        if user_id not in self._banks:
            self._banks[user_id] = UserBank(self._config, user_id)
        return self._banks[user_id]

    def _engine(self) -> Any:
        return engine_at(self._config.storage_path).sync

    def _find(self, memory_id: str) -> tuple[Any, Memory] | None:
        for bank in self._engine().banks():
            handle = self._engine().bank(bank.id).sync
            try:
                memory = handle.get(memory_id)
            except NotFound:
                continue
            if memory.id == memory_id:
                return handle, memory
        return None

    def add_memory(
        self,
        memory_id: str,
        user_id: str,
        content: str,
        memory_type: str,
        timestamp: float,
        importance: float,
        properties: dict[str, Any] | None = None,
    ) -> str:
        at = datetime.fromtimestamp(timestamp, UTC)
        id, _ = self._user(user_id).add(content, memory_type, importance, properties or {}, at=at, id=memory_id)
        return id

    def get_memory(self, memory_id: str) -> dict[str, Any] | None:
        found = self._find(memory_id)
        return None if found is None else _row(found[1])

    def search_memories(
        self,
        user_id: str | None = None,
        memory_type: str | None = None,
        start_time: float | None = None,
        end_time: float | None = None,
        importance_threshold: float | None = None,
        limit: int = 10,
    ) -> list[dict[str, Any]]:
        """The most important first, newest first among equals; both ends of the time are within it."""
        rows = []
        names = [bank.id for bank in self._engine().banks()] if user_id is None else [bank_name(user_id)]
        filters = {
            "since": None if start_time is None else datetime.fromtimestamp(start_time, UTC),
            "min_importance": importance_threshold or 0.0,
        }
        for name in names:
            if name == bank_name(DOCUMENTS_USER):
                continue
            kinds = {"kinds": [memory_type]} if memory_type else {}
            memories = self._engine().bank(name).sync.list(limit=2**31, order="importance", **kinds, **filters)
            rows += [m for m in memories if end_time is None or m.at.timestamp() <= end_time]
        rows.sort(key=lambda m: (m.importance, m.at), reverse=True)
        return [_row(memory) for memory in rows[:limit]]

    def update_memory(
        self,
        memory_id: str,
        content: str | None = None,
        importance: float | None = None,
        properties: dict[str, Any] | None = None,
    ) -> bool:
        found = self._find(memory_id)
        if found is None:
            return False
        found[0].update(memory_id, text=content, importance=importance, data=properties)
        return True

    def delete_memory(self, memory_id: str) -> bool:
        found = self._find(memory_id)
        if found is None:
            return False
        found[0].delete(memory_id)
        return True

    def get_database_stats(self) -> dict[str, Any]:
        counts: dict[str, int] = {}
        banks = self._engine().banks()
        for bank in banks:
            for kind, (count, _) in self._engine().bank(bank.id).sync.stats().kinds.items():
                counts[kind] = counts.get(kind, 0) + count
        return {
            "store_type": "ricordo",
            "db_path": self.db_path,
            "users_count": sum(bank.id != bank_name(DOCUMENTS_USER) for bank in banks),
            "memories_count": sum(counts.values()),
            "memories_by_type": counts,
        }

    def add_document(self, content: str, metadata: dict[str, Any] | None = None) -> str:
        """The same content again gives the same id."""
        id = content_digest(content)
        self._user(DOCUMENTS_USER).add(content, "semantic", 0.5, metadata or {}, at=datetime.now(UTC), id=id)
        return id

    def get_document(self, document_id: str) -> dict[str, Any] | None:
        memory = self._user(DOCUMENTS_USER).get(document_id)
        if memory is None:
            return None
        return {"id": memory.id, "content": memory.text, "metadata": dict(memory.data)}

    def close(self) -> None:
        """Nothing is held here: the folder's engine is shared, and closes with the process."""


def _row(memory: Memory) -> dict[str, Any]:
    return {
        "memory_id": memory.id,
        "user_id": memory.bank,
        "content": memory.text,
        "memory_type": str(memory.kind),
        "timestamp": memory.at.timestamp(),
        "importance": memory.importance,
        "properties": {**memory.data, **({"session_id": memory.session} if memory.session else {})},
        "created_at": memory.created.isoformat(),
    }
