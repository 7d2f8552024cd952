"""PDF: words with their places out of PDFium, then columns, tables, headings and notes by our own layout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pypdfium2 as pdfium

from ricordo.parse.budget import Budget
from ricordo.parse.outcome import finish, reader
from ricordo.parse.pdf_blocks import piece_block, table_block, things_of
from ricordo.parse.pdf_document import attachments_of, is_broken, loaded, open_pdf, outline_of, title_of
from ricordo.parse.pdf_frame import Box, Frame
from ricordo.parse.pdf_headings import Entry, Headings, body_of, find_headings, split_at, style_of
from ricordo.parse.pdf_layout import Table
from ricordo.parse.pdf_page import Page, Sheet, read_page
from ricordo.parse.pdf_pieces import Piece
from ricordo.parse.pdf_repeats import Repeats, take_repeats
from ricordo.parse.pdf_scans import Scans
from ricordo.parse.reading import Exceeded, Job
from ricordo.types import READABLE, Block, BlockKind, Parsed, ParseStatus

_PICTURE_SHARE = 0.03
_SCANNED_LARGER = 1.4
"""A heading's size against the page's usual one where sizes are measured off a picture."""


@dataclass(slots=True)
class _Laid:
    """A page whose words were put in order, each thing with the frame in which it stands."""

    page: Page
    things: list[tuple[Piece | Table, Frame]]
    least: float = 0.0

    @property
    def pieces(self) -> list[Piece]:
        """What may be a heading: turned writing in a margin is none; `least` is the size that it must have."""
        main = self.things[0][1] if self.things else None
        upright = (thing for thing, frame in self.things if isinstance(thing, Piece) and frame == main)
        return [piece for piece in upright if style_of(piece).size >= self.least]


@dataclass(slots=True)
class _Reading:
    """What is known of a document by now."""

    job: Job
    warnings: list[str] = field(default_factory=list)
    partial: bool = False
    budget: Budget = field(init=False)

    def __post_init__(self) -> None:
        self.budget = Budget(self.job.limits)

    def lacks(self, warning: str) -> None:
        self.warnings.append(warning)
        self.partial = True


@reader
def read(data: bytes, job: Job) -> Parsed:
    reading = _Reading(job)
    with open_pdf(data, job) as document:
        if is_broken(document, data):
            reading.lacks(f"{job.name!r} is damaged or cut short: what could be found was read")
        pages = _pages(document, reading)
        repeats = take_repeats(pages)
        scans = Scans(document, job, reading.budget)
        sheets = [scans.sheets(page) for page in pages]
        laid = [_lay(page, own, scans) for page, own in zip(pages, sheets, strict=True)]
        if scans.warnings:
            reading.warnings += scans.warnings
            reading.partial = True
        body = body_of(word for own in sheets for sheet in own for word in sheet.words)
        outlined = _outlined(laid, outline_of(document))
        headings = find_headings([piece for p in laid for piece in p.pieces], outlined, body)
        blocks = [block for p in laid for block in _blocks(p, headings, repeats, scans)]
        title = title_of(document) or _first_heading(blocks)
        blocks += _attached(document, reading)
    parsed = finish(blocks, job, title=title, warnings=reading.warnings, partial=reading.partial)
    if scans.wanting and parsed.status is ParseStatus.DAMAGED:
        return replace(parsed, status=ParseStatus.NEEDS_OCR)
    return parsed


def _pages(document: pdfium.PdfDocument, reading: _Reading) -> list[Page]:
    pages: list[Page] = []
    count, characters = len(document), 0
    for index in range(count):
        if reading.budget.left() <= 0:
            reading.lacks(f"pages {index + 1} to {count} were not read: the time for one file was used up")
            break
        with loaded(document, index) as handle:
            if handle is None:
                reading.lacks(f"page {index + 1} is damaged and was left out")
                continue
            pages.append(read_page(handle, index + 1, document.formenv))
        characters += pages[-1].characters
        if characters > reading.job.limits.text_characters:
            raise Exceeded(f"{reading.job.name!r} holds more than {reading.job.limits.text_characters} characters")
    return pages


def _lay(page: Page, sheets: list[Sheet], scans: Scans) -> _Laid:
    scanned = page.number in scans.read
    words = (word for sheet in sheets for word in sheet.words)
    return _Laid(page, things_of(sheets), _SCANNED_LARGER * body_of(words).size if scanned else 0.0)


def _outlined(laid: list[_Laid], entries: list[Entry]) -> dict[int, int]:
    """The levels of the pieces that the outline names, each cut out of the text around it."""
    levels: dict[int, int] = {}
    by_page = {p.page.number: p for p in laid}
    for entry in entries:
        page = by_page.get(entry.page)
        for at, (thing, frame) in enumerate(page.things if page else ()):
            if not isinstance(thing, Piece) or id(thing) in levels:
                continue
            cut = split_at(thing, entry.title)
            if cut is not None and page is not None:
                parts, which = cut
                page.things[at : at + 1] = [(part, frame) for part in parts]
                levels[id(parts[which])] = entry.level
                break
    return levels


def _blocks(laid: _Laid, headings: Headings, repeats: Repeats, scans: Scans) -> Iterator[Block]:
    page = laid.page
    for text in repeats.first.get(page.number, ()):
        yield Block(kind=BlockKind.HEADER, text=text, page=page.number)
    upright = {id(piece) for piece in laid.pieces}
    for thing, frame in laid.things:
        if isinstance(thing, Table):
            yield table_block(thing, page.number, page.place(frame, thing.box))
        else:
            level = headings.level(thing) if id(thing) in upright else 0
            yield piece_block(thing, level, page.number, page.place(frame, thing.box))
    for note in page.notes:
        box = page.place(page.shown, _shown(page, note.box))
        yield Block(kind=BlockKind.NOTE, text=note.text, page=page.number, box=box)
    if page.number not in scans.read:
        width, height = page.shown.size
        for left, top, right, bottom in page.pictures:
            if (right - left) * (bottom - top) > _PICTURE_SHARE * width * height:
                shown = round(left, 1), round(top, 1), round(right, 1), round(bottom, 1)
                yield Block(kind=BlockKind.PICTURE, page=page.number, box=shown)


def _shown(page: Page, box: Box) -> Box:
    left, top, right, bottom = page.shown.upright([box])[0].tolist()
    return left, top, right, bottom


def _first_heading(blocks: list[Block]) -> str:
    found = (block.text for block in blocks if block.kind is BlockKind.HEADING and (block.page or 0) <= 2)
    return next(found, "")


def _attached(document: pdfium.PdfDocument, reading: _Reading) -> Iterator[Block]:
    """What the files inside the PDF say."""
    for name, data in attachments_of(document, reading.job.limits.inflated_bytes):
        parsed = reading.job.child(name, data)
        reading.warnings += [f"{name}: {warning}" for warning in parsed.warnings]
        if parsed.status not in READABLE:
            reading.lacks(f"the attached file {name!r} was not read: {parsed.status}")
        for block in parsed.blocks:
            yield replace(block, page=None, part=f"{name}/{block.part}" if block.part else name)
