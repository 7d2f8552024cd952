"""The words of a PDF page with their boxes, out of PDFium's characters."""

from __future__ import annotations

import ctypes
import math
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pypdfium2.raw as pdfium

from ricordo.parse.pdf_frame import Frame
from ricordo.parse.pdf_layout import HYPHEN, Word

_BOLD = re.compile(r"bold|black|heavy|semib|demi|-medi|cmb|simhei|heiti|yahei.*b|黑体|\xba\xda\xcc\xe5", re.IGNORECASE)
_SYMBOLS = {0xF0B7: "•", 0xF0A7: "▪", 0xF0D8: "➢", 0xF0FC: "✓", 0xF06C: "●", 0xF06E: "■", 0xF075: "◆", 0xF0A8: "◻"}
"""Where Symbol and Wingdings put the marks that lists begin with."""
_SIGNS: dict[int, str] = {
    **_SYMBOLS,
    **{code: unicodedata.normalize("NFKC", chr(code)) for code in (*range(0x2E80, 0x2FE0), *range(0xFB00, 0xFB07))},
    0x00: "\ufffd",
    0x02: HYPHEN,
    0xFFFE: HYPHEN,
    0x200B: "",
    0xFEFF: "",
}
_BREAKS = frozenset("\t\n\x0b\x0c\r \x85\xa0\u2028\u2029\u3000") | {chr(code) for code in range(0x2000, 0x200B)}


def _fast(function: Any, result: Any, *arguments: Any) -> Any:
    """The same C function under a prototype of plain numbers: a third of the time where it is called per character."""
    return ctypes.PYFUNCTYPE(result, *arguments)(ctypes.cast(function, ctypes.c_void_p).value or 0)


