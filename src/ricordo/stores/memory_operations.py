"""Durable work, as durable as the process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from ricordo.errors import Conflict
from ricordo.stores.checks import check_operation, may_become, same_work
from ricordo.stores.shelf import Room, Shelf
from ricordo.types import EPOCH, Operation, OperationStatus, now

_OPEN = (OperationStatus.PENDING, OperationStatus.PROCESSING)


def _add(shelf: Shelf, operation: Operation) -> Operation:
    check_operation(operation)
    stored = shelf.operations.get(operation.id)
    for other in shelf.operations.values():
        if stored is None and operation.key is not None and (other.bank, other.key) == (operation.bank, operation.key):
            stored = other
    if stored is not None:
        return same_work(stored, operation)
    shelf.operations[operation.id] = operation
    return operation


def _save(shelf: Shelf, operation: Operation) -> bool:
    check_operation(operation)
    stored = shelf.operations.get(operation.id)
    if stored is None or stored.tries != operation.tries or not may_become(stored.status, operation.status):
        return False
    leased = operation.status is OperationStatus.PROCESSING
    shelf.operations[operation.id] = replace(
        stored,
        status=operation.status,
        done=operation.done,
        total=operation.total,
        error=operation.error,
        result=operation.result,
        not_before=operation.not_before,
        lease_until=stored.lease_until if leased else None,
        owner=stored.owner if leased else None,
    )
    return True


def enqueue_or_save(shelf: Shelf, operation: Operation) -> None:
    if operation.id not in shelf.operations:
        _add(shelf, operation)
    elif not _save(shelf, operation):
        raise Conflict(
            f"operation {operation.id!r} is no longer at try {operation.tries} or has ended; its results are dropped"
        )


def _free(operation: Operation, time: datetime) -> bool:
    if operation.status is OperationStatus.PENDING:
        return operation.not_before is None or operation.not_before <= time
    return operation.status is OperationStatus.PROCESSING and (operation.lease_until or EPOCH) <= time


class MemoryOperations:
    def __init__(self, room: Room) -> None:
        self._room = room

    async def add(self, operation: Operation) -> Operation:
        with self._room.writing() as shelf:
            return _add(shelf, operation)

    async def claim(self, owner: str, kinds: Sequence[str], lease_seconds: float) -> Operation | None:
        time = now()
        with self._room.writing() as shelf:
            free = [o for o in shelf.operations.values() if o.kind in kinds and _free(o, time)]
            if not free:
                return None
            taken = replace(
                min(free, key=lambda o: o.created),
                status=OperationStatus.PROCESSING,
                owner=owner,
                lease_until=time + timedelta(seconds=lease_seconds),
            )
            taken = replace(taken, tries=taken.tries + 1)
            shelf.operations[taken.id] = taken
            return taken

    async def beat(self, operation: Operation, lease_seconds: float) -> bool:
        with self._room.writing() as shelf:
            stored = shelf.operations.get(operation.id)
            if stored is None or (stored.tries, stored.status) != (operation.tries, OperationStatus.PROCESSING):
                return False
            shelf.operations[stored.id] = replace(
                stored,
                lease_until=now() + timedelta(seconds=lease_seconds),
                done=operation.done,
                total=operation.total,
            )
            return True

    async def save(self, operation: Operation) -> bool:
        with self._room.writing() as shelf:
            return _save(shelf, operation)

    async def get(self, id: str) -> Operation | None:
        with self._room.reading() as shelf:
            return shelf.operations.get(id)

    async def list(
        self,
        bank: str,
        *,
        status: OperationStatus | None = None,
        kind: str | None = None,
        parent: str | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[Operation]:
        with self._room.reading() as shelf:
            found = [
                o
                for o in reversed(shelf.operations.values())
                if o.bank == bank
                and (status is None or o.status is status)
                and (kind is None or o.kind == kind)
                and (parent is None or o.parent == parent)
            ]
        return sorted(found, key=lambda o: o.created, reverse=True)[offset : offset + limit]

    async def close(self) -> None:
        """Nothing to close."""
