"""The stores under the names of the interface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hello_agents.lazy import lazily

if TYPE_CHECKING:
    from hello_agents.memory.storage.documents import DocumentStore, SQLiteDocumentStore
    from hello_agents.memory.storage.servers import Neo4jGraphStore, QdrantConnectionManager, QdrantVectorStore

__all__ = ["DocumentStore", "Neo4jGraphStore", "QdrantConnectionManager", "QdrantVectorStore", "SQLiteDocumentStore"]

__getattr__ = lazily(
    __name__,
    {
        "DocumentStore": "documents",
        "Neo4jGraphStore": "servers",
        "QdrantConnectionManager": "servers",
        "QdrantVectorStore": "servers",
        "SQLiteDocumentStore": "documents",
    },
)
