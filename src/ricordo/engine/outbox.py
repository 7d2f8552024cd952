"""What outbox rows ask for: vectors for the memories they name, and the rows taken out when that is done."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from ricordo.engine.embedding import embed_texts
from ricordo.engine.parts import Model, Parts
from ricordo.errors import RicordoError
from ricordo.protocols import Embedder, Vectors
from ricordo.types import Memory, Pending

log = logging.getLogger(__name__)


async def apply(parts: Parts, model: Model, rows: Sequence[Pending]) -> dict[str, str]:
    """Indexes the memories that the rows name, then takes the rows out; gives the memories that failed, and why."""
    gone: dict[str, list[str]] = {}
    kept: dict[str, list[str]] = {}
    for row in rows:
        (gone if row.gone else kept).setdefault(row.bank, []).append(row.memory)
    for bank, ids in gone.items():
        await parts.vectors.delete(model.space, bank, ids)
    memories = [m for bank, ids in kept.items() for m in await parts.records.get(bank, ids)]
    points, failures = await _points(parts, model, memories)
    if points:
        await parts.vectors.upsert(model.space, points)
    await parts.records.applied(model.space, [row.seq for row in rows])
    return failures


async def _points(
    parts: Parts, model: Model, memories: Sequence[Memory]
) -> tuple[list[tuple[Memory, Vectors]], dict[str, str]]:
    named = [(m, m.digest) for m in memories]
    known = await parts.vectors.known(model.space, [digest for _, digest in named])
    fresh = {digest: m.surface for m, digest in named if digest not in known}
    embedder = parts.embedder(model.profile)
    failed: dict[str, str] = {}
    if fresh and embedder is not None:
        made, failed = await _embed(embedder, fresh)
        known |= made
    points = [(m, known[digest]) for m, digest in named if digest in known]
    return points, {m.id: failed[digest] for m, digest in named if digest in failed}


async def _embed(embedder: Embedder, surfaces: dict[str, str]) -> tuple[dict[str, Vectors], dict[str, str]]:
    """Vectors by digest; when a batch is refused for good, one by one, so that a bad text fails alone."""
    try:
        vectors = await embed_texts(embedder, list(surfaces.values()))
    except RicordoError as error:
        if error.transient or len(surfaces) == 1:
            if error.transient:
                raise
            log.warning("no vector for a text of %d characters: %s", len(*surfaces.values()), error)
            return {}, {digest: str(error) for digest in surfaces}
    else:
        return dict(zip(surfaces, vectors, strict=True)), {}
    made: dict[str, Vectors] = {}
    failed: dict[str, str] = {}
    for digest, surface in surfaces.items():
        one, wrong = await _embed(embedder, {digest: surface})
        made |= one
        failed |= wrong
    return made, failed
