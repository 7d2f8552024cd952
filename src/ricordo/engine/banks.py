"""What a bank holds, and another model for it: built beside the old index, switched at the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ricordo.engine.embedding import coverage
from ricordo.engine.follow import Follower
from ricordo.engine.parts import Model, Parts, ensure_bank, model_of, models_of, need_bank, spaces_of
from ricordo.errors import NotFound
from ricordo.rank.policy import policy_json
from ricordo.types import Bank, Coverage, Json, Kind


@dataclass(frozen=True, kw_only=True, slots=True)
class Stats:
    """kinds: kind → (how many, mean importance). waiting: rows that still need a vector."""

    bank: str
    kinds: dict[str, tuple[int, float]]
    coverage: Coverage
    waiting: int
    entities: int
    relations: int
    building: str
    settings: Json

    @property
    def total(self) -> int:
        return sum(n for n, _ in self.kinds.values())


async def stats(parts: Parts, bank_id: str) -> Stats:
    bank = await need_bank(parts, bank_id)
    entities, relations = await parts.graph.counts(bank_id)
    return Stats(
        bank=bank_id,
        kinds=await parts.records.tally(bank_id),
        coverage=await coverage(parts, bank),
        waiting=sum([await parts.records.waiting(space, bank_id) for space in spaces_of(bank)]),
        entities=entities,
        relations=relations,
        building=(bank.settings.get("building") or {}).get("space", ""),
        settings=bank.settings,
    )


async def configure(parts: Parts, bank_id: str, policies: Mapping[Kind, Mapping[str, Any]]) -> Bank:
    """The bank, made if it is not there, with its own capacity, tokens, ttl or half_life for these kinds."""
    changes = {str(kind): policy_json(kind, given) for kind, given in policies.items()}
    bank = await ensure_bank(parts, bank_id)
    before = bank.settings.get("policies") or {}
    if any(before.get(kind) != given for kind, given in changes.items()):
        bank = replace(bank, settings={**bank.settings, "policies": {**before, **changes}})
        await parts.banks.put(bank)
    return bank


async def delete_bank(parts: Parts, bank_id: str) -> None:
    """Takes the bank and all that is in it away."""
    if not await parts.banks.delete(bank_id):
        raise NotFound(f"no bank {bank_id!r}")


async def start_reindex(parts: Parts, bank_id: str, profile: str | None) -> Bank:
    """Queues every memory of the bank for the model's space; the old index goes on answering until `finish_reindex`.

    Without a profile, what is missing under the bank's own model is queued again. Called again after a stop, it goes
    on where it was.
    """
    bank = await need_bank(parts, bank_id)
    current, *others = models_of(bank)
    wanted = current if profile is None else model_of(parts, profile)
    if wanted.space == current.space:  # another engine for the same vectors, if anything: nothing has to be built
        changed = {**bank.settings, "model": wanted.as_json, "building": None}
    else:
        changed = {**bank.settings, "building": wanted.as_json}
    if changed != bank.settings:
        bank = replace(bank, settings=changed)
        await parts.banks.put(bank)
    for model in others:
        if model.space not in (wanted.space, current.space):
            await parts.vectors.drop(model.space, bank_id)
    if wanted.space:
        await parts.records.enqueue(wanted.space, bank_id)
    return bank


async def finish_reindex(parts: Parts, bank_id: str, follower: Follower) -> Model:
    """Waits for the model that is being built, makes it the bank's, and drops the old one's vectors."""
    models = models_of(await need_bank(parts, bank_id))
    await follower.wait(bank_id, models)
    if len(models) == 1:
        return models[0]
    old, new = models
    bank = await need_bank(parts, bank_id)  # read again: its settings may have changed during the wait
    await parts.banks.put(replace(bank, settings={**bank.settings, "model": new.as_json, "building": None}))
    if new.space and await parts.records.enqueue(new.space, bank_id):  # what was written at the very switch
        await follower.wait(bank_id, [new])
    if old.space:
        await parts.vectors.drop(old.space, bank_id)
    return new
