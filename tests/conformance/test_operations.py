"""What every OperationStore promises to workers."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from ricordo.errors import Conflict, Invalid
from ricordo.types import EPOCH, Operation, OperationStatus, now

S = OperationStatus


def work(id, **fields):
    return Operation(**{"id": id, "bank": "bank", "kind": "retain", **fields})


async def claim(stores, owner="worker", lease=60.0, kinds=("retain",)):
    return await stores.operations.claim(owner, kinds, lease)


async def test_what_was_added_comes_back(stores):
    added = work("o", payload={"x": ["é", None], "\ud800": "\0"}, key="k", parent="p", total=3, created=now())
    assert await stores.operations.add(added) == added
    assert await stores.operations.get("o") == added
    assert await stores.operations.get("unknown\ud800") is None


async def test_adding_again_gives_the_stored_one(stores):
    await stores.operations.add(work("o", key="k", payload={"a": 1}))
    taken = await claim(stores)
    assert await stores.operations.add(work("o", key="k", payload={"a": 1})) == taken
    assert await stores.operations.add(work("p", key="k", payload={"a": 1})) == taken


@pytest.mark.parametrize("change", [{"payload": {"a": 2}}, {"kind": "other"}, {"key": "l"}], ids=str)
async def test_the_same_id_with_other_content_is_a_conflict(stores, change):
    await stores.operations.add(work("o", key="k", payload={"a": 1}))
    with pytest.raises(Conflict, match="o"):
        await stores.operations.add(replace(work("o", key="k", payload={"a": 1}), **change))


async def test_the_same_key_with_other_content_is_a_conflict_within_its_bank(stores):
    await stores.operations.add(work("o", key="k"))
    with pytest.raises(Conflict):
        await stores.operations.add(work("p", key="k", payload={"x": 1}))
    await stores.operations.add(work("q", key="k", bank="other"))


async def test_a_payload_that_is_not_json_is_refused(stores):
    with pytest.raises(Invalid):
        await stores.operations.add(work("o", payload={"x": float("nan")}))


async def test_the_oldest_is_taken_first_and_only_once(stores):
    await stores.operations.add(work("young", created=EPOCH + timedelta(2)))
    await stores.operations.add(work("old", created=EPOCH + timedelta(1)))
    await stores.operations.add(work("else", kind="other"))
    first, second, third = [await claim(stores) for _ in range(3)]
    assert (first.id, first.tries, first.owner, first.status) == ("old", 1, "worker", S.PROCESSING)
    assert second.id == "young"
    assert third is None


async def test_many_workers_never_take_the_same_one(stores):
    for n in range(20):
        await stores.operations.add(work(f"o{n}"))
    taken = await asyncio.gather(*(claim(stores, f"w{n}") for n in range(30)))
    assert sorted(o.id for o in taken if o) == sorted(f"o{n}" for n in range(20))


async def test_not_before_is_kept(stores):
    await stores.operations.add(work("later", not_before=now() + timedelta(hours=1)))
    await stores.operations.add(work("ready", not_before=now() - timedelta(seconds=1), created=now()))
    assert (await claim(stores)).id == "ready"
    assert await claim(stores) is None


async def test_a_lost_worker_s_work_is_taken_again_and_fenced(stores):
    await stores.operations.add(work("o"))
    lost = await claim(stores, "lost", lease=0)
    taken = await claim(stores, "next")
    assert (taken.id, taken.tries, taken.owner) == ("o", 2, "next")
    assert not await stores.operations.save(replace(lost, status=S.COMPLETED))
    assert not await stores.operations.beat(lost, 60)
    assert await stores.operations.save(replace(taken, status=S.COMPLETED, result={"n": 1}, done=4, total=4))
    stored = await stores.operations.get("o")
    assert (stored.status, stored.result, stored.done, stored.owner) == (S.COMPLETED, {"n": 1}, 4, None)


async def test_a_beat_lengthens_the_lease(stores):
    await stores.operations.add(work("o"))
    taken = await claim(stores, lease=0)
    assert await stores.operations.beat(replace(taken, done=2, total=5), 60)
    assert await claim(stores, "thief") is None
    stored = await stores.operations.get("o")
    assert (stored.done, stored.total) == (2, 5)
    assert stored.lease_until > now() + timedelta(seconds=50)


async def test_a_cancelled_operation_stays_cancelled(stores):
    await stores.operations.add(work("o"))
    taken = await claim(stores)
    assert await stores.operations.save(replace(taken, status=S.CANCELLED))
    assert not await stores.operations.beat(taken, 60)
    assert not await stores.operations.save(replace(taken, status=S.COMPLETED))
    assert (await stores.operations.get("o")).status is S.CANCELLED
    assert await claim(stores) is None


async def test_a_failed_operation_may_be_tried_again(stores):
    await stores.operations.add(work("o"))
    taken = await claim(stores)
    assert await stores.operations.save(replace(taken, status=S.FAILED, error="no \ud800"))
    assert (await stores.operations.get("o")).error == "no \ud800"
    later = now() + timedelta(hours=1)
    assert await stores.operations.save(replace(taken, status=S.PENDING, error="", not_before=later))
    assert await claim(stores) is None
    assert await stores.operations.save(replace(taken, status=S.PENDING, not_before=None))
    assert (await claim(stores)).tries == 2


async def test_saving_what_is_unknown_stores_nothing(stores):
    assert not await stores.operations.save(work("ghost"))
    assert await stores.operations.get("ghost") is None


async def test_lists_are_newest_first_and_filtered(stores):
    for n in range(4):
        fields = {"created": EPOCH + timedelta(n % 3), "kind": "retain" if n % 2 else "reindex"}
        await stores.operations.add(work(f"o{n}", parent="o0" if n else None, **fields))
    await stores.operations.add(work("far", bank="other"))
    await claim(stores)

    async def ids(**wanted):
        return [o.id for o in await stores.operations.list("bank", **wanted)]

    assert await ids() == ["o2", "o1", "o3", "o0"]
    assert await ids(limit=2, offset=1) == ["o1", "o3"]
    assert await ids(kind="retain") == ["o1", "o3"]
    assert await ids(status=S.PROCESSING) == ["o3"]
    assert await ids(parent="o0") == ["o2", "o1", "o3"]
    assert await ids(parent="o0", kind="retain", status=S.PENDING) == ["o1"]
