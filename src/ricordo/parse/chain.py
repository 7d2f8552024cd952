"""Parsers by name, and a chain of them: the next is tried where one does not read a file."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ricordo import registry
from ricordo.errors import Invalid, RicordoError, Unavailable, Unreadable
from ricordo.protocols import FileParser
from ricordo.types import READABLE, File, Parsed, ParseStatus

log = logging.getLogger(__name__)

_TELLING = (
    ParseStatus.NEEDS_PASSWORD,
    ParseStatus.TOO_LARGE,
    ParseStatus.DAMAGED,
    ParseStatus.NEEDS_OCR,
    ParseStatus.NEEDS_TRANSCRIPTION,
    ParseStatus.EMPTY,
    ParseStatus.UNSUPPORTED,
)
"""Where no parser read the file: which one's answer says most about it."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one parser made of the file: its status ("error" where it broke off) and the reason."""

    parser: str
    status: str
    reason: str = ""

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.parser, self.status, self.reason)))


@dataclass(frozen=True, slots=True)
class Converted:
    """The file as the named parser read it, or why none did; every attempt in order."""

    parsed: Parsed
    parser: str
    attempts: tuple[Attempt, ...]

    @property
    def ok(self) -> bool:
        return self.parsed.status in READABLE


def register(parser: FileParser) -> None:
    """Makes a parser known under its name, in this process, to everything that asks the registry."""
    registry.add("parser", parser.name, lambda **_: parser)


def list_parsers() -> list[str]:
    return registry.names("parser")


def get_parser(name: str | None = None, filename: str = "", content_type: str | None = None) -> FileParser:
    """The parser of that name, with its default settings; without a name the first that supports the file.

    Invalid, which is a ValueError, lists the known names.
    """
    if name is not None:
        parser: FileParser = registry.load("parser", name)()
        return parser
    for candidate in sorted(list_parsers(), key=lambda known: known != "native"):
        try:
            parser = get_parser(candidate)
        except RicordoError as error:
            log.debug("the parser %r is not set up: %s", candidate, error)
            continue
        if parser.supports(filename, content_type):
            return parser
    raise Invalid(f"no parser reads {filename!r} ({content_type}); known are {', '.join(list_parsers())}")


async def convert_with_fallback(
    parsers: Sequence[FileParser],
    data: bytes,
    filename: str,
    content_type: str | None = None,
    *,
    password: str | None = None,
) -> Converted:
    """The first readable result of the parsers in turn; where there is none, every attempt is reported.

    Raises Unavailable when a service failed and another try may help, Unreadable when every parser broke off.
    """
    if not parsers:
        raise Invalid(f"no parser was named for {filename!r}; known are {', '.join(list_parsers())}")
    attempts: list[Attempt] = []
    answers: list[Parsed] = []
    transient: Exception | None = None
    for parser in parsers:
        try:
            parsed = await parser.convert(File(name=filename, data=data, media_type=content_type, password=password))
        except Exception as error:  # an edge: whatever one parser raises, the next one is tried
            log.warning("the parser %s broke off on %r", parser.name, filename, exc_info=True)
            attempts.append(Attempt(parser.name, "error", f"{type(error).__name__}: {error}"))
            transient = error if getattr(error, "transient", False) else transient
            continue
        attempts.append(Attempt(parser.name, parsed.status, "; ".join(parsed.warnings)))
        answers.append(parsed)
        if parsed.status in READABLE:
            return Converted(parsed, parser.name, tuple(attempts))
    return _spent(filename, attempts, answers, transient)


def _spent(name: str, attempts: list[Attempt], answers: list[Parsed], transient: Exception | None) -> Converted:
    report = tuple(map(str, attempts))
    if transient is not None:
        raise Unavailable(f"{name!r} was not read: {'; '.join(report)}") from transient
    if not answers:
        raise Unreadable(f"{name!r} was not read: {'; '.join(report)}")
    best = min(answers, key=lambda parsed: _TELLING.index(parsed.status))
    if len(attempts) > 1:
        best = replace(best, warnings=report)
    return Converted(best, best.parser, tuple(attempts))
