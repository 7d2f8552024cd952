"""The pipeline's functions: what they are called, what they give back, and what they do without a model."""

import sys
import types
from pathlib import Path

import pytest

from hello_agents.memory import rag
from hello_agents.memory.engine import close_engines
from hello_agents.memory.rag import pipeline
from hello_agents.memory.rag.library import Library
from hello_agents.memory.rag.pipeline import (
    _convert_to_markdown,
    _prompt_hyde,
    _prompt_mqe,
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
from ricordo.errors import Invalid, NotFound, RicordoError

SAMPLES = Path(__file__).parents[2] / "src/ricordo/samples"
METADATA = {
    "source_path",
    "file_ext",
    "doc_id",
    "lang",
    "start",
    "end",
    "content_hash",
    "namespace",
    "source",
    "external",
    "heading_path",
    "format",
}


class Model:
    def __init__(self, answer):
        self.answer = answer
        self.asked = []

    def invoke(self, messages, **options):
        self.asked.append(messages)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.fixture(autouse=True)
def _offline(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RICORDO_EMBEDDER", "hash")
    monkeypatch.setenv("EMBED_MODEL_TYPE", "tfidf")
    for name in ("LLM_API_KEY", "LLM_BASE_URL", "OPENAI_API_KEY", "EMBED_BASE_URL", "EMBED_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    yield
    close_engines()


@pytest.fixture
def book(tmp_path):
    path = tmp_path / "book.md"
    parts = [f"# 第{n}章 {name}\n\n{name}的做法：{'说明' * 40}。" for n, name in enumerate(("采摘", "炒制", "包装"), 1)]
    path.write_text("\n\n".join(parts), "utf-8")
    return path


@pytest.fixture
def indexed(book):
    store = Library("kb")
    index_chunks(store, load_and_chunk_texts([book], chunk_size=100, chunk_overlap=0), rag_namespace="tea")
    return store


def test_the_package_exports_every_name_that_it_lists():
    assert all(getattr(rag, name) is not None for name in rag.__all__)
    assert all(getattr(pipeline, name) is not None for name in pipeline.__all__)
    assert rag.SentenceTransformerEmbedding is rag.HuggingFaceEmbedding is rag.LocalTransformerEmbedding
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = rag.Nothing


def test_chunks_carry_where_they_come_from(book):
    chunks = load_and_chunk_texts([book], chunk_size=100, chunk_overlap=0, namespace="tea", source_label="manual")
    text = book.read_text("utf-8") + "\n"
    assert len(chunks) == 3
    for chunk in chunks:
        m = chunk["metadata"]
        assert set(m) == METADATA
        assert text[m["start"] : m["end"]] == chunk["content"]
        assert (m["source_path"], m["file_ext"], m["lang"], m["format"]) == (str(book), ".md", "zh", "markdown")
        assert (m["namespace"], m["source"], m["external"]) == ("tea", "manual", True)
    assert chunks[1]["metadata"]["heading_path"] == "第2章 炒制"
    assert len({c["metadata"]["doc_id"] for c in chunks}) == 1
    assert chunks == load_and_chunk_texts(
        [book], chunk_size=100, chunk_overlap=0, namespace="tea", source_label="manual"
    )


def test_equal_chunks_come_once_and_missing_files_give_none(book, tmp_path):
    copy = tmp_path / "copy.md"
    copy.write_bytes(book.read_bytes())
    assert len(load_and_chunk_texts([book, copy, "missing.md"])) == len(load_and_chunk_texts([book]))


def test_files_become_markdown_and_what_no_parser_reads_is_read_as_text(tmp_path):
    assert _convert_to_markdown("missing.pdf") == ""
    assert "3月17日" in _convert_to_markdown(SAMPLES / "harvest-report-2025.pdf")
    odd = tmp_path / "notes.odd"
    odd.write_bytes("温度\n".encode())
    assert "温度" in _convert_to_markdown(odd)
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    assert _convert_to_markdown(tmp_path / "broken.pdf") == ""


def test_indexed_chunks_are_found_in_their_namespace_alone(indexed):
    hits = search_vectors(indexed, "炒制的做法", top_k=2, rag_namespace="tea")
    assert len(hits) == 2
    assert set(hits[0]) >= {"id", "score", "metadata"}
    m = hits[0]["metadata"]
    assert m["heading_path"] == "第2章 炒制"
    assert (m["memory_id"], m["user_id"], m["memory_type"]) == (hits[0]["id"], "rag_user", "rag_chunk")
    assert (m["data_source"], m["rag_namespace"], m["is_rag_data"]) == ("rag_pipeline", "tea", True)
    assert search_vectors(indexed, "炒制的做法", rag_namespace="other") == []
    assert search_vectors(indexed, "炒制的做法", rag_namespace="tea", score_threshold=1.1) == []
    assert search_vectors(indexed, " ", rag_namespace="tea") == []


def test_a_file_indexed_again_loses_its_old_chunks(indexed, book):
    book.write_text("# 第4章 品饮\n\n水温八十五度。", "utf-8")
    index_chunks(indexed, load_and_chunk_texts([book]), rag_namespace="tea")
    space = indexed.namespace("tea")
    assert [m.text for m in space.passages()] == ["水温八十五度。"]
    assert space.count() == 1


def test_the_same_chunks_may_lie_in_two_namespaces(indexed, book):
    chunks = load_and_chunk_texts([book], chunk_size=100, chunk_overlap=0)
    index_chunks(indexed, chunks, rag_namespace="copy")
    assert indexed.namespaces() == ["copy", "tea"]
    assert indexed.namespace("copy").clear() == 3
    assert [indexed.namespace(name).count() for name in ("copy", "tea")] == [0, 3]
    assert search_vectors(indexed, "炒制的做法", rag_namespace="tea")


def test_indexing_the_same_again_changes_nothing(indexed, book):
    assert (
        index_chunks(indexed, load_and_chunk_texts([book], chunk_size=100, chunk_overlap=0), rag_namespace="tea") == 3
    )
    assert indexed.namespace("tea").count() == 3
    assert index_chunks(indexed, []) == 0


def test_a_chunk_that_is_refused_is_an_error(indexed, book):
    [first, *_] = load_and_chunk_texts([book], chunk_size=100, chunk_overlap=0)
    with pytest.raises(RuntimeError, match="1 of 1 chunks were not stored"):
        index_chunks(indexed, [{**first, "content": "another text under the same id"}], rag_namespace="tea")


def test_a_query_has_a_vector_and_never_one_of_zeros():
    vector = embed_query("春茶")
    assert len(vector) == 384
    assert any(vector)


@pytest.mark.parametrize(
    ("answer", "rewrites"),
    [
        ("1. 怎么炒茶\n- 炒茶的方法\n\n怎么炒茶", ["怎么炒茶", "炒茶的方法"]),
        ("一\n二\n三", ["一", "二"]),
        ("", ["炒制"]),
        (RicordoError("down"), ["炒制"]),
        (ValueError("down"), ["炒制"]),
    ],
)
def test_rewrites_are_one_a_line_and_the_query_itself_when_there_are_none(answer, rewrites):
    assert _prompt_mqe("炒制", 2, Model(answer)) == rewrites


def test_a_supposed_answer_is_one_text_or_none():
    assert _prompt_hyde("炒制", Model(" 锅温180度。 ")) == "锅温180度。"
    assert _prompt_hyde("炒制", Model(RicordoError("down"))) is None
    assert _prompt_hyde("炒制") is None


def test_the_expanded_search_is_the_plain_one_without_a_model(indexed):
    plain = search_vectors(indexed, "炒制的做法", top_k=2, rag_namespace="tea")
    wide = search_vectors_expanded(indexed, "炒制的做法", 2, "tea", enable_mqe=True, enable_hyde=True)
    assert [(h["id"], h["score"]) for h in wide] == [(h["id"], h["score"]) for h in plain]
    assert search_vectors_expanded(indexed, "  ", rag_namespace="tea") == []


def test_the_expanded_search_keeps_the_best_score_of_each_passage_and_at_most_top_k(indexed):
    model = Model("包装的做法")
    hits = search_vectors_expanded(indexed, "炒制的做法", 2, "tea", enable_mqe=True, enable_hyde=True, llm=model)
    assert len(model.asked) == 2
    scores = [h["score"] for h in hits]
    assert len(hits) == len({h["id"] for h in hits}) == 2
    assert scores == sorted(scores, reverse=True)
    alone = {h["id"]: h["score"] for q in ("炒制的做法", "包装的做法") for h in search_vectors(indexed, q, 1, "tea")}
    assert {h["id"]: h["score"] for h in hits} == alone


def hit(id, doc="d", start=0, score=0.5, content="文", **metadata):
    place = {"memory_id": id, "doc_id": doc, "start": start, "end": start + len(content), "content": content}
    return {"id": id, "score": score, "metadata": {**place, **metadata}}


def test_graph_signals_are_density_and_nearness_relative_to_the_best():
    hits = [hit("a", "x", 0), hit("b", "x", 800), hit("c", "y", 0)]
    # a, b: density 2/2 and nearness 1 - 800/1600; c: density 1/2 and nobody near
    assert compute_graph_signals_from_pool(hits) == pytest.approx({"a": 1.0, "b": 1.0, "c": 0.5 / 1.5}, abs=1e-9)
    weighed = compute_graph_signals_from_pool(hits, same_doc_weight=0.0, proximity_weight=2.0)
    assert weighed == {"a": 1.0, "b": 1.0, "c": 0.0}
    assert compute_graph_signals_from_pool([]) == {}


def test_rank_weighs_vector_and_graph():
    ranked = rank([hit("a", score=0.9), hit("b", score=0.8)], {"b": 1.0})
    assert [item["memory_id"] for item in ranked] == ["b", "a"]
    assert ranked[0]["score"] == pytest.approx(0.7 * 0.8 + 0.3, abs=1e-9)
    assert set(ranked[0]) == {"memory_id", "score", "vector_score", "graph_score", "content", "metadata"}
    assert (ranked[1]["vector_score"], ranked[1]["graph_score"], ranked[1]["content"]) == (0.9, 0.0, "文")


def test_snippets_are_joined_up_to_their_length():
    items = rank([hit("a", content="甲" * 10, score=0.9), hit("b", content="乙" * 10, score=0.8)])
    assert merge_snippets(items) == "甲" * 10 + "\n\n" + "乙" * 10
    assert merge_snippets(items, max_chars=15) == "甲" * 10 + "\n\n" + "乙" * 3
    assert merge_snippets([]) == ""


def test_grouped_snippets_stand_in_reading_order_with_references():
    items = [
        hit("late", "x", 50, content="后文", source_path="x.md", heading_path="乙"),
        hit("other", "y", 0, content="别处", source_path="y.md"),
        hit("early", "x", 0, content="前文", source_path="x.md"),
    ]
    assert merge_snippets_grouped(items) == (
        "前文 [1]\n\n后文 [2]\n\n别处 [3]\n\nReferences:\n[1] x.md (0-2)\n[2] x.md (50-52) – 乙\n[3] y.md (0-2)"
    )
    assert merge_snippets_grouped(items, include_citations=False) == "前文\n\n后文\n\n别处"


def test_neighbours_come_from_the_pool_and_no_more_than_allowed():
    pool = [hit(str(n), "x", n * 10) for n in range(5)] + [hit("far", "y", 0)]
    chosen = [pool[2]]
    assert [h["id"] for h in expand_neighbors_from_pool(chosen, pool)] == ["2", "1", "3"]
    assert [h["id"] for h in expand_neighbors_from_pool(chosen, pool, neighbors=2, max_additions=3)] == [
        "2",
        "0",
        "1",
        "3",
    ]


def test_compression_keeps_few_of_a_document_and_joins_what_is_near():
    items = [hit("a", "x", 0, content="一二三"), hit("b", "x", 2, content="三四"), hit("c", "x", 900, content="远")]
    kept = compress_ranked_items([*items, hit("d", "x", 5000, content="更远"), hit("e", "y", 0)])
    assert [k["id"] for k in kept] == ["a", "c", "e"]
    assert kept[0]["content"] == "一二三四"
    assert (kept[0]["metadata"]["start"], kept[0]["metadata"]["end"]) == (0, 4)
    assert compress_ranked_items(items, enable_compression=False) == items


def test_a_summary_is_the_models_or_the_first_sentences():
    assert tldr_summarize("甲。乙。丙。丁。", bullets=2) == "- 甲。\n- 乙。"
    assert tldr_summarize("甲。乙。", llm=Model("- 总之")) == "- 总之"
    assert tldr_summarize("  ") is None


def test_reranking_without_the_library_keeps_the_order(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    items = [hit("a"), hit("b")]
    assert rerank_with_cross_encoder("问", items, top_k=1) == items[:1]


def test_reranking_orders_by_the_cross_encoder(monkeypatch):
    class CrossEncoder:
        def __init__(self, name):
            assert name == "cross-encoder/ms-marco-MiniLM-L-6-v2"

        def predict(self, pairs):
            return [len(text) for _, text in pairs]

    library = types.SimpleNamespace(CrossEncoder=CrossEncoder)
    monkeypatch.setitem(sys.modules, "sentence_transformers", library)
    ranked = rerank_with_cross_encoder("问", [hit("a", content="短"), hit("b", content="更长的")])
    assert [(h["id"], h["rerank_score"]) for h in ranked] == [("b", 3.0), ("a", 1.0)]


def test_a_graph_holds_documents_sections_and_chunks(book):
    class Graph:
        def __init__(self):
            self.entities, self.links = {}, []

        def add_entity(self, entity_id, name, entity_type, properties):
            self.entities[entity_id] = entity_type

        def add_relationship(self, from_entity_id, to_entity_id, relationship_type, properties):
            self.links.append((from_entity_id, to_entity_id, relationship_type))

    graph = Graph()
    chunks = load_and_chunk_texts([book], chunk_size=100, chunk_overlap=0)
    build_graph_from_chunks(graph, chunks)
    assert sorted(graph.entities.values()) == ["Chunk"] * 3 + ["Document"] + ["Section"] * 3
    assert (chunks[0]["metadata"]["doc_id"], chunks[0]["id"], "HAS_CHUNK") in graph.links
    assert all(a in graph.entities and b in graph.entities for a, b, _ in graph.links)


def test_a_pipeline_has_its_published_keys_and_works(book):
    made = create_rag_pipeline(collection_name="c", rag_namespace="tea")
    assert set(made) == {"store", "namespace", "add_documents", "search", "search_advanced", "get_stats"}
    count = made["add_documents"]([str(book)], chunk_size=100, chunk_overlap=10)
    assert count >= 3
    assert made["search"]("炒制的做法", top_k=1)[0]["metadata"]["heading_path"] == "第2章 炒制"
    assert made["search_advanced"]("炒制的做法", top_k=1, enable_mqe=True)[0]["score"] > 0
    stats = made["get_stats"]()
    assert (stats["points_count"], stats["vectors_count"], stats["documents_count"]) == (count, count, 1)
    assert (stats["collection_name"], stats["rag_namespace"]) == ("c", "tea")
    with pytest.raises(Invalid, match=r"missing\.md"):
        made["add_documents"](["missing.md"])


def test_a_processor_cuts_with_exact_places_and_overlap():
    text = "第一句话说的是采摘。" * 30
    processor = rag.DocumentProcessor(chunk_size=100, chunk_overlap=20)
    chunks = processor.process_document(rag.create_document(text, title="茶"))
    assert all(text[c.metadata["start"] : c.metadata["end"]] == c.content for c in chunks)
    assert max(len(c.content) for c in chunks) <= 100
    assert chunks[1].metadata["start"] < chunks[0].metadata["end"]
    assert [c.chunk_index for c in chunks] == list(range(len(chunks)))
    assert {c.metadata["total_chunks"] for c in chunks} == {len(chunks)}
    assert chunks[0].metadata["title"] == "茶"
    whole = processor.merge_chunks(chunks, max_length=10_000)
    assert [c.content for c in whole] == [text]


def test_a_processor_keeps_to_separators_filters_and_adds(tmp_path):
    processor = rag.DocumentProcessor(chunk_size=100, chunk_overlap=0, separators=["==="])
    chunks = processor.process_documents([rag.Document("甲" * 30 + "===" + "乙" * 60)])
    assert [c.content for c in chunks] == ["甲" * 30 + "===", "乙" * 60]
    assert [len(c.content) for c in processor.filter_chunks(chunks)] == [60]
    assert processor.add_chunk_metadata(chunks, {"语言": "中"})[0].metadata["语言"] == "中"
    assert processor.add_chunk_metadata(chunks, lambda c: {"n": c.chunk_index})[1].metadata["n"] == 1
    with pytest.raises(Invalid, match="half of chunk_size"):
        rag.DocumentProcessor(chunk_size=100, chunk_overlap=80)


def test_a_text_file_is_loaded_whatever_its_encoding(tmp_path):
    path = tmp_path / "gbk.txt"
    path.write_bytes("春茶三月采摘，炒制之后包装，运往宁波。\n".encode("gb18030"))
    loaded = rag.load_text_file(path)
    assert loaded.content == "春茶三月采摘，炒制之后包装，运往宁波。\n"
    assert loaded.metadata["file_name"] == "gbk.txt"
    assert loaded.doc_id == rag.Document(loaded.content).doc_id
    with pytest.raises(NotFound, match="missing"):
        rag.load_text_file("missing.txt")
    with pytest.raises(Invalid, match="not text in utf-8"):
        rag.load_text_file(path, encoding="utf-8")
