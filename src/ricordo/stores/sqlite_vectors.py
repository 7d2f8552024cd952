"""Vectors in SQLite, shared by all memories of one surface, and searched exactly in memory."""

from __future__ import annotations

from collections.abc import Sequence
from sqlite3 import Connection

import numpy as np
from numpy.typing import NDArray

from ricordo.blas import one_thread
from ricordo.protocols import Scored, Vectors
from ricordo.stores.best import best
from ricordo.stores.database import Database, among, number_of
from ricordo.stores.space_view import SpaceView
from ricordo.stores.values import identifier, pack
from ricordo.stores.vectors import check_dimension, unit
from ricordo.stores.views import Views
from ricordo.types import Capabilities, Filter, Memory, now

_SCAN_ERROR = 2e-6
"""How far a float32 dot product of unit vectors may be from the true one, with room to spare."""
_GATHER_BELOW = 0.25
"""Below this share of vectors it is cheaper to copy them out than to scan all."""


class SqliteVectors:
    capabilities = Capabilities()

    def __init__(self, database: Database, views: Views) -> None:
        self._database = database
        self._views = views

    async def known(self, space: str, digests: Sequence[str]) -> dict[str, Vectors]:
        sql = (
            "select digest, data from vectors where space = (select number from spaces where name = ?) "
            "and digest in ({})"
        )
        wanted = [bytes.fromhex(digest) for digest in digests]
        rows = await self._database.read(lambda c: list(among(c, sql, wanted, pack(space))))
        return {digest.hex(): np.frombuffer(data, "<f4") for digest, data in rows}

    async def upsert(self, space: str, points: Sequence[tuple[Memory, Vectors]]) -> None:
        ready: list[tuple[bytes, NDArray[np.float64]]] = []

        def prepare() -> None:
            identifier(space, "the name of a space")
            for memory, vector in points:
                ready.append((bytes.fromhex(memory.digest), unit(vector, f"the vector of memory {memory.id!r}")))

        await self._database.write(lambda c: _upsert(c, space, ready), first=prepare)

    async def search(self, space: str, vector: Vectors, filter: Filter, limit: int) -> list[Scored]:
        query = unit(vector, "the query's vector")
        time = now()

        def work(connection: Connection) -> list[Scored]:
            view = self._views.open(connection, filter, time, space=space, data=True)
            if view.space is None:
                return []
            check_dimension(space, view.space.dimension, query, "the query's vector")
            return _nearest(view.space, view.keep, view.ids, query, limit)

        return await self._database.read(work)

    async def delete(self, space: str, bank: str, ids: Sequence[str]) -> None:
        def work(connection: Connection) -> None:
            sql = "select row, digest from memories where bank = ? and id in ({})"
            found = dict(among(connection, sql, map(pack, ids), number_of(connection, bank)))
            named = "select row from memories where digest = ?"
            alone = [
                digest
                for digest in set(found.values())
                if all(row in found for (row,) in connection.execute(named, (digest,)))
            ]
            _delete(connection, space, alone)

        await self._database.write(work)

    async def count(self, space: str, bank: str) -> int:
        def work(connection: Connection) -> int:
            view = self._views.open(connection, Filter(bank=bank, expired=True), now(), space=space)
            return int(np.count_nonzero(view.keep[view.space.slots])) if view.space else 0

        return await self._database.read(work)

    async def drop(self, space: str, bank: str) -> None:
        def work(connection: Connection) -> None:
            mine = (
                "select distinct m.digest from memories m where m.bank = ?1 and not exists "
                "(select 1 from memories o where o.digest = m.digest and o.bank <> ?1)"
            )
            found = connection.execute(mine, (number_of(connection, bank),)).fetchall()
            _delete(connection, space, [digest for (digest,) in found])

        await self._database.write(work)

    async def close(self) -> None:
        await self._database.close()


def _upsert(connection: Connection, space: str, ready: Sequence[tuple[bytes, NDArray[np.float64]]]) -> None:
    if not ready:
        return
    sql = "insert into spaces (name, dimension) values (?, ?) on conflict (name) do nothing"
    connection.execute(sql, (space, len(ready[0][1])))
    sql = "update spaces set generation = generation + 1 where name = ? returning number, dimension"
    number, dimension = connection.execute(sql, (space,)).fetchone()
    for _, vector in ready:
        check_dimension(space, dimension, vector, "a vector")
    data = {digest: vector.astype("<f4").tobytes() for digest, vector in ready}
    sql = "select digest, data from vectors where space = ? and digest in ({})"
    there = dict(among(connection, sql, data, number))
    changed = [(data[digest], digest, number) for digest, old in there.items() if data[digest] != old]
    if changed:
        connection.executemany("update vectors set data = ? where digest = ? and space = ?", changed)
        connection.execute("update spaces set epoch = epoch + 1 where number = ?", (number,))
    connection.executemany(
        "insert into vectors (space, digest, data) select ?1, ?2, ?3 "
        "where exists (select 1 from memories where digest = ?2)",
        [(number, digest, blob) for digest, blob in data.items() if digest not in there],
    )


def _delete(connection: Connection, space: str, digests: Sequence[bytes]) -> None:
    sql = "update spaces set generation = generation + 1, epoch = epoch + 1 where name = ? returning number"
    found = connection.execute(sql, (pack(space),)).fetchone()
    if found is not None:
        connection.executemany(
            "delete from vectors where digest = ? and space = ?", [(digest, found[0]) for digest in digests]
        )


def _nearest(
    space: SpaceView, keep: NDArray[np.bool_], ids: Sequence[str], query: NDArray[np.float64], limit: int
) -> list[Scored]:
    wanted = np.flatnonzero(keep[space.slots])
    narrow = query.astype(np.float32)
    with one_thread():
        if len(wanted) < _GATHER_BELOW * len(space.slots):
            scores = space.matrix[wanted] @ narrow
        else:
            scores = (space.matrix @ narrow)[wanted]

    def exact(indexes: NDArray[np.int64]) -> NDArray[np.float64]:
        return space.matrix[wanted[indexes]].astype(np.float64) @ query

    return best(scores, space.slots[wanted], ids, limit, error=_SCAN_ERROR, exact=exact)
