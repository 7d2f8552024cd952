"""Forget by importance, age or capacity: exactly the memories that the criterion names."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from ricordo.engine.parts import Parts, need_bank, spaces_of
from ricordo.errors import Invalid
from ricordo.types import MEMORY_KINDS, Changes, Filter, Kind, Memory, now


async def forget(
    parts: Parts,
    bank_id: str,
    *,
    below: float | None = None,
    older_than: timedelta | None = None,
    keep: int | None = None,
    kinds: Sequence[Kind] = MEMORY_KINDS,
    dry_run: bool = False,
) -> list[str]:
    """The ids that were (or, dry, would be) forgotten.

    below: importance under this. older_than: happened longer ago. keep: of each kind, all but this many of the most
    important. Documents are not forgotten; they are deleted.
    """
    if (below, older_than, keep) == (None, None, None):
        raise Invalid("say what to forget: below=importance, older_than=age, or keep=how many of each kind")
    if keep is not None and keep < 0:
        raise Invalid(f"keep must be 0 or more, got {keep}")
    if wrong := [k for k in kinds if k not in MEMORY_KINDS]:
        raise Invalid(f"forget works on memories, not on {wrong[0]}; delete the document instead")
    bank = await need_bank(parts, bank_id)
    moment = now()
    doomed: dict[str, None] = {}
    for kind in kinds:
        memories = await parts.records.find(Filter(bank=bank_id, kinds=(kind,), expired=True), limit=2**31)
        for memory in memories:
            weak = below is not None and memory.importance < below
            old = older_than is not None and moment - memory.at > older_than
            if weak or old:
                doomed[memory.id] = None
        if keep is not None:
            rest = [m for m in memories if m.id not in doomed]
            doomed.update(dict.fromkeys(m.id for m in sorted(rest, key=_worth, reverse=True)[keep:]))
    if doomed and not dry_run:
        await parts.records.write(Changes(bank=bank_id, delete=tuple(doomed), spaces=spaces_of(bank)))
    return list(doomed)


def _worth(memory: Memory) -> tuple[float, float, str]:
    return memory.importance, memory.at.timestamp(), memory.id
