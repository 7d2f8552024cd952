"""Vectors in a dictionary, compared one by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ricordo.protocols import Scored, Vectors
from ricordo.stores.best import ranked
from ricordo.stores.checks import check_filter
from ricordo.stores.shelf import Room
from ricordo.stores.values import identifier
from ricordo.stores.vectors import check_dimension, unit
from ricordo.types import Capabilities, Filter, Memory, now


class MemoryVectors:
    capabilities = Capabilities(words=False, processes=False, durable="none")

    def __init__(self, room: Room) -> None:
        self._room = room

    async def known(self, space: str, digests: Sequence[str]) -> dict[str, Vectors]:
        with self._room.reading() as shelf:
            return {d: shelf.vectors[space, d].copy() for d in digests if (space, d) in shelf.vectors}

    async def upsert(self, space: str, points: Sequence[tuple[Memory, Vectors]]) -> None:
        identifier(space, "the name of a space")
        units = [(memory, unit(vector, f"the vector of memory {memory.id!r}")) for memory, vector in points]
        with self._room.writing() as shelf:
            named = {memory.digest for memory in shelf.memories.values()}
            for memory, vector in units:
                dimension = shelf.dimensions.setdefault(space, len(vector))
                check_dimension(space, dimension, vector, f"the vector of memory {memory.id!r}")
                if memory.digest in named:
                    shelf.vectors[space, memory.digest] = vector.astype(np.float32)

    async def search(self, space: str, vector: Vectors, filter: Filter, limit: int) -> list[Scored]:
        check_filter(filter)
        query, time, scores = unit(vector, "the query's vector"), now(), list[Scored]()
        with self._room.reading() as shelf:
            if filter.bank in shelf.banks and space in shelf.dimensions:
                check_dimension(space, shelf.dimensions[space], query, "the query's vector")
            for memory in shelf.searchable(filter.bank):
                found = shelf.vectors.get((space, memory.digest))
                if found is not None and filter.accepts(memory, time):
                    scores.append((memory.id, float(found.astype(np.float64) @ query)))
        return ranked(scores, limit)

    async def delete(self, space: str, bank: str, ids: Sequence[str]) -> None:
        with self._room.writing() as shelf:
            doomed = {(bank, id) for id in ids}
            others = {memory.digest for key, memory in shelf.memories.items() if key not in doomed}
            for key in doomed:
                memory = shelf.memories.get(key)
                if memory is not None and memory.digest not in others:
                    shelf.vectors.pop((space, memory.digest), None)

    async def count(self, space: str, bank: str) -> int:
        with self._room.reading() as shelf:
            return sum(1 for memory in shelf.searchable(bank) if (space, memory.digest) in shelf.vectors)

    async def drop(self, space: str, bank: str) -> None:
        with self._room.reading() as shelf:
            ids = [memory.id for memory in shelf.of_bank(bank)]
        await self.delete(space, bank, ids)

    async def close(self) -> None:
        """Nothing to close."""
