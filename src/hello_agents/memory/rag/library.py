"""A collection of documents in namespaces, kept by the engine: each namespace is a bank of its own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from hello_agents.memory.engine import engine_at
from ricordo import blocking
from ricordo.engine.documents import document_id
from ricordo.errors import NotFound, RicordoError
from ricordo.types import Coverage, File, Filter, Hit, Item, Json, Kind, Memory, Outcome, Recalled, Strategy

if TYPE_CHECKING:
    from ricordo.engine.banks import Stats
    from ricordo.engine.engine import BankHandle

log = logging.getLogger(__name__)

Found: TypeAlias = dict[str, Any]

DATA_FOLDER = ".ricordo"
DEFAULT_COLLECTION = "hello_agents_rag_vectors"
PASSAGES = (Kind.CHUNK, Kind.OBSERVATION)
"""Chunks of documents, and chunks that came in ready-made."""


class Library:
    """The namespaces of one collection; the data lies in a folder of its own under `path`."""

    def __init__(self, path: str | Path = "./knowledge_base", collection: str = DEFAULT_COLLECTION) -> None:
        self.path = Path(path)
        self.collection = collection
        self.engine = engine_at(self.path / DATA_FOLDER)

    def namespace(self, name: str) -> Namespace:
        return Namespace(self, name)

    def namespaces(self) -> list[str]:
        """Those that hold anything, in order of their names."""
        begin = _bank(self.collection, "")
        found = (bank.id for bank in self.engine.sync.banks())
        return sorted(_unescaped(id.removeprefix(begin)) for id in found if id.startswith(begin))


class Namespace:
    """One wall: what is added, found, counted and deleted here touches no other namespace."""

    def __init__(self, library: Library, name: str) -> None:
        self.library = library
        self.name = name
        self._bank: BankHandle = library.engine.bank(_bank(library.collection, name))

    def add(self, items: Sequence[Item]) -> list[Outcome]:
        """One outcome an item; what is stored is found by its words at once."""
        return list(self._bank.sync.add(items).outcomes)

    def finish(self) -> str:
        """Waits for the vectors; gives what keeps them from being made, or nothing."""
        try:
            self._bank.sync.wait()
        except RicordoError as error:
            return str(error)
        return ""

    def search(
        self, queries: Iterable[str], limit: int, pool: int | None = None
    ) -> tuple[list[Found], tuple[str, ...]]:
        """The passages that answer any of the queries, each with the best of its scores; and what was missing."""
        try:
            recalled = blocking.run(self._recall(list(dict.fromkeys(queries)), pool or limit))
        except NotFound:
            return [], ()
        best: dict[str, Hit] = {}
        for hit in (hit for one in recalled for hit in one.hits):
            if hit.memory.id not in best or best[hit.memory.id].score < hit.score:
                best[hit.memory.id] = hit
        ranked = sorted(best.values(), key=lambda hit: -hit.score)[:limit]
        notes = dict.fromkeys(note for one in recalled for note in (*one.notes, *_uncovered(one.coverage)))
        return [self._found(hit) for hit in ranked], tuple(notes)

    async def _recall(self, queries: Sequence[str], limit: int) -> list[Recalled]:
        searches = (self._bank.search(q, limit=limit, kinds=PASSAGES, expand=False) for q in queries)
        return list(await asyncio.gather(*searches))

    def _found(self, hit: Hit) -> Found:
        """What the passage was stored with, and where it stands; `content` is its text."""
        memory = hit.memory
        metadata = {
            **_place(memory),
            **memory.data,
            "content": memory.text,
            "memory_id": memory.id,
            "user_id": "rag_user",
            "memory_type": "rag_chunk",
            "is_rag_data": True,
            "data_source": "rag_pipeline",
            "rag_namespace": self.name,
        }
        return {
            "id": memory.id,
            "score": hit.score,
            "metadata": metadata,
            "highlights": hit.highlights,
            "also": hit.also,
        }

    def documents(self) -> list[Memory]:
        """Newest first."""
        return self._listed(kinds=[Kind.DOCUMENT])

    def passages(self, **filters: Any) -> list[Memory]:
        return self._listed(kinds=PASSAGES, **filters)

    def _listed(self, **filters: Any) -> list[Memory]:
        try:
            return list(self._bank.sync.list(limit=2**31, **filters))
        except NotFound:
            return []

    def document(self, name: str) -> Memory:
        """By the name it was added under, its file's name where only one has it, or (the beginning of) its id."""
        if exact := self.named(name):
            return exact
        known = self.documents()
        same = [m for m in known if name in (m.data["source_name"], m.data["source_path"])]
        begun = same or [m for m in known if name and m.id.startswith(name)]
        if len(begun) != 1:
            many = f"{len(begun)} documents go by the name" if begun else "there is no document"
            raise NotFound(f"{many} {name!r} in namespace {self.name!r}")
        return begun[0]

    def named(self, key: str) -> Memory | None:
        """The document that was added under exactly this name."""
        found = blocking.run(
            self.library.engine.parts.records.get(self._bank.name, [document_id(self._bank.name, key)])
        )
        return found[0] if found else None

    def delete(self, *ids: str) -> int:
        return int(self._bank.sync.delete(*ids)) if ids else 0

    def clear(self) -> int:
        """How many passages went, with everything else in the namespace."""
        count = self.count()
        try:
            self.library.engine.sync.delete_bank(self._bank.name)
        except NotFound:
            return 0
        return count

    def count(self, document: str | None = None) -> int:
        """How many passages there are."""
        wanted = Filter(bank=self._bank.name, kinds=PASSAGES, document=document)
        return blocking.run(self.library.engine.parts.records.count(wanted))

    def coverage(self) -> Coverage | None:
        """How many passages have a vector, and of which model; None while nothing was added."""
        try:
            stats: Stats = self._bank.sync.stats()
        except NotFound:
            return None
        return stats.coverage

    def dimension(self) -> int | None:
        """Of the vectors; None where passages are found by their words alone, or the embedder does not answer."""
        parts = self.library.engine.parts
        from ricordo.engine.parts import default_profile

        bank = blocking.run(parts.banks.get(self._bank.name))
        profile = bank.settings["model"]["profile"] if bank else default_profile(parts.settings)
        embedder = parts.embedder(profile)
        try:
            return blocking.run(embedder.dimension()) if embedder else None
        except RicordoError as error:
            log.warning("the embedder does not say its dimension: %s", error)
            return None


