"""The seams. Everything that waits is async; implementations inherit nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, TypeAlias

from ricordo.types import (
    ApiKey,
    Bank,
    Capabilities,
    Changes,
    Entity,
    File,
    Filter,
    Json,
    Memory,
    Operation,
    OperationStatus,
    Parsed,
    Pending,
    Relation,
    Section,
    Version,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32]"
Scored: TypeAlias = tuple[str, float]


class FileParser(Protocol):
    name: str

    def supports(self, name: str, media_type: str | None) -> bool: ...

    async def convert(self, file: File) -> Parsed:
        """Never raises for what is wrong with the file: the status says it."""


class Chunker(Protocol):
    async def split(self, text: str, anchors: Sequence[tuple[int, int, str]] = ()) -> list[Section]:
        """Sections that lie side by side and fill the text, each filled by its children.

        anchors: (offset, level, heading) in order; none means that headings are found in the text as Markdown.
        """


class Embedder(Protocol):
    name: str
    """Names the space: two embedders of one name give comparable vectors."""
    max_characters: int
    """The longest text that one vector can stand for."""

    async def dimension(self) -> int: ...

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """One row of unit length a text, float32. Raises rather than invent a vector."""


class LLM(Protocol):
    name: str

    async def complete(
        self, messages: Sequence[Mapping[str, str]], *, schema: Json | None = None, max_tokens: int | None = None
    ) -> str:
        """The answer's text; JSON that fits `schema` where one is given."""

    def stream(self, messages: Sequence[Mapping[str, str]], *, max_tokens: int | None = None) -> AsyncIterator[str]: ...


class Reranker(Protocol):
    name: str

    async def score(self, query: str, texts: Sequence[str]) -> list[float]: ...


class Extractor(Protocol):
    async def extract(self, memory: Memory) -> tuple[list[Entity], list[Relation]]:
        """What the memory names, each entity in one of the relations, and those have the memory as their evidence."""


class RecordStore(Protocol):
    """Memories, their words, their history, and the outbox, under one transaction."""

    capabilities: Capabilities

    async def write(self, changes: Changes) -> None:
        """All or nothing, durable when it returns; an unknown bank raises NotFound, a held lock Busy, and an operation
        that is no longer its worker's Conflict. Where `expect`, `absent` or a version's number is no longer true of
        what is stored it raises Changed.

        Puts one outbox row for each space and each put or deleted memory of a searchable kind, except where the space
        already holds a vector for the memory's digest and shares this store. Deleting a memory deletes its history,
        its words, its relations and every vector that no other memory's digest names.
        """

    async def get(self, bank: str, ids: Sequence[str]) -> list[Memory]:
        """In the order of ids; unknown ids are left out."""

    async def match_id(self, bank: str, prefix: str) -> list[str]:
        """Up to ten ids that begin with prefix."""

    async def find(
        self,
        filter: Filter,
        *,
        limit: int = 100,
        offset: int = 0,
        order: str = "position",
        descending: bool = False,
    ) -> list[Memory]:
        """order: "position" (document, position, id), "at", "created" or "importance"; ties by id."""

    async def ids(self, filter: Filter) -> list[str]: ...

    async def search(self, words: str, filter: Filter, limit: int) -> list[Scored]:
        """BM25 over the surface of searchable kinds; best first, ties by id, scores rounded to 6 digits."""

    async def count(self, filter: Filter) -> int: ...

    async def tally(self, bank: str) -> dict[str, tuple[int, float]]:
        """Kind → (how many, mean importance), of memories that have not expired."""

    async def history(self, bank: str, memory: str) -> list[Version]: ...

    async def pending(self, space: str, limit: int) -> list[Pending]:
        """The oldest outbox rows of a space."""

    async def applied(self, space: str, seqs: Sequence[int]) -> None:
        """Takes rows out of the outbox. A row that was written again since keeps its newer seq."""

    async def enqueue(self, space: str, bank: str) -> int:
        """Puts every searchable memory of the bank that has no vector in the space into the space's outbox."""

    async def waiting(self, space: str, bank: str) -> int:
        """How many outbox rows the space still has for this bank."""

    async def vacuum(self) -> None:
        """Overwrites what deletes left behind, so that the files hold no trace of it."""

    async def check(self) -> list[str]:
        """What contradicts itself, one line each; empty when all is well."""

    async def close(self) -> None: ...


