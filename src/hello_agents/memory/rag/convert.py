"""Files as Markdown text, read by the engine's parsers."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from pathlib import Path

from ricordo import blocking
from ricordo.config import Settings

log = logging.getLogger(__name__)

_SENTENCE_END = tuple(".!?:;。！？：；…”」』）)")
_BLOCK = re.compile(r"\s*(?:#{1,6}\s|[-*+•·]\s|\d{1,3}[.)、]\s|[|>]|`{3,}|~{3,})")
_CELLS = re.compile(r"\S(?:\t|[ ]{2,})\S")
SHORT = 20
"""A line of fewer characters is a title, a cell or a list's entry, and not the beginning of a wrapped line."""


def _convert_to_markdown(path: str | Path) -> str:
    """The file's text as Markdown; what no parser reads is read as plain text; "" when it is missing or not text."""
    file = Path(path)
    if not file.is_file():
        log.warning("there is no file %s", file)
        return ""
    data = file.read_bytes()
    return blocking.run(_markdown(data, file.name)) or _plain(data, file)


_enhanced_pdf_processing = _convert_to_markdown
"""The parser of PDFs rebuilds lines and paragraphs from where they stand on the page."""


async def _markdown(data: bytes, name: str) -> str:
    from ricordo.engine.parts import open_parsers  # these load the parsers, which most programs never ask for
    from ricordo.parse.chain import convert_with_fallback
    from ricordo.parse.render import render

    parsers = open_parsers(Settings.load())
    try:
        converted = await convert_with_fallback(parsers, data, name)
    finally:
        for parser in parsers:
            if hasattr(parser, "close"):
                await parser.close()
    if not converted.ok:
        log.warning("%s was not read: %s", name, "; ".join(map(str, converted.attempts)))
    return render(converted.parsed).text if converted.ok else ""


def _plain(data: bytes, file: Path) -> str:
    if b"\0" in data or data.startswith(b"%PDF"):
        log.warning("%s is not text either", file)
        return ""
    return data.decode("utf-8", "ignore") or data.decode("latin-1")


def _post_process_pdf_text(text: str) -> str:
    """The text with wrapped lines joined to their paragraphs; no line is dropped."""
    paragraphs = re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n"))
    return "\n\n".join("\n".join(_joined(p.split("\n"))) for p in paragraphs if p.strip())


def _joined(lines: Sequence[str]) -> list[str]:
    out: list[str] = []
    for line in filter(str.strip, lines):
        if out and _goes_on(out[-1], line):
            out[-1] = _glued(out[-1], line.strip())
        else:
            out.append(line.rstrip())
    return out


def _goes_on(before: str, line: str) -> bool:
    if _BLOCK.match(line) or _BLOCK.match(before) or _CELLS.search(before) or _CELLS.search(line.strip()):
        return False
    return len(before) >= SHORT and not before.endswith(_SENTENCE_END)


def _glued(before: str, line: str) -> str:
    if re.search(r"[a-z]-$", before) and line[0].islower():
        return before[:-1] + line
    apart = before[-1].isascii() or line[0].isascii()
    return f"{before} {line}" if apart else before + line
