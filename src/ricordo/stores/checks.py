"""What every store refuses, whatever it is made of."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence

from ricordo.errors import Changed, Conflict, Invalid
from ricordo.stores.values import identifier, to_json
from ricordo.types import (
    And,
    Changes,
    Condition,
    Entity,
    Filter,
    Memory,
    Not,
    Operation,
    OperationStatus,
    Or,
    Relation,
)


def check_changes(changes: Changes) -> None:
    """Invalid when something in the changes belongs to another bank or cannot be kept."""
    owners = [(memory.id, memory.bank) for memory in changes.put]
    for name, owner in (*owners, *((operation.id, operation.bank) for operation in changes.operations)):
        if owner != changes.bank:
            raise Invalid(f"{name!r} belongs to bank {owner!r} and cannot be written to bank {changes.bank!r}")
    if len({memory.id for memory in changes.put}) != len(changes.put):
        raise Invalid(f"one write to bank {changes.bank!r} puts the same memory twice; leave one of the two out")
    check_graph(changes.bank, changes.entities, changes.relations)


def check_unchanged(changes: Changes, stored: Mapping[str, Memory]) -> None:
    """Changed when a memory is no longer what the writer read."""
    moved = [m.id for m in changes.expect if stored.get(m.id) != m]
    for id in (*moved, *(id for id in changes.absent if id in stored)):
        raise Changed(f"memory {id!r} was changed by another writer meanwhile; read it again")


def history_changed(memory: str) -> Changed:
    return Changed(f"the history of memory {memory!r} was changed by another writer meanwhile; read it again")


def check_graph(bank: str, entities: Sequence[Entity], relations: Sequence[Relation]) -> None:
    for owner in {*(entity.bank for entity in entities), *(relation.bank for relation in relations)} - {bank}:
        raise Invalid(f"entities and relations of bank {owner!r} cannot be written to bank {bank!r}")
    for entity in entities:
        identifier(entity.id, "the id of an entity")
    for relation in relations:
        for end in (relation.source, relation.target, relation.memory):
            identifier(end, "an id in a relation")
        if not math.isfinite(relation.weight):
            raise Invalid(f"the weight of a relation must be finite, got {relation.weight!r}")


def same_work(stored: Operation, wanted: Operation) -> Operation:
    """The stored operation, if it is the wanted work; else Conflict."""

    def work(operation: Operation) -> tuple[object, ...]:
        payload = to_json(dict(operation.payload), f"the payload of operation {operation.id!r}")
        return operation.bank, operation.kind, operation.key, operation.parent, json.loads(payload)

    if work(stored) != work(wanted):
        raise Conflict(
            f"operation {wanted.id!r} (key {wanted.key!r}) was given before with other content, as {stored.id!r}; "
            "use another id or key"
        )
    return stored


ORDERS = ("position", "at", "created", "importance")


def check_page(order: str, limit: int, offset: int) -> None:
    if order not in ORDERS:
        raise Invalid(f"memories cannot be ordered by {order!r}; known are {', '.join(ORDERS)}")
    if limit < 0 or offset < 0:
        raise Invalid(f"a page begins at 0 or later and is not shorter than 0, got limit {limit} and offset {offset}")


DEEPEST = 20
"""Conditions nested deeper are refused: SQLite's parser keeps a hundred symbols, three of them a level."""


def check_filter(filter: Filter) -> None:
    """Invalid for a filter that is nested too deep to be answered."""
    level: list[Condition] = [] if filter.where is None else [filter.where]
    for _ in range(DEEPEST):
        level = [inner for condition in level for inner in _inside(condition)]
        if not level:
            return
    raise Invalid(f"the filter's conditions are nested deeper than {DEEPEST}; flatten them")


def _inside(condition: Condition) -> tuple[Condition, ...]:
    match condition:
        case And() | Or():
            return condition.of
        case Not():
            return (condition.of,)
    return ()


def check_operation(operation: Operation) -> None:
    """Invalid when the operation cannot be kept."""
    label = f"operation {operation.id!r}"
    identifier(operation.id, "the id of an operation")
    identifier(operation.bank, f"the bank of {label}")
    identifier(operation.kind, f"the kind of {label}")
    to_json(dict(operation.payload), f"the payload of {label}")
    to_json(dict(operation.result), f"the result of {label}")


def may_become(old: OperationStatus, new: OperationStatus) -> bool:
    """What has ended stays so, unless it is to be tried again."""
    going_on = old in (OperationStatus.PENDING, OperationStatus.PROCESSING)
    return going_on or new in (OperationStatus.PENDING, old)
