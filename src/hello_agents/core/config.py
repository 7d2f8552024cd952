"""What the environment says, and the settings of an agent. Nothing else of the facade reads the environment."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hello_agents.core.exceptions import HelloAgentsException

_LINE = re.compile(
    r"""^[ \t]*(?:export[ \t]+)?([\w.]+)[ \t]*=[ \t]*
    (?: "((?:[^"\\]|\\.)*)" | '([^']*)' | ([^\r\n]*?) )
    [ \t]*(?:(?<=\s)\#[^\r\n]*)?\r?$""",
    re.MULTILINE | re.VERBOSE,
)
_ESCAPES = {r"\n": "\n", r"\t": "\t", r"\r": "\r", r"\"": '"', r"\\": "\\"}


def environment() -> dict[str, str]:
    """Every variable that has a value: of the process, else of `.env` beside the script or in the working directory.

    An empty value counts as absent. It is read anew each time, so that a later change is seen.
    """
    found: dict[str, str] = {}
    for folder in (Path.cwd(), _script_folder()):
        path = folder / ".env" if folder else None
        if path and path.is_file():
            found |= parse_env(_read(path))
    return found | {name: value for name, value in os.environ.items() if value.strip()}


def parse_env(text: str) -> dict[str, str]:
    """The variables of a `.env` file's text, without the empty ones."""
    found = {}
    for name, double, single, bare in _LINE.findall(text):
        value = re.sub(r"\\.", lambda m: _ESCAPES.get(m[0], m[0]), double) if double else single or bare
        if value.strip() and not bare.startswith("#"):
            found[name] = value
    return found


def _script_folder() -> Path | None:
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    return Path(script).resolve().parent if script else None


def _read(path: Path) -> str:
    data = path.read_bytes()
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise HelloAgentsException(f"{path} is neither UTF-8 nor GB 18030; save it as UTF-8")


def first(env: Mapping[str, str], *names: str) -> str | None:
    """The value of the first of these variables that has one."""
    return next((env[name] for name in names if env.get(name)), None)


def as_number(env: Mapping[str, str], name: str, default: float) -> float:
    """HelloAgentsException names the variable when its value is no number."""
    try:
        return float(env.get(name) or default)
    except ValueError:
        raise HelloAgentsException(f"{name} must be a number, got {env[name]!r}") from None


@dataclass
class Config:
    """`max_history_length` counts messages; an agent forgets the oldest beyond it."""

    default_model: str = "gpt-3.5-turbo"
    default_provider: str = "openai"
    temperature: float = 0.7
    max_tokens: int | None = None
    debug: bool = False
    log_level: str = "INFO"
    max_history_length: int = 100

    @classmethod
    def from_env(cls) -> Config:
        """From DEBUG, LOG_LEVEL, TEMPERATURE and MAX_TOKENS."""
        env = environment()
        return cls(
            debug=env.get("DEBUG", "").lower() in ("1", "true", "yes"),
            log_level=env.get("LOG_LEVEL", cls.log_level),
            temperature=as_number(env, "TEMPERATURE", cls.temperature),
            max_tokens=int(as_number(env, "MAX_TOKENS", 0)) or None,
        )

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)
