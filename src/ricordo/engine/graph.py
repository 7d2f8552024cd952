"""The graph of a bank: what its facts name, how that is looked up, and what it says about a query."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

from ricordo.engine.parts import Parts, need_bank
from ricordo.errors import NotFound
from ricordo.protocols import Scored
from ricordo.rank.policy import graph_score
from ricordo.types import EPOCH, Changes, Entity, Kind, Memory, Query, Relation, now

LINKED_KINDS = (Kind.SEMANTIC,)
"""Facts have a graph; conversations and chunks would fill it with what was said in passing."""
HOPS = 2
MOST_RELATIONS = 1000
"""Relations that one query walks: no more than so many memories are read for it."""
LONGEST_QUERY = 300
MOST_WORDS, MOST_CHARACTERS = 4, 10
_AROUND_WORDS = " .,;:!?\"'“”‘’()[]。，、；：！？（）《》「」"
_POSSESSIVE = re.compile(r"['’]s$")
_WITHOUT_SPACES = re.compile("[\u3400-\u9fff·]{2,}")
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9.+#&-]*[A-Za-z0-9+#]")


async def with_graph(parts: Parts, changes: Changes, replaced: Collection[str] = ()) -> Changes:
    """The changes with what the put memories name, in place of what the replaced ones named before."""
    extractor = parts.extractor()
    entities: dict[str, Entity] = {}
    relations: list[Relation] = []
    for memory in changes.put:
        if memory.kind in LINKED_KINDS:
            named, ties = await extractor.extract(memory)
            entities.update((e.id, e) for e in named if e.type or e.id not in entities)
            relations.extend(ties)
    return replace(
        changes, entities=tuple(entities.values()), relations=tuple(relations), unlink=tuple(dict.fromkeys(replaced))
    )


async def entities(parts: Parts, bank_id: str, query: str | None = None, limit: int = 100) -> list[Entity]:
    """The bank's entities by name; with a query, those whose name or alias holds it."""
    await need_bank(parts, bank_id)
    folded = (query or "").casefold()
    found, _ = await parts.graph.dump(bank_id)
    named = [e for e in found if any(folded in name.casefold() for name in (e.name, *e.aliases))]
    return sorted(named, key=lambda e: (e.name.casefold(), e.id))[:limit]


async def related(
    parts: Parts, bank_id: str, name: str, hops: int = HOPS, limit: int = 100
) -> list[tuple[Entity, Relation]]:
    """What is within so many steps of the entity of that name or id, nearest first, each with what ties it."""
    everything = {e.id: e for e in (await parts.graph.dump(bank_id))[0]}
    starts = [everything[name]] if name in everything else await parts.graph.lookup(bank_id, [name])
    if not starts:
        await need_bank(parts, bank_id)
        raise NotFound(f"no entity {name!r} in bank {bank_id!r}; see `entities` for those that it has")
    seen = {entity.id for entity in starts}
    found = []
    for relation in await parts.graph.walk(bank_id, sorted(seen), hops=hops, limit=MOST_RELATIONS):
        for end in (relation.source, relation.target):
            if end not in seen and end in everything:
                seen.add(end)
                found.append((everything[end], relation))
    return found[:limit]


async def graph_search(parts: Parts, query: Query, pool: int) -> list[Scored]:
    """Memories near what the query names, by the published formula; nothing where the bank knows none of its names."""
    bank = query.filter.bank
    known = {entity.id for entity in await parts.graph.lookup(bank, _spans(query.text))}
    if not known:
        return []
    asked = known | {entity.id for entity in await _named(parts, query)}
    ends: defaultdict[str, set[str]] = defaultdict(set)
    ties: Counter[str] = Counter()
    for tie in await parts.graph.walk(bank, sorted(known), hops=HOPS, limit=MOST_RELATIONS):
        ends[tie.memory] |= {tie.source, tie.target}
        ties[tie.memory] += tie.source != tie.target
    moment = now()
    scored = [
        (m.id, round(graph_score(len(ends[m.id] & known), len(asked), len(ends[m.id]), ties[m.id]), 6))
        for m in await parts.records.get(bank, sorted(ends))
        if query.filter.accepts(m, moment)
    ]
    return sorted(scored, key=lambda one: (-one[1], one[0]))[:pool]


async def _named(parts: Parts, query: Query) -> Sequence[Entity]:
    text = Memory(id="query", bank=query.filter.bank, kind=Kind.SEMANTIC, text=query.text, at=EPOCH, created=EPOCH)
    return (await parts.extractor().extract(text))[0]


def _spans(text: str) -> list[str]:
    """All that could be a name in the text: up to so many words or characters in a row, whatever their case."""
    text = text[:LONGEST_QUERY]
    words = [_POSSESSIVE.sub("", word.strip(_AROUND_WORDS)) for word in text.split()]
    spans = {" ".join(words[a:b]) for a in range(len(words)) for b in range(a + 1, a + 1 + MOST_WORDS)}
    for run in _WITHOUT_SPACES.findall(text):
        spans.update(run[a:b] for a in range(len(run)) for b in range(a + 2, min(len(run), a + MOST_CHARACTERS) + 1))
    spans.update(_LATIN.findall(text))
    return sorted(spans - {""})
