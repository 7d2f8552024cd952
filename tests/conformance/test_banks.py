"""What every BankStore promises of banks and keys."""

from datetime import timedelta

import numpy as np
import pytest

from ricordo.errors import Conflict, Invalid
from ricordo.types import ApiKey, Bank, Changes, Entity, Filter, Operation, Relation, Version, now


async def test_banks_come_back_in_order_of_their_ids(stores):
    bank = Bank(id="a bank", name="名\ud800", mission="m", created=now(), settings={"x": [1, None]})
    await stores.banks.put(bank)
    assert await stores.banks.get("a bank") == bank
    assert [b.id for b in await stores.banks.list()] == ["a bank", "bank", "other"]
    assert await stores.banks.get("unknown\ud800") is None


async def test_putting_a_bank_again_changes_it_and_keeps_what_it_holds(stores, make):
    await stores.records.write(Changes(bank="bank", put=(make("m"),)))
    await stores.banks.put(Bank(id="bank", name="new", settings={"a": 1}))
    assert (await stores.banks.get("bank")).name == "new"
    assert await stores.records.count(Filter(bank="bank")) == 1


async def test_a_bank_needs_an_id_and_settings_that_can_be_kept(stores):
    for bank in (Bank(id=""), Bank(id="\ud800"), Bank(id="x", settings={"f": float("nan")})):
        with pytest.raises(Invalid):
            await stores.banks.put(bank)


async def test_deleting_a_bank_takes_everything_in_it_and_nothing_else(stores, make):
    for bank in ("bank", "other"):
        memory = make("m", f"word of {bank}", bank=bank, tags=("t",), data={"k": 1})
        version = Version(memory="m", number=1, text="v", importance=0.5, tags=(), data={}, changed=now(), reason="")
        await stores.records.write(
            Changes(
                bank=bank,
                put=(memory,),
                versions=(version,),
                entities=(Entity(id="e", bank=bank, name="E"),),
                relations=(Relation(bank=bank, source="e", label="l", target="f", memory="m"),),
                operations=(Operation(id=f"o-{bank}", bank=bank, kind="k"),),
                spaces=("space",),
            )
        )
        await stores.vectors.upsert("space", [(memory, np.ones(3, np.float32))])
    assert await stores.banks.delete("bank")
    assert not await stores.banks.delete("bank")
    await stores.banks.put(Bank(id="bank"))
    for bank, left in (("bank", 0), ("other", 1)):
        assert await stores.records.count(Filter(bank=bank, tags=("t",))) == left
        assert len(await stores.records.history(bank, "m")) == left
        assert await stores.graph.counts(bank) == (left, left)
        assert len(await stores.graph.lookup(bank, ["e"])) == left
        assert len(await stores.operations.list(bank)) == left
        assert await stores.records.waiting("space", bank) == left
        assert await stores.vectors.count("space", bank) == left
        assert len(await stores.records.search("word", Filter(bank=bank), 5)) == left


async def test_a_bank_of_10001_memories_goes_as_a_whole(stores, make):
    await stores.records.write(Changes(bank="bank", put=tuple(make(f"m{n}", "word") for n in range(10_001))))
    assert await stores.records.count(Filter(bank="bank")) == 10_001
    assert await stores.banks.delete("bank")
    assert await stores.records.count(Filter(bank="bank")) == 0
    assert await stores.records.ids(Filter(bank="bank", expired=True)) == []


async def test_keys_are_kept_found_by_prefix_touched_and_deleted(stores):
    start = now()
    first = ApiKey(id="1", prefix="rk_a", hash="h1", name="n\ud800", banks=("b",), scopes=("read",), created=start)
    second = ApiKey(id="2", prefix="rk_b", hash="h2", created=start + timedelta(1), expires=start + timedelta(2))
    for key in (second, first):
        await stores.banks.add_key(key)
    assert await stores.banks.keys() == [first, second]
    assert await stores.banks.find_key("rk_a") == [first]
    assert await stores.banks.find_key("rk_\ud800") == []
    await stores.banks.touch_key("1", start)
    assert (await stores.banks.find_key("rk_a"))[0].last_used == start
    assert await stores.banks.delete_key("1")
    assert not await stores.banks.delete_key("1")
    assert await stores.banks.keys() == [second]


async def test_a_key_s_id_is_used_once(stores):
    key = ApiKey(id="1", prefix="rk_a", hash="h1")
    await stores.banks.add_key(key)
    with pytest.raises(Conflict, match="'1'"):
        await stores.banks.add_key(key)
