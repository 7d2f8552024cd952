"""Every store means by a filter what `Filter.accepts` means, in every way of asking."""

from datetime import timedelta

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ricordo.errors import Invalid
from ricordo.types import And, Bank, Changes, Compare, Filter, Kind, Match, Not, Op, Or, Tagged, now

KEYS = ["a", "", "a.b", "$.a", "x'\"y", "键", "\0", "\ud800", "a' or 1=1 --"]
SCALARS = [
    *(None, True, False, 0, 1, 1.0, -1, -0.0, 0.1, 1e308, -1e308),
    *(
        2**53,
        2**53 + 1,
        float(2**53),
        2**63 - 1,
        2**63,
        float(2**63),
        -(2**63),
        -(2**63) - 1,
        2**64,
        10**400,
        -(10**400),
    ),
    *(
        "",
        "a",
        "A",
        "b",
        "1",
        "true",
        "键",
        "é",
        "\0",
        "a\0b",
        "\ud800",
        "\uffff",
        "\U0001f600",
        "x'; drop table cells",
    ),
]
TAGS = ["a", "b", "键", "", "\ud800", "A"]
START = now()

scalars = st.sampled_from(SCALARS)
values = st.one_of(scalars, st.lists(scalars, max_size=3), st.just({"a": 1}))
asked = st.one_of(scalars, st.sampled_from([float("inf"), float("-inf"), [1], 0.5, 2.0**70]))
tags = st.lists(st.sampled_from(TAGS), max_size=3).map(tuple)
times = st.integers(-3, 3).map(lambda minutes: START + timedelta(minutes=minutes))
compares = st.builds(
    lambda key, op, value, several: Compare(key=key, op=op, value=several if op is Op.IN else value),
    st.sampled_from(KEYS),
    st.sampled_from(Op),
    asked,
    st.lists(asked, max_size=3).map(tuple),
)
conditions = st.recursive(
    st.one_of(compares, st.builds(Tagged, tags=tags, match=st.sampled_from(Match))),
    lambda inner: st.one_of(
        st.builds(And, of=st.lists(inner, max_size=3).map(tuple)),
        st.builds(Or, of=st.lists(inner, max_size=3).map(tuple)),
        st.builds(Not, of=inner),
    ),
    max_leaves=6,
)
filters = st.builds(
    Filter,
    bank=st.just("bank"),
    kinds=st.lists(st.sampled_from([Kind.SEMANTIC, Kind.CHUNK, Kind.SECTION]), max_size=2).map(tuple),
    tags=tags,
    match=st.sampled_from(Match),
    since=st.one_of(st.none(), times),
    until=st.one_of(st.none(), times),
    min_importance=st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    document=st.sampled_from([None, None, "d", "\ud800"]),
    parent=st.sampled_from([None, None, "p"]),
    session=st.sampled_from([None, None, "s", "\ud800"]),
    modality=st.sampled_from([None, None, "text", "image"]),
    where=st.one_of(st.none(), conditions),
    expired=st.booleans(),
)
contents = st.fixed_dictionaries(
    {
        "kind": st.sampled_from([Kind.SEMANTIC, Kind.CHUNK, Kind.SECTION]),
        "tags": tags,
        "at": times,
        "importance": st.sampled_from([0.0, 0.25, 0.5, 1.0]),
        "document": st.sampled_from([None, "d", "e"]),
        "parent": st.sampled_from([None, "p"]),
        "session": st.sampled_from([None, "s", "\ud800"]),
        "modality": st.sampled_from(["text", "image"]),
        "expires": st.sampled_from([None, START - timedelta(days=1), START + timedelta(days=1)]),
        "data": st.dictionaries(st.sampled_from(KEYS), values, max_size=4),
    }
)


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(contents=st.lists(contents, max_size=8), asked=st.lists(filters, min_size=1, max_size=5))
async def test_any_filter_over_any_memories_gives_what_accepts_says(both, make, contents, asked):
    memories = tuple(make(f"m{n}", f"word {n}", **fields) for n, fields in enumerate(contents))
    vectors = [(memory, np.array([1.0, n], np.float32)) for n, memory in enumerate(memories)]
    for opened in both:
        await opened.banks.delete("bank")
        await opened.banks.put(Bank(id="bank"))
        await opened.records.write(Changes(bank="bank", put=memories))
        await opened.vectors.upsert("space", vectors)
    for filter in asked:
        wanted = [memory for memory in memories if filter.accepts(memory, now())]
        searched = {memory.id for memory in wanted if memory.kind is not Kind.SECTION}
        for opened in both:
            assert await opened.records.ids(filter) == [memory.id for memory in wanted]
            assert {m.id for m in await opened.records.find(filter)} == {m.id for m in wanted}
            assert await opened.records.count(filter) == len(wanted)
            assert {id for id, _ in await opened.records.search("word", filter, 10)} == searched
            query = np.array([1, 1], np.float32)
            assert {id for id, _ in await opened.vectors.search("space", query, filter, 10)} == searched


async def test_every_value_compares_with_every_other_as_accepts_says(stores, make):
    memories = tuple(make(f"m{n:02}", data={"k": value}) for n, value in enumerate(SCALARS))
    await stores.records.write(Changes(bank="bank", put=memories))
    asked = [*SCALARS, float("inf"), float("-inf"), 2.0**70, -(2.0**64), 2**63 + 0.0, 2**53 + 2**70]
    for op in (Op.EQ, Op.NE, Op.LT, Op.LE, Op.GT, Op.GE):
        for value in asked:
            filter = Filter(bank="bank", where=Compare(key="k", op=op, value=value))
            wanted = [memory.id for memory in memories if filter.accepts(memory, START)]
            assert await stores.records.ids(filter) == wanted, (op, value)


async def test_a_filter_of_many_conditions_is_answered(stores, make):
    await stores.records.write(Changes(bank="bank", put=tuple(make(f"m{n}", data={"n": n}) for n in range(5))))
    wide = Or(of=tuple(Compare(key="n", op=Op.EQ, value=n) for n in range(2, 2_000)))
    deep = wide
    untagged = Not(of=Tagged(tags=("t",), match=Match.ANY))
    for _ in range(6):
        deep = Not(of=Not(of=Or(of=(untagged, deep))))
    assert await stores.records.ids(Filter(bank="bank", where=deep)) == ["m2", "m3", "m4"]
    among = Compare(key="n", op=Op.IN, value=tuple(range(3, 9_000)))
    assert await stores.records.ids(Filter(bank="bank", where=among)) == ["m3", "m4"]


async def test_a_filter_nested_without_end_is_refused(stores):
    deep = Compare(key="n", op=Op.EXISTS, value=True)
    for _ in range(20_000):
        deep = Not(of=deep)
    for ask in (stores.records.ids, stores.records.find, stores.records.count):
        with pytest.raises(Invalid, match="nested"):
            await ask(Filter(bank="bank", where=deep))
    with pytest.raises(Invalid, match="nested"):
        await stores.records.search("word", Filter(bank="bank", where=deep), 5)


def test_a_filter_may_not_compare_with_what_is_not_a_number():
    for value in (float("nan"), (1, float("nan"))):
        with pytest.raises(Invalid, match="not-a-number"):
            Compare(key="n", op=Op.IN if isinstance(value, tuple) else Op.GT, value=value)
