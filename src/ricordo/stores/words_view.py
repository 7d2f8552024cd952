"""The words of one bank in memory: the stored segments, and small ones made of the tail that is in none."""

from __future__ import annotations

from sqlite3 import Connection

import numpy as np
from numpy.typing import NDArray

from ricordo.stores import sqlite_words
from ricordo.stores.columns import Columns
from ricordo.stores.segment import FANOUT, Segment

Placed = tuple[Segment, NDArray[np.int64]]
"""A segment, and the place of each of its docs, -1 where it is dead."""


class WordsView:
    def __init__(self) -> None:
        self._stored: dict[int, Placed] = {}
        self._tail: list[Placed] = []
        self._last = 0
        self._placed: list[Placed] = []

    @property
    def nbytes(self) -> int:
        return sum(_size(segment) + 2 * places.nbytes for segment, places in self._each())

    def follow(self, connection: Connection, columns: Columns) -> None:
        """Takes in what the connection's transaction sees; the columns have done so before."""
        bank = columns.bank

        def placed(segment: Segment) -> Placed:
            return segment, columns.places(segment.docs)

        self._stored = {
            segment: self._stored.get(segment) or placed(sqlite_words.load(connection, segment))
            for segment in sqlite_words.ids(connection, bank)
        }
        indexed = sqlite_words.indexed(connection, bank)
        if indexed >= self._last:
            self._tail, self._last = [], indexed
        fresh = sqlite_words.texts(connection, bank, self._last)
        if fresh:
            self._tail.append(placed(Segment.build(fresh)))
            self._last = fresh[-1][0]
        if len(self._tail) > FANOUT:
            segments = [segment for segment, _ in self._tail]
            self._tail = [placed(Segment.merge(segments, columns.rows))]
        self._placed = [(segment, _living(places, columns.alive)) for segment, places in self._each()]

    def view(self) -> list[Placed]:
        return self._placed

    def _each(self) -> list[Placed]:
        return [*self._stored.values(), *self._tail]


def _size(segment: Segment) -> int:
    arrays = (segment.docs, segment.lengths, segment.terms, segment.starts, segment.postings, segment.counts)
    return sum(array.nbytes for array in arrays)


def _living(places: NDArray[np.int64], alive: NDArray[np.bool_]) -> NDArray[np.int64]:
    if not len(alive):
        return np.full(len(places), -1, np.int64)
    return np.where((places >= 0) & alive[places], places, -1)
