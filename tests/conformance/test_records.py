"""What every RecordStore promises of memories, their history and their outbox."""

import asyncio
from datetime import timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ricordo.errors import Conflict, Invalid, NotFound
from ricordo.types import (
    Changes,
    Entity,
    Filter,
    Kind,
    Operation,
    OperationStatus,
    Place,
    Relation,
    Version,
    now,
)

WILD = st.text(st.characters(), max_size=20)  # lone surrogates, NUL and all
ALL = Filter(bank="bank", expired=True)


def ids(memories):
    return [memory.id for memory in memories]


async def test_a_memory_comes_back_as_it_was_put(stores, make):
    memory = make(
        "m",
        "文字 and text",
        kind=Kind.CHUNK,
        at=now(),
        expires=now() + timedelta(days=1, microseconds=7),
        importance=0.25,
        tags=("b", "a", "b"),
        document="d",
        parent="p",
        position=3,
        place=Place(page=2, headings=("一", "Two > 3"), start=5, end=9),
        modality="image",
        session="s",
        context="上文",
        data={"list": [1, "x", None, {"deep": True}], "n": 2**80, "f": 0.1},
    )
    await stores.records.write(Changes(bank="bank", put=(memory,)))
    assert await stores.records.get("bank", ["m"]) == [memory]


async def test_a_time_of_another_zone_is_the_same_moment(stores, make):
    at = now().astimezone(timezone(timedelta(hours=8)))
    await stores.records.write(Changes(bank="bank", put=(make("m", at=at),)))
    found = (await stores.records.get("bank", ["m"]))[0]
    assert found.at == at
    assert found.at.utcoffset() == timedelta(0)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.tuples(*[WILD] * 7))
async def test_any_text_comes_back_and_is_found_by_its_fields(stores, make, texts):
    text, context, key, tag, session, modality, heading = texts
    memory = make(
        "m",
        text or "x",
        context=context,
        data={key: [text]},
        tags=(tag,),
        session=session,
        modality=modality,
        place=Place(headings=(heading,)),
    )
    await stores.records.write(Changes(bank="bank", put=(memory,)))
    assert await stores.records.get("bank", ["m"]) == [memory]
    filter = Filter(bank="bank", tags=(tag,), session=session, modality=modality)
    assert await stores.records.ids(filter) == ["m"]


@pytest.mark.parametrize(
    "fields",
    [
        {"data": {"x": float("nan")}},
        {"data": {"x": float("inf")}},
        {"data": {"x": object()}},
        {"data": {"x": {1: 2}}},
        {"position": 2**63},
        {"document": "\ud800"},
        {"parent": "\ud800"},
        {"bank": "other"},
    ],
    ids=str,
)
async def test_what_could_not_come_back_is_refused_and_nothing_is_written(stores, make, fields):
    with pytest.raises(Invalid):
        await stores.records.write(Changes(bank="bank", put=(make("good"), make("bad", **fields))))
    assert await stores.records.ids(ALL) == []


async def test_one_write_may_not_put_a_memory_twice(stores, make):
    with pytest.raises(Invalid, match="twice"):
        await stores.records.write(Changes(bank="bank", put=(make("m"), make("m"))))


async def test_writing_to_an_unknown_bank_says_so(stores, make):
    with pytest.raises(NotFound, match="nowhere"):
        await stores.records.write(Changes(bank="nowhere", put=(make("m", bank="nowhere"),)))


async def test_reading_an_unknown_bank_finds_nothing(stores):
    assert await stores.records.get("nowhere", ["m"]) == []
    assert await stores.records.find(Filter(bank="nowhere")) == []
    assert await stores.records.search("word", Filter(bank="nowhere"), 5) == []
    assert await stores.records.count(Filter(bank="nowhere")) == 0
    assert await stores.records.tally("nowhere") == {}


async def test_get_keeps_the_order_asked_for_and_leaves_out_the_unknown(stores, make):
    await stores.records.write(Changes(bank="bank", put=tuple(make(name) for name in "abc")))
    assert ids(await stores.records.get("bank", ["c", "x\ud800", "a", "?", "c"])) == ["c", "a", "c"]


async def test_get_takes_more_ids_than_a_statement_can_hold(stores, make):
    many = tuple(make(f"m{n:05}") for n in range(2_100))
    await stores.records.write(Changes(bank="bank", put=many))
    assert ids(await stores.records.get("bank", [m.id for m in many])) == [m.id for m in many]


