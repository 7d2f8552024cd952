"""Word documents: a walk over the body that loses no text, whatever it is nested in."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ricordo.parse.blocks import aside, flat, heading, item, paragraph, table
from ricordo.parse.drawing import alternative_text, chart_rows, diagram_texts, equation
from ricordo.parse.grid import Grid
from ricordo.parse.ooxml import attribute, child, chosen, core_title, links, main_part, name_of, number
from ricordo.parse.outcome import finish, reader
from ricordo.parse.package import Element, EntryError, Package
from ricordo.parse.reading import Job
from ricordo.parse.word_fields import CONTENTS, PAGE_NUMBERS, drop_fields
from ricordo.parse.word_lists import Numbering
from ricordo.parse.word_styles import LONGEST_HEADING, Styles
from ricordo.types import Block, BlockKind, Parsed

log = logging.getLogger(__name__)

_SKIPPED = frozenset({"del", "moveFrom", "rPr", "pPr", "delText", "instrText", "sdtPr", "tblPr", "trPr", "tcPr", "rt"})
_SIGNS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_NOTES = {"footnoteReference": "footnotes", "endnoteReference": "endnotes", "commentReference": "comments"}
_ASIDES = frozenset({BlockKind.NOTE, BlockKind.COMMENT, BlockKind.PICTURE})


@dataclass(slots=True)
class _Line:
    """A paragraph being read: its text, and the blocks that hang on it and follow it."""

    text: list[str] = field(default_factory=list)
    after: list[Block] = field(default_factory=list)


@reader
def read(data: bytes, job: Job) -> Parsed:
    """The document's blocks in reading order; headers first, footers last, notes and comments after their paragraph."""
    package = Package(data, job.limits)
    document = _Document(package, main_part(package, "word/document.xml"))
    blocks = document.blocks()
    return finish(blocks, job, title=core_title(package), warnings=document.warnings, partial=not package.whole)


