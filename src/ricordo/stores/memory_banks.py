"""Banks and API keys in dictionaries."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from ricordo.errors import Conflict
from ricordo.stores.shelf import Room
from ricordo.stores.values import from_json, identifier, json_cell
from ricordo.types import ApiKey, Bank

Key = TypeVar("Key", bound=tuple[Any, ...])
Thing = TypeVar("Thing")


def _without(held: dict[Key, Thing], bank: str) -> dict[Key, Thing]:
    return {key: thing for key, thing in held.items() if key[0] != bank}


class MemoryBanks:
    def __init__(self, room: Room) -> None:
        self._room = room

    async def put(self, bank: Bank) -> None:
        settings = from_json(json_cell(bank.settings, f"the settings of bank {bank.id!r}"))
        with self._room.writing() as shelf:
            shelf.banks[identifier(bank.id, "the id of a bank")] = replace(bank, settings=settings)

    async def get(self, id: str) -> Bank | None:
        with self._room.reading() as shelf:
            return shelf.banks.get(id)

    async def delete(self, id: str) -> bool:
        with self._room.writing() as shelf:
            if shelf.banks.pop(id, None) is None:
                return False
            shelf.memories = _without(shelf.memories, id)
            shelf.versions = _without(shelf.versions, id)
            shelf.entities = _without(shelf.entities, id)
            shelf.relations = _without(shelf.relations, id)
            shelf.outbox = _without(shelf.outbox, id)
            shelf.operations = {key: o for key, o in shelf.operations.items() if o.bank != id}
            shelf.free_vectors()
            return True

    async def add_key(self, key: ApiKey) -> None:
        with self._room.writing() as shelf:
            if key.id in shelf.keys:
                raise Conflict(f"there is already a key {key.id!r}; give the new one another id")
            shelf.keys[key.id] = key

    async def keys(self) -> list[ApiKey]:
        with self._room.reading() as shelf:
            return sorted(shelf.keys.values(), key=lambda key: (key.created, key.id))

    async def find_key(self, prefix: str) -> list[ApiKey]:
        return [key for key in await self.keys() if key.prefix == prefix]

    async def touch_key(self, id: str, used: datetime) -> None:
        with self._room.writing() as shelf:
            if id in shelf.keys:
                shelf.keys[id] = replace(shelf.keys[id], last_used=used)

    async def delete_key(self, id: str) -> bool:
        with self._room.writing() as shelf:
            return shelf.keys.pop(id, None) is not None

    async def list(self) -> list[Bank]:
        with self._room.reading() as shelf:
            return [shelf.banks[id] for id in sorted(shelf.banks)]

    async def close(self) -> None:
        """Nothing to close."""
