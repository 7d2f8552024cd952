"""What one write to a bank does to the tables, inside one transaction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from sqlite3 import Connection, IntegrityError
from typing import Any

from ricordo.errors import NotFound
from ricordo.stores import sqlite_graph, sqlite_operations, sqlite_outbox, sqlite_words
from ricordo.stores.cells import Cell, cells_of
from ricordo.stores.checks import check_changes, check_unchanged, history_changed
from ricordo.stores.columns import KEPT_DELETIONS
from ricordo.stores.database import among, many, number_of
from ricordo.stores.rows import DIGEST, READ, SEARCHABLE, WRITTEN, from_row, to_row
from ricordo.stores.segment import Segment
from ricordo.stores.values import from_json, json_cell, list_cell, micros, pack
from ricordo.types import SEARCHABLE_KINDS, Changes, Version

_INSERT = f"insert into memories ({WRITTEN}) values ({', '.join('?' * 23)})"
_STORED = f"select {READ} from memories where bank = ? and id in ({{}})"
_VERSION = (
    "insert into versions (bank, memory, number, text, importance, tags, data, changed, reason) "
    "values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_OLD = "select row, id, kind, digest, tags, data from memories where bank = ? and id in ({})"
Old = tuple[int, str, int, bytes, str | bytes, str | bytes]


class Write:
    """Changes made ready before the file is locked, then applied."""

    def __init__(self, changes: Changes) -> None:
        self._changes = changes
        self._rows: list[tuple[Any, ...]] = []
        self._cells: list[tuple[int, set[Cell]]] = []
        self._segment: Segment | None = None

    def prepare(self) -> None:
        """Raises Invalid for what cannot be kept, and cuts the words."""
        check_changes(self._changes)
        put = self._changes.put
        self._rows = [to_row(memory) for memory in put]
        self._cells = [(place, cells_of(m.tags, m.data)) for place, m in enumerate(put) if m.tags or m.data]
        texts = [(place, memory.surface) for place, memory in enumerate(put) if memory.kind in SEARCHABLE_KINDS]
        self._segment = Segment.build(texts) if len(texts) >= sqlite_words.TAIL else None

    def apply(self, connection: Connection) -> None:
        changes = self._changes
        bank = number_of(connection, changes.bank)
        if bank is None:
            raise NotFound(f"there is no bank {changes.bank!r}; create it first")
        _check_unchanged(connection, bank, changes)
        touched = {*changes.delete, *(row[0] for row in self._rows)}
        old: list[Old] = list(among(connection, _OLD, map(pack, touched), bank))
        _remove(connection, bank, old)
        _forget(connection, bank, changes.delete)
        self._insert(connection, bank)
        _keep_versions(connection, bank, changes.versions)
        sqlite_graph.forget(connection, bank, [id for id in changes.unlink if isinstance(pack(id), str)])
        sqlite_graph.link(connection, bank, changes.entities, changes.relations)
        for operation in changes.operations:
            sqlite_operations.enqueue_or_save(connection, operation)
        put = [(row[0], row[DIGEST]) for row in self._rows if row[1] in SEARCHABLE]
        kept = {id for id, _ in put}
        gone = [(id, digest) for _, id, kind, digest, _, _ in old if kind in SEARCHABLE and id not in kept]
        for space in changes.spaces:
            sqlite_outbox.follow(connection, space, bank, put, gone)
        free_vectors(connection, {digest for _, _, _, digest, _, _ in old})
        connection.execute("update banks set generation = generation + 1 where number = ?", (bank,))

    def _insert(self, connection: Connection, bank: int) -> None:
        if not self._rows:
            return
        last = connection.execute("select seq from sqlite_sequence where name = 'memories'").fetchone()
        first = last[0] + 1 if last else 1
        many(connection, _INSERT, [(first + place, bank, *row) for place, row in enumerate(self._rows)])
        many(
            connection,
            "insert into cells (bank, key, type, value, row) values (?, ?, ?, ?, ?)",
            [(bank, *cell, first + place) for place, found in self._cells for cell in found],
        )
        ready = self._segment
        sqlite_words.follow(connection, bank, ready and replace(ready, docs=ready.docs + first))


def _check_unchanged(connection: Connection, bank: int, changes: Changes) -> None:
    """Changed when what the writer read is no longer so; inside the transaction, where nobody else writes."""
    ids = {*(memory.id for memory in changes.expect), *changes.absent}
    stored = [from_row(changes.bank, row) for row in among(connection, _STORED, map(pack, ids), bank)]
    check_unchanged(changes, {memory.id: memory for memory in stored})


def _remove(connection: Connection, bank: int, old: list[Old]) -> None:
    if not old:
        return
    many(connection, "delete from memories where row = ?", [(row,) for row, *_ in old])
    many(
        connection,
        "delete from cells where bank = ? and key = ? and type = ? and value = ? and row = ?",
        [
            (bank, *cell, row)
            for row, _, _, _, tags, data in old
            if tags != "[]" or data != "{}"
            for cell in cells_of(from_json(tags), from_json(data))
        ],
    )
    many(connection, "insert into gone (bank, row) values (?, ?)", [(bank, row) for row, *_ in old])
    connection.execute("delete from gone where seq <= (select max(seq) from gone) - ?", (KEPT_DELETIONS,))


def _forget(connection: Connection, bank: int, ids: Iterable[str]) -> None:
    """What hangs on memories that go for good."""
    whole = [id for id in ids if isinstance(pack(id), str)]
    many(connection, "delete from versions where bank = ? and memory = ?", [(bank, id) for id in whole])
    many(connection, "delete from outbox where bank = ? and memory = ? and gone = 0", [(bank, id) for id in whole])
    sqlite_graph.forget(connection, bank, whole)


def _keep_versions(connection: Connection, bank: int, versions: Iterable[Version]) -> None:
    for v in versions:
        label = f"version {v.number} of {v.memory!r}"
        row = (
            bank,
            v.memory,
            v.number,
            pack(v.text),
            v.importance,
            list_cell(v.tags, f"the tags of {label}"),
            json_cell(v.data, f"the data of {label}"),
            micros(v.changed),
            pack(v.reason),
        )
        try:
            connection.execute(_VERSION, row)
        except IntegrityError:
            raise history_changed(v.memory) from None


def free_vectors(connection: Connection, digests: Iterable[bytes]) -> None:
    """Deletes the vectors of those digests that no memory of any bank names any more."""
    many(
        connection,
        "delete from vectors where digest = ?1 and not exists (select 1 from memories where digest = ?1)",
        [(digest,) for digest in digests],
    )
