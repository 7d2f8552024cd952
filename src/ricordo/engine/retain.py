"""Retain: items in, memories stored, one outcome each; the same again changes nothing."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from ricordo.engine.commits import Commits
from ricordo.engine.parts import Parts, ensure_bank
from ricordo.engine.reading import Ready, file_of, read_document
from ricordo.engine.remarks import memory_of, retain_remarks
from ricordo.errors import RicordoError
from ricordo.types import Bank, File, Item, Memory, Outcome, Status, now

log = logging.getLogger(__name__)

REMARKS_A_COMMIT = 1000


async def retain(parts: Parts, bank_id: str, items: Sequence[Item]) -> list[Outcome]:
    """One outcome an item, in order. What is reported as stored is durable and can be found by its words."""
    bank = await ensure_bank(parts, bank_id)
    outcomes: dict[int, Outcome] = {}
    documents: dict[int, Item] = {}
    remarks: dict[int, tuple[Item, Memory]] = {}
    for number, item in enumerate(items):
        if isinstance(item.content, str) and not item.content.strip():
            outcomes[number] = Outcome(item=item.label, status=Status.SKIPPED, reason="it holds no text")
        elif isinstance(item.content, File) or item.document is not None:
            documents[number] = item
        else:
            try:
                remarks[number] = (item, memory_of(bank, item, now()))
            except RicordoError as error:
                outcomes[number] = Outcome(item=item.label, status=Status.FAILED, reason=str(error))
    await _documents(parts, bank, documents, outcomes)
    await _remarks(parts, bank, remarks, outcomes)
    return [outcomes[number] for number in range(len(items))]


async def _documents(parts: Parts, bank: Bank, items: Mapping[int, Item], outcomes: dict[int, Outcome]) -> None:
    commits = Commits(parts, bank, outcomes.__setitem__)
    held: set[str] = set()
    for number, item in items.items():
        if item.label in held:
            await commits.flush()
            held.clear()
        held.add(item.label)
        await commits.add(number, await read_item(parts, bank, item))
    await commits.flush()


async def _remarks(
    parts: Parts, bank: Bank, remarks: Mapping[int, tuple[Item, Memory]], outcomes: dict[int, Outcome]
) -> None:
    numbers = list(remarks)
    for start in range(0, len(numbers), REMARKS_A_COMMIT):
        some = numbers[start : start + REMARKS_A_COMMIT]
        done = await _together(parts, bank, [remarks[n] for n in some])
        outcomes.update(zip(some, done, strict=True))


async def _together(parts: Parts, bank: Bank, pairs: Sequence[tuple[Item, Memory]]) -> list[Outcome]:
    """The outcomes of one transaction. When that fails each is written alone, so that one takes no other with it."""
    try:
        return await retain_remarks(parts, bank, pairs)
    except Exception as error:  # noqa: BLE001 - an edge: whatever breaks is the outcome of the one it breaks on
        if len(pairs) > 1 and not getattr(error, "transient", False):
            return [outcome for pair in pairs for outcome in await _together(parts, bank, [pair])]
        reason = failure(pairs[0][0], error)
        return [Outcome(item=item.label, status=Status.FAILED, reason=reason) for item, _ in pairs]


async def read_item(parts: Parts, bank: Bank, item: Item) -> Ready:
    """What the document changes; whatever breaks in reading it ends as its failed outcome."""
    content = item.content
    try:
        file = content if isinstance(content, File) else file_of(content, item.label)
        return await read_document(parts, bank, item, file)
    except Exception as error:  # noqa: BLE001 - an edge: one document must not take the others with it
        reason = failure(item, error)
        return Ready(outcome=Outcome(item=item.label, status=Status.FAILED, reason=reason))


def failure(item: Item, error: Exception) -> str:
    """The reason in one line; the traceback of what was not foreseen goes to the log."""
    if isinstance(error, RicordoError):
        return str(error)
    log.error("retaining %r failed", item.label, exc_info=error)
    return f"{type(error).__name__}: {error}"
