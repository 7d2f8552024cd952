"""One user's memories: what every class and tool of the facade asks the engine, in one place."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from hello_agents.memory.config import MemoryConfig
from hello_agents.memory.engine import bank_name, engine_at
from hello_agents.memory.items import KINDS, aware, storable
from ricordo import blocking
from ricordo.errors import Invalid, NotFound, RicordoError
from ricordo.rank.policy import HIGHEST
from ricordo.types import Coverage, Hit, Item, Memory, Outcome, Recalled, Status, now

if TYPE_CHECKING:
    from ricordo.engine.engine import BankHandle, Ricordo

log = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds that a search waits for vectors of what was just added."""
PAUSE = 60.0
"""Seconds without such waiting after it was in vain."""
TICK = timedelta(microseconds=1)
WORDS_ONLY = "words only"
"""What the engine calls the model of a bank without one."""


@dataclass(frozen=True, slots=True)
class Found:
    """relevance: how well the memory answers, in 0..1. graph: what its place in the graph gave it."""

    memory: Memory
    score: float
    relevance: float
    graph: float


@dataclass(frozen=True, slots=True)
class Search:
    found: list[Found]
    notes: tuple[str, ...]


class UserBank:
    """Opened by the first verb. Safe to share between threads."""

    def __init__(self, config: MemoryConfig, user_id: str) -> None:
        self.config = config
        self.user_id = user_id
        self._lock = threading.Lock()
        self._engine: Ricordo | None = None
        self._handle: BankHandle | None = None
        self._policies: Mapping[str, Any] = {}
        self._waited_in_vain = 0.0

    @property
    def handle(self) -> BankHandle:
        """The engine's bank, with the limits that the configuration has now."""
        policies = self.config.policies
        with self._lock:
            if self._handle is None or policies != self._policies:
                self._engine = engine_at(self.config.storage_path)
                handle = self._engine.bank(bank_name(self.user_id))
                handle.sync.configure(policies)
                self._handle, self._policies = handle, policies
            return self._handle

    def add(
        self,
        content: str,
        kind: str,
        importance: float,
        metadata: Mapping[str, Any],
        *,
        at: datetime | None = None,
        id: str | None = None,
    ) -> tuple[str, tuple[str, ...]]:
        """The new memory's id, and what else there is to say; Invalid says why it was not stored.

        Each call is a memory of its own, even when the text is one that is already there.
        """
        data = {key: storable(value) for key, value in metadata.items() if value is not None}
        session = data.pop("session_id", None)
        item = Item(
            content=content,
            kind=kind_of(kind),  # type: ignore[arg-type]
            importance=importance,
            at=aware(at) if at else now(),
            session=None if session is None else str(session),
            modality=str(data.get("modality") or "text"),
            data=data,
            id=id,
        )
        [outcome] = blocking.run(self._add(self.handle, item))
        if outcome.status in (Status.FAILED, Status.SKIPPED):
            raise Invalid(outcome.reason)
        return outcome.memories[0], outcome.warnings

    async def _add(self, handle: BankHandle, item: Item) -> list[Outcome]:
        """As the handle's own `add`, without counting how far vectors have come: nobody reads that here."""
        from ricordo.engine import parts, retain

        outcomes = await retain.retain(handle.parts, handle.name, [item])
        bank = await parts.need_bank(handle.parts, handle.name)
        if self._engine is not None:
            self._engine.follower.wake(parts.models_of(bank))
        return outcomes

    def search(self, text: str, kinds: Sequence[str], limit: int, **filters: Any) -> Search:
        """The best memories with how they were found, and what kept more from being found."""
        options = {"kinds": [kind_of(kind) for kind in kinds], "limit": limit, "trace": True, **filters}
        return blocking.run(self._search(self.handle, text, options))

    async def _search(self, handle: BankHandle, text: str, options: Mapping[str, Any]) -> Search:
        recalled = await handle.search(text, **options)
        incomplete = not recalled.coverage.complete and not recalled.notes
        if incomplete and await self._more_vectors(handle, recalled):
            recalled = await handle.search(text, **options)
        return Search([_found(hit) for hit in recalled.hits], (*recalled.notes, *_uncovered(recalled.coverage)))

    async def _more_vectors(self, handle: BankHandle, recalled: Recalled) -> bool:
        """True when vectors came in that the recall did not see."""
        if time.monotonic() - self._waited_in_vain < PAUSE:
            return False
        try:
            coverage = await asyncio.wait_for(handle.wait(), PATIENCE)
        except TimeoutError:
            self._waited_in_vain = time.monotonic()
            return True
        except RicordoError as error:
            log.warning("searching without the newest vectors: %s", error)
            self._waited_in_vain = time.monotonic()
            return False
        return coverage.done > recalled.coverage.done

    def get(self, id: str) -> Memory | None:
        """By the id or an unambiguous beginning of it."""
        try:
            memory: Memory = self.handle.sync.get(id.strip().rstrip(".…"))
        except NotFound:
            return None
        return memory

    def update(
        self,
        id: str,
        content: str | None = None,
        importance: float | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> bool:
        memory = self.get(id)
        if memory is None:
            return False
        data = {key: storable(value) for key, value in (metadata or {}).items()}
        self.handle.sync.update(memory.id, text=content, importance=importance, data=data)
        return True

    def remove(self, id: str) -> bool:
        memory = self.get(id)
        if memory is None:
            return False
        try:
            self.handle.sync.delete(memory.id)
        except NotFound:  # another thread was faster
            return False
        return True

    def forget(self, strategy: str, threshold: float, max_age_days: float, kinds: Sequence[str]) -> list[str]:
        """The ids that went; the strategies are importance_based, time_based and capacity_based."""
        if strategy == "importance_based":
            criterion: dict[str, Any] = {"below": threshold}
        elif strategy == "time_based":
            criterion = {"older_than": timedelta(days=max_age_days)}
        elif strategy == "capacity_based":
            criterion = {"keep": self.config.max_capacity}
        else:
            known = "importance_based, time_based, capacity_based"
            raise Invalid(f"未知的遗忘策略 {strategy!r}；可用: {known}")
        return list(self.handle.sync.forget(kinds=[kind_of(kind) for kind in kinds], **criterion)) if kinds else []

    def consolidate(self, source: str, target: str, threshold: float) -> list[str]:
        moved = self.handle.sync.consolidate(kind_of(source), kind_of(target), threshold=threshold, boost=1.1)
        return list(moved)

    def clear(self, kinds: Sequence[str]) -> int:
        """Takes away this user's memories of these kinds, expired ones too; gives how many."""
        if not kinds:
            return 0
        gone = self.handle.sync.forget(older_than=-timedelta(days=365_000), kinds=[kind_of(kind) for kind in kinds])
        return len(gone)

    def tally(self) -> dict[str, tuple[int, float]]:
        """Kind → how many, and their mean importance."""
        return dict(self.handle.sync.stats().kinds)

    def list(self, kinds: Sequence[str], *, limit: int = 2**31, order: str = "at", **filters: Any) -> list[Memory]:
        """Newest or most important first."""
        chosen = [kind_of(kind) for kind in kinds]
        return list(self.handle.sync.list(kinds=chosen, limit=limit, order=order, **filters)) if chosen else []


def kind_of(name: str) -> str:
    if name not in KINDS:
        raise Invalid(f"未知的记忆类型 {name!r}；可用: {', '.join(KINDS)}")
    return name


def time_filters(time_range: Sequence[datetime | str | None] | None) -> dict[str, datetime]:
    """A range from its beginning to its end, both within it; either may be None."""
    if not time_range:
        return {}
    start, end = time_range
    since = {} if start is None else {"since": aware(start)}
    return since if end is None else {**since, "until": aware(end) + TICK}


def _uncovered(coverage: Coverage) -> tuple[str, ...]:
    if coverage.complete or coverage.model == WORDS_ONLY:
        return ()
    return (f"{coverage.total - coverage.done} 条记忆还没有向量，目前只能按词找到",)


def _found(hit: Hit) -> Found:
    graph = hit.arms.get("graph") or {}
    relevance = sum(arm["share"] for name, arm in hit.arms.items() if name != "graph")
    return Found(hit.memory, hit.score * HIGHEST, min(1.0, relevance), graph.get("score") or 0.0)
