"""Names of stores that live on a server. This release reaches none, and says so at once."""

from __future__ import annotations

from typing import Any, NoReturn

from ricordo.errors import MissingExtra


def _refuse(name: str, server: str) -> NoReturn:
    raise MissingExtra(
        f"{name} needs a client for {server}, which this release does not have; "
        "MemoryTool and RAGTool keep vectors and graph in their own data folder and need no server"
    )


class QdrantVectorStore:
    def __init__(self, *_: Any, **__: Any) -> None:
        _refuse("QdrantVectorStore", "a Qdrant server")


class QdrantConnectionManager:
    @classmethod
    def get_instance(cls, *_: Any, **__: Any) -> QdrantVectorStore:
        _refuse("QdrantConnectionManager", "a Qdrant server")


class Neo4jGraphStore:
    def __init__(self, *_: Any, **__: Any) -> None:
        _refuse("Neo4jGraphStore", "a Neo4j server")
