"""What is drawn on a PDF page apart from its text: ruling lines and pictures."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeAlias

import pypdfium2.raw as pdfium

from ricordo.parse.pdf_frame import Box

_THIN = 3.0
_MOST_OBJECTS = 20_000
_MOST_POINTS = 60
_DEEPEST = 6

_Matrix: TypeAlias = tuple[float, float, float, float, float, float]
_SAME: _Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(slots=True)
class Drawn:
    """Boxes in the PDF's own coordinates; `paths` counts every line and shape, `texts` every run of writing."""

    rules: list[Box] = field(default_factory=list)
    pictures: list[Box] = field(default_factory=list)
    paths: int = 0
    texts: int = 0


def read_drawn(page: Any) -> Drawn:
    drawn = Drawn()
    count = min(pdfium.FPDFPage_CountObjects(page), _MOST_OBJECTS)
    for index in range(count):
        _collect(pdfium.FPDFPage_GetObject(page, index), _SAME, drawn, 0)
    return drawn


def _collect(thing: Any, outer: _Matrix, drawn: Drawn, depth: int) -> None:
    kind = pdfium.FPDFPageObj_GetType(thing)
    if kind == pdfium.FPDF_PAGEOBJ_PATH:
        drawn.paths += 1
        drawn.rules.extend(_rules(thing, outer))
    elif kind == pdfium.FPDF_PAGEOBJ_TEXT:
        drawn.texts += 1
    elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
        box = _bounds(thing, outer)
        if box:
            drawn.pictures.append(box)
    elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
        inner = _times(_matrix(thing), outer)
        for index in range(min(pdfium.FPDFFormObj_CountObjects(thing), _MOST_OBJECTS)):
            _collect(pdfium.FPDFFormObj_GetObject(thing, index), inner, drawn, depth + 1)


def _rules(path: Any, outer: _Matrix) -> Iterator[Box]:
    """The straight lines, along the axes, that the path shows."""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    if not pdfium.FPDFPath_GetDrawMode(path, fill, stroke) or not (fill.value or stroke.value):
        return
    box = _bounds(path, outer)
    if box is None:
        return
    if min(box[2] - box[0], box[3] - box[1]) <= _THIN:
        yield box
    elif stroke.value and pdfium.FPDFPath_CountSegments(path) <= _MOST_POINTS:
        for (x0, y0), (x1, y1) in _strokes(path, _times(_matrix(path), outer)):
            if min(abs(x1 - x0), abs(y1 - y0)) <= _THIN:
                yield min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _strokes(path: Any, matrix: _Matrix) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    run: list[tuple[float, float]] = []
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(pdfium.FPDFPath_CountSegments(path)):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        point = _moved(x.value, y.value, matrix)
        if kind != pdfium.FPDF_SEGMENT_LINETO:
            yield from pairwise(run)
            run = []
        run.append(point)
        if pdfium.FPDFPathSegment_GetClose(segment):
            yield from pairwise([*run, run[0]])
            run = []
    yield from pairwise(run)


def _bounds(thing: Any, outer: _Matrix) -> Box | None:
    sides = [ctypes.c_float() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetBounds(thing, *sides):
        return None
    left, bottom, right, top = (side.value for side in sides)
    if outer is _SAME:
        return left, bottom, right, top
    corners = [_moved(x, y, outer) for x in (left, right) for y in (bottom, top)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _matrix(thing: Any) -> _Matrix:
    m = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(thing, m):
        return _SAME
    return m.a, m.b, m.c, m.d, m.e, m.f


def _times(inner: _Matrix, outer: _Matrix) -> _Matrix:
    a, b, c, d, e, f = inner
    oa, ob, oc, od, oe, of = outer
    return (
        a * oa + b * oc,
        a * ob + b * od,
        c * oa + d * oc,
        c * ob + d * od,
        e * oa + f * oc + oe,
        e * ob + f * od + of,
    )


def _moved(x: float, y: float, matrix: _Matrix) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f
