"""Mentions → entities, and a relation for each two that one sentence names together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from ricordo.extract.mentions import Mention, sentences
from ricordo.types import Entity, Memory, Relation, digest_id

TOGETHER = "mentioned together"
NAMED = "named"
"""Ties an entity to a memory that names it together with no other: a relation of the entity to itself."""
MOST_ENTITIES = 32
MOST_RELATIONS = 128
LONGEST_NAME = 80
LONGEST_TEXT = 20_000
"""Characters of a memory that are looked at: what is longer is a document, and not a remark."""
NEAR = 40
"""Characters between two names at which their tie counts half."""

Find = Callable[[str], Sequence[Mention]]


def entity_id(bank: str, name: str) -> str:
    return digest_id(bank, "entity", name.casefold())


def graph_of(memory: Memory, find: Find) -> tuple[list[Entity], list[Relation]]:
    """What the memory names, and what it names together, heavier the nearer and the more often."""
    entities: dict[str, Entity] = {}
    weights: defaultdict[tuple[str, str], float] = defaultdict(float)
    for sentence in sentences(memory.text[:LONGEST_TEXT]):
        named = [(entity_id(memory.bank, m.name), m) for m in find(sentence) if len(m.name) <= LONGEST_NAME]
        kept: list[tuple[str, Mention]] = []
        for id, mention in named:
            if id in entities or len(entities) < MOST_ENTITIES:
                known = entities.get(id)
                if known is None or (mention.type and not known.type):
                    name = known.name if known else mention.name
                    entities[id] = Entity(id=id, bank=memory.bank, name=name, type=mention.type)
                kept.append((id, mention))
        for pair, weight in _pairs(kept):
            weights[pair] += weight
    return list(entities.values()), _relations(memory, entities, weights)


def _pairs(named: Sequence[tuple[str, Mention]]) -> Iterable[tuple[tuple[str, str], float]]:
    for (one, first), (other, second) in combinations(named, 2):
        if one != other:
            distance = max(0, second.start - first.end)
            yield (min(one, other), max(one, other)), NEAR / (NEAR + distance)


def _relations(memory: Memory, entities: Iterable[str], weights: defaultdict[tuple[str, str], float]) -> list[Relation]:
    heaviest = sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_RELATIONS]
    tied = {end for pair, _ in heaviest for end in pair}
    together = [
        Relation(
            bank=memory.bank, source=source, label=TOGETHER, target=target, memory=memory.id, weight=round(weight, 4)
        )
        for (source, target), weight in heaviest
    ]
    alone = [
        Relation(bank=memory.bank, source=id, label=NAMED, target=id, memory=memory.id)
        for id in entities
        if id not in tied
    ]
    return together + alone
