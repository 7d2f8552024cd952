"""The columns of a bank's searchable memories in memory, brought up to date by what was written since."""

from __future__ import annotations

from datetime import datetime
from sqlite3 import Connection

import numpy as np
from numpy.typing import NDArray

from ricordo.stores.growing import Growing
from ricordo.stores.rows import CODES, SEARCHABLE
from ricordo.stores.values import micros, pack
from ricordo.types import Filter

KEPT_DELETIONS = 10_000
"""The table `gone` keeps so many; who missed more loads all afresh."""

_NEVER = np.iinfo(np.int64).max
_NEW = (
    "select row, id, kind, at, importance, expires, modality from memories where bank = ? and row > ? "
    f"and kind in ({', '.join(map(str, sorted(SEARCHABLE)))}) order by row"
)


class Columns:
    """A memory's place is its index in every column. A dead place stays, marked, until all is loaded afresh."""

    def __init__(self, bank: int) -> None:
        self.bank = bank
        self.ids: list[str] = []
        self.alive: NDArray[np.bool_] = np.zeros(0, bool)
        self.deaths = 0
        self._rows, self._kinds, self._at = Growing(np.int64), Growing(np.int8), Growing(np.int64)
        self._importance, self._expires = Growing(np.float64), Growing(np.int64)
        self._modalities, self._codes = Growing(np.int16), dict[str | bytes, int]()
        self._seen = 0

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def rows(self) -> NDArray[np.int64]:
        """Row numbers, ascending."""
        return self._rows.view()

    @property
    def nbytes(self) -> int:
        columns = (self._rows, self._kinds, self._at, self._importance, self._expires, self._modalities)
        return sum(column.nbytes for column in columns) + len(self.ids) * 96

    def stale(self, connection: Connection) -> bool:
        """True when following would miss deletions, or when most places are dead."""
        return _last_deletion(connection) - self._seen > KEPT_DELETIONS or 2 * self.deaths > len(self) + 1000

    def follow(self, connection: Connection) -> None:
        """Takes in what the connection's transaction sees."""
        newest = _last_deletion(connection)
        if len(self) and newest > self._seen:
            gone = connection.execute("select row from gone where seq > ? and bank = ?", (self._seen, self.bank))
            self._bury(np.array([row for (row,) in gone], np.int64))
        self._seen = newest
        last = int(self.rows[-1]) if len(self) else 0
        self._append(connection.execute(_NEW, (self.bank, last)).fetchall())

    def places(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The place of each row, -1 where it has none."""
        mine = self.rows
        if not len(mine):
            return np.full(len(rows), -1, np.int64)
        places = np.minimum(np.searchsorted(mine, rows), len(mine) - 1)
        return np.where(mine[places] == rows, places, -1)

    def keep(self, filter: Filter, now: datetime) -> NDArray[np.bool_]:
        """Which places live and pass those parts of the filter that are about columns."""
        keep = self.alive.copy()
        if filter.kinds:
            keep &= np.isin(self._kinds.view(), [CODES[kind] for kind in filter.kinds])
        if filter.since is not None:
            keep &= self._at.view() >= micros(filter.since)
        if filter.until is not None:
            keep &= self._at.view() < micros(filter.until)
        if not filter.min_importance <= 0:
            keep &= self._importance.view() >= filter.min_importance
        if filter.modality is not None:
            keep &= self._modalities.view() == self._codes.get(pack(filter.modality), -1)
        if not filter.expired:
            keep &= self._expires.view() > micros(now)
        return keep

    def _bury(self, rows: NDArray[np.int64]) -> None:
        places = self.places(rows)
        alive = self.alive.copy()
        alive[places[places >= 0]] = False
        self.deaths += int(np.count_nonzero(self.alive)) - int(np.count_nonzero(alive))
        self.alive = alive

    def _append(self, found: list[tuple[int, str, int, int, float, int | None, str | bytes]]) -> None:
        if not found:
            return
        rows, ids, kinds, at, importance, expires, modalities = zip(*found, strict=True)
        self._rows.extend(rows)
        self._kinds.extend(kinds)
        self._at.extend(at)
        self._importance.extend(importance)
        self._expires.extend([_NEVER if time is None else time for time in expires])
        self._modalities.extend([self._codes.setdefault(name, len(self._codes)) for name in modalities])
        self.ids.extend(ids)
        self.alive = np.concatenate([self.alive, np.ones(len(found), bool)])


def _last_deletion(connection: Connection) -> int:
    return int(connection.execute("select coalesce(max(seq), 0) from gone").fetchone()[0])
