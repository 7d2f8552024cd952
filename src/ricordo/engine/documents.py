"""A document as memories: the document, its sections, their chunks; ids say what they stand for."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from ricordo.types import (
    Item,
    Kind,
    Memory,
    Place,
    Section,
    Span,
    digest_id,
)

DEFAULT_IMPORTANCE = 0.5


def document_id(bank: str, key: str) -> str:
    return digest_id(bank, "document", key)


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """A document that is ready to be written: its text, how it is cut, and where its pages begin."""

    bank: str
    key: str
    title: str
    text: str
    sections: Sequence[Section]
    pages: Sequence[tuple[int, int]]
    item: Item
    data: dict[str, object]
    now: datetime

    @property
    def id(self) -> str:
        return document_id(self.bank, self.key)


class _Ids:
    """Ids from content and occurrence: what did not change keeps its id wherever it moves."""

    def __init__(self, document: str) -> None:
        self._document = document
        self._seen: Counter[tuple[Kind, str]] = Counter()

    def next(self, kind: Kind, text: str) -> str:
        self._seen[kind, text] += 1
        return digest_id(self._document, kind, text, self._seen[kind, text])


def memories_of(draft: Draft) -> Iterator[Memory]:
    """The document first, then each section followed by its chunks.

    A section that is its own only child is stored as the chunk alone.
    """
    item = draft.item
    make = partial(
        Memory,
        bank=draft.bank,
        at=item.at or draft.now,
        created=draft.now,
        importance=DEFAULT_IMPORTANCE if item.importance is None else item.importance,
        expires=item.expires,
        tags=tuple(sorted(set(item.tags))),
        document=draft.id,
        session=item.session,
        modality=item.modality,
        context=item.context,
    )
    yield make(id=draft.id, kind=Kind.DOCUMENT, text=draft.title, data=draft.data)
    ids = _Ids(draft.id)
    starts = [offset for offset, _ in draft.pages]
    data = dict(item.data)
    position = 0

    def piece(kind: Kind, span: Span, parent: str) -> Memory:
        nonlocal position
        position += 1
        text = draft.text[span.start : span.end]
        at = bisect_right(starts, span.start) - 1
        page = span.page if span.page is not None else draft.pages[at][1] if at >= 0 else None
        place = Place(page=page, headings=span.headings, start=span.start, end=span.end)
        return make(
            id=ids.next(kind, text), kind=kind, text=text, parent=parent, position=position, place=place, data=data
        )

    for section in draft.sections:
        parent = draft.id
        children = section.children
        if len(children) > 1 or (children[0].start, children[0].end) != (section.start, section.end):
            above = piece(Kind.SECTION, section, draft.id)
            parent = above.id
            yield above
        for child in children:
            yield piece(Kind.CHUNK, child, parent)
