"""The pipeline's functions under one name, and a pipeline for one namespace."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hello_agents.memory.rag.chunks import load_and_chunk_texts
from hello_agents.memory.rag.convert import _convert_to_markdown, _enhanced_pdf_processing, _post_process_pdf_text
from hello_agents.memory.rag.expand import _prompt_hyde, _prompt_mqe, search_vectors_expanded
from hello_agents.memory.rag.library import DEFAULT_COLLECTION, Found, Library, cutting, item_of
from hello_agents.memory.rag.ranking import (
    build_graph_from_chunks,
    compute_graph_signals_from_pool,
    expand_neighbors_from_pool,
    rank,
    rerank_with_cross_encoder,
)
from hello_agents.memory.rag.snippets import (
    compress_ranked_items,
    merge_snippets,
    merge_snippets_grouped,
    tldr_summarize,
)
from hello_agents.memory.rag.text import (
    _approx_token_len,
    _chunk_paragraphs,
    _is_cjk,
    _preprocess_markdown_for_embedding,
    _split_paragraphs_with_headings,
)
from hello_agents.memory.rag.vectors import embed_query, index_chunks, search_vectors
from ricordo.errors import Invalid
from ricordo.types import File, Item, Status

__all__ = [
    "_approx_token_len",
    "_chunk_paragraphs",
    "_convert_to_markdown",
    "_enhanced_pdf_processing",
    "_is_cjk",
    "_post_process_pdf_text",
    "_preprocess_markdown_for_embedding",
    "_prompt_hyde",
    "_prompt_mqe",
    "_split_paragraphs_with_headings",
    "build_graph_from_chunks",
    "compress_ranked_items",
    "compute_graph_signals_from_pool",
    "create_rag_pipeline",
    "embed_query",
    "expand_neighbors_from_pool",
    "file_item",
    "index_chunks",
    "load_and_chunk_texts",
    "merge_snippets",
    "merge_snippets_grouped",
    "pipeline_of",
    "rank",
    "rerank_with_cross_encoder",
    "search_vectors",
    "search_vectors_expanded",
    "tldr_summarize",
]


def create_rag_pipeline(
    qdrant_url: str | None = None,  # noqa: ARG001 - vectors lie beside the texts; no server is needed
    qdrant_api_key: str | None = None,  # noqa: ARG001
    collection_name: str = DEFAULT_COLLECTION,
    rag_namespace: str = "default",
    *,
    knowledge_base_path: str | Path = "./knowledge_base",
) -> dict[str, Any]:
    """{store, namespace, add_documents, search, search_advanced, get_stats} for one namespace."""
    return pipeline_of(Library(knowledge_base_path, collection_name), rag_namespace)


def pipeline_of(library: Library, namespace: str) -> dict[str, Any]:
    space = library.namespace(namespace)

    def add_documents(file_paths: Sequence[str | Path], chunk_size: int = 800, chunk_overlap: int = 100) -> int:
        """How many chunks the files make. Invalid names the first file that was not taken in, and why."""
        outcomes = space.add([file_item(path, None, chunk_size, chunk_overlap) for path in file_paths])
        for path, outcome in zip(file_paths, outcomes, strict=True):
            if outcome.status in (Status.FAILED, Status.SKIPPED):
                raise Invalid(f"{path}: {outcome.reason}")
        if problem := space.finish():
            raise Invalid(f"the documents are stored, but without vectors: {problem}")
        return sum(space.count(outcome.memories[0]) for outcome in outcomes)

    def search(query: str, top_k: int = 8, score_threshold: float | None = None) -> list[Found]:
        return search_vectors(library, query, top_k, namespace, score_threshold=score_threshold)

    def search_advanced(
        query: str,
        top_k: int = 8,
        enable_mqe: bool = False,
        enable_hyde: bool = False,
        score_threshold: float | None = None,
        **options: Any,
    ) -> list[Found]:
        asked: dict[str, Any] = {
            "enable_mqe": enable_mqe,
            "enable_hyde": enable_hyde,
            "score_threshold": score_threshold,
        }
        return search_vectors_expanded(library, query, top_k, namespace, **asked, **options)

    def get_stats() -> dict[str, Any]:
        """points_count: chunks. documents_count: documents. vectors_count: chunks that have a vector."""
        coverage = space.coverage()
        return {
            "store_type": "ricordo",
            "collection_name": library.collection,
            "rag_namespace": namespace,
            "points_count": space.count(),
            "documents_count": len(space.documents()),
            "vectors_count": coverage.done if coverage else 0,
            "config": {"vector_size": space.dimension(), "distance": "cosine"},
        }

    return {
        "store": library,
        "namespace": namespace,
        "add_documents": add_documents,
        "search": search,
        "search_advanced": search_advanced,
        "get_stats": get_stats,
    }


def file_item(path: str | Path, key: str | None, chunk_size: int, chunk_overlap: int) -> Item:
    """The file as a document; without a key its full path is one, so that the same file replaces itself."""
    file = Path(path)
    try:
        content = File(name=file.name, data=file.read_bytes())
    except OSError as error:
        raise Invalid(f"{path} cannot be read: {error.strerror}") from error
    full = file.resolve().as_posix()
    return item_of(content, key or full, cutting(chunk_size, chunk_overlap), full)
