from datetime import UTC, datetime, timedelta

import pytest

from ricordo.errors import Invalid


async def test_a_hit_says_where_it_stands_and_what_surrounds_it(bank, handbook):
    await bank.add(handbook, document="handbook", wait="vectors")
    hit = (await bank.search("住宿标准", limit=1, trace=True)).hits[0]
    assert hit.memory.place.headings == ("Handbook", "报销")
    assert handbook[hit.memory.place.start : hit.memory.place.end] == hit.memory.text
    assert hit.section is None or hit.memory.text in hit.section.text
    assert {hit.memory.text[a:b] for a, b in hit.highlights} & {"住宿标准"}
    assert {"words", "vectors"} <= set(hit.arms)


async def test_results_are_counted_in_sections(bank):
    text = "\n\n".join(f"## Part {n}\n\n" + f"The heron stands in the water of lake {n}. " * 20 for n in range(6))
    await bank.add(text, document="birds", wait="vectors")
    found = await bank.search("heron lake", limit=4)
    assert len({h.memory.parent for h in found.hits}) == len(found.hits) == 4


async def test_equal_texts_are_one_result_that_names_the_others(bank):
    await bank.add("the printer is on the second floor", session="a")
    await bank.add("the printer is on the second floor", session="b")
    found = await bank.search("printer floor")
    assert len(found.hits) == 1
    assert len(found.hits[0].also) == 1


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"tags": ["x"]}, {"one"}),
        ({"session": "s2"}, {"two"}),
        ({"where": {"project": "p1"}}, {"one"}),
        ({"kinds": ["episodic"]}, {"two"}),
        ({"min_importance": 0.8}, {"two"}),
        ({"since": datetime(2026, 1, 1, tzinfo=UTC)}, {"two"}),
        ({"until": datetime(2026, 1, 1, tzinfo=UTC)}, {"one"}),
    ],
)
async def test_filters_apply_before_the_limit(bank, options, expected):
    await bank.add(
        [f"filler about rivers {n}" for n in range(80)],
        at=datetime(2024, 5, 1, tzinfo=UTC),
        importance=0.1,
        data={"project": "p0"},
    )
    await bank.add("rivers one", tags=["x"], session="s1", data={"project": "p1"}, at=datetime(2025, 5, 1, tzinfo=UTC))
    await bank.add(
        "rivers two", kind="episodic", session="s2", importance=0.9, at=datetime(2026, 5, 1, tzinfo=UTC), wait="vectors"
    )
    wanted = {f"rivers {e}" for e in expected}
    texts = [h.memory.text for h in (await bank.search("rivers", limit=100, **options)).hits]
    assert wanted <= set(texts)
    if "until" not in options:
        assert set(texts) == wanted


async def test_the_budget_bounds_the_text(bank):
    await bank.add([f"a remark about bridges, number {n}, with some more words to it" for n in range(20)])
    found = await bank.search("bridges", limit=20, max_tokens=60)
    assert 1 <= len(found.hits) < 6


async def test_coverage_is_said_in_every_reply(bank):
    await bank.add([f"memory {n}" for n in range(10)])
    found = await bank.search("memory")
    assert found.coverage.total == 10
    await bank.wait()
    assert (await bank.search("memory")).coverage.done == 10


async def test_what_has_expired_is_not_found(bank):
    past = datetime.now(UTC) - timedelta(seconds=1)
    await bank.add("gone already", expires=past)
    assert not (await bank.search("gone already")).hits


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ({"limit": 0}, "limit must be"),
        ({"arms": ["smell"]}, "known are words, vectors"),
        ({"kinds": ["dream"]}, "unknown kind"),
        ({"colour": 1}, "colour"),
        ({"match": "most"}, "unknown match"),
    ],
)
async def test_a_wrong_call_says_what_is_wrong(bank, call, says):
    await bank.add("something")
    with pytest.raises(Invalid, match=says):
        await bank.search("x", **call)
    with pytest.raises(Invalid, match="empty"):
        await bank.search("  ")


async def test_the_limit_is_filled_though_few_sections_hold_the_best_chunks(bank):
    for n in range(12):
        body = "\n\n".join(f"Lake {n} bank {k}: " + "heron " * (40 - 3 * n) + "reed " * (250 + 3 * n) for k in range(5))
        await bank.add(f"# Birds {n}\n\n## Part {n}\n\n{body}", document=f"birds {n}")
    assert len((await bank.search("heron", limit=10, arms=["words"])).hits) == 10
