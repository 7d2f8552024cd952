"""The dictionaries that the in-memory stores share, and their transaction."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ricordo.errors import NotFound
from ricordo.types import SEARCHABLE_KINDS, ApiKey, Bank, Entity, Memory, Operation, Pending, Relation, Version


@dataclass(slots=True)
class Shelf:
    banks: dict[str, Bank] = field(default_factory=dict)
    keys: dict[str, ApiKey] = field(default_factory=dict)
    memories: dict[tuple[str, str], Memory] = field(default_factory=dict)
    versions: dict[tuple[str, str, int], Version] = field(default_factory=dict)
    entities: dict[tuple[str, str], Entity] = field(default_factory=dict)
    relations: dict[tuple[str, str, str, str, str], Relation] = field(default_factory=dict)
    operations: dict[str, Operation] = field(default_factory=dict)
    dimensions: dict[str, int] = field(default_factory=dict)
    vectors: dict[tuple[str, str], NDArray[np.float32]] = field(default_factory=dict)
    outbox: dict[tuple[str, str, str], Pending] = field(default_factory=dict)
    """(bank, memory, space) → its row."""
    last_seq: int = 0

    def of_bank(self, bank: str) -> list[Memory]:
        return [memory for (owner, _), memory in self.memories.items() if owner == bank]

    def searchable(self, bank: str) -> list[Memory]:
        return [memory for memory in self.of_bank(bank) if memory.kind in SEARCHABLE_KINDS]

    def need_bank(self, bank: str) -> None:
        if bank not in self.banks:
            raise NotFound(f"there is no bank {bank!r}; create it first")

    def announce(self, space: str, bank: str, memory: str, *, gone: bool = False) -> None:
        self.last_seq += 1
        self.outbox[bank, memory, space] = Pending(seq=self.last_seq, bank=bank, memory=memory, gone=gone)

    def free_vectors(self) -> None:
        """Deletes the vectors that no memory names any more."""
        named = {memory.digest for memory in self.memories.values()}
        self.vectors = {key: vector for key, vector in self.vectors.items() if key[1] in named}


class Room:
    """A shelf, used by one caller at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shelf = Shelf()

    @contextmanager
    def reading(self) -> Iterator[Shelf]:
        with self._lock:
            yield self._shelf

    @contextmanager
    def writing(self) -> Iterator[Shelf]:
        """A copy, which takes the shelf's place when nothing was raised."""
        with self._lock:
            shelf = Shelf(**{f.name: _copied(getattr(self._shelf, f.name)) for f in fields(Shelf)})
            yield shelf
            self._shelf = shelf


def _copied(value: Any) -> Any:
    return value.copy() if isinstance(value, dict) else value