_box_of = _fast(pdfium.FPDFText_GetLooseCharBox, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
_object_of = _fast(pdfium.FPDFText_GetTextObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)


class Style(NamedTuple):
    size: float
    bold: bool
    angle: int
    font: str


@dataclass(slots=True)
class Lettering:
    """What is written on a page: words by the angle of their writing, in degrees; characters without a meaning."""

    words: dict[int, list[Word]] = field(default_factory=dict)
    characters: int = 0
    unmapped: int = 0


class _Styles:
    """The style of each text object of a page, looked up once."""

    def __init__(self, text: Any) -> None:
        self._text = text
        self._known: dict[int, Style] = {}
        self._bold: dict[int, tuple[bool, str]] = {}

    def of(self, address: int, index: int) -> Style:
        style = self._known.get(address)
        if style is None:
            style = self._known[address] = self._look(address, index)
        return style

    def _look(self, address: int, index: int) -> Style:
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(self._text, index, matrix)
        size = pdfium.FPDFText_GetFontSize(self._text, index) * math.hypot(matrix.c, matrix.d)
        angle = round(math.degrees(math.atan2(matrix.b, matrix.a))) % 360
        nearest = round(angle / 90) * 90
        bold, font = self._weight(address)
        return Style(round(size, 1), bold, nearest % 360 if abs(angle - nearest) <= 5 else angle, font)

    def _weight(self, address: int) -> tuple[bool, str]:
        thing = ctypes.cast(address, pdfium.FPDF_PAGEOBJECT)
        font = pdfium.FPDFTextObj_GetFont(thing)
        if not font:
            return False, ""
        key = ctypes.cast(font, ctypes.c_void_p).value or 0
        if key not in self._bold:
            name = ctypes.create_string_buffer(128)
            pdfium.FPDFFont_GetBaseFontName(font, name, 128)
            readable = name.value.decode("latin-1")
            heavy = pdfium.FPDFFont_GetWeight(font) >= 600 or bool(_BOLD.search(readable))
            self._bold[key] = heavy, readable
        bold, readable = self._bold[key]
        outlined = pdfium.FPDFTextObj_GetTextRenderMode(thing) == pdfium.FPDF_TEXTRENDERMODE_FILL_STROKE
        return bold or outlined, readable


def read_words(page: Any, frames: Frame) -> Lettering:
    """Every word of the page, each in the upright frame of its own angle."""
    text = pdfium.FPDFText_LoadPage(page)
    if not text:
        return Lettering()
    try:
        return _lettering(text, frames)
    finally:
        pdfium.FPDFText_ClosePage(text)


def _lettering(text: Any, frame: Frame) -> Lettering:
    signs = _signs(text)
    count = len(signs)
    handle = ctypes.cast(text, ctypes.c_void_p).value
    buffer = (ctypes.c_float * (4 * count))()
    base = ctypes.addressof(buffer)
    styles = _Styles(text)
    written: list[int] = []
    style_of: list[Style] = []
    for index, sign in enumerate(signs):
        if sign in _BREAKS:
            continue
        address = _object_of(handle, index)
        if address:
            _box_of(handle, index, base + 16 * index)
            written.append(index)
            style_of.append(styles.of(address, index))
    found = Lettering(characters=len(written), unmapped=_unmapped(text, signs, written, style_of))
    boxes = np.ctypeslib.as_array(buffer).reshape(count, 4)[written][:, [0, 3, 2, 1]].astype(float)
    for angle, share in Counter(style.angle for style in style_of).most_common():
        chosen = [at for at, style in enumerate(style_of) if style.angle == angle] if share < len(written) else None
        part = boxes if chosen is None else boxes[chosen]
        letters = zip(
            written if chosen is None else [written[at] for at in chosen],
            style_of if chosen is None else [style_of[at] for at in chosen],
            frame.turned(angle).upright(part).tolist(),
            strict=True,
        )
        found.words[angle] = _words(signs, list(letters))
    return found


def _signs(text: Any) -> str:
    """One sign for each of PDFium's characters."""
    count = max(pdfium.FPDFText_CountChars(text), 0)
    buffer = (ctypes.c_ushort * (2 * count + 2))()
    length = pdfium.FPDFText_GetText(text, 0, count, buffer)
    signs = bytes(buffer)[: 2 * max(length - 1, 0)].decode("utf-16-le", "replace")
    if len(signs) == count:
        return signs
    codes = (pdfium.FPDFText_GetUnicode(text, index) for index in range(count))
    return "".join(chr(code) if code <= 0x10FFFF and not 0xD800 <= code < 0xE000 else "\ufffd" for code in codes)


def _unmapped(text: Any, signs: str, written: list[int], styles: list[Style]) -> int:
    """How many characters have no known meaning; PDFium is asked once for each sign of a font."""
    known: dict[tuple[str, str], bool] = {}
    lost = 0
    for index, style in zip(written, styles, strict=True):
        key = style.font, signs[index]
        if key not in known:
            code = ord(key[1])
            private = 0xE000 <= code < 0xF900 and code not in _SYMBOLS
            known[key] = code in (0, 0xFFFD) or private or pdfium.FPDFText_HasUnicodeMapError(text, index) == 1
        lost += known[key]
    return lost


def _words(signs: str, letters: list[tuple[int, Style, list[float]]]) -> list[Word]:
    """Runs of characters that touch, in the order in which they were drawn, overprinted ones once."""
    words: list[Word] = []
    seen: set[tuple[str, int, int]] = set()
    run: list[str] = []
    before, style, beside = -2, Style(0.0, bold=False, angle=0, font=""), 0.0
    left = top = right = bottom = 0.0
    for index, its, (x0, y0, x1, y1) in letters:
        size, sign = its.size, signs[index]
        upper = y0 if y1 - y0 >= 0.3 * size else y1 - size
        goes_on = index == before + 1 and (its is style or its[:2] == style[:2])
        if goes_on and abs(upper + y1 - top - bottom) < 0.8 * size and -0.6 * size < x0 - right < 0.35 * size:
            if sign != run[-1] or x0 - beside >= 0.5 * (x1 - x0):
                run.append(sign)
                right, top, bottom = max(right, x1), min(top, upper), max(bottom, y1)
        else:
            _close(words, seen, run, Word("", left, top, right, bottom, style.size, style.bold))
            run, style = [sign], its
            left, top, right, bottom = x0, upper, x1, y1
        before, beside = index, x0
    _close(words, seen, run, Word("", left, top, right, bottom, style.size, style.bold))
    return words


def _close(words: list[Word], seen: set[tuple[str, int, int]], run: list[str], word: Word) -> None:
    text = "".join(run)
    if not text.isprintable() or not text.isascii():
        text = text.translate(_SIGNS)
    if not text:
        return
    column, row = round(word.left / 2), round(word.top / 2)
    if any((text, column + dx, row + dy) in seen for dx in (-1, 0, 1) for dy in (-1, 0, 1)):
        return
    seen.add((text, column, row))
    words.append(word._replace(text=text))
