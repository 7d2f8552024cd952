"""Durable work in SQLite: a table of leases, each fenced by its number of tries."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from sqlite3 import Connection
from typing import Any

from ricordo.errors import Conflict
from ricordo.stores.checks import same_work
from ricordo.stores.database import Database
from ricordo.stores.filters import marks
from ricordo.stores.values import (
    from_json,
    identifier,
    json_cell,
    maybe_micros,
    maybe_moment,
    maybe_pack,
    maybe_unpack,
    micros,
    moment,
    pack,
    unpack,
)
from ricordo.types import Operation, OperationStatus, now

_COLUMNS = (
    "id, bank, kind, payload, key, status, tries, done, total, error, result, parent, created, not_before, "
    "lease_until, owner"
)
_SAVE = """
update operations set status = :status, done = :done, total = :total, error = :error, result = :result,
    not_before = :not_before,
    lease_until = case when :status = 'processing' then lease_until end,
    owner = case when :status = 'processing' then owner end
where id = :id and tries = :tries
    and (status in ('pending', 'processing') or :status in ('pending', status))
"""
_FREE = """
select seq from operations
where status in ('pending', 'processing') and kind in ({})
    and case status when 'pending' then not_before is null or not_before <= ? else lease_until <= ? end
order by created, seq limit 1
"""
_CLAIM = """
update operations set status = 'processing', tries = tries + 1, lease_until = ?, owner = ? where seq = ({}) returning {}
"""
_BEAT = """
update operations set lease_until = ?, done = ?, total = ?
where id = ? and tries = ? and status = 'processing'
"""


def _to_row(operation: Operation) -> dict[str, Any]:
    label = f"operation {operation.id!r}"
    return {
        "id": identifier(operation.id, "the id of an operation"),
        "bank": identifier(operation.bank, f"the bank of {label}"),
        "kind": identifier(operation.kind, f"the kind of {label}"),
        "payload": json_cell(operation.payload, f"the payload of {label}"),
        "key": maybe_pack(operation.key),
        "status": operation.status.value,
        "tries": operation.tries,
        "done": operation.done,
        "total": operation.total,
        "error": pack(operation.error),
        "result": json_cell(operation.result, f"the result of {label}"),
        "parent": maybe_pack(operation.parent),
        "created": micros(operation.created),
        "not_before": maybe_micros(operation.not_before),
        "lease_until": maybe_micros(operation.lease_until),
        "owner": maybe_pack(operation.owner),
    }


def _from_row(row: tuple[Any, ...]) -> Operation:
    (
        id,
        bank,
        kind,
        payload,
        key,
        status,
        tries,
        done,
        total,
        error,
        result,
        parent,
        created,
        not_before,
        lease_until,
        owner,
    ) = row
    return Operation(
        id=id,
        bank=bank,
        kind=kind,
        payload=from_json(payload),
        key=maybe_unpack(key),
        status=OperationStatus(status),
        tries=tries,
        done=done,
        total=total,
        error=unpack(error),
        result=from_json(result),
        parent=maybe_unpack(parent),
        created=moment(created),
        not_before=maybe_moment(not_before),
        lease_until=maybe_moment(lease_until),
        owner=maybe_unpack(owner),
    )


def _find(connection: Connection, id: str) -> Operation | None:
    row = connection.execute(f"select {_COLUMNS} from operations where id = ?", (pack(id),)).fetchone()
    return None if row is None else _from_row(row)


def _add(connection: Connection, operation: Operation) -> Operation:
    row = _to_row(operation)
    stored = connection.execute(
        f"select {_COLUMNS} from operations where id = :id or (bank = :bank and key = :key) order by id = :id desc",
        row,
    ).fetchone()
    if stored is not None:
        return same_work(_from_row(stored), operation)
    names = ", ".join(f":{name}" for name in row)
    connection.execute(f"insert into operations ({_COLUMNS}) values ({names})", row)
    return operation


def _save(connection: Connection, operation: Operation) -> bool:
    return connection.execute(_SAVE, _to_row(operation)).rowcount > 0


def enqueue_or_save(connection: Connection, operation: Operation) -> None:
    """Conflict when the operation is another worker's by now: then nothing of the write may stay."""
    if _find(connection, operation.id) is None:
        _add(connection, operation)
    elif not _save(connection, operation):
        raise Conflict(
            f"operation {operation.id!r} is no longer at try {operation.tries} or has been cancelled; "
            "its results are dropped"
        )


class SqliteOperations:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, operation: Operation) -> Operation:
        return await self._database.write(lambda c: _add(c, operation))

    async def claim(self, owner: str, kinds: Sequence[str], lease_seconds: float) -> Operation | None:
        time = now()
        free, which = _FREE.format(marks(kinds)), (*map(pack, kinds), micros(time), micros(time))
        if await self._database.read(lambda c: c.execute(free, which).fetchone()) is None:
            return None  # so that a worker with nothing to do never waits for the file's lock
        sql = _CLAIM.format(free, _COLUMNS)
        values = (micros(time + timedelta(seconds=lease_seconds)), pack(owner), *which)
        row = await self._database.write(lambda c: c.execute(sql, values).fetchone())
        return None if row is None else _from_row(row)

    async def beat(self, operation: Operation, lease_seconds: float) -> bool:
        until = micros(now() + timedelta(seconds=lease_seconds))
        values = (until, operation.done, operation.total, pack(operation.id), operation.tries)
        return await self._database.write(lambda c: c.execute(_BEAT, values).rowcount > 0)

    async def save(self, operation: Operation) -> bool:
        return await self._database.write(lambda c: _save(c, operation))

    async def get(self, id: str) -> Operation | None:
        return await self._database.read(lambda c: _find(c, id))

    async def list(
        self,
        bank: str,
        *,
        status: OperationStatus | None = None,
        kind: str | None = None,
        parent: str | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[Operation]:
        wanted = {"bank": bank, "status": status and status.value, "kind": kind, "parent": parent}
        given = {name: pack(value) for name, value in wanted.items() if value is not None}
        condition = " and ".join(f"{name} = ?" for name in given)
        sql = f"select {_COLUMNS} from operations where {condition} order by created desc, seq desc limit ? offset ?"
        rows = await self._database.read(lambda c: c.execute(sql, (*given.values(), limit, offset)).fetchall())
        return [_from_row(row) for row in rows]

    async def close(self) -> None:
        await self._database.close()
