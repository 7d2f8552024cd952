"""Hits ranked with what they say of each other."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hello_agents.memory.rag.library import Found
from ricordo.types import Json

log = logging.getLogger(__name__)


def rerank_with_cross_encoder(
    query: str, items: Sequence[Found], model_name: str = "cross-encoder/ms-marco-MiniLM-L-6-v2", top_k: int = 10
) -> list[Found]:
    """The best items by a cross-encoder's rerank_score; without sentence-transformers, in the order given."""
    try:
        from sentence_transformers import CrossEncoder
    except ImportError:
        log.info("the order is kept: reranking needs the library sentence-transformers")
        return list(items)[:top_k]
    scores = CrossEncoder(model_name).predict([(query, content_of(item)) for item in items]) if items else []
    scored = [{**item, "rerank_score": float(score)} for item, score in zip(items, scores, strict=True)]
    return sorted(scored, key=lambda item: -item["rerank_score"])[:top_k]


def content_of(item: Json) -> str:
    return str(item.get("content") or item.get("metadata", {}).get("content", ""))


def key_of(item: Json) -> str:
    return str(item.get("metadata", {}).get("memory_id") or item.get("memory_id") or item.get("id"))


def start_of(item: Json) -> int:
    return int(item.get("metadata", {}).get("start") or 0)


def by_document(items: Iterable[Found]) -> dict[str, list[Found]]:
    """Documents in the order of their first item, the items of each in the order given."""
    found: dict[str, list[Found]] = defaultdict(list)
    for item in items:
        metadata = item.get("metadata", {})
        found[str(metadata.get("doc_id") or metadata.get("source_path") or key_of(item))].append(item)
    return found


def compute_graph_signals_from_pool(
    hits: Sequence[Found],
    same_doc_weight: float = 1.0,
    proximity_weight: float = 1.0,
    proximity_window_chars: int = 1600,
) -> dict[str, float]:
    """memory_id → 0..1: how much of its document was found, and how near to it, relative to the best of the pool.

    Density is a document's hits over those of the fullest document; proximity the mean closeness of the other hits of
    its document, 1 at the same place and 0 outside of the window.
    """
    documents = by_document(hits)
    fullest = max(map(len, documents.values()), default=1)
    window = max(1, proximity_window_chars)
    signals: dict[str, float] = {}
    for same in documents.values():
        for item in same:
            near = [max(0.0, 1 - abs(start_of(item) - start_of(o)) / window) for o in same if o is not item]
            proximity = sum(near) / len(near) if near else 0.0
            signals[key_of(item)] = same_doc_weight * len(same) / fullest + proximity_weight * proximity
    most = max(signals.values(), default=0.0)
    return {id: value / most if most > 0 else 0.0 for id, value in signals.items()}


def rank(
    hits: Sequence[Found],
    graph_signals: Mapping[str, float] | None = None,
    w_vector: float = 0.7,
    w_graph: float = 0.3,
) -> list[Found]:
    """Items {memory_id, score, vector_score, graph_score, content, metadata}, best first."""
    signals = graph_signals or {}
    items = []
    for hit in hits:
        vector, graph = float(hit.get("score", 0.0)), signals.get(key_of(hit), 0.0)
        items.append(
            {
                "memory_id": key_of(hit),
                "score": w_vector * vector + w_graph * graph,
                "vector_score": vector,
                "graph_score": graph,
                "content": content_of(hit),
                "metadata": hit.get("metadata", {}),
            }
        )
    return sorted(items, key=lambda item: -item["score"])


def expand_neighbors_from_pool(
    selected: Sequence[Found], pool: Sequence[Found], neighbors: int = 1, max_additions: int = 5
) -> list[Found]:
    """The selected, then the pool's items that stand next to them in their documents."""
    taken = {key_of(item) for item in selected}
    added: list[Found] = []
    shelves = {doc: sorted(items, key=start_of) for doc, items in by_document([*pool]).items()}
    for document, chosen in by_document(selected).items():
        shelf = shelves.get(document, [])
        places = {key_of(item): place for place, item in enumerate(shelf)}
        for item in chosen:
            at = places.get(key_of(item))
            if at is None:
                continue
            around = shelf[max(0, at - neighbors) : at] + shelf[at + 1 : at + 1 + neighbors]
            for other in around:
                if key_of(other) not in taken and len(added) < max_additions:
                    taken.add(key_of(other))
                    added.append(other)
    return [*selected, *added]


def build_graph_from_chunks(neo4j: Any, chunks: Sequence[Json]) -> None:
    """Each document, its chunks and the headings they stand under, as entities and relationships of a graph store."""
    for chunk in chunks:
        metadata = chunk["metadata"]
        document, id = metadata["doc_id"], chunk["id"]
        neo4j.add_entity(document, metadata.get("source_path") or document, "Document", {"lang": metadata.get("lang")})
        place = {"start": metadata.get("start"), "end": metadata.get("end")}
        neo4j.add_entity(id, chunk["content"][:80], "Chunk", place)
        neo4j.add_relationship(document, id, "HAS_CHUNK", {})
        if heading := metadata.get("heading_path"):
            section = f"{document}#{heading}"
            neo4j.add_entity(section, heading, "Section", {})
            neo4j.add_relationship(section, id, "HAS_CHUNK", {})
            neo4j.add_relationship(document, section, "HAS_SECTION", {})
