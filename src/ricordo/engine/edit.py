"""Get, update with history, delete: one memory at a time, by its id or the beginning of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from ricordo.engine.graph import with_graph
from ricordo.engine.parts import Parts, need_bank, spaces_of
from ricordo.engine.retrying import retrying
from ricordo.errors import Conflict, Invalid, NotFound
from ricordo.types import Changes, Filter, Kind, Memory, Version, now

SHORTENED = re.compile(r"[0-9a-f-]{1,35}")
DERIVED = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""Only ids of our own making may be shortened: an id that a caller chose may begin another."""


async def resolve(parts: Parts, bank: str, id: str) -> Memory:
    """The memory that the id, or an unambiguous beginning of it, names."""
    if found := await parts.records.get(bank, [id]):
        return found[0]
    matches = await parts.records.match_id(bank, id) if SHORTENED.fullmatch(id) else []
    matches = [match for match in matches if DERIVED.fullmatch(match)]
    if len(matches) > 1:
        raise Conflict(f"{id!r} begins the ids of {len(matches)} memories or more; give more of it")
    if not matches:
        raise NotFound(f"no memory {id!r} in bank {bank!r}")
    return (await parts.records.get(bank, matches))[0]


def version_of(memory: Memory, number: int, reason: str, changed: datetime) -> Version:
    return Version(
        memory=memory.id,
        number=number,
        text=memory.text,
        importance=memory.importance,
        tags=memory.tags,
        data=memory.data,
        changed=changed,
        reason=reason,
    )


async def update(
    parts: Parts,
    bank_id: str,
    id: str,
    *,
    text: str | None = None,
    importance: float | None = None,
    tags: Sequence[str] | None = None,
    data: Mapping[str, Any] | None = None,
    reason: str = "updated",
) -> Memory:
    """The memory as it is now; what it was is kept in its history.

    `data` is merged key by key; None takes a key out.
    """

    async def work() -> Memory:
        return await _update(parts, bank_id, id, text, importance, tags, data, reason)

    return await retrying(work)


async def _update(
    parts: Parts,
    bank_id: str,
    id: str,
    text: str | None,
    importance: float | None,
    tags: Sequence[str] | None,
    data: Mapping[str, Any] | None,
    reason: str,
) -> Memory:
    bank = await need_bank(parts, bank_id)
    old = await resolve(parts, bank_id, id)
    if old.document is not None and (text, importance, tags) != (None, None, None):
        raise Invalid(f"{old.id} belongs to document {old.document}; store the document again as it should be")
    if text is not None and not text.strip():
        raise Invalid("a memory cannot be empty; delete it instead")
    changed = {k: v for k, v in {**old.data, **(data or {})}.items() if v is not None}
    new = replace(
        old,
        text=old.text if text is None else text,
        importance=old.importance if importance is None else importance,
        tags=old.tags if tags is None else tuple(sorted(set(tags))),
        data=changed,
    )
    if new != old:
        past = await parts.records.history(bank_id, old.id)
        version = version_of(old, len(past) + 1, reason, now())
        changes = Changes(bank=bank_id, put=(new,), versions=(version,), spaces=spaces_of(bank), expect=(old,))
        await parts.records.write(await with_graph(parts, changes, (new.id,)))
    return new


async def delete(parts: Parts, bank_id: str, ids: Sequence[str]) -> int:
    """Takes memories away, documents with all their parts; gives how many rows went. An unknown id is an error."""
    bank = await need_bank(parts, bank_id)
    doomed: dict[str, None] = {}
    for id in ids:
        memory = await resolve(parts, bank_id, id)
        doomed[memory.id] = None
        if memory.kind is Kind.DOCUMENT:
            doomed.update(
                dict.fromkeys(await parts.records.ids(Filter(bank=bank_id, document=memory.id, expired=True)))
            )
        elif memory.document is not None:
            raise Invalid(
                f"{memory.id} is a part of document {memory.document}; delete that, or store it again without"
            )
    if doomed:
        await parts.records.write(Changes(bank=bank_id, delete=tuple(doomed), spaces=spaces_of(bank)))
    return len(doomed)


async def history(parts: Parts, bank_id: str, id: str) -> list[Version]:
    """What the memory was before, oldest first."""
    memory = await resolve(parts, bank_id, id)
    return await parts.records.history(bank_id, memory.id)
