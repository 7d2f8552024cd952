"""Recall: the arms at once, one score, sections around their chunks, within limit and budget."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from ricordo.engine.embedding import coverage
from ricordo.engine.graph import graph_search
from ricordo.engine.highlight import marker
from ricordo.engine.parts import Parts, models_of, need_bank
from ricordo.errors import Invalid, RicordoError
from ricordo.protocols import Scored
from ricordo.rank.budget import trim
from ricordo.rank.fusion import Fused, fuse
from ricordo.rank.policy import HIGHEST, policy_of
from ricordo.types import SEARCHABLE_KINDS, Bank, Filter, Hit, Kind, Memory, Query, Recalled, now

log = logging.getLogger(__name__)

POOL = 60
POOL_PER_RESULT = 12
"""Candidates that each arm gives: enough for `limit` sections of several chunks each."""
LOOKED_AT, LOOKED_AT_PER_RESULT = 20, 3
"""How many of the fused are read at a time, until the limit is filled: policies may still change their order."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What one arm found, and what kept it from finding more."""

    found: Sequence[Scored]
    note: str = ""


async def words_arm(parts: Parts, bank: Bank, query: Query, pool: int) -> Looked:  # noqa: ARG001 - every arm is called alike
    return Looked(await parts.records.search(query.text, query.filter, pool))


async def vectors_arm(parts: Parts, bank: Bank, query: Query, pool: int) -> Looked:
    model = models_of(bank)[0]
    try:
        embedder = parts.embedder(model.profile)
        if embedder is None:
            return Looked([], "")
        vector = (await embedder.embed([query.text[: embedder.max_characters]], query=True))[0]
    except RicordoError as error:
        log.warning("the query has no vector: %s", error)
        return Looked([], f"searched by words alone: {error}")
    return Looked(await parts.vectors.search(model.space, vector, query.filter, pool))


async def graph_arm(parts: Parts, bank: Bank, query: Query, pool: int) -> Looked:  # noqa: ARG001 - every arm is called alike
    return Looked(await graph_search(parts, query, pool))


Arm = Callable[[Parts, Bank, Query, int], Awaitable[Looked]]
ARMS: Mapping[str, Arm] = {"words": words_arm, "vectors": vectors_arm, "graph": graph_arm}
DEFAULT_ARMS = ("words", "vectors")
"""The graph is for those who ask for it: mixed into every query it pushes better answers down."""


async def recall(parts: Parts, query: Query) -> Recalled:
    """The memories that answer the query, best first, with how far the bank is covered by vectors."""
    bank = await need_bank(parts, query.filter.bank)
    query = replace(query, filter=searchable(query.filter))
    if not query.text.strip():
        raise Invalid("the query is empty; say what to look for")
    chosen = query.arms or DEFAULT_ARMS
    if unknown := [a for a in chosen if a not in ARMS]:
        raise Invalid(f"unknown arm {unknown[0]!r}; known are {', '.join(ARMS)}")
    pool = max(POOL, query.limit * POOL_PER_RESULT)
    looked = dict(zip(chosen, await asyncio.gather(*(ARMS[a](parts, bank, query, pool) for a in chosen)), strict=True))
    fused = fuse({arm: one.found for arm, one in looked.items()})
    hits = await _dress(parts, bank.id, query, await _picked(parts, bank, query, fused))
    notes = tuple(one.note for one in looked.values() if one.note)
    return Recalled(hits=tuple(hits), coverage=await coverage(parts, bank), notes=notes)


async def _picked(parts: Parts, bank: Bank, query: Query, fused: Sequence[Fused]) -> list[_Pick]:
    """The best picks; one page of the fused is read, and more only while the limit is not filled."""
    at = query.at or now()
    page = max(LOOKED_AT, query.limit * LOOKED_AT_PER_RESULT)
    memories: dict[str, Memory] = {}
    picks: list[_Pick] = []
    for start in range(0, len(fused), page):
        read = await parts.records.get(bank.id, [f.id for f in fused[start : start + page]])
        memories.update((m.id, m) for m in read)
        weighed = weigh([f for f in fused[: start + page] if f.id in memories], memories, bank, at)
        picks = _distinct(weighed, memories, query)
        if len(picks) >= query.limit:
            break
    return picks


def searchable(filter: Filter) -> Filter:
    """Asking for documents or sections means asking for their chunks; no kinds means all that can be searched."""
    kinds = dict.fromkeys(Kind.CHUNK if k in (Kind.DOCUMENT, Kind.SECTION) else k for k in filter.kinds)
    return replace(filter, kinds=tuple(kinds) or SEARCHABLE_KINDS)


def weigh(
    fused: Sequence[Fused], memories: Mapping[str, Memory], bank: Bank, at: datetime
) -> list[tuple[Fused, float]]:
    """Each candidate with its score under the policy of its kind, best first, ties by id."""
    policies = {kind: policy_of(bank, kind) for kind in SEARCHABLE_KINDS}
    scored = []
    for one in fused:
        memory = memories[one.id]
        score = policies[memory.kind].weigh(one.score, at - memory.at, memory.importance)
        scored.append((one, round(score / HIGHEST, 6)))
    return sorted(scored, key=lambda pair: (-pair[1], pair[0].id))


@dataclass(slots=True)
class _Pick:
    fused: Fused
    score: float
    memory: Memory
    also: list[str]


def _distinct(weighed: Sequence[tuple[Fused, float]], memories: Mapping[str, Memory], query: Query) -> list[_Pick]:
    """One pick a section, equal texts merged, as many as the limit."""
    picks: list[_Pick] = []
    by_text: dict[str, _Pick] = {}
    sections: set[str] = set()
    for fused, score in weighed:
        memory = memories[fused.id]
        same = " ".join(memory.text.split()).casefold()
        if same in by_text:
            by_text[same].also.append(memory.id)
            continue
        if query.expand and memory.kind is Kind.CHUNK and memory.parent != memory.document:
            if memory.parent in sections:
                continue
            sections.add(str(memory.parent))
        if len(picks) < query.limit:
            picks.append(_Pick(fused, score, memory, []))
            by_text[same] = picks[-1]
    return picks


async def _dress(parts: Parts, bank: str, query: Query, picks: Sequence[_Pick]) -> list[Hit]:
    """Hits with section, title and highlights, as many as the budget holds."""
    above = {id for p in picks for id in (p.memory.parent, p.memory.document) if id}
    found = {m.id: m for m in await parts.records.get(bank, sorted(above))}
    mark = marker(query.text)
    hits = []
    for pick in picks:
        section = found.get(pick.memory.parent or "") if query.expand else None
        document = found.get(pick.memory.document or "")
        hits.append(
            Hit(
                memory=pick.memory,
                score=pick.score,
                section=section if section and section.kind is Kind.SECTION else None,
                title=document.text if document else "",
                arms=_trace(pick.fused) if query.trace else {},
                also=tuple(pick.also),
                highlights=mark(pick.memory.text),
            )
        )
    if query.max_tokens is None:
        return hits
    return hits[: trim([(h.section or h.memory).text for h in hits], query.max_tokens)]


def _trace(fused: Fused) -> dict[str, Any]:
    return {arm: {"score": part.score, "share": part.share} for arm, part in fused.arms.items()}
