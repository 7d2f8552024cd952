"""The nouns of Ricordo: frozen, keyword-only, slotted, and free of I/O."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import blake2b
from typing import Any, TypeAlias

from ricordo.errors import Invalid

Json: TypeAlias = Mapping[str, Any]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def now() -> datetime:
    return datetime.now(UTC)


def digest_id(*parts: object) -> str:
    """A UUID (version 8) made from what it stands for: the same parts give the same id everywhere."""
    h = blake2b("\x1f".join(map(str, parts)).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return f"{h[:8]}-{h[8:12]}-8{h[13:16]}-{'89ab'[int(h[16], 16) & 3]}{h[17:20]}-{h[20:]}"


def content_digest(data: bytes | str) -> str:
    """32 hexadecimal digits that name a content."""
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    return blake2b(data, digest_size=16).hexdigest()


def _aware(name: str, value: datetime | None) -> None:
    if value is None:
        return
    if value.tzinfo is None:
        raise Invalid(f"{name} must carry a time zone, got the naive time {value.isoformat()}")
    try:
        value.astimezone(UTC)
    except OverflowError:
        raise Invalid(f"{name} lies outside of the years 1 to 9999 in UTC: {value.isoformat()}") from None


class Kind(StrEnum):
    WORKING = "working"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PERCEPTUAL = "perceptual"
    OBSERVATION = "observation"
    CHUNK = "chunk"
    SECTION = "section"
    DOCUMENT = "document"


MEMORY_KINDS = (Kind.WORKING, Kind.EPISODIC, Kind.SEMANTIC, Kind.PERCEPTUAL, Kind.OBSERVATION)
SEARCHABLE_KINDS = (*MEMORY_KINDS, Kind.CHUNK)


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where a memory stands in its document; start and end are character offsets into the document's stored text."""

    page: int | None = None
    headings: tuple[str, ...] = ()
    start: int | None = None
    end: int | None = None


NOWHERE = Place()


@dataclass(frozen=True, kw_only=True, slots=True)
class Memory:
    """Everything that is stored: a remark, a fact, a document, and each section and chunk of it.

    importance lies in 0..1. `at` is when it happened, `created` when it was written. `document` is the id of the
    document it belongs to, `parent` the memory whose part it is, `position` its order among its siblings.
    `context` is text that helps to find the memory and is not part of what it says.
    """

    id: str
    bank: str
    kind: Kind
    text: str
    at: datetime
    created: datetime
    importance: float = 0.5
    expires: datetime | None = None
    tags: tuple[str, ...] = ()
    document: str | None = None
    parent: str | None = None
    position: int = 0
    place: Place = NOWHERE
    modality: str = "text"
    session: str | None = None
    context: str = ""
    data: Json = field(default_factory=dict)

    def __post_init__(self) -> None:
        _aware("at", self.at)
        _aware("created", self.created)
        _aware("expires", self.expires)
        if not 0.0 <= self.importance <= 1.0:
            raise Invalid(f"importance must lie between 0 and 1, got {self.importance!r}")

    @property
    def surface(self) -> str:
        """What indexes see: the context, else the heading path, then the text."""
        above = self.context or " > ".join(self.place.headings)
        return f"{above}\n{self.text}" if above else self.text

    @property
    def digest(self) -> str:
        """Names the surface: memories of equal digest share one vector."""
        return content_digest(self.surface)


@dataclass(frozen=True, kw_only=True, slots=True)
class Version:
    """What a memory was before one of its changes."""

    memory: str
    number: int
    text: str
    importance: float
    tags: tuple[str, ...]
    data: Json
    changed: datetime
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Bank:
    id: str
    name: str = ""
    mission: str = ""
    created: datetime = EPOCH
    settings: Json = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class File:
    """Bytes with the name they came by; `password` opens them where they are locked, and is never kept or shown."""

    name: str
    data: bytes
    media_type: str | None = None
    password: str | None = field(default=None, repr=False)


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    TABLE = "table"
    CODE = "code"
    LIST = "list"
    PICTURE = "picture"
    NOTE = "note"
    HEADER = "header"
    COMMENT = "comment"


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """One piece of a parsed file.

    level: 1..6 of a heading, nesting depth of a list item. rows: the cells of a table, header first.
    page: number of the page or slide, from 1. sheet: name of the worksheet. box: left, top, right, bottom in points.
    part: the name of the part of the file (attachment, archive member, spine item) that it comes from.
    language: the programming language of code, in lower case.
    """

    kind: BlockKind
    text: str = ""
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = ()
    page: int | None = None
    sheet: str | None = None
    box: tuple[float, float, float, float] | None = None
    part: str | None = None
    language: str = ""


