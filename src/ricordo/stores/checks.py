"""What every store refuses, whatever it is made of."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from ricordo.errors import Conflict, Invalid
from ricordo.stores.values import identifier, to_json
from ricordo.types import Changes, Entity, Operation, Relation


def check_changes(changes: Changes) -> None:
    """Invalid when something in the changes belongs to another bank or cannot be kept."""
    for thing in (*changes.put, *changes.operations):
        if thing.bank != changes.bank:
            raise Invalid(f"{thing.id!r} belongs to bank {thing.bank!r} and cannot be written to {changes.bank!r}")
    if len({memory.id for memory in changes.put}) != len(changes.put):
        raise Invalid(f"one write to bank {changes.bank!r} puts the same memory twice; leave one of the two out")
    check_graph(changes.bank, changes.entities, changes.relations)


def check_graph(bank: str, entities: Sequence[Entity], relations: Sequence[Relation]) -> None:
    for thing in (*entities, *relations):
        if thing.bank != bank:
            raise Invalid(f"{thing!r} belongs to bank {thing.bank!r} and cannot be written to {bank!r}")
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


def check_order(order: str) -> None:
    if order not in ORDERS:
        raise Invalid(f"memories cannot be ordered by {order!r}; known are {', '.join(ORDERS)}")
