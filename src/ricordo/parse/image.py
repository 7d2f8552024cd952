"""Pictures: turned upright, then read by OCR where a recogniser is there."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from PIL import Image, ImageOps, ImageSequence, UnidentifiedImageError

from ricordo.parse import ocr
from ricordo.parse.budget import Budget
from ricordo.parse.outcome import PARSER, ReadError, damaged, finish, reader
from ricordo.parse.pdf_blocks import piece_block, table_block, things_of
from ricordo.parse.pdf_frame import Frame
from ricordo.parse.pdf_headings import body_of, find_headings
from ricordo.parse.pdf_layout import Table
from ricordo.parse.pdf_page import Sheet
from ricordo.parse.pdf_pieces import Piece
from ricordo.parse.reading import Exceeded, Job
from ricordo.types import Block, BlockKind, Parsed, ParseStatus

_PAGED = frozenset(("TIFF", "MPO"))
"""Formats whose frames are pages; the frames of the others are a film, of which the first is read."""


@reader
def read(data: bytes, job: Job) -> Parsed:
    blocks: list[Block] = []
    notes: list[str] = []
    budget = Budget(job.limits)
    with _opened(data, job) as picture:
        paged = picture.format in _PAGED and getattr(picture, "n_frames", 1) > 1
        for number, frame in enumerate(_frames(picture, job), 1):
            blocks.append(Block(kind=BlockKind.PICTURE, page=number if paged else None, box=_edges(frame)))
            try:
                seen = ocr.recognise(frame, job.ocr_languages, budget)
            except ocr.OcrFailed as error:
                notes.append(f"picture {number} was not read by OCR: {error}")
                continue
            if seen is None:
                reason = f"{job.name!r} is a picture and needs OCR, and no recogniser is there: {ocr.HOW_TO}"
                return Parsed(parser=PARSER, status=ParseStatus.NEEDS_OCR, warnings=(reason,))
            blocks += _blocks(seen, frame, number if paged else None)
    if not notes and all(block.kind is BlockKind.PICTURE for block in blocks):
        reason = f"OCR found no text in {job.name!r}"
        return Parsed(parser=PARSER, status=ParseStatus.EMPTY, warnings=(reason,))
    return finish(blocks, job, warnings=notes, partial=bool(notes))


@contextmanager
def _opened(data: bytes, job: Job) -> Iterator[Image.Image]:
    """The picture, whose pixels are counted before any is decoded."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            picture = Image.open(io.BytesIO(data))
    except UnidentifiedImageError as error:
        message = f"{job.name!r} is a picture of a kind that cannot be read: save it as PNG or JPEG"
        raise ReadError(ParseStatus.UNSUPPORTED, message) from error
    except Image.DecompressionBombError as error:
        raise Exceeded(f"{job.name!r} has more than {job.limits.pixels} pixels") from error
    with picture:
        yield picture


def _frames(picture: Image.Image, job: Job) -> Iterator[Image.Image]:
    """The pages of the picture, decoded and upright."""
    pixels = 0
    for frame in ImageSequence.Iterator(picture):
        pixels += frame.width * frame.height
        if pixels > job.limits.pixels:
            raise Exceeded(f"{job.name!r} has more than {job.limits.pixels} pixels")
        try:
            yield _on_white(ImageOps.exif_transpose(frame))
        except (OSError, SyntaxError, ValueError) as error:
            raise damaged(f"{job.name!r} is a damaged picture: {error}") from error
        if picture.format not in _PAGED:
            return


def _on_white(picture: Image.Image) -> Image.Image:
    """Without transparency, which a recogniser would take for black."""
    if picture.mode not in ("RGBA", "LA", "PA") and "transparency" not in picture.info:
        return picture.convert("RGB")
    seen = picture.convert("RGBA")
    paper = Image.new("RGBA", seen.size, "white")
    paper.alpha_composite(seen)
    return paper.convert("RGB")


def _edges(picture: Image.Image) -> tuple[float, float, float, float]:
    return 0.0, 0.0, float(picture.width), float(picture.height)


def _blocks(seen: ocr.Seen, picture: Image.Image, page: int | None) -> Iterator[Block]:
    """What was read, in order; boxes count pixels, and are left out where the picture had to be turned."""
    things = things_of([Sheet(Frame(0.0, 0.0, picture.width, picture.height), seen.words)])
    headings = find_headings([thing for thing, _ in things if isinstance(thing, Piece)], {}, body_of(seen.words))
    for thing, _ in things:
        left, top, right, bottom = thing.box
        box = None if seen.turned else (round(left, 1), round(top, 1), round(right, 1), round(bottom, 1))
        if isinstance(thing, Table):
            yield table_block(thing, page, box)
        else:
            yield piece_block(thing, headings.level(thing), page, box)
