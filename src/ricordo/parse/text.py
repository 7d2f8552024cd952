"""Plain text, logs, configuration and source code: the file's own text, decoded."""

from __future__ import annotations

import re
from dataclasses import replace

from ricordo.parse.decode import clean, decode
from ricordo.parse.outcome import finish, reader
from ricordo.parse.readers import extension
from ricordo.parse.reading import Job
from ricordo.types import Block, BlockKind, Parsed

_LANGUAGES = {
    "py": "python", "pyi": "python", "js": "javascript", "mjs": "javascript", "cjs": "javascript", "jsx": "javascript",
    "ts": "typescript", "tsx": "typescript", "kt": "kotlin", "kts": "kotlin", "h": "c", "cc": "cpp", "cxx": "cpp",
    "hpp": "cpp", "cs": "csharp", "rs": "rust", "rb": "ruby", "pl": "perl", "pm": "perl", "m": "objective-c",
    "mm": "objective-c", "jl": "julia", "sh": "bash", "zsh": "bash", "fish": "bash", "ps1": "powershell",
    "bat": "batch", "ex": "elixir", "exs": "elixir", "erl": "erlang", "hs": "haskell", "clj": "clojure",
    "cljs": "clojure", "proto": "protobuf", "tf": "hcl",
}  # fmt: skip


@reader
def read(data: bytes, job: Job) -> Parsed:
    """Code as one block of code; other text in pieces that end in a line break and join to the file's own text."""
    decoded = decode(data)
    text = clean(decoded.text)
    ending = extension(job.name)
    if job.kind == "code":
        blocks = [Block(kind=BlockKind.CODE, text=text, language=_LANGUAGES.get(ending, ending))]
    else:
        blocks = source(text)
    return finish(blocks, job, warnings=decoded.warnings, partial=bool(decoded.damaged))


def source(text: str) -> list[Block]:
    """Paragraphs that join to the text; a form feed at the start of a line begins a page."""
    text = text if text.endswith("\n") else f"{text}\n"
    pages = re.split(r"(?<=\n)(?=\f)", text) if "\n\f" in text else [text]
    blocks: list[Block] = []
    held = ""
    for number, page in enumerate(pages, 1):
        held += page
        if held.strip():
            blocks.append(Block(kind=BlockKind.PARAGRAPH, text=held, page=number if len(pages) > 1 else None))
            held = ""
    if held and blocks:
        blocks[-1] = replace(blocks[-1], text=blocks[-1].text + held)
    return blocks
