"""Vectors follow records: the outbox is emptied in the background, oldest first, each model at its own pace."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from dataclasses import replace

from ricordo import blocking
from ricordo.engine.outbox import apply
from ricordo.engine.parts import Model, Parts, models_of
from ricordo.errors import Closed, RicordoError
from ricordo.types import Outcome

log = logging.getLogger(__name__)

LARGEST_BATCH = 1024
SECONDS_A_BATCH = 1.0
LONGEST_PAUSE = 60.0
LINGER = 0.03
"""Seconds in which single writes gather to one batch; who waits for vectors does not wait for this."""
ENDING = "interpreter shutdown"
"""What Python says to whoever starts threads at its end; the outbox is kept for the next process."""


class Follower:
    """Empties the outbox of every space that this process has met, one lane a space, on the bridge's loop."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._lanes: dict[str, _Lane] = {}
        self.failures: dict[str, str] = {}
        """Memories that their model refused, with the reason; reindexing tries them again."""

    def wake(self, models: Sequence[Model]) -> None:
        """There may be something to do in these spaces. Callable from any thread."""
        blocking.spawn(self._wake(models))

    async def wait(self, bank: str, models: Sequence[Model]) -> None:
        """Returns when the bank's outbox is empty in these spaces; raises what keeps the follower from emptying it."""
        await asyncio.wrap_future(blocking.spawn(self._wait(bank, models)))

    async def stop(self) -> None:
        """Ends after the batches in hand; what is left stays in the outbox."""
        await asyncio.wrap_future(blocking.spawn(self._stop()))

    def told(self, outcomes: Sequence[Outcome]) -> tuple[Outcome, ...]:
        """The outcomes, with a warning where the model refused to make a vector."""
        return tuple(
            replace(o, warnings=(*o.warnings, *(f"it has no vector: {self.failures[m]}" for m in refused)))
            if (refused := [m for m in o.memories if m in self.failures])
            else o
            for o in outcomes
        )

    async def _wake(self, models: Sequence[Model]) -> None:
        for model in models:
            if model.space:
                self._lane(model).wake()

    async def _wait(self, bank: str, models: Sequence[Model]) -> None:
        for lane in [self._lane(model) for model in models if model.space]:
            await lane.wait(bank)

    async def _stop(self) -> None:
        await asyncio.gather(*(lane.stop() for lane in self._lanes.values()))

    def _lane(self, model: Model) -> _Lane:
        lane = self._lanes.get(model.space)
        if lane is None:
            lane = self._lanes[model.space] = _Lane(self._parts, model, self.failures)
        lane.model = model
        return lane


class _Lane:
    """One space's outbox: a model that fails or is slow keeps nobody else waiting."""

    def __init__(self, parts: Parts, model: Model, failures: dict[str, str]) -> None:
        self.model = model
        self._parts = parts
        self._failures = failures
        self._task: asyncio.Task[None] | None = None
        self._more = asyncio.Event()
        self._hurry = asyncio.Event()
        self._changed = asyncio.Condition()
        self._batch = 8
        self._stopping = False
        self._error: RicordoError | None = None

    def wake(self) -> None:
        self._more.set()
        if not self._stopping and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._run())

    async def wait(self, bank: str) -> None:
        self._error = None
        self._hurry.set()
        self.wake()
        async with self._changed:  # held while looking, so that no news is missed between a look and the wait
            while await self._parts.records.waiting(self.model.space, bank):
                if self._stopping:
                    raise Closed("closed while vectors were being made; the next process that opens it goes on")
                if self._error is not None:
                    raise self._error
                await self._changed.wait()

    async def stop(self) -> None:
        self._stopping = True
        self._more.set()
        self._hurry.set()
        if self._task is not None:
            await self._task
        await self._tell()

    async def _run(self) -> None:
        pause = 1.0
        while not self._stopping:
            self._more.clear()
            try:
                busy = await self._step()
                self._error = None
            except Exception as error:  # noqa: BLE001 - an edge: the worker must outlive what it cannot foresee
                self._error = _meaning(error)
                await self._tell()
                if isinstance(self._error, Closed):
                    return
                await _any(self._more, pause)
                pause = min(pause * 2, LONGEST_PAUSE)
                continue
            pause = 1.0
            await self._tell()
            if not busy and not self._stopping:
                self._hurry.clear()
                await self._more.wait()
            if not self._stopping:
                await _any(self._hurry, LINGER)

    async def _step(self) -> bool:
        """One batch; False when the outbox was empty."""
        rows = await self._parts.records.pending(self.model.space, self._batch)
        if not rows:
            return False
        began = time.monotonic()
        self._failures.update(await apply(self._parts, self.model, rows))
        took = time.monotonic() - began
        grow = took < SECONDS_A_BATCH / 2 and len(rows) == self._batch
        if grow or took > SECONDS_A_BATCH * 2:
            self._batch = min(LARGEST_BATCH, max(1, self._batch * 2 if grow else self._batch // 2))
        return True

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()


def _meaning(error: Exception) -> RicordoError:
    """What keeps the vectors from being made, as whoever waits for them is told it."""
    if isinstance(error, Closed):
        return error
    if ENDING in str(error):
        return Closed("the process ends; the next one that opens the folder goes on with the vectors")
    if isinstance(error, RicordoError):
        log.warning("vectors wait: %s", error)
        return error
    log.error("making vectors failed", exc_info=error)
    return RicordoError(f"making vectors failed: {error!r}")


async def _any(event: asyncio.Event, seconds: float) -> None:
    """Returns when the event is set, or after so many seconds."""
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return


async def leftover_models(parts: Parts) -> list[Model]:
    """The models of every bank, for a process that takes up what another left."""
    return [model for bank in await parts.banks.list() for model in models_of(bank)]
