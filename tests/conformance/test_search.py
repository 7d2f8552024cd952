"""What every RecordStore promises of its search by words, and that all give the same answers."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ricordo.types import Bank, Changes, Filter, Kind, Place

ALL = Filter(bank="bank")
WORDS = ["coffee", "tea", "Rome", "running", "the", "咖啡", "喜欢", "北京", "v2.0", "café"]


async def found(stores, words, filter=ALL, limit=10):
    return [id for id, _ in await stores.records.search(words, filter, limit)]


async def test_the_rarer_word_counts_more(stores, make):
    put = (make("a", "coffee in Rome"), make("b", "coffee in Paris"), make("c", "coffee in London"))
    await stores.records.write(Changes(bank="bank", put=put))
    assert await found(stores, "coffee Rome") == ["a", "b", "c"]


async def test_chinese_is_found_by_two_characters(stores, make):
    await stores.records.write(Changes(bank="bank", put=(make("a", "我喜欢喝咖啡"), make("b", "我住在北京"))))
    assert await found(stores, "咖啡") == ["a"]
    assert await found(stores, "北京") == ["b"]


async def test_headings_and_context_are_searched(stores, make):
    put = (make("a", "one", place=Place(headings=("Ownership",))), make("b", "two", context="borrowing"))
    await stores.records.write(Changes(bank="bank", put=put))
    assert await found(stores, "ownership") == ["a"]
    assert await found(stores, "borrowing") == ["b"]


async def test_only_searchable_kinds_are_found(stores, make):
    put = (
        make("c", "word", kind=Kind.CHUNK),
        make("s", "word", kind=Kind.SECTION),
        make("d", "word", kind=Kind.DOCUMENT),
    )
    await stores.records.write(Changes(bank="bank", put=put))
    assert await found(stores, "word") == ["c"]


async def test_equal_scores_go_by_id_also_where_the_limit_cuts(stores, make):
    await stores.records.write(Changes(bank="bank", put=tuple(make(f"m{n}", "same words") for n in (5, 3, 9, 1))))
    assert await found(stores, "words", limit=3) == ["m1", "m3", "m5"]


@pytest.mark.parametrize("words", ["", "   ", "zzz", "!?", "\0", "\ud800"])
async def test_what_is_not_there_is_not_found(stores, make, words):
    await stores.records.write(Changes(bank="bank", put=(make("a", "coffee"),)))
    assert await found(stores, words) == []


async def test_a_limit_of_nothing_gives_nothing(stores, make):
    await stores.records.write(Changes(bank="bank", put=(make("a", "coffee"),)))
    assert await found(stores, "coffee", limit=0) == []


async def test_the_filter_comes_before_the_limit(stores, make):
    put = tuple(make(f"m{n:02}", "coffee " * (20 - n), tags=("last",) if n == 19 else ()) for n in range(20))
    await stores.records.write(Changes(bank="bank", put=put))
    assert await found(stores, "coffee", Filter(bank="bank", tags=("last",)), limit=1) == ["m19"]


async def test_search_sees_each_write_at_once(stores, make):
    for n in range(30):
        await stores.records.write(Changes(bank="bank", put=(make(f"m{n:02}", str(1000 + n)),)))
        assert await found(stores, str(1000 + n)) == [f"m{n:02}"]
        if n % 3 == 0:
            await stores.records.write(Changes(bank="bank", delete=(f"m{n:02}",)))
            assert await found(stores, str(1000 + n)) == []


STEPS = st.lists(
    st.lists(
        st.tuples(st.integers(0, 12), st.one_of(st.none(), st.lists(st.sampled_from(WORDS), max_size=8))), max_size=6
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, query=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), limit=st.integers(1, 5))
async def test_every_store_gives_the_same_hits_after_any_writes(both, make, steps, query, limit):
    for opened in both:
        await opened.banks.delete("bank")
        await opened.banks.put(Bank(id="bank"))
    for step in steps:
        last = dict(step)
        changes = Changes(
            bank="bank",
            put=tuple(make(f"m{n}", " ".join(words) or "-") for n, words in last.items() if words is not None),
            delete=tuple(f"m{n}" for n, words in last.items() if words is None),
        )
        answers = []
        for opened in both:
            await opened.records.write(changes)
            answers.append(await opened.records.search(" ".join(query), ALL, limit))
        assert all(answer == answers[-1] for answer in answers)