class ParseStatus(StrEnum):
    OK = "ok"
    PARTIAL = "partial"
    NEEDS_OCR = "needs_ocr"
    NEEDS_TRANSCRIPTION = "needs_transcription"
    NEEDS_PASSWORD = "needs_password"  # noqa: S105 - a status, not a secret
    DAMAGED = "damaged"
    UNSUPPORTED = "unsupported"
    TOO_LARGE = "too_large"
    EMPTY = "empty"


READABLE = (ParseStatus.OK, ParseStatus.PARTIAL)


@dataclass(frozen=True, kw_only=True, slots=True)
class Parsed:
    """What a parser made of a file. Only `ok` and `partial` carry blocks worth storing."""

    blocks: tuple[Block, ...] = ()
    parser: str
    title: str = ""
    status: ParseStatus = ParseStatus.OK
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """A half-open range of a text, with what is known of its place."""

    start: int
    end: int
    headings: tuple[str, ...] = ()
    page: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Section(Span):
    """A parent range; the ranges of its children lie side by side and fill it."""

    children: tuple[Span, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Strategy:
    """How one document is cut; what is None is as the settings of the same name say."""

    chunker: str | None = None
    chunk_size: int | None = None
    section_size: int | None = None
    chunk_unit: str | None = None
    chunk_overlap: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """Please retain this.

    Text without a `document` becomes one memory of `kind`. A File, or text with a `document` key, becomes a document
    with sections and chunks; the same key again replaces the document. `source` says where a file lies.
    `id` names a memory that has a name elsewhere; without it the id is a digest of what the memory says.
    """

    content: str | File
    document: str | None = None
    kind: Kind = Kind.SEMANTIC
    context: str = ""
    tags: tuple[str, ...] = ()
    at: datetime | None = None
    importance: float | None = None
    expires: datetime | None = None
    session: str | None = None
    modality: str = "text"
    parsers: tuple[str, ...] = ()
    strategy: Strategy | None = None
    data: Json = field(default_factory=dict)
    source: Json = field(default_factory=dict)
    id: str | None = None

    def __post_init__(self) -> None:
        _aware("at", self.at)
        _aware("expires", self.expires)

    @property
    def label(self) -> str:
        """A short name for reports and errors."""
        if self.document:
            return self.document
        if isinstance(self.content, File):
            return self.content.name
        return self.content[:60]


class Status(StrEnum):
    STORED = "stored"
    MERGED = "merged"
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What became of one item; `memories` are the ids that now hold it, the top one first."""

    item: str
    status: Status
    reason: str = ""
    memories: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Coverage:
    """How many of the searchable memories have a vector under the bank's model."""

    done: int
    total: int
    model: str

    @property
    def complete(self) -> bool:
        return self.done >= self.total


@dataclass(frozen=True, kw_only=True, slots=True)
class Retained:
    outcomes: tuple[Outcome, ...]
    coverage: Coverage | None = None


class Match(StrEnum):
    """How tags must agree. `any` and `all` let untagged memories through, the strict forms do not."""

    ANY = "any"
    ALL = "all"
    ANY_STRICT = "any_strict"
    ALL_STRICT = "all_strict"
    EXACT = "exact"


class Op(StrEnum):
    EQ = "eq"
    NE = "ne"
    LT = "lt"
    LE = "le"
    GT = "gt"
    GE = "ge"
    IN = "in"
    CONTAINS = "contains"
    EXISTS = "exists"


def tags_accept(tags: Iterable[str], wanted: tuple[str, ...], match: Match) -> bool:
    """True when a memory's tags agree; no wanted tags is no filter, but under `exact` it means untagged only."""
    have, want = set(tags), set(wanted)
    if match is Match.EXACT:
        return have == want
    if not want:
        return True
    if not have:
        return match in (Match.ANY, Match.ALL)
    return want <= have if match in (Match.ALL, Match.ALL_STRICT) else bool(want & have)


_MISSING = object()


def _type_of(value: object) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int | float):
        return "number"
    return "text" if isinstance(value, str) else "other"