class _Document:
    def __init__(self, package: Package, part: str) -> None:
        self._package = package
        self._main = part
        self._links = links(package, part)
        self._notes: list[str] = []
        self._special: dict[str, Callable[[Element, _Line], None]] = {
            "sym": self._symbol,
            "AlternateContent": self._alternate,
            "oMath": self._equation,
            "txbxContent": self._text_box,
            "drawing": self._drawing,
            "pict": self._drawing,
            "object": self._drawing,
        }
        self._styles = Styles(self._part("styles"))
        self._numbering = Numbering(self._part("numbering"), self._styles)
        self._asides = {kind: self._collect(kind) for kind in dict.fromkeys(_NOTES.values())}

    @property
    def warnings(self) -> list[str]:
        return [*self._package.warnings, *self._notes]

    def blocks(self) -> list[Block]:
        root = self._package.xml(self._main)
        drop_fields(root, CONTENTS)
        body = child(root, "body")
        story = self._safe(root if body is None else body)
        left = [block for kind in self._asides.values() for blocks in kind.values() for block in blocks]
        return [*self._running("header"), *story, *left, *self._running("footer")]

    def _part(self, kind: str) -> Element | None:
        for link in self._links.values():
            if link.kind == kind and not link.external and link.target in self._package:
                return self._xml(link.target)
        return None

    def _xml(self, name: str) -> Element | None:
        """A part that the document can be read without."""
        try:
            return self._package.xml(name)
        except (KeyError, EntryError) as error:
            self._package.warnings.append(f"the part {name!r} cannot be read: {error}")
            return None

    def _safe(self, element: Element) -> list[Block]:
        """The story of an element; where its XML makes no sense, its plain text."""
        try:
            return list(self._story(element))
        except (KeyError, ValueError, IndexError, TypeError, AttributeError, RecursionError) as error:
            log.warning("odd XML in %s", self._main, exc_info=True)
            self._package.warnings.append(f"odd XML ({type(error).__name__}: {error}): only the plain text was kept")
            return [paragraph(text) for text in _plain(element)]

    def _running(self, kind: str) -> Iterator[Block]:
        """Headers or footers, each text once, without page numbers."""
        said: set[str] = set()
        for link in self._links.values():
            if link.kind != kind or link.external or (root := self._xml(link.target)) is None:
                continue
            drop_fields(root, PAGE_NUMBERS)
            text = "\n".join(flat(block) for block in self._safe(root) if block.kind is not BlockKind.PICTURE).strip()
            if text not in said and any(sign.isalpha() for sign in text):
                said.add(text)
                yield aside(BlockKind.HEADER, text)

    def _collect(self, kind: str) -> dict[str, list[Block]]:
        root = self._part(kind)
        found: dict[str, list[Block]] = {}
        for note in [] if root is None else root:
            if attribute(note, "type") not in ("", "normal"):
                continue
            text = "\n".join(map(flat, self._safe(note))).strip()
            author = attribute(note, "author")
            block = aside(BlockKind.NOTE, text)
            if kind == "comments":
                block = aside(BlockKind.COMMENT, f"{author}: {text}" if author and text else text)
            found[attribute(note, "id")] = [block]
        return found

    def _story(self, element: Element) -> Iterator[Block]:
        """The blocks of whatever holds paragraphs and tables: body, cell, text box, note, header."""
        for part in element:
            match name_of(part):
                case "p":
                    yield from self._paragraph(part)
                case "tbl":
                    yield from self._table(part)
                case "AlternateContent":
                    branch = chosen(part)
                    if branch is not None:
                        yield from self._story(branch)
                case "oMathPara" | "oMath":
                    yield paragraph(equation(part))
                case name if name not in _SKIPPED:
                    yield from self._story(part)

    def _paragraph(self, element: Element) -> Iterator[Block]:
        properties = child(element, "pPr")
        style = attribute(child(properties, "pStyle"))
        line = _Line()
        self._inline(element, line)
        text = "".join(line.text).strip()
        if text and not self._styles.contents(style):
            yield self._worded(text, style, properties)
        yield from line.after

    def _worded(self, text: str, style: str, properties: Element | None) -> Block:
        level = self._styles.heading(style, properties)
        place = self._numbering.place(style, properties)
        label = ""
        if place is not None:
            list_id, depth, stated = place
            label = self._numbering.label(list_id, depth)
            if not stated:
                self._notes.append("a list item states no level; it was taken for the first")
        if level is not None and len(text) <= LONGEST_HEADING:
            return heading(f"{label} {text}" if label else text, level)
        return paragraph(text) if place is None else item(text, place[1], label)

    def _inline(self, element: Element, line: _Line) -> None:
        for part in element:
            name = name_of(part)
            if name == "t":
                line.text.append(part.text or "")
            elif name in _SIGNS:
                line.text.append(_SIGNS[name])
            elif name in _NOTES:
                line.after += self._asides[_NOTES[name]].pop(attribute(part, "id"), [])
            elif name in self._special:
                self._special[name](part, line)
            elif name and name not in _SKIPPED:
                self._inline(part, line)

    def _symbol(self, element: Element, line: _Line) -> None:
        code = int(attribute(element, "char") or "0", 16)
        if code and not 0xE000 <= code <= 0xF8FF:  # the private area means a font's own pictures
            line.text.append(chr(code))

    def _alternate(self, element: Element, line: _Line) -> None:
        branch = chosen(element)
        if branch is not None:
            self._inline(branch, line)

    def _equation(self, element: Element, line: _Line) -> None:
        line.text.append(equation(element))

    def _text_box(self, element: Element, line: _Line) -> None:
        line.after += self._story(element)

    def _drawing(self, element: Element, line: _Line) -> None:
        """A picture, a chart, a diagram, or shapes with text."""
        for blip in element.iter("{*}blip", "{*}imagedata"):
            self._picture(blip, element, line)
        for chart in element.iter("{*}chart"):
            line.after += self._chart(attribute(chart, "id"))
        for diagram in element.iter("{*}relIds"):
            line.after += self._diagram(attribute(diagram, "dm"))
        self._inline(element, line)

    def _picture(self, blip: Element, drawing: Element, line: _Line) -> None:
        link = self._links.get(attribute(blip, "embed") or attribute(blip, "link") or attribute(blip, "id"))
        if link is None:
            return
        if link.external:
            self._notes.append(f"a picture is linked, not stored; it was not fetched: {link.target[:200]!r}")
        text = alternative_text(drawing)
        line.after.append(aside(BlockKind.PICTURE, text, part=None if link.external else link.target))

    def _chart(self, link_id: str) -> list[Block]:
        root = self._linked(link_id)
        if root is None:
            return []
        title, rows = chart_rows(root)
        return [paragraph(title), table(rows)]

    def _diagram(self, link_id: str) -> list[Block]:
        root = self._linked(link_id)
        return [] if root is None else [item(text, 0) for text in diagram_texts(root)]

    def _linked(self, link_id: str) -> Element | None:
        link = self._links.get(link_id)
        return None if link is None or link.external else self._xml(link.target)

    def _table(self, element: Element) -> Iterator[Block]:
        """The table; a frame of one cell is its content. What hangs on its cells follows it."""
        rows = [row for row in element.iter("{*}tr") if _owner(row) is element]
        cells = [[cell for cell in row.iter("{*}tc") if _owner(cell) is row] for row in rows]
        if len(cells) == 1 and len(cells[0]) == 1:
            yield from self._story(cells[0][0])
            return
        grid = Grid()
        after: list[Block] = []
        for row, inside in zip(rows, cells, strict=True):
            if child(row, "trPr", "del") is not None:
                continue
            grid.row()
            column = number(child(row, "trPr", "gridBefore"))
            for cell in inside:
                column = self._cell(grid, cell, column, after)
        titles, cells_text = grid.titles_and_rows()
        yield from map(paragraph, titles)
        yield table(cells_text)
        yield from after

    def _cell(self, grid: Grid, cell: Element, column: int, after: list[Block]) -> int:
        properties = child(cell, "tcPr")
        across = max(number(child(properties, "gridSpan"), default=1), 1)
        merge = child(properties, "vMerge")
        blocks = list(self._story(cell))
        after += (block for block in blocks if block.kind in _ASIDES)
        text = "\n".join(flat(block) for block in blocks if block.kind not in _ASIDES)
        if merge is not None and attribute(merge, default="continue") == "continue" and grid.above(column):
            grid.extend(column, across)
            if text:
                self._notes.append("text that a merged cell hides was left out")
        else:
            grid.place(column, text, across=across)
        return column + across


def _owner(element: Element) -> Element | None:
    """The nearest table or row around a row or cell, through content controls and the like."""
    names = ("tbl",) if name_of(element) == "tr" else ("tr",)
    return next((above for above in element.iterancestors() if name_of(above) in names), None)


def _plain(element: Element) -> Iterable[str]:
    for part in element.iter("{*}p"):
        yield "".join(text.text or "" for text in part.iter("{*}t"))
