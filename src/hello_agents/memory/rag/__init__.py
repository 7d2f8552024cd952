"""Retrieval from documents: the functions of a pipeline, over the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hello_agents.lazy import lazily

if TYPE_CHECKING:
    from hello_agents.memory.embedding import (
        DashScopeEmbedding,
        EmbeddingModel,
        HuggingFaceEmbedding,
        LocalTransformerEmbedding,
        SentenceTransformerEmbedding,
        TFIDFEmbedding,
        create_embedding_model,
        create_embedding_model_with_fallback,
    )
    from hello_agents.memory.rag.document import (
        Document,
        DocumentChunk,
        DocumentProcessor,
        create_document,
        load_text_file,
    )
    from hello_agents.memory.rag.pipeline import (
        build_graph_from_chunks,
        compress_ranked_items,
        compute_graph_signals_from_pool,
        create_rag_pipeline,
        embed_query,
        expand_neighbors_from_pool,
        index_chunks,
        load_and_chunk_texts,
        merge_snippets,
        merge_snippets_grouped,
        rank,
        rerank_with_cross_encoder,
        search_vectors,
        search_vectors_expanded,
        tldr_summarize,
    )

__all__ = [
    "DashScopeEmbedding",
    "Document",
    "DocumentChunk",
    "DocumentProcessor",
    "EmbeddingModel",
    "HuggingFaceEmbedding",
    "LocalTransformerEmbedding",
    "SentenceTransformerEmbedding",
    "TFIDFEmbedding",
    "build_graph_from_chunks",
    "compress_ranked_items",
    "compute_graph_signals_from_pool",
    "create_document",
    "create_embedding_model",
    "create_embedding_model_with_fallback",
    "create_rag_pipeline",
    "embed_query",
    "expand_neighbors_from_pool",
    "index_chunks",
    "load_and_chunk_texts",
    "load_text_file",
    "merge_snippets",
    "merge_snippets_grouped",
    "rank",
    "rerank_with_cross_encoder",
    "search_vectors",
    "search_vectors_expanded",
    "tldr_summarize",
]

_here = lazily(
    __name__,
    {
        "Document": "document",
        "DocumentChunk": "document",
        "DocumentProcessor": "document",
        "build_graph_from_chunks": "pipeline",
        "compress_ranked_items": "pipeline",
        "compute_graph_signals_from_pool": "pipeline",
        "create_document": "document",
        "create_rag_pipeline": "pipeline",
        "embed_query": "pipeline",
        "expand_neighbors_from_pool": "pipeline",
        "index_chunks": "pipeline",
        "load_and_chunk_texts": "pipeline",
        "load_text_file": "document",
        "merge_snippets": "pipeline",
        "merge_snippets_grouped": "pipeline",
        "rank": "pipeline",
        "rerank_with_cross_encoder": "pipeline",
        "search_vectors": "pipeline",
        "search_vectors_expanded": "pipeline",
        "tldr_summarize": "pipeline",
    },
)
_embedding = lazily("hello_agents.memory", {name: "embedding" for name in __all__ if "mbedding" in name})


def __getattr__(name: str) -> Any:
    return (_embedding if "mbedding" in name else _here)(name)
