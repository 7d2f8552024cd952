"""Text cut at its own joints: headings, blank lines, lines, sentences, clauses, words, and only then anywhere."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ricordo.chunk.markdown import regions
from ricordo.chunk.measure import Count, check_sizes, measure_of
from ricordo.chunk.overlap import overlapping_starts
from ricordo.chunk.packing import chunks, sections
from ricordo.chunk.pieces import pieces
from ricordo.chunk.sections import sections_of
from ricordo.errors import Invalid
from ricordo.types import Section


def split(
    text: str,
    anchors: Sequence[tuple[int, int, str]] = (),
    *,
    size: int = 200,
    parent: int = 1000,
    overlap: int = 0,
    count: Count | None = None,
) -> list[Section]:
    """Sections of up to `parent` that fill the text, each filled by chunks of up to `size`; without text, none.

    Sizes are characters, or what `count` counts, which must not fall as a text grows. Without a parent each chunk is a
    section of its own. A chunk has at least 20 characters where its text and the limit have room for them. With an
    overlap a chunk begins up to so much earlier, at a boundary, but not before its section, and keeps to its size.
    """
    if not text:
        return []
    found = regions(text, anchors)
    measure = measure_of(text, count)
    room = size - overlap
    cuts = pieces(text, found, measure, room)
    ends = chunks(cuts, measure, room)
    closes = sections(text, ends, measure, parent) if parent else ends
    if not overlap:
        return sections_of(text, found, ends, closes)
    barriers = {at for at, _ in closes} if parent else ()
    starts = overlapping_starts(text, ends, measure, overlap=overlap, limit=size, barriers=barriers)
    return sections_of(text, found, ends, closes, starts)


class RecursiveChunker:
    """`split` with its sizes held, on a thread of its own."""

    def __init__(
        self,
        size: int = 200,
        parent: int | None = 1000,
        unit: str = "characters",
        count: Count | None = None,
        *,
        overlap: int = 0,
    ) -> None:
        check_sizes(size, parent or 0, unit, count)
        if not 0 <= overlap <= size // 2:
            raise Invalid(f"overlap must lie between 0 and half of the size of {size}, got {overlap}")
        self._size = size
        self._parent = parent or 0
        self._overlap = overlap
        self._count = count

    async def split(self, text: str, anchors: Sequence[tuple[int, int, str]] = ()) -> list[Section]:
        return await asyncio.to_thread(
            split,
            text,
            anchors,
            size=self._size,
            parent=self._parent,
            overlap=self._overlap,
            count=self._count,
        )
