"""Entities and relations in dictionaries."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ricordo.stores.checks import check_graph
from ricordo.stores.shelf import Room, Shelf
from ricordo.types import Entity, Relation


def link(shelf: Shelf, bank: str, entities: Sequence[Entity], relations: Sequence[Relation]) -> None:
    shelf.entities.update(((bank, entity.id), entity) for entity in entities)
    shelf.relations.update(((bank, r.source, r.label, r.target, r.memory), r) for r in relations)


def forget(shelf: Shelf, bank: str, memories: Collection[str]) -> None:
    if not memories:
        return
    gone = [key for key, r in shelf.relations.items() if r.bank == bank and r.memory in memories]
    ends = {end for key in gone for end in (shelf.relations[key].source, shelf.relations[key].target)}
    for key in gone:
        del shelf.relations[key]
    linked = {end for r in shelf.relations.values() if r.bank == bank for end in (r.source, r.target)}
    for entity in ends - linked:
        shelf.entities.pop((bank, entity), None)


class MemoryGraph:
    def __init__(self, room: Room) -> None:
        self._room = room

    async def link(self, bank: str, entities: Sequence[Entity], relations: Sequence[Relation]) -> None:
        check_graph(bank, entities, relations)
        with self._room.writing() as shelf:
            shelf.need_bank(bank)
            link(shelf, bank, entities, relations)

    async def lookup(self, bank: str, names: Sequence[str]) -> list[Entity]:
        wanted = {name.casefold() for name in names}
        entities, _ = await self.dump(bank)
        return [e for e in entities if any(name.casefold() in wanted for name in (e.name, *e.aliases))]

    async def walk(self, bank: str, entities: Sequence[str], *, hops: int = 1, limit: int = 100) -> list[Relation]:
        _, relations = await self.dump(bank)
        relations.sort(key=lambda r: -r.weight)
        near, found = set(entities), list[Relation]()
        for _ in range(hops):
            news = [r for r in relations if r not in found and (r.source in near or r.target in near)]
            found += news
            near |= {end for r in news for end in (r.source, r.target)}
        return found[:limit]

    async def forget(self, bank: str, memories: Sequence[str]) -> None:
        with self._room.writing() as shelf:
            forget(shelf, bank, set(memories))

    async def counts(self, bank: str) -> tuple[int, int]:
        entities, relations = await self.dump(bank)
        return len(entities), len(relations)

    async def dump(self, bank: str) -> tuple[list[Entity], list[Relation]]:
        with self._room.reading() as shelf:
            entities = [shelf.entities[key] for key in sorted(shelf.entities) if key[0] == bank]
            return entities, [shelf.relations[key] for key in sorted(shelf.relations) if key[0] == bank]

    async def close(self) -> None:
        """Nothing to close."""
