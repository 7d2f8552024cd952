"""What every RecordStore promises to those who follow it."""

import numpy as np

from ricordo.types import Changes, Kind

SPACE = "space"


async def rows(stores, space=SPACE):
    return [(row.bank, row.memory, row.gone) for row in await stores.records.pending(space, 100)]


async def test_each_searchable_memory_has_a_row_for_each_space(stores, make):
    put = (make("a"), make("s", kind=Kind.SECTION), make("d", kind=Kind.DOCUMENT), make("c", kind=Kind.CHUNK))
    await stores.records.write(Changes(bank="bank", put=put, spaces=(SPACE, "second")))
    assert await rows(stores) == await rows(stores, "second") == [("bank", "a", False), ("bank", "c", False)]
    assert await stores.records.waiting(SPACE, "bank") == 2
    assert await stores.records.waiting(SPACE, "other") == 0


async def test_an_unknown_space_has_no_rows(stores):
    for space in ("unknown", "\ud800"):
        assert await rows(stores, space) == []
        assert await stores.records.waiting(space, "bank") == 0
        await stores.records.applied(space, [1])


async def test_no_space_means_no_row(stores, make):
    await stores.records.write(Changes(bank="bank", put=(make("a"),)))
    assert await rows(stores) == []


async def test_rows_come_oldest_first_and_go_when_applied(stores, make):
    for name in "abc":
        await stores.records.write(Changes(bank="bank", put=(make(name),), spaces=(SPACE, "second")))
    first, second = await stores.records.pending(SPACE, 2)
    assert (first.memory, second.memory) == ("a", "b")
    await stores.records.applied(SPACE, [first.seq, second.seq])
    assert await rows(stores) == [("bank", "c", False)]
    assert len(await rows(stores, "second")) == 3


async def test_a_row_that_was_written_again_outlives_what_was_applied_before(stores, make):
    await stores.records.write(Changes(bank="bank", put=(make("a", "one"),), spaces=(SPACE,)))
    seen = await stores.records.pending(SPACE, 10)
    await stores.records.write(Changes(bank="bank", put=(make("a", "two"),), spaces=(SPACE,)))
    await stores.records.applied(SPACE, [row.seq for row in seen])
    (row,) = await stores.records.pending(SPACE, 10)
    assert row.seq > seen[0].seq


async def test_a_deleted_memory_is_announced_as_gone(stores, make):
    await stores.records.write(Changes(bank="bank", put=(make("a"),), spaces=(SPACE,)))
    await stores.records.write(Changes(bank="bank", delete=("a",), spaces=(SPACE,)))
    assert await rows(stores) == [("bank", "a", True)]
    await stores.records.write(Changes(bank="bank", put=(make("a"),), spaces=(SPACE,)))
    assert await rows(stores) == [("bank", "a", False)]


async def test_a_memory_that_stops_being_searchable_is_announced_as_gone(stores, make):
    await stores.records.write(Changes(bank="bank", put=(make("a"),), spaces=(SPACE,)))
    await stores.records.write(Changes(bank="bank", put=(make("a", kind=Kind.SECTION),), spaces=(SPACE,)))
    assert await rows(stores) == [("bank", "a", True)]


async def test_a_memory_whose_vector_is_here_needs_no_row(stores, make):
    await stores.records.write(Changes(bank="bank", put=(make("a", "same"),), spaces=(SPACE,)))
    await stores.vectors.upsert(SPACE, [(make("a", "same"), np.ones(4, np.float32))])
    await stores.records.applied(SPACE, [row.seq for row in await stores.records.pending(SPACE, 10)])
    await stores.records.write(Changes(bank="bank", put=(make("b", "same"), make("c", "new")), spaces=(SPACE,)))
    assert await rows(stores) == [("bank", "c", False)]
    await stores.records.write(Changes(bank="bank", put=(make("c", "same"),), delete=("a",), spaces=(SPACE,)))
    assert await rows(stores) == []
    assert await stores.vectors.count(SPACE, "bank") == 2


async def test_enqueue_adds_what_has_no_vector_and_does_not_wait_yet(stores, make):
    put = (make("a"), make("b"), make("c"), make("s", kind=Kind.SECTION))
    await stores.records.write(Changes(bank="bank", put=put))
    await stores.vectors.upsert(SPACE, [(put[0], np.ones(4, np.float32))])
    assert await stores.records.enqueue(SPACE, "bank") == 2
    assert await rows(stores) == [("bank", "b", False), ("bank", "c", False)]
    assert await stores.records.enqueue(SPACE, "bank") == 0
    assert await stores.records.enqueue(SPACE, "nowhere") == 0


async def test_enqueue_turns_an_old_farewell_into_a_newer_row(stores, make):
    await stores.records.write(Changes(bank="bank", put=(make("a"),), spaces=(SPACE,)))
    await stores.records.write(Changes(bank="bank", delete=("a",), spaces=(SPACE,)))
    seen = await stores.records.pending(SPACE, 10)
    await stores.records.write(Changes(bank="bank", put=(make("a"),)))
    assert await stores.records.enqueue(SPACE, "bank") == 1
    await stores.records.applied(SPACE, [row.seq for row in seen])
    assert await rows(stores) == [("bank", "a", False)]


async def test_a_deleted_bank_leaves_no_row(stores, make):
    await stores.records.write(Changes(bank="bank", put=(make("a"),), spaces=(SPACE,)))
    await stores.banks.delete("bank")
    assert await rows(stores) == []
