"""The pages of a PDF whose text must be read off their picture, and what came of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pypdfium2 as pdfium

from ricordo.parse import ocr
from ricordo.parse.budget import Budget
from ricordo.parse.pdf_headings import plain
from ricordo.parse.pdf_layout import Line, arrange
from ricordo.parse.pdf_page import Page, Sheet
from ricordo.parse.reading import Job

if TYPE_CHECKING:
    from PIL.Image import Image

_SCALE = 300 / 72
_MOST_PIXELS = 12_000_000


class Scans:
    """Recognition where it is wanted. `read` are the pages that were; `warnings` say what was not."""

    def __init__(self, document: pdfium.PdfDocument, job: Job, budget: Budget) -> None:
        self._document = document
        self._job = job
        self._budget = budget
        self._missing: list[int] = []
        self._failed: list[str] = []
        self.read: set[int] = set()

    @property
    def wanting(self) -> bool:
        """Whether a page stayed unread for want of a recogniser."""
        return bool(self._missing)

    @property
    def warnings(self) -> list[str]:
        warnings = list(self._failed)
        if self._missing:
            warnings.append(f"{_named(self._missing)} OCR, and no recogniser is there: {ocr.HOW_TO}")
        return warnings

    def sheets(self, page: Page) -> list[Sheet]:
        """The page's own words, and those of its picture where that has more to say."""
        if not page.wants_ocr:
            return page.sheets
        try:
            picture, scale = self._picture(page)
            seen = ocr.recognise(picture, self._job.ocr_languages, self._budget)
        except ocr.OcrFailed as error:
            self._failed.append(f"page {page.number} was not read by OCR: {error}")
            return page.sheets
        if seen is None:
            self._missing.append(page.number)
            return page.sheets
        self.read.add(page.number)
        frame = page.shown.turned((page.shown.angle + 360 - seen.turned) % 360)
        words = [
            word._replace(
                left=word.left / scale,
                top=word.top / scale,
                right=word.right / scale,
                bottom=word.bottom / scale,
                size=round(word.size / scale, 1),
            )
            for word in seen.words
        ]
        if page.garbled:
            return [Sheet(frame, words)] if words else page.sheets
        return _merged(page, Sheet(frame, words))

    def _picture(self, page: Page) -> tuple[Image, float]:
        width, height = page.shown.size
        most = min(_MOST_PIXELS, self._job.limits.pixels)
        scale = min(_SCALE, (most / max(width * height, 1.0)) ** 0.5)
        handle = self._document[page.number - 1]
        try:
            return handle.render(scale=scale, grayscale=True).to_pil(), scale
        finally:
            handle.close()


def _merged(page: Page, seen: Sheet) -> list[Sheet]:
    """The text layer, then those lines of the picture that it does not hold."""
    said = plain("".join(word.text for sheet in page.sheets for word in sheet.words))
    if not said:
        return [seen]
    fresh = [
        word
        for region in arrange(seen.words)
        for line in region
        if isinstance(line, Line) and plain(line.text) not in said
        for cell in line.cells
        for word in cell
    ]
    return [*page.sheets, replace(seen, words=fresh)]


def _named(pages: list[int]) -> str:
    """`page 3 needs`, `pages 1 to 3 and 7 need`."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][-1] + 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    names = [str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs]
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"page {listed} needs" if len(pages) == 1 else f"pages {listed} need"
