"""What every VectorStore promises."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ricordo.errors import Conflict, Invalid
from ricordo.types import Bank, Changes, Filter, Kind

ALL = Filter(bank="bank")
SPACE = "space"


def vector(*numbers):
    return np.array(numbers, np.float32)


@pytest.fixture
async def three(stores, make):
    """Three memories with vectors a right angle and half a right angle apart."""
    put = (make("east"), make("north"), make("northeast", tags=("t",)))
    await stores.records.write(Changes(bank="bank", put=put))
    await stores.vectors.upsert(SPACE, list(zip(put, (vector(1, 0), vector(0, 1), vector(1, 1)), strict=True)))
    return put


async def test_the_nearest_come_first_with_their_cosine(stores, three):
    assert await stores.vectors.search(SPACE, vector(2, 0), ALL, 2) == [("east", 1.0), ("northeast", 0.707107)]


async def test_length_does_not_matter(stores, make):
    put = (make("a"), make("b"))
    await stores.records.write(Changes(bank="bank", put=put))
    await stores.vectors.upsert(SPACE, [(put[0], vector(1e-20, 0)), (put[1], vector(3e18, 4e18))])
    assert await stores.vectors.search(SPACE, vector(5e-20, 0), ALL, 5) == [("a", 1.0), ("b", 0.6)]


async def test_equal_scores_go_by_id_also_where_the_limit_cuts(stores, make):
    put = tuple(make(f"m{n}") for n in (5, 3, 9, 1))
    await stores.records.write(Changes(bank="bank", put=put))
    await stores.vectors.upsert(SPACE, [(m, vector(1, 0)) for m in put])
    assert [id for id, _ in await stores.vectors.search(SPACE, vector(1, 0), ALL, 2)] == ["m1", "m3"]


async def test_the_filter_comes_before_the_limit(stores, three):
    assert await stores.vectors.search(SPACE, vector(1, 0), Filter(bank="bank", tags=("t",)), 1) == [
        ("northeast", 0.707107)
    ]


async def test_an_unknown_space_or_bank_has_no_hits(stores, three):
    assert await stores.vectors.search("nowhere", vector(1, 0, 0), ALL, 5) == []
    assert await stores.vectors.search(SPACE, vector(1, 0), Filter(bank="nowhere"), 5) == []
    assert await stores.vectors.count("nowhere", "bank") == 0
    assert await stores.vectors.known("nowhere", [three[0].digest]) == {}


async def test_known_gives_the_vectors_of_digests_whichever_bank_has_them(stores, three, make):
    found = await stores.vectors.known(SPACE, [three[2].digest, make("x", "unseen").digest])
    assert list(found) == [three[2].digest]
    assert found[three[2].digest].dtype == np.float32
    assert found[three[2].digest] == pytest.approx([0.5**0.5, 0.5**0.5])


async def test_a_wrong_dimension_is_a_conflict_that_names_both_and_stores_nothing(stores, three, make):
    put = (make("x"), make("y"))
    await stores.records.write(Changes(bank="bank", put=put))
    with pytest.raises(Conflict, match=r"3 dimensions.*2"):
        await stores.vectors.upsert(SPACE, [(put[0], vector(1, 0)), (put[1], vector(1, 0, 0))])
    assert await stores.vectors.count(SPACE, "bank") == 3
    with pytest.raises(Conflict, match=r"3 dimensions.*2"):
        await stores.vectors.search(SPACE, vector(1, 0, 0), ALL, 1)


@pytest.mark.parametrize("bad", [vector(0, 0), vector(np.nan, 1), vector(np.inf, 1), vector()], ids=str)
async def test_a_vector_without_direction_is_refused(stores, make, bad):
    memory = make("m")
    await stores.records.write(Changes(bank="bank", put=(memory,)))
    with pytest.raises(Invalid):
        await stores.vectors.upsert(SPACE, [(memory, bad)])
    with pytest.raises(Invalid):
        await stores.vectors.search(SPACE, bad, ALL, 1)


async def test_memories_of_one_surface_share_their_vector(stores, three, make):
    await stores.records.write(Changes(bank="bank", put=(make("again", "east"),)))
    assert await stores.vectors.count(SPACE, "bank") == 4
    assert [id for id, _ in await stores.vectors.search(SPACE, vector(1, 0), ALL, 2)] == ["again", "east"]
    await stores.records.write(Changes(bank="bank", delete=("east",)))
    assert [id for id, _ in await stores.vectors.search(SPACE, vector(1, 0), ALL, 1)] == ["again"]
    await stores.records.write(Changes(bank="bank", delete=("again",)))
    assert await stores.vectors.known(SPACE, [make("x", "east").digest]) == {}


async def test_a_changed_text_loses_its_old_vector(stores, three, make):
    old = three[0].digest
    await stores.records.write(Changes(bank="bank", put=(make("east", "moved"),)))
    assert await stores.vectors.count(SPACE, "bank") == 2
    assert await stores.vectors.known(SPACE, [old]) == {}


async def test_a_vector_of_a_memory_that_is_gone_is_not_kept(stores, three, make):
    await stores.vectors.upsert(SPACE, [(make("ghost"), vector(1, 0))])
    assert await stores.vectors.known(SPACE, [make("ghost").digest]) == {}


async def test_only_searchable_kinds_are_found_and_counted(stores, make):
    put = (make("c", "word", kind=Kind.CHUNK), make("s", "word", kind=Kind.SECTION))
    await stores.records.write(Changes(bank="bank", put=put))
    await stores.vectors.upsert(SPACE, [(put[1], vector(1, 0))])
    assert await stores.vectors.search(SPACE, vector(1, 0), ALL, 5) == [("c", 1.0)]
    assert await stores.vectors.count(SPACE, "bank") == 1


async def test_an_upsert_again_replaces_the_vector(stores, three):
    await stores.vectors.search(SPACE, vector(1, 0), ALL, 1)
    await stores.vectors.upsert(SPACE, [(three[0], vector(-1, 0))])
    assert ("east", -1.0) in await stores.vectors.search(SPACE, vector(1, 0), ALL, 3)
    assert await stores.vectors.count(SPACE, "bank") == 3


async def test_delete_takes_vectors_but_not_what_another_memory_needs(stores, three, make):
    await stores.records.write(Changes(bank="bank", put=(make("again", "east"),)))
    await stores.vectors.delete(SPACE, "bank", ["east", "north", "ghost"])
    assert [id for id, _ in await stores.vectors.search(SPACE, vector(0, 1), ALL, 5)] == ["northeast", "again", "east"]
    await stores.vectors.delete(SPACE, "bank", ["east", "again"])
    assert await stores.vectors.count(SPACE, "bank") == 1


async def test_drop_forgets_the_space_of_one_bank(stores, three, make):
    mine = make("mine", bank="other")
    await stores.records.write(Changes(bank="other", put=(mine,)))
    await stores.vectors.upsert(SPACE, [(mine, vector(1, 0))])
    await stores.vectors.upsert("second", [(three[0], vector(1, 0, 0))])
    await stores.vectors.drop(SPACE, "bank")
    assert await stores.vectors.search(SPACE, vector(1, 0), ALL, 5) == []
    assert await stores.vectors.count("second", "bank") == 1
    assert await stores.vectors.count(SPACE, "other") == 1
    await stores.vectors.upsert(SPACE, [(three[0], vector(1, 0))])
    assert await stores.vectors.count(SPACE, "bank") == 1


async def test_banks_see_nothing_of_each_other(stores, three, make):
    secret = make("secret", bank="other")
    await stores.records.write(Changes(bank="other", put=(secret,)))
    await stores.vectors.upsert(SPACE, [(secret, vector(1, 0))])
    assert "secret" not in [id for id, _ in await stores.vectors.search(SPACE, vector(1, 0), ALL, 10)]


NUMBERS = st.sampled_from([-2, -1, 0, 1, 2, 3])
STEPS = st.lists(
    st.lists(st.tuples(st.integers(0, 9), st.one_of(st.none(), st.tuples(NUMBERS, NUMBERS, NUMBERS))), max_size=5),
    min_size=1,
    max_size=6,
)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=STEPS, query=st.tuples(NUMBERS, NUMBERS, NUMBERS).filter(any), limit=st.integers(1, 4))
async def test_every_store_gives_the_same_hits_after_any_writes(both, make, steps, query, limit):
    for opened in both:
        await opened.banks.delete("bank")
        await opened.banks.put(Bank(id="bank"))
    for step in steps:
        last = dict(step)
        put = tuple(make(f"m{n}", str(numbers)) for n, numbers in last.items() if numbers is not None)
        delete = tuple(f"m{n}" for n, numbers in last.items() if numbers is None)
        points = [(m, vector(*last[int(m.id[1:])])) for m in put if any(last[int(m.id[1:])])]
        answers = []
        for opened in both:
            await opened.records.write(Changes(bank="bank", put=put, delete=delete))
            await opened.vectors.upsert(SPACE, points)
            hits = await opened.vectors.search(SPACE, vector(*query), ALL, limit)
            answers.append((hits, await opened.vectors.count(SPACE, "bank")))
        assert all(answer == answers[-1] for answer in answers)
