"""Memories in SQLite: what is written in one transaction, and every way to read it back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from sqlite3 import Connection
from typing import Any

import numpy as np

from ricordo.protocols import Scored
from ricordo.stores import sqlite_outbox, sqlite_upkeep
from ricordo.stores.best import best
from ricordo.stores.checks import check_page
from ricordo.stores.database import Database, among, number_of
from ricordo.stores.filters import where
from ricordo.stores.rows import KINDS, READ, from_row
from ricordo.stores.sqlite_write import Write
from ricordo.stores.values import from_json, moment, pack, strings, unpack
from ricordo.stores.views import Views
from ricordo.stores.words import bm25
from ricordo.types import SEARCHABLE_KINDS, Capabilities, Changes, Filter, Memory, Pending, Version, now

_ORDERS = {
    "position": "{1}document {0}, position {0}, id",
    "at": "{1}at {0}, id",
    "created": "created {0}, id",
    "importance": "importance {0}, id",
}


class SqliteRecords:
    capabilities = Capabilities()

    def __init__(self, database: Database, views: Views) -> None:
        self._database = database
        self._views = views

    async def write(self, changes: Changes) -> None:
        write = Write(changes)
        await self._database.write(write.apply, first=write.prepare)

    async def get(self, bank: str, ids: Sequence[str]) -> list[Memory]:
        sql = f"select {READ} from memories where bank = ? and id in ({{}})"

        def work(connection: Connection) -> dict[str, tuple[Any, ...]]:
            found = among(connection, sql, map(pack, set(ids)), number_of(connection, bank))
            return {row[0]: row for row in found}

        rows = await self._database.read(work)
        return [from_row(bank, rows[id]) for id in ids if id in rows]

    async def match_id(self, bank: str, prefix: str) -> list[str]:
        def work(connection: Connection) -> list[str]:
            sql = "select id from memories where bank = ? and id >= ? order by id limit 10"
            found = connection.execute(sql, (number_of(connection, bank), pack(prefix)))
            return [id for (id,) in found if id.startswith(prefix)]

        return await self._database.read(work)

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
        narrow = filter.parent is not None or filter.session is not None
        by = _ORDERS[order].format("desc" if descending else "asc", "+" if narrow else "")  # "+": sort, do not scan
        time = now()

        def work(connection: Connection) -> list[tuple[Any, ...]]:
            rows = _select(connection, "row", filter, time, f"order by {by} limit {limit:d} offset {offset:d}")
            wanted = [row for (row,) in rows]
            found = among(connection, f"select row, {READ} from memories where row in ({{}})", wanted)
            by_row = {row: values for row, *values in found}
            return [tuple(by_row[row]) for row in wanted]

        return [from_row(filter.bank, row) for row in await self._database.read(work)]

    async def ids(self, filter: Filter) -> list[str]:
        time = now()
        found = await self._database.read(lambda c: _select(c, "id", filter, time))
        return sorted(memory for (memory,) in found)  # here: SQLite would walk the bank in order rather than sort

    async def search(self, words: str, filter: Filter, limit: int) -> list[Scored]:
        time = now()

        def work(connection: Connection) -> list[Scored]:
            view = self._views.open(connection, filter, time, words=True)
            scores = bm25(view.words, words, len(view.keep))
            places = np.flatnonzero(view.keep & (scores > 0))

            return best(scores[places], places, view.ids, limit)

        return await self._database.read(work)

    async def count(self, filter: Filter) -> int:
        time = now()
        viewed = bool(filter.kinds) and set(filter.kinds) <= set(SEARCHABLE_KINDS) and self._views.holds(filter.bank)

        def work(connection: Connection) -> int:
            if viewed:
                return int(np.count_nonzero(self._views.open(connection, filter, time).keep))
            found = _select(connection, "count(*)", filter, time)
            return int(found[0][0]) if found else 0

        return await self._database.read(work)

    async def tally(self, bank: str) -> dict[str, tuple[int, float]]:
        time, filter = now(), Filter(bank=bank)
        found = await self._database.read(
            lambda c: _select(c, "kind, count(*), avg(importance)", filter, time, "group by kind order by kind")
        )
        return {KINDS[kind].value: (count, round(mean, 6)) for kind, count, mean in found}

    async def history(self, bank: str, memory: str) -> list[Version]:
        sql = (
            "select number, text, importance, tags, data, changed, reason from versions "
            "where bank = ? and memory = ? order by number"
        )
        rows = await self._database.read(lambda c: c.execute(sql, (number_of(c, bank), pack(memory))).fetchall())
        return [
            Version(
                memory=memory,
                number=number,
                text=unpack(text),
                importance=importance,
                tags=strings(tags),
                data=from_json(data),
                changed=moment(changed),
                reason=unpack(reason),
            )
            for number, text, importance, tags, data, changed, reason in rows
        ]

    async def pending(self, space: str, limit: int) -> list[Pending]:
        return await self._database.read(lambda c: sqlite_outbox.pending(c, space, limit))

    async def applied(self, space: str, seqs: Sequence[int]) -> None:
        if seqs:
            await self._database.write(lambda c: sqlite_outbox.applied(c, space, seqs))

    async def enqueue(self, space: str, bank: str) -> int:
        return await self._database.write(lambda c: sqlite_outbox.enqueue(c, space, bank))

    async def waiting(self, space: str, bank: str) -> int:
        return await self._database.read(lambda c: sqlite_outbox.waiting(c, space, bank))

    async def vacuum(self) -> None:
        await self._database.write(sqlite_upkeep.drop_dead_words)
        await self._database.alone(self._database.rewrite)

    async def check(self) -> list[str]:
        return await self._database.read(sqlite_upkeep.check)

    async def close(self) -> None:
        await self._database.close()


def _select(connection: Connection, what: str, filter: Filter, time: datetime, rest: str = "") -> list[tuple[Any, ...]]:
    bank = number_of(connection, filter.bank)
    if bank is None:
        return []
    clause = where(filter, bank, time)
    sql = f"select {what} from memories where {clause.sql} {rest}"
    return connection.execute(sql, clause.values).fetchall()