class VectorStore(Protocol):
    """Nearest neighbours. A space is a model and a modality; its vectors have one dimension."""

    capabilities: Capabilities

    async def known(self, space: str, digests: Sequence[str]) -> dict[str, Vectors]:
        """The vectors that the space already holds for these digests."""

    async def upsert(self, space: str, points: Sequence[tuple[Memory, Vectors]]) -> None:
        """Raises Conflict when a vector's length is not the space's dimension, and stores none of them then.

        A vector is kept at length one; one without direction is Invalid. A memory that is gone by now is left out.
        """

    async def search(self, space: str, vector: Vectors, filter: Filter, limit: int) -> list[Scored]:
        """Cosine similarity; best first, ties by id, rounded to 6 digits; an unknown space has no hits."""

    async def delete(self, space: str, bank: str, ids: Sequence[str]) -> None:
        """Takes vectors away, but where vectors are shared by digest, none that another memory needs."""

    async def count(self, space: str, bank: str) -> int:
        """How many searchable memories of the bank have a vector in the space."""

    async def drop(self, space: str, bank: str) -> None:
        """Forgets the bank's vectors of this space, but for those that another bank shares."""

    async def close(self) -> None: ...


class GraphStore(Protocol):
    async def link(self, bank: str, entities: Sequence[Entity], relations: Sequence[Relation]) -> None:
        """Adds or updates entities and relations; the same again changes nothing."""

    async def lookup(self, bank: str, names: Sequence[str]) -> list[Entity]:
        """Entities whose name or alias is one of these, case folded."""

    async def walk(self, bank: str, entities: Sequence[str], *, hops: int = 1, limit: int = 100) -> list[Relation]:
        """Relations within so many steps of the entities, either direction, nearest first, then heaviest."""

    async def forget(self, bank: str, memories: Sequence[str]) -> None:
        """Takes away the relations that these memories are evidence of, and entities that then stand alone."""

    async def counts(self, bank: str) -> tuple[int, int]:
        """How many entities and relations."""

    async def dump(self, bank: str) -> tuple[list[Entity], list[Relation]]:
        """All of the bank's, in a stable order."""

    async def close(self) -> None: ...


class BlobStore(Protocol):
    """Bytes under the digest of their content."""

    async def put(self, data: bytes) -> str: ...

    async def get(self, key: str) -> bytes:
        """Raises NotFound for an unknown key, Corrupt when the content no longer fits its key."""

    async def delete(self, key: str) -> None: ...


class OperationStore(Protocol):
    async def add(self, operation: Operation) -> Operation:
        """The operation as stored. The same id or key with the same content gives the stored one, else Conflict."""

    async def claim(self, owner: str, kinds: Sequence[str], lease_seconds: float) -> Operation | None:
        """Takes the oldest that is pending, or whose lease has run out; its `tries` goes up by one."""

    async def beat(self, operation: Operation, lease_seconds: float) -> bool:
        """Lengthens the lease. False: it is no longer this worker's (cancelled, or taken by another)."""

    async def save(self, operation: Operation) -> bool:
        """Stores status, progress, result, error and not_before. False, and nothing stored, when `tries` is not the
        stored one, or when it has ended otherwise and is not to become pending again."""

    async def get(self, id: str) -> Operation | None: ...

    async def list(
        self,
        bank: str,
        *,
        status: OperationStatus | None = None,
        kind: str | None = None,
        parent: str | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[Operation]:
        """Newest first."""

    async def close(self) -> None: ...


class BankStore(Protocol):
    async def put(self, bank: Bank) -> None: ...

    async def get(self, id: str) -> Bank | None: ...

    async def delete(self, id: str) -> bool:
        """Takes the bank and everything in it away."""

    async def add_key(self, key: ApiKey) -> None: ...

    async def keys(self) -> list[ApiKey]: ...

    async def find_key(self, prefix: str) -> list[ApiKey]: ...

    async def touch_key(self, id: str, used: datetime) -> None: ...

    async def delete_key(self, id: str) -> bool: ...

    async def close(self) -> None: ...

    async def list(self) -> list[Bank]: ...
