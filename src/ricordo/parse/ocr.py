"""Text out of pictures, by the recogniser that is there: tesseract on the PATH, else the extra `ocr`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from ricordo.parse.pdf_layout import Word

if TYPE_CHECKING:
    from PIL.Image import Image

HOW_TO = "install tesseract with its language data, or Ricordo's extra: pip install 'ricordo[ocr]'"


class OcrFailed(Exception):
    """The recogniser could not read this picture; the message says why."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was read in a picture: words in the pixels of the picture after it was turned counter-clockwise."""

    words: list[Word]
    turned: int = 0
    width: int = 0
    height: int = 0


class Recogniser(Protocol):
    name: str

    def read(self, picture: Image, languages: str, seconds: float) -> Seen:
        """The words of one picture; OcrFailed when the time runs out or the program fails."""


@lru_cache(maxsize=1)
def recogniser() -> Recogniser | None:
    """The best one that this machine has, or None."""
    from ricordo.parse.ocr_tesseract import Tesseract

    found = Tesseract.find()
    if found:
        return found
    if find_spec("rapidocr_onnxruntime"):
        from ricordo.parse.ocr_rapid import Rapid

        return Rapid()
    return None


class Clock:
    """The wall time that one file may spend on recognition."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + 0.8 * seconds

    def left(self) -> float:
        return self._end - time.monotonic()
