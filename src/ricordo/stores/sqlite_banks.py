"""Banks and API keys in SQLite."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from sqlite3 import Connection
from typing import Any

from ricordo.errors import Conflict
from ricordo.stores.cut import EDITION
from ricordo.stores.database import Database, number_of
from ricordo.stores.sqlite_write import free_vectors
from ricordo.stores.values import (
    from_json,
    identifier,
    json_cell,
    list_cell,
    maybe_micros,
    maybe_moment,
    micros,
    moment,
    pack,
    strings,
    unpack,
)
from ricordo.types import ApiKey, Bank

_BANK = "id, name, mission, created, settings"
_KEY = "id, prefix, hash, name, banks, scopes, created, expires, last_used"
_HELD = (
    "cells",
    "versions",
    "segments",
    "outbox",
    "relations",
    "entity_names",
    "entities",
    "memories",
)


def _bank(row: tuple[Any, ...]) -> Bank:
    id, name, mission, created, settings = row
    return Bank(
        id=id, name=unpack(name), mission=unpack(mission), created=moment(created), settings=from_json(settings)
    )


def _key(row: tuple[Any, ...]) -> ApiKey:
    id, prefix, hash, name, banks, scopes, created, expires, last_used = row
    return ApiKey(
        id=id,
        prefix=prefix,
        hash=hash,
        name=unpack(name),
        banks=strings(banks),
        scopes=strings(scopes),
        created=moment(created),
        expires=maybe_moment(expires),
        last_used=maybe_moment(last_used),
    )


class SqliteBanks:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, bank: Bank) -> None:
        values = (
            identifier(bank.id, "the id of a bank"),
            pack(bank.name),
            pack(bank.mission),
            micros(bank.created),
            json_cell(bank.settings, f"the settings of bank {bank.id!r}"),
        )
        sql = (
            f"insert into banks ({_BANK}, edition) values (?, ?, ?, ?, ?, {EDITION}) on conflict (id) do update set "
            "name = excluded.name, mission = excluded.mission, created = excluded.created, settings = excluded.settings"
        )
        await self._database.write(lambda c: c.execute(sql, values))

    async def get(self, id: str) -> Bank | None:
        sql = f"select {_BANK} from banks where id = ?"
        row = await self._database.read(lambda c: c.execute(sql, (pack(id),)).fetchone())
        return None if row is None else _bank(row)

    async def delete(self, id: str) -> bool:
        return await self._database.write(lambda c: _delete(c, id))

    async def add_key(self, key: ApiKey) -> None:
        values = (
            identifier(key.id, "the id of a key"),
            identifier(key.prefix, "the prefix of a key"),
            identifier(key.hash, "the hash of a key"),
            pack(key.name),
            list_cell(key.banks, f"the banks of key {key.id!r}"),
            list_cell(key.scopes, f"the scopes of key {key.id!r}"),
            micros(key.created),
            maybe_micros(key.expires),
            maybe_micros(key.last_used),
        )
        sql = f"insert into api_keys ({_KEY}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        try:
            await self._database.write(lambda c: c.execute(sql, values))
        except sqlite3.IntegrityError as error:
            raise Conflict(f"there is already a key {key.id!r}; give the new one another id") from error

    async def keys(self) -> list[ApiKey]:
        sql = f"select {_KEY} from api_keys order by created, id"
        return [_key(row) for row in await self._database.read(lambda c: c.execute(sql).fetchall())]

    async def find_key(self, prefix: str) -> list[ApiKey]:
        sql = f"select {_KEY} from api_keys where prefix = ? order by created, id"
        return [_key(row) for row in await self._database.read(lambda c: c.execute(sql, (pack(prefix),)).fetchall())]

    async def touch_key(self, id: str, used: datetime) -> None:
        values = (micros(used), pack(id))
        await self._database.write(lambda c: c.execute("update api_keys set last_used = ? where id = ?", values))

    async def delete_key(self, id: str) -> bool:
        sql = "delete from api_keys where id = ?"
        return await self._database.write(lambda c: c.execute(sql, (pack(id),)).rowcount > 0)

    async def list(self) -> list[Bank]:
        sql = f"select {_BANK} from banks order by id"
        return [_bank(row) for row in await self._database.read(lambda c: c.execute(sql).fetchall())]

    async def close(self) -> None:
        await self._database.close()


def _delete(connection: Connection, id: str) -> bool:
    number = number_of(connection, id)
    if number is None:
        return False
    digests = connection.execute("select distinct digest from memories where bank = ?", (number,)).fetchall()
    for table in _HELD:
        connection.execute(f"delete from {table} where bank = ?", (number,))
    connection.execute("delete from operations where bank = ?", (id,))
    connection.execute("delete from banks where number = ?", (number,))
    free_vectors(connection, [digest for (digest,) in digests])
    return True
