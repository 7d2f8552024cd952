"""What the verbs work with: the chosen stores and models, opened from the settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ricordo.config import Settings
from ricordo.errors import Invalid, NotFound
from ricordo.protocols import (
    LLM,
    BankStore,
    Chunker,
    Embedder,
    Extractor,
    FileParser,
    GraphStore,
    OperationStore,
    RecordStore,
    VectorStore,
)
from ricordo.rank.budget import approx_tokens
from ricordo.registry import load
from ricordo.types import Bank, Json, Strategy, now

WORDS_ONLY = "none"


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """One field a seam. Models are made when they are first asked for, and kept."""

    settings: Settings
    records: RecordStore
    vectors: VectorStore
    graph: GraphStore
    operations: OperationStore
    banks: BankStore
    llm: LLM | None = None
    made: dict[tuple[str, str], Any] = field(default_factory=dict)

    def embedder(self, profile: str) -> Embedder | None:
        """The embedder of a profile; None stands for words alone."""
        if ("embedder", profile) not in self.made:
            self.made["embedder", profile] = make_embedder(self.settings, profile)
        return self.made["embedder", profile]  # type: ignore[no-any-return]

    def chunker(self, embedder: Embedder | None, strategy: Strategy | None = None) -> Chunker:
        """The chunker of the settings, or of the strategy where that says something else."""
        given = strategy or Strategy()
        s = self.settings
        name = s.chunker if given.chunker is None else given.chunker
        unit = s.chunk_unit if given.chunk_unit is None else given.chunk_unit
        sizes: dict[str, Any] = {
            "size": s.chunk_size if given.chunk_size is None else given.chunk_size,
            "parent": s.section_size if given.section_size is None else given.section_size,
            "unit": unit,
        }
        if given.chunk_overlap:
            sizes["overlap"] = given.chunk_overlap
        if unit == "tokens":
            sizes["count"] = approx_tokens
        if name == "semantic":
            if embedder is None:
                raise Invalid("the semantic chunker needs an embedder, and the setting embedder is 'none'")
            if given.chunk_overlap:
                raise Invalid("the semantic chunker has no overlap; leave chunk_overlap out")
            sizes["embedder"] = embedder
        key = ("chunker", repr((name, *sizes.values())))
        if key not in self.made:
            self.made[key] = load("chunker", name)(**sizes)
        return self.made[key]  # type: ignore[no-any-return]

    def extractor(self) -> Extractor:
        name = self.settings.extractor
        if ("extractor", name) not in self.made:
            given = {"model": self.settings.extractor_model} if name == "nlp" else {}
            self.made["extractor", name] = load("extractor", name)(**given)
        return self.made["extractor", name]  # type: ignore[no-any-return]

    def parsers(self, names: Sequence[str] = ()) -> list[FileParser]:
        """The parsers to try in turn; Invalid lists the known names when one is unknown."""
        key = ("parsers", ",".join(names))
        if key not in self.made:
            self.made[key] = open_parsers(self.settings, names)
        return self.made[key]  # type: ignore[no-any-return]

    async def close(self) -> None:
        models = [m for made in (*self.made.values(), self.llm) for m in (made if isinstance(made, list) else [made])]
        for model in models:
            if hasattr(model, "close"):
                await model.close()
        for store in (self.records, self.vectors, self.graph, self.operations, self.banks):
            await store.close()


def make_embedder(settings: Settings, profile: str) -> Embedder | None:
    if profile == WORDS_ONLY:
        return None
    given = {"url": settings.embedder_url, "model": settings.embedder_model, "key": settings.embedder_key}
    return load("embedder", profile)(**(given if profile == "openai" else {}))  # type: ignore[no-any-return]


def open_parsers(settings: Settings, names: Sequence[str] = ()) -> list[FileParser]:
    """The named parsers, else those of the settings."""
    s = settings
    chosen = list(names) or [n.strip() for n in s.parsers.split(",") if n.strip()]
    given: dict[str, dict[str, Any]] = {
        "native": {
            "workers": s.parse_workers,
            "ocr_languages": s.ocr_languages,
            "speech_model": s.speech_model or None,
        },
        "iris": {"token": s.iris_token, "org_id": s.iris_org},
        "llama_parse": {"api_key": s.llama_parse_key},
        "markitdown": {
            "ocr_enabled": bool(s.vision_url),
            "ocr_base_url": s.vision_url,
            "ocr_model": s.vision_model,
            "ocr_api_key": s.vision_key,
        },
    }
    return [load("parser", name)(**given.get(name, {})) for name in chosen]


def default_profile(settings: Settings) -> str:
    """The embedder that a new bank records as its own."""
    if settings.embedder != "default":
        return settings.embedder
    from ricordo.models.default import default_embedder

    return default_embedder()


def open_parts(settings: Settings) -> Parts:
    """Opens the stores; nothing is written but the data folder and its empty database."""
    kept = {"busy_seconds": settings.busy_seconds, "cache_bytes": settings.cache_mb * 1_000_000}
    stores = load("store", settings.store)(settings.data, **(kept if settings.store == "sqlite" else {}))
    llm: LLM | None = None
    if settings.llm != "none":
        llm = load("llm", settings.llm)(
            url=settings.llm_url, key=settings.llm_key, model=settings.llm_model, timeout=settings.llm_timeout
        )
    return Parts(
        settings=settings,
        records=stores.records,
        vectors=stores.vectors,
        graph=stores.graph,
        operations=stores.operations,
        banks=stores.banks,
        llm=llm,
    )


@dataclass(frozen=True, slots=True)
class Model:
    """The embedder that a bank has recorded, and the space that its vectors live in."""

    profile: str
    space: str

    @property
    def as_json(self) -> Json:
        return {"profile": self.profile, "space": self.space}


def model_of(parts: Parts, profile: str) -> Model:
    embedder = parts.embedder(profile)
    return Model(profile, embedder.name if embedder else "")


def models_of(bank: Bank) -> list[Model]:
    """The bank's model, then the one that is being built beside it, if any."""
    kept = [bank.settings.get("model"), bank.settings.get("building")]
    return [Model(m["profile"], m["space"]) for m in kept if m]


def spaces_of(bank: Bank) -> tuple[str, ...]:
    """The vector spaces that every write to this bank must reach."""
    return tuple(m.space for m in models_of(bank) if m.space)


async def need_bank(parts: Parts, id: str) -> Bank:
    """The bank, which must exist."""
    bank = await parts.banks.get(id)
    if bank is None:
        raise NotFound(f"no bank {id!r}; add something to it, or see `banks` for those that exist")
    return bank


async def ensure_bank(parts: Parts, id: str) -> Bank:
    """The bank, made now with the default model if it is not there."""
    check_bank_id(id)
    bank = await parts.banks.get(id)
    if bank is None:
        model = model_of(parts, default_profile(parts.settings))
        bank = Bank(id=id, name=id, created=now(), settings={"model": model.as_json})
        await parts.banks.put(bank)
    return bank


def check_bank_id(id: str) -> None:
    """Invalid unless it is 1 to 192 bytes of UTF-8 without control characters or slashes."""
    if not id or len(id.encode("utf-8", "surrogatepass")) > 192:
        raise Invalid(f"a bank's name has 1 to 192 bytes, got {len(id.encode('utf-8', 'surrogatepass'))}")
    if not id.isprintable() or "/" in id:
        raise Invalid(f"a bank's name has no control characters and no slash, got {id!r}")
