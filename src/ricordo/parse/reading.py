"""What every native reader is given, and what it may use up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ricordo.types import Parsed

Reader = Callable[[bytes, "Job"], Parsed]
"""A plain function that runs in a worker process: bytes in, blocks out; no socket, no file but temporary ones."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What one file may cost. Sizes in bytes, times in seconds; inflated sizes are counted while inflating."""

    file_bytes: int = 50_000_000
    inflated_bytes: int = 512_000_000
    entries: int = 10_000
    ratio: int = 100
    ratio_floor_bytes: int = 1_000_000
    depth: int = 3
    pixels: int = 50_000_000
    text_characters: int = 20_000_000
    xml_depth: int = 1_000
    cpu_seconds: int = 60
    wall_seconds: int = 120
    memory_bytes: int = 1_000_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """One file to read. `child` reads a file found inside it and counts against the same limits."""

    name: str
    kind: str
    media_type: str | None = None
    password: str | None = None
    depth: int = 0
    limits: Limits = field(default_factory=Limits)
    ocr_languages: str = "chi_sim+eng"
    speech_model: str | None = None
    child: Callable[[str, bytes], Parsed]


class Exceeded(Exception):
    """A limit was reached; the file ends as `too_large`, with this reason."""
