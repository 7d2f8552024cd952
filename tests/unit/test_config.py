from pathlib import Path

import pytest

from ricordo.config import Settings
from ricordo.errors import Invalid
from ricordo.secret import Secret


def test_arguments_come_before_the_environment_and_that_before_the_file(tmp_path):
    file = tmp_path / "s.toml"
    file.write_text('chunk_size = 300\nbank = "from file"\nllm_model = "m"\n', "utf-8")
    environ = {"RICORDO_CHUNK_SIZE": "400", "RICORDO_BANK": "from env"}
    settings = Settings.load(file=file, environ=environ, bank="from call")
    assert (settings.chunk_size, settings.bank, settings.llm_model) == (400, "from call", "m")


def test_the_data_folder_carries_its_own_settings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "ricordo.toml").write_text("section_size = 777\n", "utf-8")
    assert Settings.load(environ={}, data=Path("data")).section_size == 777
    assert Settings.load(environ={}).section_size == 1000


@pytest.mark.parametrize(
    ("content", "environ", "says"),
    [
        ("colour = 1", {}, "unknown setting 'colour'"),
        ("chunk_size = 'many'", {}, "chunk_size in .*s.toml must be of type int, got 'many'"),
        ("chunk_size = ", {}, "not valid TOML"),
        ("", {"RICORDO_CACHE_MB": "lots"}, "cache_mb in the environment must be of type int"),
    ],
)
def test_a_wrong_setting_is_named_with_its_source(tmp_path, content, environ, says):
    file = tmp_path / "s.toml"
    file.write_text(content, "utf-8")
    with pytest.raises(Invalid, match=says):
        Settings.load(file=file, environ=environ)


def test_a_named_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(Invalid, match="no configuration file"):
        Settings.load(environ={"RICORDO_CONFIG": str(tmp_path / "none.toml")})


def test_keys_never_show():
    settings = Settings.load(environ={"RICORDO_LLM_KEY": "sk-very-secret"})
    assert "sk-very-secret" not in f"{settings!r} {settings.llm_key} {settings.llm_key!r}"
    assert settings.llm_key.reveal() == "sk-very-secret"
    assert settings.llm_key == Secret("sk-very-secret")
    assert not Secret("")
