"""The embedded stores: records, vectors, graph, operations and banks in one SQLite file."""

from __future__ import annotations

from pathlib import Path

from ricordo.errors import Invalid, Unavailable
from ricordo.stores.database import Database
from ricordo.stores.opened import Stores
from ricordo.stores.sqlite_banks import SqliteBanks
from ricordo.stores.sqlite_graph import SqliteGraph
from ricordo.stores.sqlite_operations import SqliteOperations
from ricordo.stores.sqlite_records import SqliteRecords
from ricordo.stores.sqlite_upkeep import renew_words
from ricordo.stores.sqlite_vectors import SqliteVectors
from ricordo.stores.views import Views


def open_store(
    path: Path | None, *, busy_seconds: float = 30.0, readers: int = 3, cache_bytes: int = 1 << 30
) -> Stores:
    """The stores kept in `path`/ricordo.db, made when absent.

    busy_seconds: how long a write waits for another process's write. cache_bytes: what the views of banks may take.
    """
    if path is None:
        raise Invalid("the store 'sqlite' needs a directory; give one, or use the store 'memory'")
    file = path / "ricordo.db"
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not file.exists():
            file.touch(mode=0o600)
    except OSError as error:
        raise Unavailable(f"{path} cannot be used as a directory for the store: {error}") from error
    database = Database(file, busy_seconds=busy_seconds, readers=readers, renew=renew_words)
    views = Views(cache_bytes)
    return Stores(
        records=SqliteRecords(database, views),
        vectors=SqliteVectors(database, views),
        graph=SqliteGraph(database),
        operations=SqliteOperations(database),
        banks=SqliteBanks(database),
    )
