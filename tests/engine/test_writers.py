"""Several writers at once: each change is kept, or finds itself overtaken and is made anew."""

import asyncio
from dataclasses import replace

import pytest

from ricordo.errors import Changed
from ricordo.types import Changes, Item, Kind, Status


async def test_two_writers_of_one_document_leave_one_text(bank):
    for _ in range(5):
        await asyncio.gather(bank.add("alpha text", document="d"), bank.add("beta text", document="d"))
        chunks = await bank.list(kinds=[Kind.CHUNK])
        assert len(chunks) == 1


async def test_updates_of_different_fields_at_once_are_all_kept_with_their_history(bank):
    id = (await bank.add("first")).outcomes[0].memories[0]
    await asyncio.gather(
        bank.update(id, text="second"), bank.update(id, importance=0.9), bank.update(id, tags=["kept"])
    )
    memory = await bank.get(id)
    assert (memory.text, memory.importance, memory.tags) == ("second", 0.9, ("kept",))
    assert [version.number for version in await bank.history(id)] == [1, 2, 3]


async def test_the_same_remark_added_by_many_at_once_keeps_all_their_tags(bank):
    await asyncio.gather(*(bank.add("the same", tags=[f"t{n}"]) for n in range(5)))
    (memory,) = await bank.list()
    assert memory.tags == ("t0", "t1", "t2", "t3", "t4")


async def test_a_memory_that_is_deleted_while_it_is_consolidated_stays_deleted(bank):
    for _ in range(10):
        id = (await bank.add("a plan", kind=Kind.WORKING, importance=0.9)).outcomes[0].memories[0]
        done = await asyncio.gather(bank.consolidate(), bank.delete(id), return_exceptions=True)
        assert not await bank.list(kinds=list(Kind)), done


async def test_a_store_writes_nothing_that_was_decided_on_what_is_no_longer_so(bank):
    id = (await bank.add("first")).outcomes[0].memories[0]
    records = bank._ricordo.parts.records
    read = await bank.get(id)
    await bank.update(id, text="second")
    late = replace(read, text="too late")
    for wrong in ({"expect": (read,)}, {"absent": (id,)}):
        with pytest.raises(Changed, match="read it again"):
            await records.write(Changes(bank="notes", put=(late,), **wrong))
    with pytest.raises(Changed, match="history"):
        await records.write(Changes(bank="notes", put=(late,), versions=tuple(await bank.history(id))))
    assert (await bank.get(id)).text == "second"


async def test_a_remark_that_cannot_be_stored_takes_no_other_with_it(bank):
    items = [Item(content="good"), Item(content="bad", data={"x": object()}), Item(content="also good")]
    done = (await bank.add(items)).outcomes
    assert [outcome.status for outcome in done] == [Status.STORED, Status.FAILED, Status.STORED]
    assert sorted(memory.text for memory in await bank.list()) == ["also good", "good"]


async def test_a_remark_whose_id_went_on_to_another_text_is_stored_under_the_next(bank):
    first = (await bank.add("the office is in Berlin")).outcomes[0].memories[0]
    await bank.update(first, text="the office is in Lisbon")
    again, once_more = [(await bank.add("the office is in Berlin")).outcomes[0] for _ in range(2)]
    assert (again.status, once_more.status) == (Status.STORED, Status.MERGED)
    assert again.memories == once_more.memories != (first,)
    given = (await bank.add(Item(id=first, content="given"))).outcomes[0]
    assert (given.status, "another memory" in given.reason) == (Status.FAILED, True)
