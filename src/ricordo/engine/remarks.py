"""Remarks: items without a document, each one memory; many of them in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import count

from ricordo.engine.documents import DEFAULT_IMPORTANCE
from ricordo.engine.graph import with_graph
from ricordo.engine.parts import Parts, spaces_of
from ricordo.engine.retrying import retrying
from ricordo.engine.room import make_room
from ricordo.errors import Invalid, RicordoError
from ricordo.rank.policy import policy_of
from ricordo.types import MEMORY_KINDS, Bank, Changes, Item, Memory, Outcome, Status, digest_id, now


def memory_of(bank: Bank, item: Item, when: datetime) -> Memory:
    """The memory that an item without a document becomes; Invalid where it cannot be one."""
    if item.kind not in MEMORY_KINDS or not isinstance(item.content, str):
        raise Invalid(f"a memory cannot be of kind {item.kind}; give `document` to store a document")
    told = item.at.isoformat() if item.at else ""
    policy = policy_of(bank, item.kind)
    return Memory(
        id=item.id or digest_id(bank.id, item.kind, item.content, item.session or "", told),
        bank=bank.id,
        kind=item.kind,
        text=item.content,
        at=item.at or when,
        created=when,
        importance=DEFAULT_IMPORTANCE if item.importance is None else item.importance,
        expires=item.expires or (when + policy.ttl if policy.ttl else None),
        tags=tuple(sorted(set(item.tags))),
        session=item.session,
        modality=item.modality,
        context=item.context,
        data=dict(item.data),
    )


def merge(old: Memory, new: Memory) -> Memory:
    """The old memory with whatever the new one adds to it."""
    return replace(
        old,
        importance=max(old.importance, new.importance),
        expires=new.expires if old.expires is not None else None,
        tags=tuple(sorted({*old.tags, *new.tags})),
        data={**old.data, **new.data},
    )


async def retain_remarks(parts: Parts, bank: Bank, items: Sequence[tuple[Item, Memory]]) -> list[Outcome]:
    """One outcome an item, in order; all of them in one transaction."""
    outcomes = await retrying(lambda: _write(parts, bank, items))
    for kind in dict.fromkeys(memory.kind for _, memory in items):
        try:
            evicted = await make_room(parts, bank, kind)
        except RicordoError as error:  # what was stored is stored all the same
            warning = f"no room was made among the {kind} memories: {error}"
            outcomes[-1] = replace(outcomes[-1], warnings=(*outcomes[-1].warnings, warning))
        else:
            outcomes = _told(outcomes, set(evicted))
    return outcomes


def _another(stored: Memory, new: Memory) -> bool:
    return (stored.text, stored.kind) != (new.text, new.kind)


async def _placed(
    parts: Parts, bank: Bank, items: Sequence[tuple[Item, Memory]]
) -> tuple[list[tuple[Item, Memory]], dict[str, Memory]]:
    """The items, and what is stored under their ids. Where the id of a text went on to hold another, the next one."""
    placed = list(items)
    stored: dict[str, Memory] = {}
    for n in count(1):
        ids = dict.fromkeys(memory.id for _, memory in placed)
        stored = {m.id: m for m in await parts.records.get(bank.id, list(ids))}
        taken = False
        for place, (item, memory) in enumerate(placed):
            if not item.id and memory.id in stored and _another(stored[memory.id], memory):
                placed[place] = (item, replace(memory, id=digest_id(items[place][1].id, str(n))))
                taken = True
        if not taken:
            break
    return placed, stored


async def _write(parts: Parts, bank: Bank, items: Sequence[tuple[Item, Memory]]) -> list[Outcome]:
    moment = now()
    items, stored = await _placed(parts, bank, items)
    known = {id: m for id, m in stored.items() if m.expires is None or m.expires > moment}
    put: dict[str, Memory] = {}
    outcomes = []
    for item, memory in items:
        before = put.get(memory.id) or known.get(memory.id)
        if before and _another(before, memory):
            reason = f"there is another memory {memory.id!r}; update that one, or give this one another id"
            outcomes.append(Outcome(item=item.label, status=Status.FAILED, reason=reason))
            continue
        after = merge(before, memory) if before else memory
        if after != known.get(memory.id):
            put[memory.id] = after
        status, reason = (Status.MERGED, "it is already there") if before else (Status.STORED, "")
        outcomes.append(Outcome(item=item.label, status=status, reason=reason, memories=(memory.id,)))
    if put:
        changes = Changes(
            bank=bank.id,
            put=tuple(put.values()),
            spaces=spaces_of(bank),
            expect=tuple(stored[id] for id in put if id in stored),
            absent=tuple(id for id in put if id not in stored),
        )
        await parts.records.write(await with_graph(parts, changes, known.keys() & put.keys()))
    return outcomes


def _told(outcomes: Sequence[Outcome], evicted: set[str]) -> list[Outcome]:
    """The outcomes, which now also say who had to go for them, or that they had to go themselves."""
    told = []
    for outcome in outcomes:
        if evicted.intersection(outcome.memories):
            reason = "there is no room for it: what is kept matters more"
            told.append(replace(outcome, status=Status.SKIPPED, reason=reason, memories=()))
        else:
            told.append(outcome)
    older = evicted - {id for o in outcomes for id in o.memories}
    if older and told:
        told[-1] = replace(told[-1], warnings=(*told[-1].warnings, f"{len(older)} older memories made room"))
    return told
