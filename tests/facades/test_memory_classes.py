"""The manager, the four kinds, the stores and the embedders, by their own methods."""

from datetime import datetime, timedelta

import pytest

from ricordo.errors import Invalid, MissingExtra, RicordoError


@pytest.fixture
def manager(open_memory):
    tool = open_memory()
    tool.memory_manager.enable("perceptual")
    return tool.memory_manager


def item(content, **fields):
    from hello_agents.memory import MemoryItem

    return MemoryItem(content=content, **fields)


def test_both_spellings_of_the_configuration_are_one():
    from hello_agents.memory import MemoryConfig

    config = MemoryConfig()
    assert (config.working_memory_capacity, config.working_memory_ttl_minutes, config.max_capacity) == (50, 60, 100)
    config.working_memory_ttl = 5
    assert config.working_memory_ttl_minutes == 5
    assert MemoryConfig(working_memory_ttl_minutes=5) == config
    assert "secret" not in repr(MemoryConfig(qdrant_url="http://x", qdrant_api_key="secret"))
    with pytest.raises(TypeError, match="colour"):
        MemoryConfig(colour=1)


@pytest.mark.parametrize(
    ("content", "fields", "kind"),
    [
        ("随便说说", {}, "working"),
        ("昨天去了公园", {}, "episodic"),
        ("重力的定义", {}, "semantic"),
        ("昨天去了公园", {"metadata": {"type": "semantic"}}, "semantic"),
        ("昨天去了公园", {"memory_type": "semantic"}, "semantic"),
        ("昨天去了公园", {"auto_classify": False}, "working"),
    ],
)
def test_the_manager_finds_the_kind_that_fits(manager, content, fields, kind):
    assert manager.storage.get(manager.add_memory(content, **fields)).kind == kind


@pytest.mark.parametrize(
    ("content", "metadata", "importance"),
    [
        ("短", {}, 0.5),
        ("长" * 101, {}, 0.6),
        ("重要的事", {}, 0.7),
        ("短", {"priority": "high"}, 0.8),
        ("短", {"priority": "low"}, 0.3),
        ("重要" + "长" * 101, {"priority": "high"}, 1.0),
    ],
)
def test_the_manager_judges_importance(manager, content, metadata, importance):
    id = manager.add_memory(content, metadata=metadata)
    assert manager.storage.get(id).importance == pytest.approx(importance)


def test_an_unknown_kind_is_an_error(manager):
    with pytest.raises(ValueError, match="nope"):
        manager.add_memory("x", memory_type="nope")
    with pytest.raises(ValueError, match="mood"):
        manager.forget_memories("mood")


def test_the_manager_counts_what_it_holds(manager):
    manager.add_memory("一", "working")
    manager.add_memory("二", "semantic", importance=0.9)
    stats = manager.get_memory_stats()
    assert (stats["total_memories"], stats["user_id"]) == (2, "user123")
    assert set(stats["memories_by_type"]) == {"working", "episodic", "semantic", "perceptual"}
    assert stats["memories_by_type"]["semantic"]["avg_importance"] == pytest.approx(0.9)
    assert stats["config"] == {"max_capacity": 100, "importance_threshold": 0.1, "decay_factor": 0.95}
    assert manager.clear_all_memories() == 2


COMMON = {"count", "forgotten_count", "total_count", "avg_importance", "memory_type"}


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("working", {"current_tokens", "max_capacity", "max_tokens", "max_age_minutes", "session_duration_minutes",
                     "capacity_usage", "token_usage"}),
        ("episodic", {"sessions_count", "time_span_days", "vector_store", "document_store"}),
        ("semantic", {"entities_count", "relations_count", "graph_nodes", "graph_edges"}),
        ("perceptual", {"perceptions_count", "modality_counts", "supported_modalities", "vector_stores",
                        "document_store"}),
    ],
)  # fmt: skip
def test_each_kind_has_its_verbs_and_its_statistics(manager, kind, more):
    memory = manager.memory_types[kind]
    given = item("喜欢绿茶", memory_type=kind, user_id="user123", metadata={"a": 1})
    assert memory.add(given) == given.id
    [found] = memory.retrieve("绿茶", limit=3)
    assert (found.id, found.content, found.user_id, found.metadata["a"]) == (given.id, "喜欢绿茶", "user123", 1)
    assert found.timestamp == given.timestamp
    assert memory.has_memory(given.id)
    assert memory.update(given.id, content="喜欢红茶", importance=0.9, metadata={"b": 2})
    assert memory.retrieve("红茶")[0].metadata.items() >= {"a": 1, "b": 2}.items()
    stats = memory.get_stats()
    assert set(stats) == COMMON | more
    assert (stats["count"], stats["memory_type"]) == (1, "enhanced_semantic" if kind == "semantic" else kind)
    assert [one.id for one in memory.get_all()] == [given.id]
    assert memory.forget("importance_based", 0.5) == 0
    assert memory.remove(given.id)
    assert not memory.remove(given.id)
    assert not memory.update(given.id, content="x")
    memory.add(given)
    memory.clear()
    assert memory.get_all() == []


