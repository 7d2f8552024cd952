"""The front: `Ricordo(path)` opens a data folder, `.bank(name)` gives the verbs. One line a verb."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Any

from ricordo.blocking import Blocking
from ricordo.config import Settings
from ricordo.engine import ask, banks, consolidate, edit, follow, forget, graph, parts, recall, retain, transfer
from ricordo.engine import index as folders
from ricordo.engine.embedding import coverage
from ricordo.engine.given import Content, as_kind, filter_of, items_of, query_of
from ricordo.errors import Invalid
from ricordo.types import (
    MEMORY_KINDS,
    Answer,
    Bank,
    Coverage,
    Entity,
    Kind,
    Memory,
    Outcome,
    Recalled,
    Relation,
    Retained,
    Version,
)


class Ricordo:
    """A data folder and what works on it. Opening writes nothing but the folder; `close` leaves nothing running.

    Works as an async context manager. `settings` overrides where it is given, as keyword arguments do: see
    ricordo.config.Settings for all of them.
    """

    def __init__(self, path: str | Path | None = None, *, settings: Settings | None = None, **overrides: Any) -> None:
        if settings is None:
            settings = Settings.load(data=Path(path) if path is not None else None, **overrides)
        elif path is not None or overrides:
            raise Invalid("give either settings, or a path and single settings, not both")
        self.settings = settings
        self.parts = parts.open_parts(settings)
        self.follower = follow.Follower(self.parts)

    def bank(self, name: str | None = None) -> BankHandle:
        """The verbs of one bank; it is made by the first write."""
        name = self.settings.bank if name is None else name
        parts.check_bank_id(name)
        return BankHandle(self, name)

    async def banks(self) -> list[Bank]:
        return await self.parts.banks.list()

    async def delete_bank(self, name: str) -> None:
        await banks.delete_bank(self.parts, name)

    async def catch_up(self) -> None:
        """Starts on the vectors that an earlier process left to be made, in the background."""
        self.follower.wake(await follow.leftover_models(self.parts))

    async def vacuum(self) -> None:
        """Overwrites what deletes left behind, so that the files hold no trace of it."""
        await self.parts.records.vacuum()

    async def close(self) -> None:
        await self.follower.stop()
        await self.parts.close()

    @property
    def sync(self) -> Any:
        """The same methods for callers that do not await."""
        return Blocking(self)

    async def __aenter__(self) -> Ricordo:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class BankHandle:
    """One bank's verbs. `retain`, `recall` and `reflect` are other names of `add`, `search` and `ask`."""

    def __init__(self, ricordo: Ricordo, name: str) -> None:
        self.name = name
        self._ricordo = ricordo
        self.parts = ricordo.parts

    @property
    def sync(self) -> Any:
        """The same verbs for callers that do not await: `bank.sync.add(...)`. Works in a notebook too."""
        return Blocking(self)

    async def add(self, content: Content | Iterable[Content], *, wait: str | None = None, **fields: Any) -> Retained:
        """Stores text, files or Items; the fields are those of types.Item. Durable, and found by its words, at once.

        wait="vectors" returns when the vectors are there too.
        """
        return await self._retained(await retain.retain(self.parts, self.name, items_of(content, fields)), wait)

    async def _retained(self, outcomes: Sequence[Outcome], wait: str | None) -> Retained:
        if wait not in (None, "vectors"):
            raise Invalid(f"wait may be 'vectors' or None, got {wait!r}")
        if wait:
            covered = await self.wait()
            return Retained(outcomes=self._ricordo.follower.told(outcomes), coverage=covered)
        bank = await parts.need_bank(self.parts, self.name)
        self._ricordo.follower.wake(parts.models_of(bank))
        return Retained(outcomes=tuple(outcomes), coverage=await coverage(self.parts, bank))

    async def wait(self) -> Coverage:
        """Returns when every memory that can have a vector has one; raises what keeps them from being made."""
        bank = await parts.need_bank(self.parts, self.name)
        models = parts.models_of(bank)
        await self._ricordo.follower.wait(self.name, models)
        covered = await coverage(self.parts, bank)
        if covered.complete or not models[0].space or not await self.parts.records.enqueue(models[0].space, self.name):
            return covered
        await self._ricordo.follower.wait(self.name, models)  # what a write during a change of model had missed
        return await coverage(self.parts, bank)

    async def search(self, text: str, **options: Any) -> Recalled:
        """The memories that answer the text, best first. The options are those of engine.given.query_of."""
        return await recall.recall(self.parts, query_of(self.name, text, **options))

    async def ask(self, question: str, **options: Any) -> Answer:
        """An answer with its evidence. The options are those of engine.given.query_of."""
        return await ask.ask(self.parts, query_of(self.name, question, **options))

    retain, recall, reflect = add, search, ask

    async def configure(self, policies: Mapping[Kind | str, Mapping[str, Any]]) -> None:
        """Makes the bank if need be, and sets how much of a kind it holds, how long, and how soon that fades."""
        await banks.configure(self.parts, self.name, {as_kind(kind): given for kind, given in policies.items()})

    async def get(self, id: str) -> Memory:
        return await edit.resolve(self.parts, self.name, id)

    async def update(self, id: str, **changes: Any) -> Memory:
        """Changes text, importance, tags or data; see engine.edit.update."""
        memory = await edit.update(self.parts, self.name, id, **changes)
        self._ricordo.follower.wake(parts.models_of(await parts.need_bank(self.parts, self.name)))
        return memory

    async def delete(self, *ids: str) -> int:
        return await edit.delete(self.parts, self.name, ids)

    async def history(self, id: str) -> list[Version]:
        return await edit.history(self.parts, self.name, id)

    async def forget(
        self,
        *,
        below: float | None = None,
        older_than: timedelta | None = None,
        keep: int | None = None,
        kinds: Sequence[Kind | str] = MEMORY_KINDS,
        dry_run: bool = False,
    ) -> list[str]:
        """The ids that were forgotten; see engine.forget.forget."""
        chosen = [as_kind(k) for k in kinds]
        return await forget.forget(
            self.parts, self.name, below=below, older_than=older_than, keep=keep, kinds=chosen, dry_run=dry_run
        )

    async def consolidate(
        self, source: Kind | str = Kind.WORKING, target: Kind | str = Kind.EPISODIC, **options: Any
    ) -> list[str]:
        """The ids that moved; see engine.consolidate.consolidate."""
        return await consolidate.consolidate(
            self.parts, self.name, source=as_kind(source), target=as_kind(target), **options
        )

    async def entities(self, query: str | None = None, *, limit: int = 100) -> list[Entity]:
        """What the bank's facts name, by name; with a query, the names that hold it."""
        return await graph.entities(self.parts, self.name, query, limit)

    async def related(self, name: str, *, hops: int = 2, limit: int = 100) -> list[tuple[Entity, Relation]]:
        """What is within so many steps of an entity, nearest first, each with the relation that leads to it."""
        return await graph.related(self.parts, self.name, name, hops, limit)

    async def stats(self) -> banks.Stats:
        return await banks.stats(self.parts, self.name)

    async def reindex(self, embedder: str | None = None) -> str:
        """Makes what vectors are missing, or all of them under another embedder; gives the space that now serves.

        The old index answers until the new one is whole. Stopped in the middle, the next call goes on.
        """
        await banks.start_reindex(self.parts, self.name, embedder)
        return (await banks.finish_reindex(self.parts, self.name, self._ricordo.follower)).space

    async def plan(self, *paths: str | Path) -> folders.Plan:
        """What `index` would do with these paths; nothing is written."""
        return await folders.plan(self.parts, self.name, [Path(p) for p in paths])

    async def index(self, *paths: str | Path, wait: str | None = None, **options: Any) -> folders.Report:
        """Brings the bank up to date with files and folders; what is unchanged is not even read.

        The options are those of engine.index.index: prune, force, tags, progress.
        """
        return await self.carry_out(await self.plan(*paths), wait=wait, **options)

    async def carry_out(self, todo: folders.Plan, *, wait: str | None = None, **options: Any) -> folders.Report:
        """Does what `plan` planned."""
        report = await folders.index(self.parts, self.name, todo, **options)
        await self._retained(report.outcomes, wait)
        return report

    def export(self) -> AsyncIterator[str]:
        """The bank as JSON lines."""
        return transfer.export_lines(self.parts, self.name)

    async def import_(self, lines: Iterable[str], *, wait: str | None = None) -> int:
        """Fills this bank, which must be empty, from an export; gives how many memories came in."""
        count = await transfer.import_lines(self.parts, lines, self.name)
        await self._retained((), wait)
        return count

    async def list(
        self, *, limit: int = 100, offset: int = 0, order: str = "created", descending: bool = True, **filters: Any
    ) -> list[Memory]:
        """Memories that the filters (those of engine.given.filter_of) accept; without kinds, memories and documents."""
        filters.setdefault("kinds", (*MEMORY_KINDS, Kind.DOCUMENT))
        return await self.parts.records.find(
            filter_of(self.name, **filters), limit=limit, offset=offset, order=order, descending=descending
        )
