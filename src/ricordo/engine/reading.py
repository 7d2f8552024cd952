"""Files and long texts: read, cut, and compared with what is stored of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ricordo.engine.documents import Draft, document_id, memories_of
from ricordo.engine.parts import Parts, models_of
from ricordo.parse.chain import convert_with_fallback
from ricordo.parse.render import anchors, pages, render
from ricordo.types import (
    READABLE,
    Bank,
    File,
    Filter,
    Item,
    Memory,
    Outcome,
    ParseStatus,
    Section,
    Status,
    content_digest,
    now,
)

RECIPE = 1
"""Part of every document's recipe: raised when the same bytes would be read or cut another way."""


def file_of(text: str, key: str) -> File:
    """A text as the Markdown file that it is read as."""
    return File(name=f"{key}.md", data=text.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, kw_only=True, slots=True)
class Ready:
    """What must be written for a document, and its outcome once that is done.

    It holds for the document as it was read: `expect`, `absent`. `again` compares anew with what is there by then.
    """

    outcome: Outcome
    put: tuple[Memory, ...] = ()
    delete: tuple[str, ...] = ()
    expect: tuple[Memory, ...] = ()
    absent: tuple[str, ...] = ()
    again: Callable[[], Awaitable[Ready]] | None = None


async def read_document(parts: Parts, bank: Bank, item: Item, file: File) -> Ready:
    """What the file changes; nothing is written yet."""
    key = item.document or file.name
    origin = {"content": content_digest(file.data), "recipe": _recipe(parts, item)}
    old = await parts.records.get(bank.id, [document_id(bank.id, key)])
    if old and origin.items() <= old[0].data.items():
        return _unchanged(item, old[0])
    parsed = (await convert_with_fallback(parts.parsers(item.parsers), file.data, file.name)).parsed
    rendered = render(parsed)
    sections: Sequence[Section] = ()
    if parsed.status in READABLE and rendered.text.strip():
        models = models_of(bank)
        chunker = parts.chunker(parts.embedder(models[0].profile) if models else None, item.strategy)
        sections = await chunker.split(rendered.text, anchors(rendered))
    draft = Draft(
        bank=bank.id,
        key=key,
        title=parsed.title or file.name.rpartition("/")[2],
        text=rendered.text if sections else "",
        sections=sections,
        pages=pages(rendered),
        item=replace(item, content="", document=key),  # the bytes of a file are not kept until it is written
        data={
            **item.data,
            **origin,
            "parser": parsed.parser,
            "status": parsed.status,
            "characters": len(rendered.text) if sections else 0,
            "source": dict(item.source),
        },
        now=now(),
    )
    return await _compared(parts, draft, parsed.status, parsed.warnings)


async def _compared(parts: Parts, draft: Draft, status: ParseStatus, warnings: tuple[str, ...]) -> Ready:
    """What the draft changes of what is stored now."""
    old = tuple(await parts.records.get(draft.bank, [draft.id]))
    if draft.sections:
        ready = await _ready(parts, draft, warnings)
    else:
        ready = await _unread(parts, draft, status, warnings, old)
    again = partial(_compared, parts, draft, status, warnings)
    return replace(ready, expect=old, absent=() if old else (draft.id,), again=again)


async def _unread(
    parts: Parts, draft: Draft, found: ParseStatus, warnings: tuple[str, ...], old: Sequence[Memory]
) -> Ready:
    """Nothing could be read. A file of a folder is remembered with its reason, so it is not tried again in vain."""
    status = ParseStatus.EMPTY if found in READABLE else found
    reason = "; ".join((status, *warnings))
    label = draft.item.label
    if old and old[0].data.get("characters") and status is not ParseStatus.EMPTY:
        kept = f"{reason}; what was read of it before is kept"
        return Ready(outcome=Outcome(item=label, status=Status.FAILED, reason=kept))
    if not draft.item.source:
        return Ready(outcome=Outcome(item=label, status=Status.SKIPPED, reason=reason))
    ready = await _ready(parts, replace(draft, data={**draft.data, "status": status, "reason": reason}), ())
    return replace(ready, outcome=replace(ready.outcome, status=Status.SKIPPED, reason=reason))


def _recipe(parts: Parts, item: Item) -> str:
    """Names how bytes become chunks: another recipe, and the document is read again."""
    s = parts.settings
    when = (item.at, item.expires, item.session)
    told = (item.context, item.tags, item.importance, item.modality, when, sorted(item.data.items()))
    given = (item.parsers, item.strategy, told)
    return content_digest(
        repr((RECIPE, s.chunker, s.chunk_size, s.section_size, s.chunk_unit, s.parsers, s.ocr_languages, given))
    )


def _unchanged(item: Item, document: Memory) -> Ready:
    """Keeps what the folder says of the file up to date, and nothing else."""
    put: tuple[Memory, ...] = ()
    if item.source and dict(item.source) != document.data.get("source"):
        put = (replace(document, data={**document.data, "source": dict(item.source)}),)
    reason = document.data.get("reason")
    status = Status.SKIPPED if reason else Status.MERGED
    outcome = Outcome(item=item.label, status=status, reason=reason or "unchanged", memories=(document.id,))

    async def again() -> Ready:
        return Ready(outcome=outcome)  # whoever changed or deleted the document meanwhile came after this

    return Ready(outcome=outcome, put=put, expect=(document,), again=again)


@dataclass(frozen=True, slots=True)
class Difference:
    put: tuple[Memory, ...]
    delete: tuple[str, ...]


def difference(old: Sequence[Memory], new: Sequence[Memory], *, keep_at: bool) -> Difference:
    """What to write so that the old tree becomes the new one; what is equal is left alone, and keeps its birthday."""
    before = {m.id: m for m in old}
    put = []
    for memory in new:
        known = before.pop(memory.id, None)
        if known is None:
            put.append(memory)
            continue
        aged = replace(memory, created=known.created, at=known.at if keep_at else memory.at)
        if aged != known:
            put.append(aged)
    return Difference(tuple(put), tuple(before))


async def _ready(parts: Parts, draft: Draft, warnings: tuple[str, ...]) -> Ready:
    new = list(memories_of(draft))
    old = await parts.records.find(Filter(bank=draft.bank, document=draft.id, expired=True), limit=2**31)
    changes = difference(old, new, keep_at=draft.item.at is None)
    outcome = Outcome(
        item=draft.item.label,
        status=Status.STORED,
        reason=f"{len(changes.put)} written, {len(changes.delete)} removed" if old else "",
        memories=(draft.id, *(m.id for m in new[1:])),
        warnings=warnings,
    )
    return Ready(outcome=outcome, put=changes.put, delete=changes.delete)