def test_working_memory_gives_recent_important_and_a_summary(manager):
    memory = manager.memory_types["working"]
    for n in range(4):
        memory.add(item(f"备忘{n}", importance=n / 10, timestamp=datetime.now() - timedelta(minutes=n)))
    assert [one.content for one in memory.get_recent(2)] == ["备忘0", "备忘1"]
    assert [one.content for one in memory.get_important(2)] == ["备忘3", "备忘2"]
    assert (
        memory.get_context_summary(7) == "工作记忆:\n- 备忘3\n- 备忘2" or memory.get_context_summary(7).count("\n") == 1
    )
    assert memory.get_context_summary().splitlines()[1] == "- 备忘3"


def test_episodes_have_sessions_patterns_and_a_timeline(manager):
    memory = manager.memory_types["episodic"]
    for n, session in enumerate(["a", "a", "b"]):
        at = datetime.now() - timedelta(days=3 - n)
        memory.add(
            item(f"第{n}次喝绿茶", timestamp=at, metadata={"session_id": session, "place": "家"}, user_id="user123")
        )
    assert [one.content for one in memory.get_session_episodes("a")] == ["第0次喝绿茶", "第1次喝绿茶"]
    assert set(memory.sessions) == {"a", "b"}
    assert [one["content"][1] for one in memory.get_timeline("user123", limit=2)] == ["2", "1"]
    for _ in range(2):  # again and again
        patterns = {one["pattern"]: one["frequency"] for one in memory.find_patterns("user123", 2)}
        assert patterns.items() >= {"绿茶": 3, "place:家": 3}.items()
    assert [one.content for one in memory.retrieve("绿茶", session_id="b")] == ["第2次喝绿茶"]
    assert memory.retrieve("绿茶", user_id="somebody else") == []
    assert memory.get_stats()["sessions_count"] == 2
    assert memory.get_stats()["time_span_days"] == pytest.approx(2, abs=0.01)


def test_facts_carry_probabilities_and_entities_can_be_asked_for(manager):
    memory = manager.memory_types["semantic"]
    memory.add(item("绿茶不发酵"))
    memory.add(item("红茶全发酵"))
    found = memory.retrieve("绿茶")
    assert sum(one.metadata["probability"] for one in found) == pytest.approx(1)
    assert all(one.metadata["combined_score"] >= 0.1 for one in found)
    assert memory.get_entity("no such thing") is None
    assert memory.get_related_entities("no such thing") == []
    assert set(memory.export_knowledge_graph()) == {"entities", "relations", "graph_stats"}
    assert memory.search_entities("no such thing") == []


def test_facts_are_found_through_the_graph_by_the_published_formula(manager):
    from hello_agents.memory import formulas

    memory = manager.memory_types["semantic"]
    memory.add(item("李四在阿里巴巴公司工作", importance=0.7))
    memory.add(item("王五认识李四"))
    memory.add(item("绿茶不发酵"))
    found = memory.retrieve("阿里巴巴公司")
    told = found[0].metadata
    assert found[0].content == "李四在阿里巴巴公司工作"
    assert told["graph_score"] > 0.6
    assert told["combined_score"] == pytest.approx(
        formulas.semantic_score(told["vector_score"], told["graph_score"], 0.7), abs=1e-9
    )
    assert memory.get_entity("李四").name == "李四"
    assert "阿里巴巴公司" in {one["entity"].name for one in memory.get_related_entities("李四")}
    assert memory.get_stats()["entities_count"] >= 3


def test_perceptions_are_text_with_a_modality(manager):
    memory = manager.memory_types["perceptual"]
    memory.add(item("橘猫", metadata={"raw_data": "cat.PNG"}))
    memory.add(item("", metadata={"raw_data": "rain.mp3"}))
    assert memory.get_by_modality("audio")[0].content == "rain.mp3"
    assert [one.content for one in memory.cross_modal_search("猫", target_modality="image")] == ["橘猫"]
    assert memory.generate_content("橘猫").startswith("- 橘猫")
    with pytest.raises(ValueError, match="image"):
        memory.cross_modal_search("x", query_modality="image")
    with pytest.raises(ValueError, match="smell"):
        memory.add(item("x", metadata={"modality": "smell"}))
    assert memory.get_stats()["modality_counts"] == {"image": 1, "audio": 1}


