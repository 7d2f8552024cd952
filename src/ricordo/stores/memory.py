"""The stores in plain dictionaries: what every store must answer, the obvious way, and gone with the process."""

from __future__ import annotations

from pathlib import Path

from ricordo.stores.memory_banks import MemoryBanks
from ricordo.stores.memory_graph import MemoryGraph
from ricordo.stores.memory_operations import MemoryOperations
from ricordo.stores.memory_records import MemoryRecords
from ricordo.stores.memory_vectors import MemoryVectors
from ricordo.stores.opened import Stores
from ricordo.stores.shelf import Room


def open_store(path: Path | None = None) -> Stores:  # noqa: ARG001 - every factory takes a directory; this needs none
    """New, empty stores that share one room."""
    room = Room()
    return Stores(
        records=MemoryRecords(room),
        vectors=MemoryVectors(room),
        graph=MemoryGraph(room),
        operations=MemoryOperations(room),
        banks=MemoryBanks(room),
    )
