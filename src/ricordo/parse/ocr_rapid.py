"""RapidOCR on onnxruntime, the extra `ocr`: small models for Chinese and English that come with the library."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from rapidocr_onnxruntime import RapidOCR

from ricordo.parse.ocr import OcrFailed, Seen, in_chinese
from ricordo.parse.pdf_frame import Box
from ricordo.parse.pdf_layout import Word

if TYPE_CHECKING:
    from PIL.Image import Image

_Line: TypeAlias = tuple[Box, str, float]

_SMALL = 1_000
_LARGE = 2_500


class Rapid:
    name = "rapidocr"

    @cached_property
    def _engine(self) -> Any:
        return RapidOCR(intra_op_num_threads=1, inter_op_num_threads=1)

    def read(self, picture: Image, languages: str, seconds: float) -> Seen:  # noqa: ARG002  one model reads both languages, and it cannot be stopped
        side = max(picture.size)
        scale = 2.0 if side < _SMALL else min(_LARGE / side, 1.0)
        fitted = picture.convert("RGB").resize((round(picture.width * scale), round(picture.height * scale)))
        turn = 0
        lines = self._lines(fitted)
        if _stands(lines):
            turn = 270
            lines = self._lines(fitted.rotate(turn, expand=True))
        letters = sum(len(text) for _, text, _ in lines)
        trust = 100 * sum(len(text) * sure for _, text, sure in lines) / max(letters, 1)
        return Seen([_word(text, box, scale) for box, text, _ in lines], turn, trust)

    def _lines(self, picture: Image) -> list[_Line]:
        try:
            found, _ = self._engine(np.asarray(picture)[:, :, ::-1])
        except Exception as error:
            raise OcrFailed(f"rapidocr failed: {type(error).__name__}: {error}") from error
        lines = []
        for corners, text, sure in found or []:
            xs, ys = [x for x, _ in corners], [y for _, y in corners]
            if text.strip():
                lines.append(((min(xs), min(ys), max(xs), max(ys)), in_chinese(text.strip()), float(sure)))
        return lines


def _word(text: str, box: Box, scale: float) -> Word:
    left, top, right, bottom = (side / scale for side in box)
    return Word(text, left, top, right, bottom, 0.8 * min(right - left, bottom - top))


def _stands(lines: list[_Line]) -> bool:
    """Whether most lines run from top to bottom, so that the picture lies on its side."""
    long = [box for box, text, _ in lines if len(text) > 2]
    return 2 * sum(bottom - top > right - left for left, top, right, bottom in long) > len(long)