def test_the_document_store_sees_the_same_memories(manager, tmp_path):
    from hello_agents.memory import SQLiteDocumentStore

    store = SQLiteDocumentStore(str(tmp_path / "memory_data" / "memory.db"))
    id = manager.add_memory("喜欢绿茶", "episodic", importance=0.8, metadata={"place": "家"})
    assert store.get_memory(id)["properties"]["place"] == "家"
    assert store.add_memory("mine", "user123", "喜欢红茶", "semantic", 1_700_000_000, 0.9, {"a": 1}) == "mine"
    assert manager.retrieve_memories("红茶")[0].id == "mine"
    assert [row["memory_id"] for row in store.search_memories(user_id="user123")] == ["mine", id]
    assert [r["memory_id"] for r in store.search_memories(start_time=1_700_000_000, end_time=1_700_000_000)] == ["mine"]
    assert store.update_memory("mine", content="喜欢白茶", importance=0.1)
    assert store.get_memory("mine")["content"] == "喜欢白茶"
    assert store.get_database_stats()["memories_count"] == 2
    assert store.delete_memory("mine")
    assert not store.delete_memory("mine")
    assert store.get_memory("mine") is None
    document = store.add_document("长文", {"title": "t"})
    assert store.get_document(document) == {"id": document, "content": "长文", "metadata": {"title": "t"}}
    assert store.get_document("none") is None
    assert len(store.search_memories()) == 1
    store.close()


def test_stores_on_servers_say_what_is_missing():
    from hello_agents.memory.storage import Neo4jGraphStore, QdrantConnectionManager, QdrantVectorStore

    for opening in (QdrantVectorStore, QdrantConnectionManager.get_instance, Neo4jGraphStore):
        with pytest.raises(MissingExtra, match="server"):
            opening()


def test_embedders_by_name_and_their_fallback(open_memory, monkeypatch, caplog):
    from hello_agents.memory import embedding

    model = embedding.create_embedding_model("tfidf")
    assert model.dimension == 384
    assert model.encode("绿茶").shape == (384,)
    assert len(model.encode(["绿茶", "红茶"])) == 2
    with pytest.raises(Invalid, match="nope"):
        embedding.create_embedding_model("nope")
    with pytest.raises(Invalid, match="EMBED_API_KEY"):
        embedding.create_embedding_model("dashscope")
    with pytest.raises(Invalid, match="colour"):
        embedding.create_embedding_model("tfidf", colour=1)
    assert embedding.create_embedding_model_with_fallback("dashscope").name
    assert "no dashscope embedding" in caplog.text
    monkeypatch.setenv("EMBED_MODEL_TYPE", "tfidf")
    assert embedding.refresh_embedder().name == "hash-384"
    assert embedding.get_dimension() == 384
    assert embedding.engine_settings() == {"embedder": "hash"}


def test_an_embedding_server_that_fails_gives_no_vector(open_memory):
    from hello_agents.memory import embedding

    model = embedding.create_embedding_model("dashscope", base_url="http://127.0.0.1:9/v1", retries=0)
    with pytest.raises(RicordoError):
        model.encode("绿茶")


@pytest.mark.parametrize(
    ("env", "settings"),
    [
        ({}, {}),
        ({"EMBED_MODEL_TYPE": "local", "EMBED_API_KEY": "k"}, {}),
        ({"EMBED_API_KEY": "k"}, {"embedder_url": "https://dashscope.aliyuncs.com/compatible-mode/v1",
                                  "embedder_model": "text-embedding-v3", "embedder_key": "k", "embedder": "openai"}),
        ({"EMBED_BASE_URL": "http://h/v1", "EMBED_MODEL_NAME": "m"},
         {"embedder_url": "http://h/v1", "embedder_model": "m", "embedder_key": "", "embedder": "openai"}),
    ],
)  # fmt: skip
def test_the_environment_chooses_the_embedder(open_memory, monkeypatch, env, settings):
    from hello_agents.memory import embedding

    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert embedding.engine_settings() == settings


def test_importing_the_tool_loads_no_engine():
    import subprocess
    import sys

    script = "import sys; from hello_agents.tools import MemoryTool; MemoryTool(); print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_script_that_ends_while_vectors_are_made_ends_in_silence(open_memory, tmp_path):
    import subprocess
    import sys

    script = (
        "from hello_agents.tools import MemoryTool\n"
        "tool = MemoryTool()\n"
        "for n in range(20): assert tool.run('add', content=f'memory {n}', memory_type='episodic').success\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
