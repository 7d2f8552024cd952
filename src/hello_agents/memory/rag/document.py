"""Documents and their chunks as plain objects, for programs that cut texts themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import md5
from itertools import groupby
from pathlib import Path
from typing import Any

from hello_agents.memory.rag.convert import _convert_to_markdown
from ricordo.chunk.recursive import split
from ricordo.errors import Invalid, NotFound


def _digest(text: str) -> str:
    return md5(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


@dataclass
class Document:
    """Without a doc_id its content names it."""

    content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    doc_id: str = ""

    def __post_init__(self) -> None:
        self.doc_id = self.doc_id or _digest(self.content)


@dataclass
class DocumentChunk:
    """chunk_index counts from 0 within its document."""

    content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    chunk_id: str = ""
    doc_id: str = ""
    chunk_index: int = 0

    def __post_init__(self) -> None:
        self.chunk_id = self.chunk_id or _digest(f"{self.doc_id}|{self.chunk_index}|{self.content}")


class DocumentProcessor:
    """Cuts texts at their joints into chunks of up to chunk_size characters.

    A chunk begins up to chunk_overlap earlier than the one before ends. With `separators` a text is parted at the
    first of them that it holds before it is cut, and no chunk crosses one.
    """

    def __init__(
        self, chunk_size: int = 1000, chunk_overlap: int = 200, separators: Sequence[str] | None = None
    ) -> None:
        if chunk_size < 1 or not 0 <= chunk_overlap <= chunk_size // 2:
            raise Invalid(f"chunk_overlap must be 0 to half of chunk_size, got {chunk_overlap} of {chunk_size}")
        self.chunk_size = chunk_size
        self.chunk_overlap = chunk_overlap
        self.separators = list(separators or ())

    def process_document(self, document: Document) -> list[DocumentChunk]:
        """The chunks in order; each knows its start and end in the document."""
        chunks: list[DocumentChunk] = []
        for offset, part in self._parts(document.content):
            for span in split(part, size=self.chunk_size, parent=0, overlap=self.chunk_overlap):
                text = part[span.start : span.end]
                if text.strip():
                    place = {"start": offset + span.start, "end": offset + span.end, "chunk_index": len(chunks)}
                    metadata = {**document.metadata, "doc_id": document.doc_id, **place}
                    chunks.append(DocumentChunk(text, metadata, doc_id=document.doc_id, chunk_index=len(chunks)))
        for chunk in chunks:
            chunk.metadata["total_chunks"] = len(chunks)
        return chunks

    def _parts(self, text: str) -> list[tuple[int, str]]:
        separator = next((s for s in self.separators if s and s in text), None)
        if separator is None:
            return [(0, text)]
        parts, at = [], 0
        for piece in text.split(separator):
            end = min(at + len(piece) + len(separator), len(text))
            parts.append((at, text[at:end]))
            at = end
        return parts

    def process_documents(self, documents: Iterable[Document]) -> list[DocumentChunk]:
        return [chunk for document in documents for chunk in self.process_document(document)]

    def merge_chunks(self, chunks: Sequence[DocumentChunk], max_length: int | None = None) -> list[DocumentChunk]:
        """Neighbours of one document joined while they fit into max_length characters (chunk_size)."""
        limit = self.chunk_size if max_length is None else max_length
        merged: list[DocumentChunk] = []
        for doc_id, same in groupby(chunks, key=lambda chunk: chunk.doc_id):
            count = len(merged)
            for chunk in same:
                joined = _joined(merged[-1], chunk) if len(merged) > count else None
                if joined is not None and len(joined.content) <= limit:
                    merged[-1] = joined
                else:
                    merged.append(DocumentChunk(chunk.content, dict(chunk.metadata), "", doc_id, len(merged) - count))
        return merged

    def filter_chunks(
        self, chunks: Iterable[DocumentChunk], min_length: int = 50, max_length: int | None = None
    ) -> list[DocumentChunk]:
        """Those whose length, without white space around, lies within the bounds."""
        longest = max_length if max_length is not None else float("inf")
        return [chunk for chunk in chunks if min_length <= len(chunk.content.strip()) <= longest]

    def add_chunk_metadata(
        self,
        chunks: Iterable[DocumentChunk],
        metadata: dict[str, Any] | Callable[[DocumentChunk], dict[str, Any]],
    ) -> list[DocumentChunk]:
        """The chunks with these fields too; a function gives each its own."""
        out = []
        for chunk in chunks:
            more = metadata(chunk) if callable(metadata) else metadata
            both = {**chunk.metadata, **more}
            out.append(DocumentChunk(chunk.content, both, chunk.chunk_id, chunk.doc_id, chunk.chunk_index))
        return out


def _joined(one: DocumentChunk, other: DocumentChunk) -> DocumentChunk:
    """Both texts; what they share at the seam comes once."""
    ends, begins = one.metadata.get("end"), other.metadata.get("start")
    overlap = max(0, ends - begins) if ends is not None and begins is not None else 0
    metadata = {**one.metadata, **({"end": other.metadata["end"]} if "end" in other.metadata else {})}
    return DocumentChunk(one.content + other.content[overlap:], metadata, "", one.doc_id, one.chunk_index)


def load_text_file(path: str | Path, encoding: str | None = None) -> Document:
    """The file as a document. Without an encoding, any file that a parser reads, its encoding found by itself."""
    file = Path(path)
    if not file.is_file():
        raise NotFound(f"there is no file {path}")
    try:
        content = file.read_text(encoding) if encoding else _convert_to_markdown(file)
    except (UnicodeDecodeError, LookupError) as error:
        raise Invalid(f"{path} is not text in {encoding}: {error}") from error
    return Document(content, {"source": str(path), "file_name": file.name, "file_ext": file.suffix.lower()})


def create_document(content: str, **metadata: Any) -> Document:
    return Document(content, metadata)