async def test_a_put_replaces_the_memory_of_its_id(stores, make):
    await stores.records.write(Changes(bank="bank", put=(make("m", "tea", tags=("old",), data={"k": 1}),)))
    await stores.records.write(Changes(bank="bank", put=(make("m", "coffee", tags=("new",)),)))
    assert await stores.records.count(ALL) == 1
    assert await stores.records.ids(Filter(bank="bank", tags=("old",))) == []
    assert await stores.records.search("tea", ALL, 5) == []
    assert [id for id, _ in await stores.records.search("coffee", ALL, 5)] == ["m"]


async def test_banks_see_nothing_of_each_other(stores, make):
    await stores.records.write(Changes(bank="bank", put=(make("same", "mine"),)))
    await stores.records.write(Changes(bank="other", put=(make("same", "theirs", bank="other"),)))
    await stores.records.write(Changes(bank="other", delete=("same",)))
    assert [m.text for m in await stores.records.find(ALL)] == ["mine"]
    assert await stores.records.search("theirs", ALL, 5) == []


async def test_match_id_gives_ten_ids_that_begin_so(stores, make):
    await stores.records.write(
        Changes(
            bank="bank", put=(*(make(f"ab{n:02}") for n in range(12)), make("aa"), make("ac"), make("a%"), make("ab"))
        )
    )
    assert await stores.records.match_id("bank", "ab") == ["ab", *(f"ab{n:02}" for n in range(9))]
    assert await stores.records.match_id("bank", "a%") == ["a%"]
    assert await stores.records.match_id("bank", "b\ud800") == []


@pytest.mark.parametrize(
    ("order", "descending", "expected"),
    [
        ("position", False, ["loose", "d1", "d0", "e0"]),
        ("position", True, ["e0", "d0", "d1", "loose"]),
        ("at", False, ["e0", "loose", "d1", "d0"]),
        ("at", True, ["d0", "d1", "loose", "e0"]),
        ("created", False, ["d1", "d0", "e0", "loose"]),
        ("importance", False, ["d0", "d1", "loose", "e0"]),
        ("importance", True, ["e0", "d0", "d1", "loose"]),
    ],
)
async def test_find_orders_and_breaks_ties_by_id(stores, make, order, descending, expected):
    start = now()
    put = (
        make("d0", document="d", position=1, at=start + timedelta(4), created=start + timedelta(1)),
        make("d1", document="d", position=0, at=start + timedelta(3), created=start),
        make("loose", at=start + timedelta(2), created=start + timedelta(3)),
        make("e0", document="e", at=start, created=start + timedelta(2), importance=0.9),
    )
    await stores.records.write(Changes(bank="bank", put=put))
    assert ids(await stores.records.find(ALL, order=order, descending=descending)) == expected


async def test_find_pages_without_gaps(stores, make):
    await stores.records.write(Changes(bank="bank", put=tuple(make(f"m{n}") for n in range(7))))
    pages = [ids(await stores.records.find(ALL, limit=3, offset=offset)) for offset in (0, 3, 6, 9)]
    assert pages == [["m0", "m1", "m2"], ["m3", "m4", "m5"], ["m6"], []]


async def test_a_page_before_the_first_is_refused(stores):
    for page in ({"limit": -1}, {"offset": -1}):
        with pytest.raises(Invalid, match="-1"):
            await stores.records.find(ALL, **page)


async def test_an_unknown_order_is_refused(stores):
    with pytest.raises(Invalid, match="importance"):
        await stores.records.find(ALL, order="importance; drop table memories")


async def test_tally_counts_kinds_without_the_expired(stores, make):
    put = (
        make("a", importance=0.2),
        make("b", importance=0.4),
        make("c", kind=Kind.SECTION),
        make("old", expires=now() - timedelta(seconds=1)),
    )
    await stores.records.write(Changes(bank="bank", put=put))
    assert await stores.records.tally("bank") == {"semantic": (2, 0.3), "section": (1, 0.5)}


def version(memory: str, number: int, **fields) -> Version:
    filled = {"text": f"v{number}", "importance": 0.5, "tags": ("t",), "data": {"k": [1]}, "reason": "edit"}
    return Version(memory=memory, number=number, changed=now(), **{**filled, **fields})


