import pytest

from hello_agents.core import database_config


@pytest.fixture(autouse=True)
def _no_changes(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(database_config, "_changes", {"qdrant": {}, "neo4j": {}})


def test_the_environment_is_read_when_it_is_asked_for(monkeypatch):
    assert database_config.get_database_config().qdrant.collection_name == "hello_agents_vectors"
    monkeypatch.setenv("QDRANT_VECTOR_SIZE", "1024")
    monkeypatch.setenv("NEO4J_URI", "bolt://db:7687")
    config = database_config.get_database_config()
    assert (config.qdrant.vector_size, config.neo4j.uri) == (1024, "bolt://db:7687")
    assert config.get_qdrant_config()["timeout"] == 30
    assert config.get_neo4j_config()["max_connection_pool_size"] == 50


def test_changes_hold_for_the_process_and_secrets_are_not_shown():
    database_config.update_database_config(qdrant={"api_key": "hidden", "url": "http://q"})
    config = database_config.get_database_config()
    assert (config.qdrant.url, config.qdrant.api_key) == ("http://q", "hidden")
    assert "hidden" not in repr(config)
    with pytest.raises(ValueError, match="mongo"):
        database_config.update_database_config(mongo={})
    with pytest.raises(ValueError, match="colour"):
        database_config.update_database_config(qdrant={"colour": 1})
