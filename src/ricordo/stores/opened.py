"""The stores that one factory opens together."""

from __future__ import annotations

from dataclasses import dataclass

from ricordo.protocols import BankStore, GraphStore, OperationStore, RecordStore, VectorStore


@dataclass(frozen=True, kw_only=True, slots=True)
class Stores:
    records: RecordStore
    vectors: VectorStore
    graph: GraphStore
    operations: OperationStore
    banks: BankStore

    async def close(self) -> None:
        """Closes all of them; closing again does nothing."""
        for store in (self.records, self.vectors, self.graph, self.operations, self.banks):
            await store.close()
