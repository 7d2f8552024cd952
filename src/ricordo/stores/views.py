"""What a process holds of its banks in memory, brought up to date when asked for, the least used forgotten first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from sqlite3 import Connection

import numpy as np
from numpy.typing import NDArray

from ricordo.stores.columns import Columns
from ricordo.stores.filters import beyond_columns
from ricordo.stores.space_view import Space, SpaceView
from ricordo.stores.values import pack
from ricordo.stores.words_view import Placed, WordsView
from ricordo.types import Filter


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One state of a bank, for one filter. Places beyond `len(keep)` belong to later states."""

    ids: Sequence[str]
    keep: NDArray[np.bool_]
    words: Sequence[Placed] = ()
    space: SpaceView | None = None


class _Bank:
    """The state behind the views of one bank; used under its lock only."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.reset(-1)

    def reset(self, number: int) -> None:
        self._generation = -1
        self._columns = Columns(number)
        self._words = WordsView()
        self._words_generation = -1
        self._spaces: dict[str, tuple[tuple[int, int], Space]] = {}

    @property
    def nbytes(self) -> int:
        return self._columns.nbytes + self._words.nbytes + sum(space.nbytes for _, space in self._spaces.values())

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Forgets everything when something is raised, since it may have been taken in by half."""
        try:
            yield
        except BaseException:
            self.reset(-1)
            raise

    def follow(self, connection: Connection, bank: str) -> Columns | None:
        """The bank's columns as the connection's transaction sees them, None when there is no such bank.

        This must be the transaction's first read: done under the lock, it sees no less than this object holds.
        """
        found = connection.execute("select number, generation from banks where id = ?", (pack(bank),)).fetchone()
        number, generation = found or (-1, -1)
        if number != self._columns.bank or (generation != self._generation and self._columns.stale(connection)):
            self.reset(number)
        if found is None:
            return None
        if generation != self._generation:
            self._columns.follow(connection)
            self._generation = generation
        return self._columns

    def words(self, connection: Connection) -> list[Placed]:
        if self._words_generation != self._generation:
            self._words.follow(connection, self._columns)
            self._words_generation = self._generation
        return self._words.view()

    def space(self, connection: Connection, name: str, *, data: bool) -> SpaceView | None:
        found = connection.execute(
            "select number, dimension, generation, epoch from spaces where name = ?", (pack(name),)
        ).fetchone()
        if found is None:
            self._spaces.pop(name, None)
            return None
        number, dimension, generation, epoch = found
        seen, space = self._spaces.get(name, ((-1, -1), None))
        if space is None or (space.number, space.epoch) != (number, epoch):
            seen, space = (-1, -1), Space(number, dimension, epoch)
        if seen != (generation, self._generation):
            space.follow(connection, self._columns)
            self._spaces[name] = ((generation, self._generation), space)
        if data:
            space.load(connection)
        return space.view()


class Views:
    """The views of all banks, at most so many bytes of them beside the one in use."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._banks: OrderedDict[str, _Bank] = OrderedDict()
        self._sizes: dict[str, int] = {}

    def open(
        self,
        connection: Connection,
        filter: Filter,
        now: datetime,
        *,
        words: bool = False,
        space: str | None = None,
        data: bool = False,
    ) -> View:
        """What the filter lets through of the bank's searchable memories; it must be the transaction's first read."""
        bank = self._bank(filter.bank)
        with bank.lock, bank.whole():
            columns = bank.follow(connection, filter.bank)
            if columns is None:
                return View([], np.zeros(0, bool))
            keep = columns.keep(filter, now)
            view = View(
                columns.ids,
                keep,
                bank.words(connection) if words else (),
                bank.space(connection, space, data=data) if space is not None else None,
            )
            rows, number = columns.rows, columns.bank
            self._account(filter.bank, bank.nbytes)
        for clause, negated in beyond_columns(filter, number):
            found = connection.execute(f"select row from memories where {clause.sql}", clause.values)
            marks = _marks(rows, np.fromiter((row for (row,) in found), np.int64))
            keep &= ~marks if negated else marks
        return view

    def holds(self, bank: str) -> bool:
        with self._lock:
            return bank in self._sizes

    def _bank(self, name: str) -> _Bank:
        with self._lock:
            bank = self._banks.setdefault(name, _Bank())
            self._banks.move_to_end(name)
            return bank

    def _account(self, name: str, size: int) -> None:
        with self._lock:
            self._sizes[name] = size
            while sum(self._sizes.values()) > self._most_bytes and len(self._banks) > 1:
                oldest, _ = self._banks.popitem(last=False)
                self._sizes.pop(oldest, None)


def _marks(rows: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.bool_]:
    marks = np.zeros(len(rows), bool)
    if len(rows):
        places = np.minimum(np.searchsorted(rows, wanted), len(rows) - 1)
        marks[places[rows[places] == wanted]] = True
    return marks
