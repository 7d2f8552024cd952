"""Documents written in large transactions: one commit for many small files costs a fraction of one for each."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from ricordo.engine.parts import Parts, spaces_of
from ricordo.engine.reading import Ready
from ricordo.engine.retrying import retrying
from ricordo.errors import Changed, RicordoError
from ricordo.types import Bank, Changes, Outcome, Status

log = logging.getLogger(__name__)

ROWS_A_COMMIT = 2000


class Commits:
    """Collects what documents change and writes it; `done` is told each outcome when it is durable."""

    def __init__(self, parts: Parts, bank: Bank, done: Callable[[int, Outcome], None]) -> None:
        self._parts = parts
        self._bank = bank
        self._done = done
        self._held: list[tuple[int, Ready]] = []
        self._rows = 0

    async def add(self, number: int, ready: Ready) -> None:
        """Takes the change of the document of that number; it may be written now or with later ones."""
        self._held.append((number, ready))
        self._rows += len(ready.put) + len(ready.delete)
        if self._rows >= ROWS_A_COMMIT:
            await self.flush()

    async def flush(self) -> None:
        """Writes all that is held. When that fails each is written alone, so that one takes no other with it."""
        held, self._held, self._rows = self._held, [], 0
        if await self._wrote([ready for _, ready in held]) is None:
            for number, ready in held:
                self._done(number, ready.outcome)
            return
        for number, ready in held:
            alone = [ready]
            wrong = await self._wrote(alone)
            outcome = alone[0].outcome
            failed = replace(outcome, status=Status.FAILED, reason=wrong or "", memories=())
            self._done(number, failed if wrong else outcome)

    async def _wrote(self, held: list[Ready]) -> str | None:
        """None, or what was wrong and that nothing was written. One alone is compared anew when it was overtaken."""

        async def alone() -> None:
            try:
                await self._write(held)
            except Changed:
                if held[0].again is not None:
                    held[0] = await held[0].again()
                raise

        try:
            await (retrying(alone) if len(held) == 1 else self._write(held))
        except RicordoError as error:
            return str(error)
        except Exception as error:  # an edge: whatever breaks here is recorded with the document
            log.exception("writing %d documents failed", len(held))
            return f"{type(error).__name__}: {error}"
        return None

    async def _write(self, held: Sequence[Ready]) -> None:
        put = tuple(memory for ready in held for memory in ready.put)
        delete = tuple(id for ready in held for id in ready.delete)
        if put or delete:
            await self._parts.records.write(
                Changes(
                    bank=self._bank.id,
                    put=put,
                    delete=delete,
                    spaces=spaces_of(self._bank),
                    expect=tuple(memory for ready in held for memory in ready.expect),
                    absent=tuple(id for ready in held for id in ready.absent),
                )
            )
