"""What the environment says of a vector and a graph server, under the names of the interface."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from hello_agents.core.config import as_number, environment


@dataclass(frozen=True)
class QdrantConfig:
    url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    collection_name: str = "hello_agents_vectors"
    vector_size: int = 384
    distance: str = "cosine"
    timeout: int = 30

    @classmethod
    def from_env(cls) -> QdrantConfig:
        env = environment()
        return cls(
            url=env.get("QDRANT_URL"),
            api_key=env.get("QDRANT_API_KEY"),
            collection_name=env.get("QDRANT_COLLECTION", cls.collection_name),
            vector_size=int(as_number(env, "QDRANT_VECTOR_SIZE", cls.vector_size)),
            distance=env.get("QDRANT_DISTANCE", cls.distance),
            timeout=int(as_number(env, "QDRANT_TIMEOUT", cls.timeout)),
        )

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Neo4jConfig:
    uri: str = "bolt://localhost:7687"
    username: str = "neo4j"
    password: str = field(default="hello-agents-password", repr=False)
    database: str = "neo4j"
    max_connection_lifetime: int = 3600
    max_connection_pool_size: int = 50
    connection_acquisition_timeout: int = 60

    @classmethod
    def from_env(cls) -> Neo4jConfig:
        env = environment()
        return cls(
            uri=env.get("NEO4J_URI", cls.uri),
            username=env.get("NEO4J_USERNAME", cls.username),
            password=env.get("NEO4J_PASSWORD", "hello-agents-password"),
            database=env.get("NEO4J_DATABASE", cls.database),
            max_connection_lifetime=int(as_number(env, "NEO4J_MAX_CONNECTION_LIFETIME", cls.max_connection_lifetime)),
            max_connection_pool_size=int(
                as_number(env, "NEO4J_MAX_CONNECTION_POOL_SIZE", cls.max_connection_pool_size)
            ),
            connection_acquisition_timeout=int(
                as_number(env, "NEO4J_CONNECTION_TIMEOUT", cls.connection_acquisition_timeout)
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class DatabaseConfig:
    """Kept for programs that read it: memories and documents live in the tools' own folders and use no server."""

    qdrant: QdrantConfig = field(default_factory=QdrantConfig)
    neo4j: Neo4jConfig = field(default_factory=Neo4jConfig)

    @classmethod
    def from_env(cls) -> DatabaseConfig:
        return cls(QdrantConfig.from_env(), Neo4jConfig.from_env())

    def get_qdrant_config(self) -> dict[str, Any]:
        return self.qdrant.to_dict()

    def get_neo4j_config(self) -> dict[str, Any]:
        return self.neo4j.to_dict()


_changes: dict[str, dict[str, Any]] = {"qdrant": {}, "neo4j": {}}


def get_database_config() -> DatabaseConfig:
    """The environment as it is now, with what `update_database_config` put in its place."""
    config = DatabaseConfig.from_env()
    return DatabaseConfig(replace(config.qdrant, **_changes["qdrant"]), replace(config.neo4j, **_changes["neo4j"]))


def update_database_config(**changes: dict[str, Any]) -> None:
    """`update_database_config(qdrant={"url": ...}, neo4j={...})`, for this process."""
    known = {"qdrant": QdrantConfig, "neo4j": Neo4jConfig}
    for name, given in changes.items():
        if name not in known:
            raise ValueError(f"unknown database {name!r}; known are qdrant and neo4j")
        if unknown := set(given) - {f.name for f in fields(known[name])}:
            raise ValueError(f"{name} has no setting {min(unknown)!r}")
        _changes[name].update(given)
