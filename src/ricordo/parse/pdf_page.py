"""One page of a PDF as it was read: upright words, ruling lines, pictures, notes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from ricordo.parse.pdf_annotations import Overlay, read_overlays
from ricordo.parse.pdf_drawn import read_drawn
from ricordo.parse.pdf_frame import Box, Frame
from ricordo.parse.pdf_layout import Word, is_cjk
from ricordo.parse.pdf_words import read_words

FEW = 20
"""Characters below which a page with a picture is taken for a scan."""
LITTLE = 100
"""Characters below which a picture over half the page is taken for what the page says."""
_UNMAPPED_SHARE = 0.05
_MANY_PATHS = 30


@dataclass(frozen=True, slots=True)
class Sheet:
    """Writing of one direction: the words and rules in the frame in which they stand upright."""

    frame: Frame
    words: list[Word]
    rules: list[Box] = field(default_factory=list)


@dataclass(slots=True)
class Page:
    """What one page holds. `shown` is the page as a viewer shows it; the first sheet has most of the writing."""

    number: int
    shown: Frame
    sheets: list[Sheet]
    pictures: list[Box]
    notes: list[Overlay]
    characters: int = 0
    unmapped: int = 0
    paths: int = 0
    texts: int = 0

    @property
    def covered(self) -> float:
        """The share of the page that its largest picture takes."""
        width, height = self.shown.size
        return max(map(_area, self.pictures), default=0.0) / max(width * height, 1.0)

    @property
    def garbled(self) -> bool:
        return self.unmapped > _UNMAPPED_SHARE * self.characters

    @property
    def wants_ocr(self) -> bool:
        """Whether the text layer cannot be all that the page says."""
        if self.characters < FEW:
            mute = self.texts > 0 and not self.characters
            return mute or self.covered > 0.02 or self.paths >= _MANY_PATHS or self.garbled
        return self.garbled or (self.covered > 0.5 and self.characters < LITTLE)

    def place(self, frame: Frame, box: Box) -> Box:
        """A box of a sheet as the viewer sees it, in whole tenths of a point."""
        left, top, right, bottom = self.shown.upright([frame.original(box)])[0].tolist()
        width, height = self.shown.size
        inside = max(left, 0.0), max(top, 0.0), min(right, width), min(bottom, height)
        return round(inside[0], 1), round(inside[1], 1), round(inside[2], 1), round(inside[3], 1)


def read_page(page: Any, number: int, form: Any) -> Page:
    """The page behind PDFium's handle."""
    frame = _frame(page)
    drawn = read_drawn(page)
    lettering = read_words(page, frame)
    overlays = list(read_overlays(page, form))
    fields = [overlay for overlay in overlays if overlay.field]
    sheets = [Sheet(frame.turned(angle), words) for angle, words in lettering.words.items()] or [Sheet(frame, [])]
    main = sheets[0]
    if main.frame.angle % 90 == 0:
        sheets[0] = Sheet(main.frame, main.words + _values(fields, main.frame), _upright(drawn.rules, main.frame))
    return Page(
        number=number,
        shown=frame,
        sheets=sheets,
        pictures=_upright(_visible(drawn.pictures, frame), frame),
        notes=[overlay for overlay in overlays if not overlay.field],
        characters=lettering.characters + sum(len(overlay.text) for overlay in fields),
        unmapped=lettering.unmapped,
        paths=drawn.paths,
        texts=drawn.texts,
    )


def _frame(page: Any) -> Frame:
    rect = pdfium.FS_RECTF()
    angle = 90 * max(pdfium.FPDFPage_GetRotation(page), 0)
    if pdfium.FPDF_GetPageBoundingBox(page, rect) and rect.right > rect.left and rect.top > rect.bottom:
        return Frame(rect.left, rect.bottom, rect.right, rect.top, angle)
    return Frame(0.0, 0.0, 612.0, 792.0, angle)


def _upright(boxes: Iterable[Box], frame: Frame) -> list[Box]:
    rows = list(boxes)
    return [tuple(row) for row in frame.upright(np.array(rows)).tolist()] if rows else []


def _visible(pictures: Iterable[Box], frame: Frame) -> list[Box]:
    cut = (
        (max(x0, frame.left), max(y0, frame.bottom), min(x1, frame.right), min(y1, frame.top))
        for x0, y0, x1, y1 in pictures
    )
    return [box for box in cut if box[0] < box[2] and box[1] < box[3]]


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _values(fields: list[Overlay], frame: Frame) -> list[Word]:
    """Field values as words where the form has them."""
    words: list[Word] = []
    for overlay, (left, top, right, bottom) in zip(fields, _upright((f.box for f in fields), frame), strict=True):
        size = max(min(10.0, 0.8 * (bottom - top)), 1.0)
        width = sum(size if is_cjk(sign) else size / 2 for sign in overlay.text)
        middle = (top + bottom) / 2 if bottom - top < 3 * size else top + size
        end = min(left + width, max(right, left + size))
        words.append(Word(overlay.text, left, middle - size / 2, end, middle + size / 2, size))
    return words
