"""What keeps the tables true and clean: checks of what must agree, and words of the dead taken out."""

from __future__ import annotations

from collections.abc import Iterator
from sqlite3 import Connection

import numpy as np

from ricordo.errors import Corrupt
from ricordo.stores import sqlite_words
from ricordo.stores.cut import EDITION
from ricordo.stores.rows import SEARCHABLE

_SEARCHABLE = ", ".join(map(str, sorted(SEARCHABLE)))
_COUNTS = {
    "vectors whose length is not their space's dimension": (
        "select count(*) from vectors v join spaces s on s.number = v.space where length(v.data) <> 4 * s.dimension"
    ),
    "vectors that no memory names": (
        "select count(*) from vectors v where not exists (select 1 from memories m where m.digest = v.digest)"
    ),
    "outbox rows of memories that are not there": (
        "select count(*) from outbox o where gone = 0 and not exists "
        "(select 1 from memories m where m.bank = o.bank and m.id = o.memory)"
    ),
    "cells of memories that are not there": (
        "select count(*) from cells c where not exists (select 1 from memories m where m.row = c.row)"
    ),
    "names of entities that are not there": (
        "select count(*) from entity_names n where not exists "
        "(select 1 from entities e where e.bank = n.bank and e.id = n.entity)"
    ),
}


def check(connection: Connection) -> list[str]:
    """What contradicts itself, one line each."""
    lines = [line for (line,) in connection.execute("pragma integrity_check") if line != "ok"]
    for table, row, parent, _ in connection.execute("pragma foreign_key_check"):
        lines.append(f"row {row} of {table} points to a row of {parent} that is not there")
    for what, sql in _COUNTS.items():
        count = connection.execute(sql).fetchone()[0]
        if count:
            lines.append(f"{count} {what}")
    return [*lines, *_words(connection)]


def _words(connection: Connection) -> Iterator[str]:
    for number, id in connection.execute("select number, id from banks order by id").fetchall():
        try:
            segments = [sqlite_words.load(connection, segment) for segment in sqlite_words.ids(connection, number)]
        except Corrupt as error:
            yield f"bank {id!r}: {error}"
            continue
        docs = np.concatenate([np.empty(0, np.int64), *(segment.docs for segment in segments)])
        twice = len(docs) - len(np.unique(docs))
        if twice:
            yield f"bank {id!r}: {twice} memories stand twice in the words index"
        living = connection.execute(
            f"select row from memories where bank = ? and kind in ({_SEARCHABLE}) and row <= ?",
            (number, sqlite_words.indexed(connection, number)),
        )
        missing = np.setdiff1d(np.fromiter((row for (row,) in living), np.int64), docs)
        if len(missing):
            yield f"bank {id!r}: {len(missing)} memories are missing from the words index"


def drop_dead_words(connection: Connection) -> None:
    """Rewrites each segment that still holds words of a deleted memory."""
    for (number,) in connection.execute("select number from banks").fetchall():
        for id in sqlite_words.ids(connection, number):
            segment = sqlite_words.load(connection, id)
            if len(sqlite_words.alive(connection, number, [segment])) != len(segment):
                sqlite_words.merge(connection, number, [id])
        connection.execute("update banks set generation = generation + 1 where number = ?", (number,))


def renew_words(connection: Connection) -> None:
    """Builds the words of banks anew that were cut by another edition's rules."""
    for (number,) in connection.execute("select number from banks where edition <> ?", (EDITION,)).fetchall():
        sqlite_words.rebuild(connection, number)
