"""The vectors of one bank in one space, in memory."""

from __future__ import annotations

from dataclasses import dataclass
from sqlite3 import Connection

import numpy as np
from numpy.typing import NDArray

from ricordo.stores.columns import Columns
from ricordo.stores.database import CHUNK, among
from ricordo.stores.growing import Growing
from ricordo.stores.rows import SEARCHABLE

_SEARCHABLE = ", ".join(map(str, sorted(SEARCHABLE)))
_NEW_VECTORS = (  # "cross join" keeps SQLite from starting with all of the bank's memories
    "select m.row, v.row from vectors v cross join memories m indexed by memories_digest on m.digest = v.digest "
    f"where v.space = ? and v.row > ? and m.bank = ? and m.row <= ? and m.kind in ({_SEARCHABLE})"
)
_NEW_MEMORIES = (
    "select m.row, v.row from memories m join vectors v on v.digest = m.digest and v.space = ? "
    f"where m.bank = ? and m.row > ? and m.kind in ({_SEARCHABLE}) order by m.row"
)


@dataclass(frozen=True, slots=True, eq=False)
class SpaceView:
    """slots: the place of each vector's memory, in the order of the vectors; a matrix only where it was asked for."""

    dimension: int
    slots: NDArray[np.int64]
    matrix: NDArray[np.float32]


class Space:
    def __init__(self, number: int, dimension: int, epoch: int) -> None:
        self.number = number
        self.dimension = dimension
        self.epoch = epoch
        self._slots, self._sources = Growing(np.int64), Growing(np.int64)
        self._matrix = Growing(np.float32, dimension)
        self._last_row = 0
        self._last_vector = 0

    @property
    def nbytes(self) -> int:
        return self._slots.nbytes + self._sources.nbytes + self._matrix.nbytes

    def follow(self, connection: Connection, columns: Columns) -> None:
        """Takes in vectors that are new, and memories that are new to vectors that were there."""
        bank = columns.bank
        if self._last_row:
            values = (self.number, self._last_vector, bank, self._last_row)
            self._append(columns, connection.execute(_NEW_VECTORS, values).fetchall())
        self._append(columns, connection.execute(_NEW_MEMORIES, (self.number, bank, self._last_row)).fetchall())
        newest = connection.execute("select max(row) from vectors where space = ?", (self.number,)).fetchone()[0]
        self._last_vector = max(self._last_vector, newest or 0)
        if len(columns):
            self._last_row = int(columns.rows[-1])

    def load(self, connection: Connection) -> None:
        """Reads the data of vectors that are known by number only.

        One that is gone belongs to a memory that is gone too: its place is filled, and no search looks at it.
        """
        gone = bytes(4 * self.dimension)
        missing = self._sources.view()[len(self._matrix) :].tolist()
        self._matrix.reserve(len(missing))
        for start in range(0, len(missing), CHUNK):
            part = missing[start : start + CHUNK]
            data = dict(among(connection, "select row, data from vectors where row in ({})", part))
            blob = b"".join([data.get(source, gone) for source in part])
            self._matrix.extend(np.frombuffer(blob, "<f4").reshape(-1, self.dimension))

    def view(self) -> SpaceView:
        return SpaceView(self.dimension, self._slots.view(), self._matrix.view())

    def _append(self, columns: Columns, found: list[tuple[int, int]]) -> None:
        if found:
            rows, sources = zip(*found, strict=True)
            self._slots.extend(columns.places(np.array(rows, np.int64)))
            self._sources.extend(sources)
