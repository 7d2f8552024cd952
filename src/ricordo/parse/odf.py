"""OpenDocument texts and presentations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from ricordo.parse.blocks import aside, flat, heading, item, paragraph, squeeze, table
from ricordo.parse.grid import Grid
from ricordo.parse.odf_cells import spreadsheet
from ricordo.parse.odf_text import line, open_odf, style_of, title_of
from ricordo.parse.ooxml import attribute, child, name_of, number
from ricordo.parse.order import Box, reading_order
from ricordo.parse.outcome import damaged, finish, reader
from ricordo.parse.package import Element, EntryError, Package
from ricordo.parse.reading import Job
from ricordo.parse.word_lists import counted
from ricordo.parse.word_styles import level_by_name
from ricordo.types import Block, BlockKind, Parsed

_SKIPPED = frozenset(
    {"table-of-content", "tracked-changes", "forms", "sequence-decls", "title", "desc", "annotation-end"}
)
_ASIDES = frozenset({BlockKind.NOTE, BlockKind.COMMENT, BlockKind.PICTURE})
_HEADERS = ("header", "header-left", "header-first", "footer", "footer-left", "footer-first")
_FORMATS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman",
            "一, 二, 三, ...": "chineseCounting", "①, ②, ③, ...": "decimalEnclosedCircle"}  # fmt: skip
_UNITS = {"cm": 28.35, "mm": 2.835, "in": 72.0, "pt": 1.0, "pc": 12.0, "px": 0.75}
_LENGTH = re.compile(r"(-?[\d.]+)(cm|mm|in|pt|pc|px)")
MOST_REPEATED = 100


@reader
def read(data: bytes, job: Job) -> Parsed:
    """The document's blocks; in a presentation each carries its slide's number as page."""
    package = open_odf(data, job)
    try:
        root = package.xml("content.xml")
    except (KeyError, EntryError) as error:
        raise damaged(f"{job.name!r} has no readable content.xml: {error}") from error
    body = child(root, "body")
    if child(body, "spreadsheet") is not None:
        return spreadsheet(data, job)
    styles = _optional(package, "styles.xml")
    walk = _Walk(package, _list_styles(root, styles), _heading_styles(root, styles))
    if child(body, "presentation") is not None or child(body, "drawing") is not None:
        blocks = list(walk.slides(body))
    else:
        headers, footers = _running(walk, styles)
        blocks = [*headers, *walk.story(root if body is None else body), *footers]
    return finish(
        blocks, job, title=title_of(package), warnings=[*package.warnings, *walk.notes], partial=not package.whole
    )


@dataclass(slots=True)
class _Counter:
    """One list being counted: its style, and the number reached at each depth."""

    style: str
    counts: dict[int, int] = field(default_factory=dict)


class _Walk:
    def __init__(self, package: Package, lists: dict[str, dict[int, Element]], headings: dict[str, int]) -> None:
        self._package = package
        self._lists = lists
        self._headings = headings
        self.notes: list[str] = []

    def slides(self, body: Element) -> Iterator[Block]:
        for page, slide in enumerate(body.iter("{*}page"), 1):
            shapes = [shape for shape in slide if name_of(shape) not in ("notes", *_SKIPPED)]
            titles = [shape for shape in shapes if attribute(shape, "class") == "title"]
            others = [shape for shape in shapes if shape not in titles]
            for shape in [*titles, *(others[i] for i in reading_order(list(map(_box, others))))]:
                found = list(self.story([shape]))
                if shape in titles:
                    found = [heading(" ".join(map(flat, found)), 1)]
                yield from (replace(block, page=page) for block in found)
            for notes in slide.iterchildren("{*}notes"):
                said = "\n".join(flat(block) for block in self.story(notes) if block.kind is not BlockKind.PICTURE)
                yield aside(BlockKind.NOTE, said, page=page)

    def story(self, element: Iterable[Element]) -> Iterator[Block]:
        """The blocks of whatever holds paragraphs, lists, tables and frames."""
        for part in element:
            match name_of(part):
                case "p":
                    yield from self._paragraph(part, self._headings.get(style_of(part), 0))
                case "h":
                    yield from self._paragraph(part, number(part, "outline-level", 1))
                case "list":
                    yield from self._list(part, 0, _Counter(style_of(part)))
                case "table":
                    yield from self._table(part)
                case "note" | "annotation":
                    yield self._aside(part)
                case "image":
                    yield self._picture(part)
                case "object":
                    yield from self._object(part)
                case name if name and name not in _SKIPPED:
                    yield from self.story(part)

    def _paragraph(self, element: Element, level: int) -> Iterator[Block]:
        read = line(element)
        yield heading(read.text, level) if level else paragraph(read.text)
        yield from self.story(read.hanging)

    def _list(self, element: Element, depth: int, counter: _Counter) -> Iterator[Block]:
        for entry in element.iterchildren("{*}list-item", "{*}list-header"):
            first = True
            for part in entry:
                if name_of(part) == "list":
                    style = style_of(part)
                    inner = counter if not style or style == counter.style else _Counter(style)
                    yield from self._list(part, depth + 1, inner)
                    continue
                for block in self.story([part]):
                    worded = block.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING) and bool(block.text)
                    if worded and first:
                        label = self._label(counter, depth) if name_of(entry) == "list-item" else ""
                        yield _listed(block, depth, label)
                        first = False
                    elif block.kind is BlockKind.PARAGRAPH and block.text:
                        yield item(block.text, depth, " ")
                    else:
                        yield block
            counter.counts = {deep: count for deep, count in counter.counts.items() if deep <= depth}

    def _label(self, counter: _Counter, depth: int) -> str:
        style = self._lists.get(counter.style, {}).get(depth + 1)
        if style is None or name_of(style) != "list-level-style-number":
            return ""
        start = number(style, "start-value", 1)
        counter.counts[depth] = counter.counts.get(depth, start - 1) + 1
        shown = max(number(style, "display-levels", 1), 1)
        form = _FORMATS.get(attribute(style, "num-format"), "none")
        levels = [counter.counts.get(deep, 1) for deep in range(max(depth - shown + 1, 0), depth + 1)]
        figure = ".".join(counted(count, form) for count in levels)
        return f"{attribute(style, 'num-prefix')}{figure}{attribute(style, 'num-suffix')}" if figure else ""

    def _table(self, element: Element) -> Iterator[Block]:
        grid, after = Grid(), list[Block]()
        for row in element.iter("{*}table-row"):
            if next(row.iterancestors("{*}table"), None) is not element:
                continue
            for _ in range(min(max(number(row, "number-rows-repeated", 1), 1), MOST_REPEATED)):
                grid.row()
                self._cells(row, grid, after)
        titles, rows = grid.titles_and_rows()
        yield from map(paragraph, titles)
        yield table(rows)
        yield from dict.fromkeys(after)

    def _cells(self, row: Element, grid: Grid, after: list[Block]) -> None:
        column = 0
        for cell in row.iterchildren("{*}table-cell", "{*}covered-table-cell"):
            repeated = min(max(number(cell, "number-columns-repeated", 1), 1), MOST_REPEATED)
            blocks = list(self.story(cell))
            after += (block for block in blocks if block.kind in _ASIDES)
            text = "\n".join(flat(block) for block in blocks if block.kind not in _ASIDES)
            down, across = number(cell, "number-rows-spanned", 1), number(cell, "number-columns-spanned", 1)
            for at in range(column, column + repeated):
                if grid.free(at) == at and (name_of(cell) == "table-cell" or text):
                    grid.place(at, text, down=down, across=across)
            column += repeated

    def _aside(self, element: Element) -> Block:
        kind = BlockKind.COMMENT if name_of(element) == "annotation" else BlockKind.NOTE
        inside = element if kind is BlockKind.COMMENT else child(element, "note-body")
        text = "\n".join(flat(block) for block in self.story(() if inside is None else inside))
        author = element.findtext("{*}creator") or ""
        return aside(kind, f"{author}: {text}" if author and text else text)

    def _picture(self, image: Element) -> Block:
        frame = image.getparent()
        text = "" if frame is None else frame.findtext("{*}desc") or frame.findtext("{*}title") or ""
        target = attribute(image, "href")
        inside = target in self._package
        if "://" in target:
            self.notes.append(f"a picture is linked, not stored; it was not fetched: {target[:200]!r}")
        return aside(BlockKind.PICTURE, squeeze(text), part=target if inside else None)

    def _object(self, element: Element) -> Iterator[Block]:
        """An embedded chart or text: what its own content says."""
        name = f"{attribute(element, 'href').removeprefix('./')}/content.xml"
        root = _optional(self._package, name)
        body = child(root, "body")
        if body is not None:
            yield from self.story(body)


def _listed(block: Block, depth: int, label: str) -> Block:
    if block.kind is BlockKind.HEADING:
        return heading(f"{label} {block.text}".strip(), block.level)
    return item(block.text, depth, label)


def _optional(package: Package, name: str) -> Element | None:
    if name not in package:
        return None
    try:
        return package.xml(name)
    except EntryError as error:
        package.warnings.append(str(error))
        return None


def _list_styles(*roots: Element | None) -> dict[str, dict[int, Element]]:
    return {
        attribute(style, "name"): {number(level, "level", 1): level for level in style}
        for root in roots
        if root is not None
        for style in root.iter("{*}list-style")
    }


def _heading_styles(*roots: Element | None) -> dict[str, int]:
    """Paragraph style → the level of the headings that it makes, by its name or what it is made after."""
    parents: dict[str, str] = {}
    named: dict[str, int] = {}
    for root in (root for root in roots if root is not None):
        for style in root.iter("{*}style"):
            name = attribute(style, "name")
            parents[name] = attribute(style, "parent-style-name")
            shown = attribute(style, "display-name") or name.replace("_20_", " ")
            level = number(style, "default-outline-level") or level_by_name(shown)
            if level:
                named[name] = level
    found: dict[str, int] = {}
    for style in parents:
        seen, at = set[str](), style
        while at and at not in named and at not in seen:
            seen.add(at)
            at = parents.get(at, "")
        if at in named:
            found[style] = named[at]
    return found


def _running(walk: _Walk, styles: Element | None) -> tuple[list[Block], list[Block]]:
    """Headers and footers, each text once."""
    said: dict[str, str] = {}
    for element in () if styles is None else styles.iter(*(f"{{*}}{name}" for name in _HEADERS)):
        if name_of(element.getparent()) == "master-page":
            text = "\n".join(flat(b) for b in walk.story(element) if b.kind is not BlockKind.PICTURE).strip()
            if any(sign.isalpha() for sign in text):
                said.setdefault(text, name_of(element))
    blocks = {text: aside(BlockKind.HEADER, text) for text in said}
    headers = [blocks[text] for text, place in said.items() if place.startswith("header")]
    return headers, [blocks[text] for text, place in said.items() if place.startswith("footer")]


def _box(shape: Element) -> Box | None:
    top, left = _points(attribute(shape, "y")), _points(attribute(shape, "x"))
    return None if top is None or left is None else (top, left, _points(attribute(shape, "height")) or 0.0)


def _points(length: str) -> float | None:
    match = _LENGTH.fullmatch(length.strip())
    return float(match[1]) * _UNITS[match[2]] if match else None
