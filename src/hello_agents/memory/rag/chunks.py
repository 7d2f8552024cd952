"""Files cut into chunks that carry where they come from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import md5
from pathlib import Path
from typing import Any

from hello_agents.memory.rag.convert import _convert_to_markdown
from hello_agents.memory.rag.text import _chunk_paragraphs, _is_cjk, _split_paragraphs_with_headings


def _digest(*parts: object) -> str:
    return md5("|".join(map(str, parts)).encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def load_and_chunk_texts(
    paths: Iterable[str | Path],
    chunk_size: int = 800,
    chunk_overlap: int = 100,
    namespace: str | None = None,
    source_label: str = "rag",
) -> list[dict[str, Any]]:
    """Chunks {id, content, metadata} with text[start:end] == content; equal chunks come once."""
    chunks: dict[str, dict[str, Any]] = {}
    for path in paths:
        text = _convert_to_markdown(path)
        about = {
            "source_path": str(path),
            "file_ext": Path(path).suffix.lower(),
            "doc_id": _digest(path, len(text)),
            "lang": language(text),
            "namespace": namespace or "default",
            "source": source_label,
            "external": True,
            "format": "markdown",
        }
        for chunk in _cut(text, about, chunk_size, chunk_overlap):
            chunks.setdefault(chunk["metadata"]["content_hash"], chunk)
    return list(chunks.values())


def _cut(text: str, about: dict[str, Any], size: int, overlap: int) -> Iterator[dict[str, Any]]:
    for span in _chunk_paragraphs(_split_paragraphs_with_headings(text), size, overlap):
        start, end = span["start"], span["end"]
        content = text[start:end]
        hashed = _digest(content)
        metadata = {**about, "start": start, "end": end, "content_hash": hashed, "heading_path": span["heading_path"]}
        yield {"id": _digest(about["doc_id"], start, end, hashed), "content": content, "metadata": metadata}


def language(text: str) -> str:
    """zh when a tenth of the letters or more are Chinese, en for other text, unknown without any."""
    letters = [c for c in text[:20_000] if c.isalpha()]
    if not letters:
        return "unknown"
    return "zh" if sum(map(_is_cjk, letters)) * 10 >= len(letters) else "en"
