"""Memories in dictionaries: the plain meaning of RecordStore."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ricordo.protocols import Scored
from ricordo.stores.best import DIGITS, ranked
from ricordo.stores.checks import check_changes, check_filter, check_page, check_unchanged, history_changed
from ricordo.stores.memory_graph import forget, link
from ricordo.stores.memory_operations import enqueue_or_save
from ricordo.stores.rows import kept
from ricordo.stores.shelf import Room, Shelf
from ricordo.stores.values import from_json, identifier, json_cell
from ricordo.stores.words import bm25_reference
from ricordo.types import (
    SEARCHABLE_KINDS,
    Capabilities,
    Changes,
    Filter,
    Memory,
    Pending,
    Version,
    now,
)

_ORDERS: dict[str, Callable[[Memory], Any]] = {
    "position": lambda m: (m.document is not None, m.document or "", m.position),
    "at": lambda m: m.at,
    "created": lambda m: m.created,
    "importance": lambda m: m.importance,
}


class MemoryRecords:
    capabilities = Capabilities(processes=False, durable="none")

    def __init__(self, room: Room) -> None:
        self._room = room

    async def write(self, changes: Changes) -> None:
        check_changes(changes)
        put = [kept(memory) for memory in changes.put]
        versions = [
            replace(v, data=from_json(json_cell(v.data, f"the data of version {v.number} of {v.memory!r}")))
            for v in changes.versions
        ]
        with self._room.writing() as shelf:
            shelf.need_bank(changes.bank)
            check_unchanged(changes, {memory.id: memory for memory in shelf.of_bank(changes.bank)})
            for space in changes.spaces:
                _follow(shelf, identifier(space, "the name of a space"), changes.bank, put, changes.delete)
            for memory in changes.delete:
                shelf.memories.pop((changes.bank, memory), None)
                _drop_history(shelf, changes.bank, memory)
            forget(shelf, changes.bank, {*changes.delete, *changes.unlink})
            shelf.memories.update(((changes.bank, memory.id), memory) for memory in put)
            for version in versions:
                key = (changes.bank, version.memory, version.number)
                if key in shelf.versions:
                    raise history_changed(version.memory)
                shelf.versions[key] = version
            link(shelf, changes.bank, changes.entities, changes.relations)
            for operation in changes.operations:
                enqueue_or_save(shelf, operation)
            shelf.free_vectors()

    async def get(self, bank: str, ids: Sequence[str]) -> list[Memory]:
        with self._room.reading() as shelf:
            return [shelf.memories[bank, id] for id in ids if (bank, id) in shelf.memories]

    async def match_id(self, bank: str, prefix: str) -> list[str]:
        with self._room.reading() as shelf:
            return sorted(memory.id for memory in shelf.of_bank(bank) if memory.id.startswith(prefix))[:10]

    async def find(
        self,
        filter: Filter,
        *,
        limit: int = 100,
        offset: int = 0,
        order: str = "position",
        descending: bool = False,
    ) -> list[Memory]:
        check_page(order, limit, offset)
        found = sorted(self._accepted(filter), key=lambda memory: memory.id)
        found.sort(key=_ORDERS[order], reverse=descending)
        return found[offset : offset + limit]

    async def ids(self, filter: Filter) -> list[str]:
        return sorted(memory.id for memory in self._accepted(filter))

    async def search(self, words: str, filter: Filter, limit: int) -> list[Scored]:
        with self._room.reading() as shelf:
            texts = {memory.id: memory.surface for memory in shelf.searchable(filter.bank)}
        scores = bm25_reference(texts, words)
        return ranked(((m.id, scores[m.id]) for m in self._accepted(filter) if m.id in scores), limit)

    async def count(self, filter: Filter) -> int:
        return len(self._accepted(filter))

    async def tally(self, bank: str) -> dict[str, tuple[int, float]]:
        by_kind: dict[str, list[float]] = {}
        for memory in self._accepted(Filter(bank=bank)):
            by_kind.setdefault(memory.kind.value, []).append(memory.importance)
        return {kind: (len(all), round(sum(all) / len(all), DIGITS)) for kind, all in by_kind.items()}

    async def history(self, bank: str, memory: str) -> list[Version]:
        with self._room.reading() as shelf:
            return [shelf.versions[key] for key in sorted(shelf.versions) if key[:2] == (bank, memory)]

    async def pending(self, space: str, limit: int) -> list[Pending]:
        with self._room.reading() as shelf:
            rows = [row for (_, _, where), row in shelf.outbox.items() if where == space]
            return sorted(rows, key=lambda row: row.seq)[:limit]

    async def applied(self, space: str, seqs: Sequence[int]) -> None:
        with self._room.writing() as shelf:
            shelf.outbox = {
                key: row for key, row in shelf.outbox.items() if key[2] != space or row.seq not in set(seqs)
            }

    async def enqueue(self, space: str, bank: str) -> int:
        identifier(space, "the name of a space")
        added = 0
        with self._room.writing() as shelf:
            for memory in shelf.searchable(bank):
                row = shelf.outbox.get((bank, memory.id, space))
                if (space, memory.digest) not in shelf.vectors and (row is None or row.gone):
                    shelf.announce(space, bank, memory.id)
                    added += 1
        return added

    async def waiting(self, space: str, bank: str) -> int:
        with self._room.reading() as shelf:
            return sum(1 for owner, _, where in shelf.outbox if (owner, where) == (bank, space))

    async def vacuum(self) -> None:
        """Nothing: a deleted memory leaves no bytes in a file."""

    async def check(self) -> list[str]:
        with self._room.reading() as shelf:
            named = {memory.digest for memory in shelf.memories.values()}
            return [
                f"the vector of {digest} in {space!r} has no memory"
                for space, digest in shelf.vectors
                if digest not in named
            ]

    async def close(self) -> None:
        """Nothing to close."""

    def _accepted(self, filter: Filter) -> list[Memory]:
        check_filter(filter)
        time = now()
        with self._room.reading() as shelf:
            return [memory for memory in shelf.of_bank(filter.bank) if filter.accepts(memory, time)]


def _follow(shelf: Shelf, space: str, bank: str, put: Sequence[Memory], delete: Sequence[str]) -> None:
    """One outbox row for each searchable memory that comes, changes or goes, unless the vector is here."""
    coming = {memory.id: memory for memory in put if memory.kind in SEARCHABLE_KINDS}
    for memory in coming.values():
        shelf.outbox.pop((bank, memory.id, space), None)
        if (space, memory.digest) not in shelf.vectors:
            shelf.announce(space, bank, memory.id)
    for id in (*delete, *(memory.id for memory in put)):
        old = shelf.memories.get((bank, id))
        if old is not None and old.kind in SEARCHABLE_KINDS and id not in coming:
            shelf.outbox.pop((bank, id, space), None)
            if (space, old.digest) not in shelf.vectors:
                shelf.announce(space, bank, id, gone=True)


def _drop_history(shelf: Shelf, bank: str, memory: str) -> None:
    shelf.versions = {key: version for key, version in shelf.versions.items() if key[:2] != (bank, memory)}
    shelf.outbox = {key: row for key, row in shelf.outbox.items() if key[:2] != (bank, memory) or row.gone}
