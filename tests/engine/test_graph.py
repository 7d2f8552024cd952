import pytest

from ricordo import Ricordo
from ricordo.errors import NotFound


async def names(bank, query=None):
    return [entity.name for entity in await bank.entities(query)]


async def test_facts_are_linked_as_they_are_stored_and_chunks_and_episodes_are_not(bank, handbook):
    await bank.add("Alice works with Bob at Acme Corp")
    await bank.add("Carol met Dave", kind="episodic")
    await bank.add(handbook, document="handbook")
    assert await names(bank) == ["Acme Corp", "Alice", "Bob"]
    stats = await bank.stats()
    assert (stats.entities, stats.relations) == (3, 3)


async def test_entities_are_found_by_a_part_of_their_name(bank):
    await bank.add(["张三在清华大学学习", "李四喜欢北京大学"])
    assert await names(bank, "大学") == ["北京大学", "清华大学"]
    assert len(await bank.entities(limit=1)) == 1
    assert await names(bank, "nobody") == []


async def test_what_a_deleted_fact_named_goes_with_it(bank):
    kept = await bank.add("Alice knows Bob")
    gone = await bank.add("Bob knows Carol")
    await bank.delete(gone.outcomes[0].memories[0])
    assert await names(bank) == ["Alice", "Bob"]
    await bank.delete(kept.outcomes[0].memories[0])
    assert await names(bank) == []
    assert (await bank.stats()).relations == 0


async def test_a_fact_that_names_one_is_linked_and_goes_too(bank):
    added = await bank.add("张三喜欢喝茶")
    assert await names(bank) == ["张三"]
    await bank.delete(added.outcomes[0].memories[0])
    assert await names(bank) == []


async def test_a_new_text_replaces_what_the_old_one_named(bank):
    id = (await bank.add("Alice lives in Paris")).outcomes[0].memories[0]
    await bank.update(id, text="Alice lives in Rome")
    assert await names(bank) == ["Alice", "Rome"]
    await bank.update(id, importance=0.9)
    assert await names(bank) == ["Alice", "Rome"]
    await bank.add("Alice lives in Rome", id=id, tags=["x"])
    assert await names(bank) == ["Alice", "Rome"]


async def test_a_memory_that_becomes_a_fact_is_linked_and_one_that_is_none_any_more_is_not(bank):
    await bank.add("Alice lives in Paris", kind="episodic", importance=0.9)
    assert await names(bank) == []
    await bank.consolidate("episodic", "semantic")
    assert await names(bank) == ["Alice", "Paris"]
    await bank.consolidate("semantic", "episodic")
    assert await names(bank) == []


async def test_related_goes_two_steps_and_says_which_memory_ties(bank):
    first = await bank.add("Alice works with Bob")
    await bank.add("Bob lives in Paris")
    await bank.add("Paris is near Versailles")
    near = await bank.related("alice")
    assert [entity.name for entity, _ in near] == ["Bob", "Paris"]
    assert near[0][1].memory == first.outcomes[0].memories[0]
    assert [entity.name for entity, _ in await bank.related("Alice", hops=1)] == ["Bob"]
    assert await bank.related(near[0][0].id, hops=1, limit=1)


async def test_an_unknown_entity_or_bank_is_said(bank, ricordo):
    await bank.add("Alice works with Bob")
    with pytest.raises(NotFound, match="no entity 'Zoe'"):
        await bank.related("Zoe")
    with pytest.raises(NotFound, match="no bank 'nowhere'"):
        await ricordo.bank("nowhere").related("Zoe")
    with pytest.raises(NotFound, match="no bank 'nowhere'"):
        await ricordo.bank("nowhere").entities()


async def test_the_graph_arm_scores_by_the_published_formula(bank):
    await bank.add(["Alice works with Bob", "Bob lives in Paris", "the kettle is in the kitchen"])
    found = await bank.search("where is Alice?", arms=["graph"], trace=True)
    scores = {hit.memory.text: hit.arms["graph"]["score"] for hit in found.hits}
    assert scores == {
        "Alice works with Bob": pytest.approx(0.6 * 1 / 1 + 0.2 * 2 / 10 + 0.2 * 1 / 5),
        "Bob lives in Paris": pytest.approx(0.2 * 2 / 10 + 0.2 * 1 / 5),
    }


async def test_the_graph_arm_finds_names_in_any_case_and_in_chinese(bank):
    await bank.add(["张三在清华大学学习", "Alice Miller likes tea"])
    for query in ("问一下张三的学校", "清华大学", "alice miller's tea"):
        assert len((await bank.search(query, arms=["graph"])).hits) == 1


async def test_the_filter_comes_before_the_limit_of_the_graph_arm(bank):
    await bank.add([f"Alice likes Bob and number {n}" for n in range(80)])
    await bank.add("Alice sleeps", tags=["x"])
    found = await bank.search("Alice", arms=["graph"], tags=["x"], limit=3)
    assert [hit.memory.text for hit in found.hits] == ["Alice sleeps"]


async def test_a_search_that_does_not_ask_for_the_graph_is_the_same_without_it(bank):
    await bank.add(["Alice works with Bob", "Bob lives in Paris"])
    [first, *_] = (await bank.search("Paris", trace=True)).hits
    assert "graph" not in first.arms
    both = await bank.search("Paris", arms=["words", "vectors", "graph"], trace=True)
    assert "graph" in both.hits[0].arms


async def test_without_an_extractor_nothing_is_linked(tmp_path):
    async with Ricordo(tmp_path / "data", embedder="none", extractor="none") as ricordo:
        bank = ricordo.bank("notes")
        await bank.add("Alice works with Bob")
        assert await bank.entities() == []
        assert (await bank.search("Alice", arms=["graph"])).hits == ()
