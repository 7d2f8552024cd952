"""A Memory as a row of the table `memories`, and back."""

from __future__ import annotations

from typing import Any

from ricordo.errors import Invalid
from ricordo.stores.values import (
    from_json,
    identifier,
    json_cell,
    list_cell,
    maybe_micros,
    maybe_moment,
    maybe_pack,
    maybe_unpack,
    micros,
    moment,
    pack,
    strings,
    unpack,
)
from ricordo.types import NOWHERE, SEARCHABLE_KINDS, Kind, Memory, Place

KINDS = tuple(Kind)
CODES = {kind: code for code, kind in enumerate(KINDS)}
"""A kind is stored as its place in the enumeration, so new kinds go to its end."""
SEARCHABLE = frozenset(CODES[kind] for kind in SEARCHABLE_KINDS)

WRITTEN = (
    "row, bank, id, kind, at, created, importance, expires, modality, document, parent, position, session, digest, "
    "tagged, tags, page, span_start, span_end, headings, context, data, text"
)
DIGEST = WRITTEN.split(", ").index("digest") - 2
"""Where `to_row` puts the digest."""
READ = (
    "id, kind, text, at, created, importance, expires, tags, document, parent, position, page, headings, span_start, "
    "span_end, modality, session, context, data"
)
_WHOLE = range(-(1 << 63), 1 << 63)


def to_row(memory: Memory) -> tuple[Any, ...]:
    """The values of WRITTEN from `id` on; Invalid when a field cannot be kept as it is."""
    label = f"memory {memory.id!r}"
    place = memory.place
    for number in (memory.position, place.page, place.start, place.end):
        if number is not None and number not in _WHOLE:
            raise Invalid(f"{label} has the number {number}, which is beyond 64 bits")
    return (
        identifier(memory.id, "the id of a memory"),
        CODES[memory.kind],
        micros(memory.at),
        micros(memory.created),
        memory.importance,
        maybe_micros(memory.expires),
        pack(memory.modality),
        None if memory.document is None else identifier(memory.document, "the document of a memory"),
        None if memory.parent is None else identifier(memory.parent, "the parent of a memory"),
        memory.position,
        maybe_pack(memory.session),
        bytes.fromhex(memory.digest),
        len(set(memory.tags)),
        list_cell(memory.tags, "the tags of a memory"),
        place.page,
        place.start,
        place.end,
        list_cell(place.headings, "the headings of a memory"),
        pack(memory.context),
        json_cell(memory.data, f"the data of {label}") if memory.data else "{}",
        pack(memory.text),
    )


def from_row(bank: str, row: tuple[Any, ...]) -> Memory:
    """The memory of the values of READ."""
    (
        id,
        kind,
        text,
        at,
        created,
        importance,
        expires,
        tags,
        document,
        parent,
        position,
        page,
        headings,
        start,
        end,
        modality,
        session,
        context,
        data,
    ) = row
    bare = page is None and start is None and end is None and headings == "[]"
    return Memory(
        id=id,
        bank=bank,
        kind=KINDS[kind],
        text=unpack(text),
        at=moment(at),
        created=moment(created),
        importance=importance,
        expires=maybe_moment(expires),
        tags=strings(tags),
        document=document,
        parent=parent,
        position=position,
        place=NOWHERE if bare else Place(page=page, headings=strings(headings), start=start, end=end),
        modality=unpack(modality),
        session=maybe_unpack(session),
        context=unpack(context),
        data={} if data == "{}" else from_json(data),
    )


def kept(memory: Memory) -> Memory:
    """The memory as a store gives it back: times in UTC, data as JSON. Invalid when it cannot be kept as it is."""
    values = dict(zip(WRITTEN.split(", ")[2:], to_row(memory), strict=True))
    return from_row(memory.bank, tuple(values[name] for name in READ.split(", ")))
