"""Entities and relations in SQLite: two tables, walked a step at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from sqlite3 import Connection
from typing import Any

from ricordo.errors import NotFound
from ricordo.stores.checks import check_graph
from ricordo.stores.database import Database, among, many, number_of
from ricordo.stores.values import list_cell, pack, strings, unpack
from ricordo.types import Entity, Relation

_RELATION = "source, label, target, memory, weight"


def link(connection: Connection, bank: int, entities: Sequence[Entity], relations: Sequence[Relation]) -> None:
    for entity in entities:
        connection.execute("delete from entity_names where bank = ? and entity = ?", (bank, entity.id))
    many(
        connection,
        "insert or replace into entities (bank, id, name, type, aliases) values (?, ?, ?, ?, ?)",
        [
            (bank, e.id, pack(e.name), pack(e.type), list_cell(e.aliases, f"the aliases of entity {e.id!r}"))
            for e in entities
        ],
    )
    many(
        connection,
        "insert or replace into entity_names (bank, name, entity) values (?, ?, ?)",
        [(bank, pack(name.casefold()), e.id) for e in entities for name in (e.name, *e.aliases)],
    )
    many(
        connection,
        f"insert or replace into relations (bank, {_RELATION}) values (?, ?, ?, ?, ?, ?)",
        [(bank, r.source, pack(r.label), r.target, r.memory, r.weight) for r in relations],
    )


def forget(connection: Connection, bank: int, memories: Iterable[str]) -> None:
    ends: set[str] = set()
    for memory in memories:
        rows = connection.execute(
            "delete from relations where bank = ? and memory = ? returning source, target", (bank, memory)
        ).fetchall()
        ends.update(end for row in rows for end in row)
    for entity in ends:
        alone = connection.execute(
            "delete from entities where bank = :bank and id = :id "
            "and not exists (select 1 from relations where bank = :bank and source = :id) "
            "and not exists (select 1 from relations where bank = :bank and target = :id)",
            {"bank": bank, "id": entity},
        ).rowcount
        if alone:
            connection.execute("delete from entity_names where bank = ? and entity = ?", (bank, entity))


class SqliteGraph:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def link(self, bank: str, entities: Sequence[Entity], relations: Sequence[Relation]) -> None:
        check_graph(bank, entities, relations)

        def work(connection: Connection) -> None:
            number = number_of(connection, bank)
            if number is None:
                raise NotFound(f"there is no bank {bank!r}")
            link(connection, number, entities, relations)

        await self._database.write(work)

    async def lookup(self, bank: str, names: Sequence[str]) -> list[Entity]:
        folded = sorted({name.casefold() for name in names})
        sql = (
            "select e.id, e.name, e.type, e.aliases from entity_names n "
            "join entities e on e.bank = n.bank and e.id = n.entity where n.bank = ? and n.name in ({})"
        )

        def work(connection: Connection) -> list[tuple[Any, ...]]:
            number = number_of(connection, bank)
            return sorted(set(among(connection, sql, map(pack, folded), number)))

        return [_entity(bank, row) for row in await self._database.read(work)]

    async def walk(self, bank: str, entities: Sequence[str], *, hops: int = 1, limit: int = 100) -> list[Relation]:
        return await self._database.read(lambda c: _walk(c, bank, entities, hops, limit))

    async def forget(self, bank: str, memories: Sequence[str]) -> None:
        def work(connection: Connection) -> None:
            number = number_of(connection, bank)
            if number is not None:
                forget(connection, number, [m for m in memories if isinstance(pack(m), str)])

        await self._database.write(work)

    async def counts(self, bank: str) -> tuple[int, int]:
        def work(connection: Connection) -> tuple[int, int]:
            number = number_of(connection, bank)
            entities = connection.execute("select count(*) from entities where bank = ?", (number,)).fetchone()
            relations = connection.execute("select count(*) from relations where bank = ?", (number,)).fetchone()
            return entities[0], relations[0]

        return await self._database.read(work)

    async def dump(self, bank: str) -> tuple[list[Entity], list[Relation]]:
        """Entities by id; relations by source, label, target and memory."""
        entities = "select id, name, type, aliases from entities where bank = ? order by id"
        relations = f"select {_RELATION} from relations where bank = ? order by source, label, target, memory"

        def work(connection: Connection) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
            number = (number_of(connection, bank),)
            return connection.execute(entities, number).fetchall(), connection.execute(relations, number).fetchall()

        nodes, edges = await self._database.read(work)
        return [_entity(bank, row) for row in nodes], [_relation(bank, row) for row in edges]

    async def close(self) -> None:
        await self._database.close()


def _entity(bank: str, row: tuple[Any, ...]) -> Entity:
    entity, name, kind, aliases = row
    return Entity(id=entity, bank=bank, name=unpack(name), type=unpack(kind), aliases=strings(aliases))


def _relation(bank: str, row: tuple[Any, ...]) -> Relation:
    source, label, target, memory, weight = row
    return Relation(bank=bank, source=source, label=unpack(label), target=target, memory=memory, weight=weight)


def _walk(connection: Connection, bank: str, entities: Sequence[str], hops: int, limit: int) -> list[Relation]:
    number = number_of(connection, bank)
    edge = {entity for entity in entities if isinstance(pack(entity), str)}
    seen, found = set(edge), dict[tuple[str, ...], Relation]()
    for _ in range(hops):
        rows = set[tuple[Any, ...]]()
        for end in ("source", "target"):
            rows.update(
                among(connection, f"select {_RELATION} from relations where bank = ? and {end} in ({{}})", edge, number)
            )
        news = [row for row in sorted(rows, key=lambda row: (-row[4], row[:4])) if row[:4] not in found]
        found.update((row[:4], _relation(bank, row)) for row in news)
        edge = {end for source, _, target, *_ in news for end in (source, target)} - seen
        seen |= edge
        if not edge or len(found) >= limit:
            break
    return list(found.values())[:limit]
