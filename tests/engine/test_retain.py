import pytest

from ricordo import File, Item, Status
from ricordo.types import Kind


async def test_a_remark_is_stored_once_and_found_by_its_words_at_once(bank):
    first = await bank.add("我喜欢喝咖啡，每天早上一杯。", tags=["habit"])
    assert [o.status for o in first.outcomes] == [Status.STORED]
    found = await bank.search("咖啡", arms=["words"])
    assert [h.memory.id for h in found.hits] == list(first.outcomes[0].memories)
    again = await bank.add("我喜欢喝咖啡，每天早上一杯。", tags=["drink"])
    assert again.outcomes[0].status is Status.MERGED
    memory = await bank.get(first.outcomes[0].memories[0])
    assert memory.tags == ("drink", "habit")
    assert len(await bank.list()) == 1


async def test_a_document_is_stored_as_sections_and_chunks_that_fill_its_text(bank, handbook):
    stored = await bank.add(handbook, document="handbook", wait="vectors")
    assert stored.coverage.complete
    assert stored.coverage.total > 3
    rows = await bank.list(kinds=["chunk"], order="position", descending=False, limit=1000)
    assert "".join(r.text for r in rows) == handbook
    assert all(handbook[r.place.start : r.place.end] == r.text for r in rows)


async def test_the_same_document_again_changes_nothing(bank, handbook):
    await bank.add(handbook, document="handbook")
    before = await bank.list(kinds=list(Kind), limit=1000)
    again = await bank.add(handbook, document="handbook")
    assert again.outcomes[0].status is Status.MERGED
    assert await bank.list(kinds=list(Kind), limit=1000) == before


async def test_an_edit_keeps_what_did_not_change_and_removes_what_went(bank, handbook):
    await bank.add(handbook, document="handbook", wait="vectors")
    before = {m.id: m for m in await bank.list(kinds=["chunk"], limit=1000)}
    await bank.add(handbook.replace("15 days", "20 days"), document="handbook", wait="vectors")
    after = {m.id: m for m in await bank.list(kinds=["chunk"], limit=1000)}
    assert len(after.keys() - before.keys()) == 1
    assert (
        not (await bank.search("15 days of paid leave", arms=["words"], limit=1)).hits[0].memory.text.count("15 days")
    )
    assert (await bank.search("20 days of paid leave", limit=1)).hits[0].memory.text.count("20 days")
    assert all(after[i].created == before[i].created for i in after.keys() & before.keys())


async def test_a_document_emptied_of_text_is_reported_and_the_old_one_stays(bank, handbook):
    await bank.add(handbook, document="handbook")
    outcome = (await bank.add("   ", document="handbook")).outcomes[0]
    assert outcome.status is Status.SKIPPED
    assert "no text" in outcome.reason
    assert (await bank.search("paid leave")).hits


async def test_each_item_has_its_own_outcome_and_a_bad_one_stops_no_other(bank):
    stored = await bank.add(
        [
            Item(content="good one"),
            Item(content="  "),
            Item(content="bad", kind=Kind.CHUNK),
            File(name="x.bin", data=b"\0\1\2" * 100),
        ]
    )
    assert [o.status for o in stored.outcomes] == [Status.STORED, Status.SKIPPED, Status.FAILED, Status.SKIPPED]
    assert all(o.reason for o in stored.outcomes[1:])


async def test_working_memory_makes_room_by_dropping_what_matters_least(bank):
    await bank.add([f"note number {n}" for n in range(50)], kind="working", importance=0.5)
    stored = await bank.add("the one that must stay", kind="working", importance=0.9)
    assert "made room" in stored.outcomes[0].warnings[0]
    left = await bank.list(kinds=["working"], limit=100)
    assert len(left) == 50
    assert "the one that must stay" in [m.text for m in left]


@pytest.mark.parametrize(
    "text",
    ["a" * 1_000_000, "emoji 👩‍👩‍👧‍👦 and \x00 control \x07", "'; drop table memories; --", '"quotes" and \\ slashes'],
)
async def test_any_text_is_data(bank, text):
    stored = await bank.add(text)
    assert stored.outcomes[0].status is Status.STORED
    assert (await bank.get(stored.outcomes[0].memories[0])).text == text


async def test_banks_are_walls(ricordo):
    await ricordo.bank("alice").add("the secret word is heron")
    await ricordo.bank("bob").add("the secret word is otter")
    found = await ricordo.bank("bob").search("secret word heron")
    assert [h.memory.text for h in found.hits] == ["the secret word is otter"]
