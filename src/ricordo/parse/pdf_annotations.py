"""What was put on top of a PDF page: the values of form fields, notes, and files attached to the document."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium

from ricordo.parse.pdf_frame import Box

_MOST = 5_000
_NOTES = frozenset(
    (
        pdfium.FPDF_ANNOT_TEXT,
        pdfium.FPDF_ANNOT_FREETEXT,
        pdfium.FPDF_ANNOT_HIGHLIGHT,
        pdfium.FPDF_ANNOT_UNDERLINE,
        pdfium.FPDF_ANNOT_SQUIGGLY,
        pdfium.FPDF_ANNOT_STRIKEOUT,
        pdfium.FPDF_ANNOT_STAMP,
        pdfium.FPDF_ANNOT_CARET,
        pdfium.FPDF_ANNOT_LINE,
        pdfium.FPDF_ANNOT_SQUARE,
        pdfium.FPDF_ANNOT_CIRCLE,
        pdfium.FPDF_ANNOT_POLYGON,
        pdfium.FPDF_ANNOT_POLYLINE,
        pdfium.FPDF_ANNOT_INK,
    )
)
_TICKS = (pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON)
_VALUES = (pdfium.FPDF_FORMFIELD_TEXTFIELD, pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_LISTBOX)


@dataclass(frozen=True, slots=True)
class Overlay:
    """A text that lies over the page; the box is in the PDF's own coordinates."""

    text: str
    box: Box
    field: bool


def wide_text(call: Callable[[Any, int], int]) -> str:
    """The UTF-16 text of a PDFium function that fills a buffer and says how many bytes it wants."""
    size = call(None, 0)
    if size <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    call(ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace").replace("\x00", "")


def read_overlays(page: Any, form: Any) -> Iterator[Overlay]:
    """Field values (a tick as ☑ or ☐) and notes of one page."""
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MOST)):
        with _annotation(page, index) as annotation:
            if not annotation:
                continue
            kind = pdfium.FPDFAnnot_GetSubtype(annotation)
            text = ""
            if kind == pdfium.FPDF_ANNOT_WIDGET and form:
                text = _field(annotation, form)
            elif kind in _NOTES:
                text = _string(annotation, b"Contents")
            if text.strip():
                rect = pdfium.FS_RECTF()
                pdfium.FPDFAnnot_GetRect(annotation, rect)
                yield Overlay(
                    " ".join(text.split()) if kind == pdfium.FPDF_ANNOT_WIDGET else text.strip(),
                    (
                        min(rect.left, rect.right),
                        min(rect.bottom, rect.top),
                        max(rect.left, rect.right),
                        max(rect.bottom, rect.top),
                    ),
                    kind == pdfium.FPDF_ANNOT_WIDGET,
                )


@contextmanager
def _annotation(page: Any, index: int) -> Iterator[Any]:
    annotation = pdfium.FPDFPage_GetAnnot(page, index)
    try:
        yield annotation
    finally:
        if annotation:
            pdfium.FPDFPage_CloseAnnot(annotation)


def _field(annotation: Any, form: Any) -> str:
    kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in _TICKS:
        return "☑" if pdfium.FPDFAnnot_IsChecked(form, annotation) else "☐"
    if kind in _VALUES:
        return wide_text(lambda buffer, size: pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, size))
    return ""


def _string(annotation: Any, key: bytes) -> str:
    return wide_text(lambda buffer, size: pdfium.FPDFAnnot_GetStringValue(annotation, key, buffer, size))
