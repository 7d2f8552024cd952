import pytest


@pytest.fixture
def open_memory(tmp_path, monkeypatch):
    """Makes memory tools over one data folder, without a model; `restart` closes it as a process's end would."""
    monkeypatch.setenv("RICORDO_EMBEDDER", "hash")
    for name in ("EMBED_MODEL_TYPE", "EMBED_API_KEY", "EMBED_BASE_URL", "EMBED_MODEL_NAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    from hello_agents.memory.config import MemoryConfig
    from hello_agents.memory.engine import close_engines
    from hello_agents.tools.memory_tool import MemoryTool

    def make(user_id="user123", memory_types=None, **config):
        config = MemoryConfig(storage_path=str(tmp_path / "memory_data"), **config)
        return MemoryTool(user_id=user_id, memory_config=config, memory_types=memory_types)

    make.restart = close_engines
    yield make
    close_engines()


@pytest.fixture
def tool(open_memory):
    return open_memory()
