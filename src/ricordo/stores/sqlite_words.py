"""The words of a bank in SQLite: segments, and a short tail of the newest memories that no segment holds yet."""

from __future__ import annotations

from collections.abc import Sequence
from sqlite3 import Connection

import numpy as np
from numpy.typing import NDArray

from ricordo.stores.cut import EDITION
from ricordo.stores.rows import READ, SEARCHABLE, from_row
from ricordo.stores.segment import Segment, merge_plan

TAIL = 64
"""So many memories make a segment: with fewer, building and merging would cost more than the rest of the write."""

_SEARCHABLE = ", ".join(map(str, sorted(SEARCHABLE)))
_BATCH = 1000
_TEXTS = (
    f"select row, {READ} from memories where bank = ? and row > ? and row < ? and kind in ({_SEARCHABLE}) order by row"
)
_COUNT = f"select count(*) from memories where bank = ? and row > ? and kind in ({_SEARCHABLE})"
_LAST = 1 << 62


def follow(connection: Connection, bank: int, ready: Segment | None) -> None:
    """Takes the newest memories into segments, `ready` being that of the last of them, once there are enough."""
    last = indexed(connection, bank)
    if ready is not None:
        tail = texts(connection, bank, last, int(ready.docs[0]))
        if tail:
            _insert(connection, bank, Segment.build(tail))
    else:
        if connection.execute(_COUNT, (bank, last)).fetchone()[0] < TAIL:
            return
        ready = Segment.build(texts(connection, bank, last))
    _insert(connection, bank, ready)
    connection.execute("update banks set indexed = ? where number = ?", (int(ready.docs[-1]), bank))
    _merge_as_planned(connection, bank)


def rebuild(connection: Connection, bank: int) -> None:
    """Builds the segments of a bank anew, in today's edition."""
    connection.execute("delete from segments where bank = ?", (bank,))
    last = 0
    while batch := texts(connection, bank, last, limit=_BATCH):
        _insert(connection, bank, Segment.build(batch))
        last = batch[-1][0]
        _merge_as_planned(connection, bank)
    connection.execute("update banks set indexed = ?, edition = ? where number = ?", (last, EDITION, bank))


def indexed(connection: Connection, bank: int) -> int:
    """The last row that a segment holds."""
    return int(connection.execute("select indexed from banks where number = ?", (bank,)).fetchone()[0])


def texts(
    connection: Connection, bank: int, after: int, before: int = _LAST, *, limit: int = -1
) -> list[tuple[int, str]]:
    """The rows and surfaces of the bank's searchable memories between two rows."""
    rows = connection.execute(f"{_TEXTS} limit ?", (bank, after, before, limit))
    return [(row, from_row("", tuple(values)).surface) for row, *values in rows]


def ids(connection: Connection, bank: int) -> list[int]:
    """The bank's segments, oldest first."""
    rows = connection.execute("select id from segments where bank = ? order by first", (bank,))
    return [segment for (segment,) in rows]


def load(connection: Connection, segment: int) -> Segment:
    return Segment.load(connection.execute("select blob from segments where id = ?", (segment,)).fetchone()[0])


def alive(connection: Connection, bank: int, segments: Sequence[Segment]) -> NDArray[np.int64]:
    """The searchable rows of the bank in the range of these segments."""
    docs = [segment.docs for segment in segments if len(segment)]
    if not docs:
        return np.empty(0, np.int64)
    rows = connection.execute(
        f"select row from memories where bank = ? and row between ? and ? and kind in ({_SEARCHABLE})",
        (bank, int(min(d[0] for d in docs)), int(max(d[-1] for d in docs))),
    )
    return np.fromiter((row for (row,) in rows), np.int64)


def merge(connection: Connection, bank: int, segments: Sequence[int]) -> None:
    """Puts one segment of the memories that still live in the place of neighbouring segments."""
    loaded = [load(connection, segment) for segment in segments]
    merged = Segment.merge(loaded, alive(connection, bank, loaded))
    connection.executemany("delete from segments where id = ?", [(segment,) for segment in segments])
    if len(merged):
        _insert(connection, bank, merged)


def _merge_as_planned(connection: Connection, bank: int) -> None:
    while True:
        sql = "select id, size from segments where bank = ? order by first"
        found = connection.execute(sql, (bank,)).fetchall()
        plan = merge_plan([size for _, size in found])
        if not plan:
            return
        merge(connection, bank, [found[place][0] for place in plan])


def _insert(connection: Connection, bank: int, segment: Segment) -> None:
    connection.execute(
        "insert into segments (bank, first, size, blob) values (?, ?, ?, ?)",
        (bank, int(segment.docs[0]), len(segment), segment.dump()),
    )