def _uncovered(coverage: Coverage) -> list[str]:
    if coverage.complete or coverage.model == "words only":
        return []
    return [f"{coverage.total} 段中有 {coverage.total - coverage.done} 段还没有向量，只能按词语检索"]


def _place(memory: Memory) -> dict[str, Any]:
    if memory.kind is not Kind.CHUNK:
        return {}
    place = memory.place
    return {
        "doc_id": memory.document,
        "heading_path": " > ".join(place.headings) or None,
        "start": place.start,
        "end": place.end,
        "page": place.page,
    }


def item_of(content: str | File, key: str, strategy: Strategy, path: str = "", metadata: Json | None = None) -> Item:
    """A document under its key. Nothing but relevance may rank passages, so all of them matter alike."""
    data = {
        "document_id": key,
        "source_name": content.name if isinstance(content, File) else key,
        "source_path": path,
        "metadata": dict(metadata or {}),
    }
    return Item(content=content, document=key, strategy=strategy, importance=1.0, data=data)


def cutting(chunk_size: int, chunk_overlap: int) -> Strategy:
    """Chunks of so many tokens; the overlap is at most half of them."""
    overlap = min(chunk_overlap, chunk_size // 2)
    return Strategy(
        chunker="recursive", chunk_size=chunk_size, chunk_overlap=overlap, chunk_unit="tokens", section_size=0
    )


def _bank(collection: str, namespace: str) -> str:
    return f"rag:{_escaped(collection)}:{_escaped(namespace)}"


def _escaped(name: str) -> str:
    return "".join(c if c.isprintable() and c not in "%/:" else f"%{ord(c):x};" for c in name)


def _unescaped(name: str) -> str:
    before, *rest = name.split("%")
    return before + "".join(chr(int(code, 16)) + text for code, _, text in (one.partition(";") for one in rest))
