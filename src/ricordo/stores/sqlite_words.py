"""The words segments of a bank in SQLite."""

from __future__ import annotations

from collections.abc import Sequence
from sqlite3 import Connection

import numpy as np
from numpy.typing import NDArray

from ricordo.stores.rows import SEARCHABLE
from ricordo.stores.words import Segment, merge_plan

_SEARCHABLE = ", ".join(map(str, sorted(SEARCHABLE)))


def add(connection: Connection, bank: int, segment: Segment) -> None:
    """Stores a segment of new rows, and merges as the plan says."""
    _insert(connection, bank, segment)
    while True:
        found = connection.execute("select id, size from segments where bank = ? order by first", (bank,)).fetchall()
        plan = merge_plan([size for _, size in found])
        if not plan:
            return
        merge(connection, bank, [found[place][0] for place in plan])


def merge(connection: Connection, bank: int, ids: Sequence[int]) -> None:
    """Puts one segment of the memories that still live in the place of neighbouring segments."""
    segments = [load(connection, id) for id in ids]
    merged = Segment.merge(segments, alive(connection, bank, segments))
    connection.executemany("delete from segments where id = ?", [(id,) for id in ids])
    if len(merged):
        _insert(connection, bank, merged)


def ids(connection: Connection, bank: int) -> list[int]:
    """The bank's segments, oldest first."""
    rows = connection.execute("select id from segments where bank = ? order by first", (bank,))
    return [id for (id,) in rows]


def load(connection: Connection, id: int) -> Segment:
    return Segment.load(connection.execute("select blob from segments where id = ?", (id,)).fetchone()[0])


def alive(connection: Connection, bank: int, segments: Sequence[Segment]) -> NDArray[np.int64]:
    """The searchable rows of the bank in the range of these segments."""
    docs = [segment.docs for segment in segments if len(segment)]
    if not docs:
        return np.empty(0, np.int64)
    rows = connection.execute(
        f"select row from memories where bank = ? and row between ? and ? and kind in ({_SEARCHABLE})",  # noqa: S608 - numbers
        (bank, int(min(d[0] for d in docs)), int(max(d[-1] for d in docs))),
    )
    return np.fromiter((row for (row,) in rows), np.int64)


def _insert(connection: Connection, bank: int, segment: Segment) -> None:
    connection.execute(
        "insert into segments (bank, first, size, blob) values (?, ?, ?, ?)",
        (bank, int(segment.docs[0]), len(segment), segment.dump()),
    )
