"""Vectors follow records: the outbox is emptied in the background, oldest first."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence

from ricordo import blocking
from ricordo.engine.embedding import embed_texts
from ricordo.engine.parts import Model, Parts, models_of
from ricordo.errors import Closed, RicordoError
from ricordo.protocols import Embedder, Vectors
from ricordo.types import Memory, Pending

log = logging.getLogger(__name__)

LARGEST_BATCH = 1024
SECONDS_A_BATCH = 1.0
LONGEST_PAUSE = 60.0
LINGER = 0.03
"""Seconds in which single writes gather to one batch; who waits for vectors does not wait for this."""
ENDING = "interpreter shutdown"
"""What Python says to whoever starts threads at its end; the outbox is kept for the next process."""


class Follower:
    """Empties the outbox of every space that this process has met. All of it runs on the bridge's loop."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._models: dict[str, Model] = {}
        self._task: asyncio.Task[None] | None = None
        self._more = asyncio.Event()
        self._hurry = asyncio.Event()
        self._changed = asyncio.Condition()
        self._batch = 8
        self._stopping = False
        self.error: RicordoError | None = None
        self.failures: dict[str, str] = {}
        """Memories that the model refused, with the reason; reindexing tries them again."""

    def wake(self, models: Sequence[Model]) -> None:
        """There may be something to do in these spaces. Callable from any thread."""
        blocking.spawn(self._wake(models))

    async def _wake(self, models: Sequence[Model]) -> None:
        self._models.update({m.space: m for m in models if m.space})
        self._more.set()
        if self._task is None and not self._stopping:
            self._task = asyncio.create_task(self._run())

    async def wait(self, bank: str, models: Sequence[Model]) -> None:
        """Returns when the bank's outbox is empty in these spaces; raises what keeps the follower from emptying it."""
        await asyncio.wrap_future(blocking.spawn(self._wait(bank, models)))

    async def _wait(self, bank: str, models: Sequence[Model]) -> None:
        self.error = None
        self._hurry.set()
        await self._wake(models)
        async with self._changed:  # held while looking, so that no news is missed between a look and the wait
            for model in models:
                while model.space and await self._parts.records.waiting(model.space, bank):
                    if self.error is not None:
                        raise self.error
                    await self._changed.wait()

    async def stop(self) -> None:
        """Ends after the batch in hand; what is left stays in the outbox."""
        await asyncio.wrap_future(blocking.spawn(self._stop()))

    async def _stop(self) -> None:
        self._stopping = True
        self._more.set()
        self._hurry.set()
        if self._task is not None:
            await self._task
            self._task = None

    async def _run(self) -> None:
        pause = 1.0
        while not self._stopping:
            self._more.clear()
            try:
                busy = [await self._step(model) for model in list(self._models.values())]
            except Closed as error:  # the process ends, and the outbox is kept for the next
                self.error = error
                await self._tell()
                return
            except RicordoError as error:
                log.warning("vectors wait: %s", error)
                self.error = error
                await self._tell()
                await self._rest(pause)
                pause = min(pause * 2, LONGEST_PAUSE)
                continue
            except Exception as error:  # an edge: the worker must outlive what it cannot foresee
                if ENDING in str(error):
                    return
                log.exception("the follower failed")
                self.error = RicordoError(f"embedding failed: {error!r}")
                await self._tell()
                await self._rest(pause)
                pause = min(pause * 2, LONGEST_PAUSE)
                continue
            pause = 1.0
            await self._tell()
            if not any(busy) and not self._stopping:
                self._hurry.clear()
                await self._more.wait()
            if not self._stopping:
                await self._gather()

    async def _gather(self) -> None:
        try:
            await asyncio.wait_for(self._hurry.wait(), LINGER)
        except TimeoutError:
            return

    async def _rest(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._more.wait(), seconds)
        except TimeoutError:
            return

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def _step(self, model: Model) -> bool:
        """One batch of one space; False when its outbox was empty."""
        rows = await self._parts.records.pending(model.space, self._batch)
        if not rows:
            return False
        began = time.monotonic()
        self.failures.update(await apply(self._parts, model, rows))
        took = time.monotonic() - began
        grow = took < SECONDS_A_BATCH / 2 and len(rows) == self._batch
        if grow or took > SECONDS_A_BATCH * 2:
            self._batch = min(LARGEST_BATCH, max(1, self._batch * 2 if grow else self._batch // 2))
        return True


async def apply(parts: Parts, model: Model, rows: Sequence[Pending]) -> dict[str, str]:
    """Indexes the memories that the rows name, then takes the rows out; gives the memories that failed, and why."""
    gone: dict[str, list[str]] = {}
    kept: dict[str, list[str]] = {}
    for row in rows:
        (gone if row.gone else kept).setdefault(row.bank, []).append(row.memory)
    for bank, ids in gone.items():
        await parts.vectors.delete(model.space, bank, ids)
    memories = [m for bank, ids in kept.items() for m in await parts.records.get(bank, ids)]
    points, failures = await _points(parts, model, memories)
    if points:
        await parts.vectors.upsert(model.space, points)
    await parts.records.applied(model.space, [row.seq for row in rows])
    return failures


async def _points(
    parts: Parts, model: Model, memories: Sequence[Memory]
) -> tuple[list[tuple[Memory, Vectors]], dict[str, str]]:
    named = [(m, m.digest) for m in memories]
    known = await parts.vectors.known(model.space, [digest for _, digest in named])
    fresh = {digest: m.surface for m, digest in named if digest not in known}
    embedder = parts.embedder(model.profile)
    failed: dict[str, str] = {}
    if fresh and embedder is not None:
        made, failed = await _embed(embedder, fresh)
        known |= made
    points = [(m, known[digest]) for m, digest in named if digest in known]
    return points, {m.id: failed[digest] for m, digest in named if digest in failed}


async def _embed(embedder: Embedder, surfaces: dict[str, str]) -> tuple[dict[str, Vectors], dict[str, str]]:
    """Vectors by digest; when a batch is refused for good, one by one, so that a bad text fails alone."""
    try:
        vectors = await embed_texts(embedder, list(surfaces.values()))
    except RicordoError as error:
        if error.transient or len(surfaces) == 1:
            if error.transient:
                raise
            log.warning("no vector for a text of %d characters: %s", len(*surfaces.values()), error)
            return {}, {digest: str(error) for digest in surfaces}
    else:
        return dict(zip(surfaces, vectors, strict=True)), {}
    made: dict[str, Vectors] = {}
    failed: dict[str, str] = {}
    for digest, surface in surfaces.items():
        one, wrong = await _embed(embedder, {digest: surface})
        made |= one
        failed |= wrong
    return made, failed


async def leftover_models(parts: Parts) -> list[Model]:
    """The models of every bank, for a process that takes up what another left."""
    return [model for bank in await parts.banks.list() for model in models_of(bank)]
