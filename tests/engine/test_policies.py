from datetime import timedelta

import pytest

from ricordo.errors import Invalid
from ricordo.types import Status


async def test_a_bank_may_hold_less_of_a_kind_than_others(bank):
    await bank.configure({"working": {"capacity": 3}})
    await bank.add([f"remark {n}" for n in range(5)], kind="working")
    assert len(await bank.list()) == 3


async def test_a_bank_may_hold_more_of_a_kind_than_others(bank):
    await bank.configure({"working": {"capacity": None}})
    await bank.add([f"remark {n}" for n in range(60)], kind="working")
    assert len(await bank.list()) == 60


async def test_a_limit_of_text_lets_the_least_important_go(bank):
    await bank.configure({"working": {"tokens": 12}})
    await bank.add("四个汉字", kind="working", importance=0.9)
    await bank.add("五个汉字也", kind="working", importance=0.2)
    kept = await bank.add("六个汉字吗是", kind="working", importance=0.8)
    assert kept.outcomes[0].warnings == ("1 older memories made room",)
    assert {m.text for m in await bank.list()} == {"四个汉字", "六个汉字吗是"}


async def test_a_memory_longer_than_the_limit_of_text_stays_and_takes_nobodys_room(bank):
    await bank.configure({"working": {"tokens": 12}})
    await bank.add("四个汉字", kind="working")
    await bank.add("长" * 500, kind="working")
    assert len(await bank.list()) == 2


async def test_a_bank_has_its_own_time_to_live(bank):
    await bank.configure({"working": {"ttl": timedelta(days=1)}})
    await bank.add("kept for a day", kind="working")
    [memory] = await bank.list()
    assert timedelta(hours=23) < memory.expires - memory.created <= timedelta(days=1)


async def test_a_bank_has_its_own_half_life(bank):
    from ricordo.types import now

    await bank.configure({"working": {"half_life": timedelta(hours=1)}})
    await bank.add("an hour ago", kind="working", at=now() - timedelta(hours=1), importance=0.5)
    [hit] = (await bank.search("hour ago", arms=["words"])).hits
    assert hit.score == pytest.approx(0.5 / 1.2, rel=1e-3)


@pytest.mark.parametrize("wrong", [{"capacity": 0}, {"ttl": 60}, {"colour": 1}, {"tokens": "many"}])
async def test_a_policy_that_makes_no_sense_is_refused(bank, wrong):
    with pytest.raises(Invalid, match=next(iter(wrong))):
        await bank.configure({"working": wrong})


async def test_a_memory_may_bring_its_own_id(bank):
    await bank.add("named elsewhere", id="note-1")
    assert (await bank.get("note-1")).text == "named elsewhere"
    again = await bank.add("another text", id="note-1")
    assert again.outcomes[0].status is Status.FAILED
    assert "note-1" in again.outcomes[0].reason
    assert (await bank.get("note-1")).text == "named elsewhere"
