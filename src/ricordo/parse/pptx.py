"""PowerPoint decks: slide by slide, its title first, then what stands on it from top to bottom, then its notes."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ricordo.parse.blocks import aside, heading, item, paragraph, table
from ricordo.parse.drawing import alternative_text, chart_rows, diagram_texts
from ricordo.parse.grid import Grid
from ricordo.parse.ooxml import Link, attribute, child, chosen, core_title, links, main_part, name_of, number
from ricordo.parse.order import Box, reading_order
from ricordo.parse.outcome import finish, reader
from ricordo.parse.package import Element, EntryError, Package
from ricordo.parse.reading import Job
from ricordo.parse.slide_text import paragraphs, plain
from ricordo.types import Block, BlockKind, Parsed

log = logging.getLogger(__name__)

_TITLES = ("title", "ctrTitle")
_MASTERS = {"title": "title", "ctrTitle": "title", **{name: name for name in ("sldNum", "dt", "ftr")}}
"""What a placeholder is made after on the master; all that is not here is a body there."""
_FURNITURE = ("sldNum", "dt", "hdr", "ftr", "sldImg")
_SLIDE = re.compile(r"ppt/slides/slide(\d+)\.xml")
_ODD = (KeyError, ValueError, IndexError, TypeError, AttributeError, RecursionError)


@reader
def read(data: bytes, job: Job) -> Parsed:
    """The deck's blocks, each with its slide's number as page."""
    package = Package(data, job.limits)
    deck = _Deck(package)
    blocks = [block for page, part in enumerate(deck.slides(), 1) for block in deck.slide(part, page)]
    return finish(
        blocks,
        job,
        title=core_title(package),
        warnings=[*package.warnings, *deck.notes],
        partial=not package.whole or deck.lost,
    )


@dataclass(frozen=True, slots=True)
class _Kind:
    """What a placeholder is: "" is an ordinary shape."""

    type: str
    index: str


class _Deck:
    def __init__(self, package: Package) -> None:
        self._package = package
        self._trees: dict[str, tuple[Element | None, dict[str, Link]]] = {}
        self._feet: set[str] = set()
        self.notes: list[str] = []
        self.lost = False

    def slides(self) -> list[str]:
        """The names of the slides in the order of the show; by their numbers where that order cannot be read."""
        root, targets = self._tree(main_part(self._package, "ppt/presentation.xml"))
        entries = [] if root is None else list(root.iter("{*}sldId"))
        ids = [value for entry in entries for key, value in entry.items() if key.startswith("{")]
        found = [targets[i].target for i in ids if i in targets]
        if len(found) == len(entries) and (found or self._package.whole):
            return found
        numbered = sorted((int(m[1]), name) for name in self._package.names() if (m := _SLIDE.fullmatch(name)))
        self.lost = True
        self.notes.append("the order of the slides cannot be read; they were taken by their numbers")
        return [name for _, name in numbered]

    def slide(self, part: str, page: int) -> Iterator[Block]:
        root, targets = self._tree(part)
        if root is None:
            self.lost = True
            return
        if attribute(root, "show", "1") in ("0", "false"):
            self.notes.append(f"slide {page} is hidden in the show; its text was kept")
        yield from _Slide(self, root, targets, page).blocks()
        for link in targets.values():
            if link.kind == "notesSlide":
                yield from self._speaker_notes(link.target, page)
            elif link.kind == "comments":
                yield from self._comments(link.target, page)

    def tree(self, part: str) -> Element | None:
        return self._tree(part)[0]

    def inherited(self, targets: dict[str, Link]) -> list[Element]:
        """The layout and the master that a slide is made after."""
        found: list[Element] = []
        for kind in ("slideLayout", "slideMaster"):
            link = next((link for link in targets.values() if link.kind == kind), None)
            if link is None:
                break
            root, targets = self._tree(link.target)
            if root is not None:
                found.append(root)
        return found

    def foot(self, text: str) -> bool:
        """True the first time that a footer says this."""
        new = text not in self._feet
        self._feet.add(text)
        return new and any(sign.isalpha() for sign in text)

    def _tree(self, part: str) -> tuple[Element | None, dict[str, Link]]:
        if part not in self._trees:
            root = None
            try:
                root = self._package.xml(part)
            except (KeyError, EntryError) as error:
                self.notes.append(f"the part {part!r} cannot be read: {error}")
            self._trees[part] = (root, links(self._package, part))
        return self._trees[part]

    def _speaker_notes(self, part: str, page: int) -> Iterator[Block]:
        root, _ = self._tree(part)
        for shape in [] if root is None else root.iter("{*}sp"):
            if _kind(shape).type not in _FURNITURE:
                yield aside(BlockKind.NOTE, plain(child(shape, "txBody")), page=page)

    def _comments(self, part: str, page: int) -> Iterator[Block]:
        root, _ = self._tree(part)
        for comment in [] if root is None else root.iter("{*}cm", "{*}reply"):
            text = plain(child(comment, "txBody")) or comment.findtext("{*}text") or ""
            yield aside(BlockKind.COMMENT, text, page=page)


class _Slide:
    def __init__(self, deck: _Deck, root: Element, targets: dict[str, Link], page: int) -> None:
        self._deck = deck
        self._root = root
        self._targets = targets
        self._page = page
        self._models = deck.inherited(targets)

    def blocks(self) -> Iterator[Block]:
        shapes = list(_shapes(child(self._root, "cSld", "spTree")))
        titles = [shape for shape in shapes if _kind(shape).type in _TITLES]
        for shape in [*titles, *self._in_reading_order([s for s in shapes if s not in titles])]:
            try:
                yield from list(self._shape(shape))
            except _ODD as error:  # what the format promises is taken for granted, and some writers break it
                log.warning("odd shape on slide %d", self._page, exc_info=True)
                self._deck.notes.append(f"slide {self._page}: a shape's XML is odd ({error}); its plain text was kept")
                yield paragraph("\n".join(t.text or "" for t in shape.iter("{*}t")), page=self._page)

    def _shape(self, shape: Element) -> Iterator[Block]:
        match name_of(shape):
            case "grpSp":
                for inner in self._in_reading_order(list(_shapes(shape))):
                    yield from self._shape(inner)
            case "graphicFrame":
                yield from self._frame(shape)
            case "pic":
                yield from self._picture(shape)
            case _:
                yield from self._text(shape)

    def _text(self, shape: Element) -> Iterator[Block]:
        body, kind = child(shape, "txBody"), _kind(shape)
        if body is None:
            return
        if kind.type == "ftr" and self._deck.foot(plain(body)):
            yield aside(BlockKind.HEADER, plain(body), page=self._page)
        elif kind.type in _TITLES:
            yield heading(plain(body), 1, page=self._page)
        elif kind.type not in _FURNITURE:
            styles = [child(body, "lstStyle"), *(child(m, "txBody", "lstStyle") for m in self._counterparts(kind))]
            styles.append(self._master_style(kind))
            yield from paragraphs(body, styles, self._page)

    def _counterparts(self, kind: _Kind) -> Iterator[Element]:
        """The placeholders of layout and master that this one takes what it does not state from."""
        if not (kind.type or kind.index):
            return
        for model in self._models:
            candidates = [(shape, _kind(shape)) for shape in _shapes(child(model, "cSld", "spTree"))]
            same = [s for s, k in candidates if k.index == kind.index and k.index] if model is self._models[0] else []
            same = same or [s for s, k in candidates if k.type == _MASTERS.get(kind.type, "body")]
            yield from same[:1]

    def _master_style(self, kind: _Kind) -> Element | None:
        name = "bodyStyle" if kind.type in ("body", "obj", "subTitle") or kind.index else "otherStyle"
        return child(self._models[-1], "txStyles", name) if self._models else None

    def _frame(self, frame: Element) -> Iterator[Block]:
        for grid in frame.iter("{*}tbl"):
            yield from self._table(grid)
        for chart in frame.iter("{*}chart"):
            yield from self._chart(attribute(chart, "id"))
        for diagram in frame.iter("{*}relIds"):
            root = self._linked(attribute(diagram, "dm"))
            yield from () if root is None else (item(text, 0, page=self._page) for text in diagram_texts(root))

    def _chart(self, link_id: str) -> Iterator[Block]:
        root = self._linked(link_id)
        title, rows = ("", ()) if root is None else chart_rows(root)
        if not rows:
            self._deck.notes.append(f"slide {self._page}: a chart holds no data that can be read")
        yield paragraph(title, page=self._page)
        yield table(rows, page=self._page)

    def _table(self, element: Element) -> Iterator[Block]:
        grid = Grid()
        for row in element.iterchildren("{*}tr"):
            grid.row()
            for column, cell in enumerate(row.iterchildren("{*}tc")):
                covered = attribute(cell, "hMerge") or attribute(cell, "vMerge")
                if not covered or grid.free(column) == column:
                    down, across = number(cell, "rowSpan", 1), number(cell, "gridSpan", 1)
                    grid.place(column, plain(child(cell, "txBody")), down=down, across=across)
        titles, rows = grid.titles_and_rows()
        yield from (paragraph(title, page=self._page) for title in titles)
        yield table(rows, page=self._page)

    def _picture(self, shape: Element) -> Iterator[Block]:
        blip = next(shape.iter("{*}blip"), None)
        link = self._targets.get(attribute(blip, "embed") or attribute(blip, "link"))
        if link is not None and link.external:
            self._deck.notes.append(f"slide {self._page}: a linked picture was not fetched: {link.target[:200]!r}")
        part = None if link is None or link.external else link.target
        yield aside(BlockKind.PICTURE, alternative_text(shape), page=self._page, part=part)

    def _linked(self, link_id: str) -> Element | None:
        link = self._targets.get(link_id)
        return None if link is None or link.external else self._deck.tree(link.target)

    def _in_reading_order(self, shapes: list[Element]) -> list[Element]:
        return [shapes[i] for i in reading_order(list(map(self._box, shapes)))]

    def _box(self, shape: Element) -> Box | None:
        """Its own place, else that of the placeholder that it is made after."""
        for source in (shape, *self._counterparts(_kind(shape))):
            for at in (child(source, "spPr", "xfrm"), child(source, "grpSpPr", "xfrm"), child(source, "xfrm")):
                offset, extent = child(at, "off"), child(at, "ext")
                if offset is not None:
                    return number(offset, "y"), number(offset, "x"), number(extent, "cy")
        return None


def _shapes(tree: Element | None) -> Iterator[Element]:
    """What stands directly on a slide or in a group, of each alternative one."""
    for part in _children(tree):
        name = name_of(part)
        if name == "AlternateContent":
            yield from _shapes(chosen(part))
        elif name in ("sp", "pic", "graphicFrame", "grpSp", "cxnSp"):
            yield part


def _children(element: Element | None) -> Iterable[Element]:
    return () if element is None else element


def _kind(shape: Element) -> _Kind:
    """What the shape says it is a placeholder for; the type of shape is never trusted."""
    for properties in shape.iterchildren("{*}nvSpPr", "{*}nvPicPr", "{*}nvGraphicFramePr"):
        holder = child(properties, "nvPr", "ph")
        if holder is not None:
            index = attribute(holder, "idx")
            return _Kind(attribute(holder, "type") or ("obj" if index else "body"), index)
    return _Kind("", "")
