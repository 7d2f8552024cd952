"""Memory of four kinds, over the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hello_agents.lazy import lazily

if TYPE_CHECKING:
    from hello_agents.memory.base import BaseMemory
    from hello_agents.memory.config import MemoryConfig
    from hello_agents.memory.episodic import EpisodicMemory
    from hello_agents.memory.items import MemoryItem
    from hello_agents.memory.manager import MemoryManager
    from hello_agents.memory.perceptual import PerceptualMemory
    from hello_agents.memory.semantic import SemanticMemory
    from hello_agents.memory.storage.documents import DocumentStore, SQLiteDocumentStore
    from hello_agents.memory.working import WorkingMemory

__all__ = [
    "BaseMemory",
    "DocumentStore",
    "EpisodicMemory",
    "MemoryConfig",
    "MemoryItem",
    "MemoryManager",
    "PerceptualMemory",
    "SQLiteDocumentStore",
    "SemanticMemory",
    "WorkingMemory",
]

__getattr__ = lazily(
    __name__,
    {
        "BaseMemory": "base",
        "DocumentStore": "storage.documents",
        "EpisodicMemory": "episodic",
        "MemoryConfig": "config",
        "MemoryItem": "items",
        "MemoryManager": "manager",
        "PerceptualMemory": "perceptual",
        "SQLiteDocumentStore": "storage.documents",
        "SemanticMemory": "semantic",
        "WorkingMemory": "working",
    },
)
