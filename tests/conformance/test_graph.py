"""What every GraphStore promises."""

import pytest

from ricordo.errors import Invalid, NotFound
from ricordo.types import Entity, Relation


def entity(id, name=None, **fields):
    return Entity(**{"id": id, "bank": "bank", "name": name or id, **fields})


def relation(source, target, **fields):
    return Relation(**{"bank": "bank", "source": source, "label": "knows", "target": target, "memory": "m", **fields})


async def test_entities_are_found_by_name_or_alias_without_case(stores):
    anna = entity("1", "Anna Straße", type="person", aliases=("安娜", "ANNIE"))
    await stores.graph.link("bank", [anna, entity("2", "Bob")], [])
    for name in ("anna strasse", "安娜", "annie"):
        assert await stores.graph.lookup("bank", [name]) == [anna]
    assert [e.id for e in await stores.graph.lookup("bank", ["bob", "Annie", "nobody"])] == ["1", "2"]
    assert await stores.graph.lookup("other", ["annie"]) == []


async def test_linking_again_updates_and_changes_nothing_else(stores):
    await stores.graph.link("bank", [entity("1", "Old", aliases=("older",))], [relation("1", "2")])
    for _ in range(2):
        await stores.graph.link("bank", [entity("1", "New")], [relation("1", "2", weight=3.0)])
    assert await stores.graph.dump("bank") == ([entity("1", "New")], [relation("1", "2", weight=3.0)])
    assert await stores.graph.lookup("bank", ["old", "older"]) == []


async def test_a_walk_goes_either_way_nearest_first_then_heaviest(stores):
    edges = [
        relation("a", "b", weight=1),
        relation("c", "a", weight=2),
        relation("b", "d", weight=9),
        relation("d", "e"),
        relation("x", "y"),
    ]
    await stores.graph.link("bank", [], edges)
    assert await stores.graph.walk("bank", ["a"]) == [edges[1], edges[0]]
    assert await stores.graph.walk("bank", ["a"], hops=2) == [edges[1], edges[0], edges[2]]
    assert await stores.graph.walk("bank", ["a"], hops=9) == [edges[1], edges[0], edges[2], edges[3]]
    assert await stores.graph.walk("bank", ["a"], hops=9, limit=2) == [edges[1], edges[0]]
    assert await stores.graph.walk("bank", ["nobody", "\ud800"]) == []
    assert await stores.graph.walk("other", ["a"]) == []
    assert await stores.graph.walk("bank", ["a"], hops=0) == []


async def test_a_circle_is_walked_once(stores):
    edges = [relation("a", "b"), relation("b", "c"), relation("c", "a"), relation("a", "a")]
    await stores.graph.link("bank", [], edges)
    assert len(await stores.graph.walk("bank", ["a"], hops=10)) == 4


async def test_forgetting_a_memory_takes_its_evidence_and_who_then_stands_alone(stores):
    people = [entity(name) for name in ("a", "b", "c", "lone")]
    kept = relation("b", "c", memory="n")
    await stores.graph.link("bank", people, [relation("a", "b"), kept])
    await stores.graph.forget("bank", ["m", "unknown"])
    assert await stores.graph.dump("bank") == ([people[1], people[2], people[3]], [kept])
    assert await stores.graph.lookup("bank", ["a"]) == []
    assert await stores.graph.counts("bank") == (3, 1)


async def test_what_belongs_elsewhere_or_cannot_be_kept_is_refused(stores):
    with pytest.raises(Invalid):
        await stores.graph.link("bank", [entity("1", bank="other")], [])
    with pytest.raises(Invalid):
        await stores.graph.link("bank", [], [relation("a", "b", bank="other")])
    with pytest.raises(Invalid):
        await stores.graph.link("bank", [], [relation("a", "b", weight=float("nan"))])
    with pytest.raises(NotFound):
        await stores.graph.link("nowhere", [entity("1", bank="nowhere")], [])
    assert await stores.graph.counts("bank") == (0, 0)


async def test_any_name_comes_back(stores):
    strange = entity("1", "a\ud800\0'", type="\ud800", aliases=("\udfff",))
    edge = relation("1", "2", label="\ud800 '\0")
    await stores.graph.link("bank", [strange], [edge])
    assert await stores.graph.dump("bank") == ([strange], [edge])
    assert await stores.graph.lookup("bank", ["\udfff"]) == [strange]
