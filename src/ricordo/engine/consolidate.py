"""Consolidate: what matters moves from one kind to a more lasting one, in one transaction, with its history."""

from __future__ import annotations

from dataclasses import replace

from ricordo.engine.edit import version_of
from ricordo.engine.graph import with_graph
from ricordo.engine.parts import Parts, need_bank, spaces_of
from ricordo.engine.retrying import retrying
from ricordo.errors import Invalid
from ricordo.rank.policy import policy_of
from ricordo.types import MEMORY_KINDS, Changes, Filter, Kind, now


async def consolidate(
    parts: Parts,
    bank_id: str,
    *,
    source: Kind = Kind.WORKING,
    target: Kind = Kind.EPISODIC,
    threshold: float = 0.7,
    boost: float = 1.0,
) -> list[str]:
    """The ids that moved: memories of `source` at least as important as `threshold`.

    They keep id, session, tags and data, and gain `consolidated_from`; importance is multiplied by `boost`, up to 1.
    """
    if source == target or source not in MEMORY_KINDS or target not in MEMORY_KINDS:
        raise Invalid(f"cannot consolidate {source} into {target}; give two different kinds of memory")
    return await retrying(lambda: _consolidate(parts, bank_id, source, target, threshold, boost))


async def _consolidate(
    parts: Parts, bank_id: str, source: Kind, target: Kind, threshold: float, boost: float
) -> list[str]:
    bank = await need_bank(parts, bank_id)
    ready = await parts.records.find(Filter(bank=bank_id, kinds=(source,), min_importance=threshold), limit=2**31)
    if not ready:
        return []
    moment = now()
    ttl = policy_of(bank, target).ttl
    moved = [
        replace(
            m,
            kind=target,
            importance=min(1.0, m.importance * boost),
            expires=moment + ttl if ttl else None,
            data={**m.data, "consolidated_from": str(source)},
        )
        for m in ready
    ]
    versions = [
        version_of(m, len(await parts.records.history(bank_id, m.id)) + 1, f"consolidated into {target}", moment)
        for m in ready
    ]
    ids = [m.id for m in moved]
    changes = Changes(
        bank=bank_id, put=tuple(moved), versions=tuple(versions), spaces=spaces_of(bank), expect=tuple(ready)
    )
    await parts.records.write(await with_graph(parts, changes, ids))
    return ids
