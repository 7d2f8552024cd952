"""The outbox: which memories a vector space still has to follow."""

from __future__ import annotations

from collections.abc import Sequence
from sqlite3 import Connection

from ricordo.stores.database import among, many, number_of
from ricordo.stores.rows import SEARCHABLE
from ricordo.stores.values import identifier, pack
from ricordo.types import Pending

_SEARCHABLE = ", ".join(map(str, sorted(SEARCHABLE)))
_UNCOVERED = (
    "not exists (select 1 from vectors v where v.digest = {} and v.space = (select number from spaces where name = ?))"
)


def follow(
    connection: Connection,
    space: str,
    bank: int,
    put: Sequence[tuple[str, bytes]],
    gone: Sequence[tuple[str, bytes]],
) -> None:
    """One row for each (id, digest), a newer one in the place of an older; none where this store has the vector."""
    identifier(space, "the name of a space")
    sql = "select digest from vectors where space = (select number from spaces where name = ?) and digest in ({})"
    covered = {digest for (digest,) in among(connection, sql, {digest for _, digest in (*put, *gone)}, space)}
    many(
        connection,
        "delete from outbox where bank = ? and memory = ? and space = ?",
        [(bank, memory, space) for memory, digest in (*put, *gone) if digest in covered],
    )
    many(
        connection,
        "insert or replace into outbox (space, bank, memory, gone) values (?, ?, ?, ?)",
        [
            (space, bank, memory, mark)
            for mark, memories in ((0, put), (1, gone))
            for memory, digest in memories
            if digest not in covered
        ],
    )


def pending(connection: Connection, space: str, limit: int) -> list[Pending]:
    rows = connection.execute(
        "select o.seq, b.id, o.memory, o.gone from outbox o join banks b on b.number = o.bank "
        "where o.space = ? order by o.seq limit ?",
        (pack(space), limit),
    )
    return [Pending(seq=seq, bank=bank, memory=memory, gone=bool(gone)) for seq, bank, memory, gone in rows]


def applied(connection: Connection, space: str, seqs: Sequence[int]) -> None:
    connection.executemany("delete from outbox where seq = ? and space = ?", [(seq, pack(space)) for seq in seqs])


def enqueue(connection: Connection, space: str, bank: str) -> int:
    """How many rows this added; a memory that waits already keeps its row."""
    identifier(space, "the name of a space")
    number = number_of(connection, bank)
    living = f"from memories m where m.bank = ? and m.kind in ({_SEARCHABLE})"
    connection.execute(
        f"delete from outbox where bank = ? and space = ? and gone = 1 and memory in (select m.id {living})",
        (number, space, number),
    )
    return connection.execute(
        f"insert into outbox (space, bank, memory, gone) select ?, m.bank, m.id, 0 {living} "
        f"and {_UNCOVERED.format('m.digest')} on conflict (bank, memory, space) do nothing",
        (space, number, space),
    ).rowcount


def waiting(connection: Connection, space: str, bank: str) -> int:
    number = number_of(connection, bank)
    row = connection.execute(
        "select count(*) from outbox where bank = ? and space = ?", (number, pack(space))
    ).fetchone()
    return int(row[0])