@dataclass(frozen=True, kw_only=True, slots=True)
class Compare:
    """Compares one top-level key of a memory's data with a scalar.

    Values of different types (text, number, boolean) never compare: only `ne` is then true. A key that is missing or
    null satisfies `ne` and `exists: False` only. `in` takes a tuple of scalars; `contains` asks a list in the data for
    a scalar.
    """

    key: str
    op: Op
    value: Any

    def __post_init__(self) -> None:
        if any(v != v for v in (self.value if isinstance(self.value, tuple) else (self.value,))):  # noqa: PLR0124 - only NaN
            raise Invalid(f"the filter on {self.key!r} compares with not-a-number, which equals nothing; leave it out")

    def accepts(self, memory: Memory) -> bool:
        found: Any = memory.data.get(self.key, _MISSING)
        if found is None:
            found = _MISSING
        match self.op:
            case Op.EXISTS:
                return (found is not _MISSING) == bool(self.value)
            case Op.EQ:
                return self._same(found, self.value)
            case Op.NE:
                return not self._same(found, self.value)
            case Op.IN:
                return any(self._same(found, v) for v in self.value)
            case Op.CONTAINS:
                return isinstance(found, list | tuple) and any(self._same(f, self.value) for f in found)
        if _type_of(found) != _type_of(self.value) or _type_of(found) in ("bool", "other"):
            return False
        below, equal = bool(found < self.value), bool(found == self.value)
        return {Op.LT: below, Op.LE: below or equal, Op.GT: not (below or equal), Op.GE: not below}[self.op]

    @staticmethod
    def _same(a: object, b: object) -> bool:
        kind = _type_of(a)
        return kind != "other" and kind == _type_of(b) and a == b


@dataclass(frozen=True, kw_only=True, slots=True)
class Tagged:
    tags: tuple[str, ...]
    match: Match = Match.ANY_STRICT

    def accepts(self, memory: Memory) -> bool:
        return tags_accept(memory.tags, self.tags, self.match)


@dataclass(frozen=True, kw_only=True, slots=True)
class And:
    of: tuple[Condition, ...]

    def accepts(self, memory: Memory) -> bool:
        return all(c.accepts(memory) for c in self.of)


@dataclass(frozen=True, kw_only=True, slots=True)
class Or:
    of: tuple[Condition, ...]

    def accepts(self, memory: Memory) -> bool:
        return any(c.accepts(memory) for c in self.of)


@dataclass(frozen=True, kw_only=True, slots=True)
class Not:
    of: Condition

    def accepts(self, memory: Memory) -> bool:
        return not self.of.accepts(memory)


Condition: TypeAlias = Compare | Tagged | And | Or | Not