async def test_history_comes_in_order_and_goes_with_its_memory(stores, make):
    first, second = version("m", 1, text="\ud800"), version("m", 2)
    await stores.records.write(Changes(bank="bank", put=(make("m"), make("n")), versions=(second, version("n", 1))))
    await stores.records.write(Changes(bank="bank", versions=(first,)))
    assert await stores.records.history("bank", "m") == [first, second]
    assert await stores.records.history("other", "m") == []
    await stores.records.write(Changes(bank="bank", put=(make("m", "changed"),)))
    assert len(await stores.records.history("bank", "m")) == 2
    await stores.records.write(Changes(bank="bank", delete=("m",)))
    assert await stores.records.history("bank", "m") == []
    assert len(await stores.records.history("bank", "n")) == 1


async def test_a_write_is_all_or_nothing(stores, make):
    operation = Operation(id="o", bank="bank", kind="retain")
    await stores.operations.add(operation)
    await stores.operations.claim("worker", ["retain"], 60)
    late = Operation(id="o", bank="bank", kind="retain", tries=0, status=OperationStatus.COMPLETED)
    await stores.records.write(Changes(bank="bank", put=(make("old"),)))
    with pytest.raises(Conflict):
        await stores.records.write(
            Changes(
                bank="bank",
                put=(make("new"),),
                delete=("old",),
                versions=(version("new", 1),),
                entities=(Entity(id="e", bank="bank", name="E"),),
                operations=(Operation(id="p", bank="bank", kind="k"), late),
                spaces=("space",),
            )
        )
    assert await stores.records.ids(ALL) == ["old"]
    assert await stores.records.history("bank", "new") == []
    assert await stores.graph.counts("bank") == (0, 0)
    assert await stores.operations.get("p") is None
    assert await stores.records.waiting("space", "bank") == 0


async def test_a_write_enqueues_and_saves_operations_with_the_memories(stores, make):
    await stores.operations.add(Operation(id="o", bank="bank", kind="retain"))
    taken = await stores.operations.claim("worker", ["retain"], 60)
    done = Operation(id="o", bank="bank", kind="retain", tries=taken.tries, status=OperationStatus.COMPLETED, done=1)
    more = Operation(id="p", bank="bank", kind="retain")
    await stores.records.write(Changes(bank="bank", put=(make("m"),), operations=(done, more)))
    assert (await stores.operations.get("o")).status is OperationStatus.COMPLETED
    assert (await stores.operations.get("p")).status is OperationStatus.PENDING


async def test_deleting_a_memory_takes_its_relations_and_lonely_entities(stores, make):
    entities = tuple(Entity(id=name, bank="bank", name=name) for name in "xyz")
    relations = (
        Relation(bank="bank", source="x", label="knows", target="y", memory="m"),
        Relation(bank="bank", source="y", label="knows", target="z", memory="n"),
    )
    await stores.records.write(Changes(bank="bank", put=(make("m"), make("n")), entities=entities, relations=relations))
    await stores.records.write(Changes(bank="bank", delete=("m",)))
    assert await stores.graph.dump("bank") == (list(entities[1:]), [relations[1]])


async def test_deleting_what_is_not_there_does_nothing(stores, make):
    await stores.records.write(Changes(bank="bank", put=(make("m"),)))
    await stores.records.write(Changes(bank="bank", delete=("ghost", "x\ud800"), spaces=("space",)))
    assert await stores.records.count(ALL) == 1
    assert await stores.records.pending("space", 10) == []


async def test_many_writes_at_once_are_all_there(stores, make):
    await asyncio.gather(*(stores.records.write(Changes(bank="bank", put=(make(f"m{n}"),))) for n in range(40)))
    assert await stores.records.count(ALL) == 40
    assert len(await stores.records.search("m7", ALL, 5)) == 1


async def test_vacuum_changes_nothing_that_can_be_seen(stores, make):
    await stores.records.write(Changes(bank="bank", put=tuple(make(f"m{n}", f"word number {n}") for n in range(30))))
    await stores.records.write(Changes(bank="bank", delete=tuple(f"m{n}" for n in range(0, 30, 2))))
    before = await stores.records.find(ALL), await stores.records.search("word 7", ALL, 50)
    await stores.records.vacuum()
    assert (await stores.records.find(ALL), await stores.records.search("word 7", ALL, 50)) == before
