"""Ready-made chunks into a library, and passages out of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from hello_agents.memory.embedding import get_text_embedder
from hello_agents.memory.rag.library import Found, Library
from ricordo.types import Item, Kind, Status

DEFAULT_NAMESPACE = "default"


def index_chunks(
    store: Library | None = None,
    chunks: Sequence[dict[str, Any]] | None = None,
    cache_db: str | None = None,  # noqa: ARG001 - the engine keeps every vector by its text
    batch_size: int = 64,
    rag_namespace: str = DEFAULT_NAMESPACE,
) -> int:
    """Stores chunks as load_and_chunk_texts makes them, with their vectors; gives how many there are now of these.

    Chunks of an earlier state of the same file go. RuntimeError says what was refused.
    """
    given = list(chunks or ())
    space = (store or Library()).namespace(rag_namespace)
    refused = []
    for start in range(0, len(given), max(1, batch_size)):
        outcomes = space.add([_item(chunk) for chunk in given[start : start + max(1, batch_size)]])
        refused += [outcome for outcome in outcomes if outcome.status is Status.FAILED]
    if refused:
        raise RuntimeError(f"{len(refused)} of {len(given)} chunks were not stored: {refused[0].reason}")
    documents: dict[str, set[str]] = defaultdict(set)
    for chunk in given:
        documents[chunk["metadata"].get("source_path", "")].add(chunk["metadata"].get("doc_id", ""))
    for path, ids in documents.items():
        if path:
            old = [m.id for m in space.passages(session=path) if m.data.get("doc_id") not in ids]
            space.delete(*old)
    if given and (problem := space.finish()):
        raise RuntimeError(f"the chunks are stored, but without vectors: {problem}")
    return len(given)


def _item(chunk: dict[str, Any]) -> Item:
    metadata = chunk["metadata"]
    return Item(
        id=chunk.get("id"),
        content=chunk["content"],
        kind=Kind.OBSERVATION,
        context=metadata.get("heading_path") or "",
        importance=1.0,
        session=metadata.get("source_path"),
        data=metadata,
    )


def embed_query(query: str) -> list[float]:
    """The query's vector. Raises what keeps it from being made, rather than give zeros."""
    return [float(number) for number in get_text_embedder().encode(query)]


def search_vectors(
    store: Library | None = None,
    query: str = "",
    top_k: int = 8,
    rag_namespace: str | None = None,
    only_rag_data: bool = True,  # noqa: ARG001 - a library holds nothing else
    score_threshold: float | None = None,
) -> list[Found]:
    """Hits {id, score, metadata}, best first, by vectors and words."""
    return search_many(store, [query], top_k, rag_namespace, score_threshold)


def search_many(
    store: Library | None,
    queries: Sequence[str],
    top_k: int,
    rag_namespace: str | None = None,
    score_threshold: float | None = None,
    pool: int | None = None,
) -> list[Found]:
    """The best hits of all the queries together; each asks for its share of the pool."""
    asked = [query for query in dict.fromkeys(queries) if query.strip()]
    if not asked or top_k < 1:
        return []
    share = max(1, -(-(pool or top_k * len(asked)) // len(asked)))
    found, _ = (store or Library()).namespace(rag_namespace or DEFAULT_NAMESPACE).search(asked, top_k, share)
    return [hit for hit in found if hit["score"] >= (score_threshold or 0.0)]