@dataclass(frozen=True, kw_only=True, slots=True)
class Filter:
    """Which memories of one bank may be seen; `accepts` is the meaning that every store must match.

    No kinds means every kind. The time window is half open: since <= at < until. A memory whose `expires` has come
    is invisible unless `expired` is set.
    """

    bank: str
    kinds: tuple[Kind, ...] = ()
    tags: tuple[str, ...] = ()
    match: Match = Match.ANY_STRICT
    since: datetime | None = None
    until: datetime | None = None
    min_importance: float = 0.0
    document: str | None = None
    parent: str | None = None
    session: str | None = None
    modality: str | None = None
    where: Condition | None = None
    expired: bool = False

    def __post_init__(self) -> None:
        _aware("since", self.since)
        _aware("until", self.until)

    def accepts(self, memory: Memory, now: datetime) -> bool:
        return (
            memory.bank == self.bank
            and (not self.kinds or memory.kind in self.kinds)
            and tags_accept(memory.tags, self.tags, self.match)
            and (self.since is None or memory.at >= self.since)
            and (self.until is None or memory.at < self.until)
            and memory.importance >= self.min_importance
            and (self.document is None or memory.document == self.document)
            and (self.parent is None or memory.parent == self.parent)
            and (self.session is None or memory.session == self.session)
            and (self.modality is None or memory.modality == self.modality)
            and (self.expired or memory.expires is None or memory.expires > now)
            and (self.where is None or self.where.accepts(memory))
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """A question to a bank. `limit` counts whole results: sections where chunks have them.

    `arms` names the retrieval arms to use (none: words and vectors). `at` is the moment from which recency is
    judged. `max_tokens` bounds the text of all hits together.
    """

    text: str
    filter: Filter
    limit: int = 10
    max_tokens: int | None = None
    arms: tuple[str, ...] = ()
    at: datetime | None = None
    expand: bool = True
    trace: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """A memory that answers a query.

    score lies in 0..1. `section` is the parent that the memory is part of, `title` its document's. `arms` holds, when
    a trace was asked for, what each arm gave. `also` names equal memories that were merged into this one.
    `highlights` are character ranges of memory.text.
    """

    memory: Memory
    score: float
    section: Memory | None = None
    title: str = ""
    arms: Json = field(default_factory=dict)
    also: tuple[str, ...] = ()
    highlights: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Recalled:
    hits: tuple[Hit, ...]
    coverage: Coverage
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """An answer with the hits that it rests on; `[n]` in the text is the nth piece of evidence, from 1."""

    text: str
    known: bool
    evidence: tuple[Hit, ...]
    coverage: Coverage
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Entity:
    id: str
    bank: str
    name: str
    type: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Relation:
    """source and target are entity ids; memory is the id of the evidence."""

    bank: str
    source: str
    label: str
    target: str
    memory: str
    weight: float = 1.0


class OperationStatus(StrEnum):
    PENDING = "pending"
    PROCESSING = "processing"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, kw_only=True, slots=True)
class Operation:
    """A durable piece of work. `tries` fences a worker: its writes count only while the number is its own."""

    id: str
    bank: str
    kind: str
    payload: Json = field(default_factory=dict)
    key: str | None = None
    status: OperationStatus = OperationStatus.PENDING
    tries: int = 0
    done: int = 0
    total: int = 0
    error: str = ""
    result: Json = field(default_factory=dict)
    parent: str | None = None
    created: datetime = EPOCH
    not_before: datetime | None = None
    lease_until: datetime | None = None
    owner: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiKey:
    """A key as it is kept: only the hash of its secret."""

    id: str
    prefix: str
    hash: str
    name: str = ""
    banks: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    created: datetime = EPOCH
    expires: datetime | None = None
    last_used: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Changes:
    """All that one transaction writes to one bank, or none of it.

    A put replaces the memory of the same id. `spaces` names the vector spaces that must follow. An operation is
    enqueued, or saved when its id is known. `unlink` names memories whose relations go before the new ones are linked.
    `expect` holds memories that must still be stored exactly so, `absent` ids that no memory may have yet.
    """

    bank: str
    put: tuple[Memory, ...] = ()
    delete: tuple[str, ...] = ()
    versions: tuple[Version, ...] = ()
    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    unlink: tuple[str, ...] = ()
    operations: tuple[Operation, ...] = ()
    spaces: tuple[str, ...] = ()
    expect: tuple[Memory, ...] = ()
    absent: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Pending:
    """One row of the outbox: `memory` of `bank` must be indexed in, or (gone) removed from, a space."""

    seq: int
    bank: str
    memory: str
    gone: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Capabilities:
    """What a store can do, declared and not guessed.

    exact: its vector search finds the true nearest. words: it searches text. processes: several may open it at once.
    durable: acknowledged writes outlive "process" (a killed process), "power" (a power cut) or "none".
    """

    exact: bool = True
    words: bool = True
    processes: bool = True
    durable: str = "power"
