"""Room for what a kind may hold: what has expired goes, then what matters least."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ricordo.engine.parts import Parts, spaces_of
from ricordo.rank.budget import approx_tokens
from ricordo.rank.policy import Policy, policy_of
from ricordo.types import Bank, Changes, Filter, Kind, Memory, now


async def make_room(parts: Parts, bank: Bank, kind: Kind) -> list[str]:
    """Deletes the expired memories of a kind, then those over its limits; gives the ids of the latter."""
    policy = policy_of(bank, kind)
    everything = Filter(bank=bank.id, kinds=(kind,), expired=True)
    if policy.tokens is None and await _fits(parts, policy, everything):
        return []
    moment = now()
    memories = await parts.records.find(everything, limit=2**31)
    stale = [m.id for m in memories if m.expires is not None and m.expires <= moment]
    evicted = over(policy, [m for m in memories if m.expires is None or m.expires > moment], moment)
    if stale or evicted:
        await parts.records.write(Changes(bank=bank.id, delete=(*stale, *evicted), spaces=spaces_of(bank)))
    return evicted


async def _fits(parts: Parts, policy: Policy, everything: Filter) -> bool:
    """True when nothing has to go, found without reading the memories."""
    if policy.ttl is None and policy.capacity is None:
        return True
    count = await parts.records.count(everything)
    if policy.capacity is not None and count > policy.capacity:
        return False
    return policy.ttl is None or count == (await parts.records.tally(everything.bank)).get(everything.kinds[0], (0,))[0]


def over(policy: Policy, memories: Sequence[Memory], moment: datetime) -> list[str]:
    """The ids of those that must go, what matters least first.

    A memory that is longer than all that the policy allows stays, and takes no room from the others.
    """
    alive = sorted(memories, key=lambda m: (m.importance * policy.recency(moment - m.at), m.at, m.id))
    many = max(0, len(alive) - policy.capacity) if policy.capacity is not None else 0
    if policy.tokens is None:
        return [m.id for m in alive[:many]]
    sizes = {m.id: approx_tokens(m.text) for m in alive}
    counted = {id: size for id, size in sizes.items() if size <= policy.tokens}
    held = sum(counted.values())
    gone = []
    for number, memory in enumerate(alive):
        if number >= many and (held <= policy.tokens or memory.id not in counted):
            continue
        gone.append(memory.id)
        held -= counted.get(memory.id, 0)
    return gone
