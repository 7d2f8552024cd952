"""Retain: items in, memories stored, one outcome each; the same again changes nothing."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence

from ricordo.engine.parts import Parts, ensure_bank
from ricordo.engine.reading import file_of, retain_file
from ricordo.engine.remarks import memory_of, retain_remarks
from ricordo.errors import RicordoError
from ricordo.types import Bank, File, Item, Memory, Outcome, Status, now

log = logging.getLogger(__name__)

REMARKS_A_COMMIT = 1000


async def retain(parts: Parts, bank_id: str, items: Sequence[Item]) -> list[Outcome]:
    """One outcome an item, in order. What is reported as stored is durable and can be found by its words."""
    bank = await ensure_bank(parts, bank_id)
    outcomes: dict[int, Outcome] = {}
    remarks: dict[int, tuple[Item, Memory]] = {}
    for number, item in enumerate(items):
        if isinstance(item.content, File) or item.document is not None:
            [outcomes[number]] = await _guarded([item], lambda item=item: _document(parts, bank, item))  # type: ignore[misc]
        elif not item.content.strip():
            outcomes[number] = Outcome(item=item.label, status=Status.SKIPPED, reason="it holds no text")
        else:
            try:
                remarks[number] = (item, memory_of(bank, item, now()))
            except RicordoError as error:
                outcomes[number] = Outcome(item=item.label, status=Status.FAILED, reason=str(error))
    numbers = list(remarks)
    for start in range(0, len(numbers), REMARKS_A_COMMIT):
        some = numbers[start : start + REMARKS_A_COMMIT]
        pairs = [remarks[n] for n in some]
        done = await _guarded([i for i, _ in pairs], lambda pairs=pairs: retain_remarks(parts, bank, pairs))  # type: ignore[misc]
        outcomes.update(zip(some, done, strict=True))
    return [outcomes[number] for number in range(len(items))]


async def _document(parts: Parts, bank: Bank, item: Item) -> list[Outcome]:
    content, key = item.content, item.document or item.label
    if isinstance(content, str) and not content.strip():
        return [Outcome(item=item.label, status=Status.SKIPPED, reason="it holds no text")]
    return [await retain_file(parts, bank, item, content if isinstance(content, File) else file_of(content, key))]


async def _guarded(items: Sequence[Item], work: Callable[[], Awaitable[list[Outcome]]]) -> list[Outcome]:
    """What the work gives, or one failed outcome an item: these must not take the others with them."""
    try:
        return await work()
    except RicordoError as error:
        reason = str(error)
    except Exception as error:  # an edge: whatever breaks here is recorded with the item
        log.exception("retaining %r failed", items[0].label)
        reason = f"{type(error).__name__}: {error}"
    return [Outcome(item=item.label, status=Status.FAILED, reason=reason) for item in items]
