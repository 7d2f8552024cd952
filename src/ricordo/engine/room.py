"""Room for what a kind may hold: what has expired goes, then what matters least."""

from __future__ import annotations

from ricordo.engine.parts import Parts, spaces_of
from ricordo.rank.policy import POLICIES
from ricordo.types import Bank, Changes, Filter, Kind, now


async def make_room(parts: Parts, bank: Bank, kind: Kind) -> list[str]:
    """Deletes the expired memories of a kind, then those over its capacity; gives the ids of the latter."""
    policy = POLICIES[kind]
    if policy.ttl is None and policy.capacity is None:
        return []
    moment = now()
    everything = await parts.records.find(Filter(bank=bank.id, kinds=(kind,), expired=True), limit=2**31)
    stale = [m.id for m in everything if m.expires is not None and m.expires <= moment]
    alive = [m for m in everything if m.expires is None or m.expires > moment]
    over = len(alive) - policy.capacity if policy.capacity is not None else 0
    alive.sort(key=lambda m: (m.importance * policy.recency(moment - m.at), m.at, m.id))
    evicted = [m.id for m in alive[: max(0, over)]]
    if stale or evicted:
        await parts.records.write(Changes(bank=bank.id, delete=(*stale, *evicted), spaces=spaces_of(bank)))
    return evicted
