"""Text out of pictures, by the recognisers that are there: tesseract on the PATH, and the extra `ocr`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from ricordo.parse.budget import Budget
from ricordo.parse.pdf_layout import Word, is_cjk

if TYPE_CHECKING:
    from PIL.Image import Image

_FULL_WIDTH = str.maketrans(":,;?!", "：，；？！")
_MARK = re.compile(r"(?<=[\u3400-\u9fff])[:,;?!](?!\d)")
_DEGREES = re.compile(r"(?<=\d)°C(?=[\u3400-\u9fff])")
HOW_TO = "install tesseract with its language data, or Ricordo's extra: pip install 'ricordo[ocr]'"
_SURE, _SURE_OF_CHINESE = 80.0, 91.0
"""Trust from which a reading is taken without asking another recogniser; tesseract trusts its Chinese too much."""


class OcrFailed(Exception):
    """A recogniser could not read this picture; the message says why."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was read in a picture: words in the pixels of the picture after it was turned counter-clockwise.

    trust: the recogniser's mean confidence in its letters, 0 to 100.
    """

    words: list[Word] = field(default_factory=list)
    turned: int = 0
    trust: float = 0.0

    @property
    def worth(self) -> float:
        """How much was read, less what is probably noise."""
        return (self.trust - 50.0) * sum(len(word.text) for word in self.words)

    @property
    def chinese(self) -> bool:
        signs = "".join(word.text for word in self.words)
        return 3 * sum(map(is_cjk, signs)) > len(signs)


class Recogniser(Protocol):
    name: str

    def read(self, picture: Image, languages: str, seconds: float) -> Seen:
        """The words of one picture; OcrFailed when the time runs out or the program fails."""


@lru_cache(maxsize=1)
def recognisers() -> tuple[Recogniser, ...]:
    """Those that this machine has, the one to ask first before the others."""
    from ricordo.parse.ocr_tesseract import Tesseract

    found: list[Recogniser] = []
    tesseract = Tesseract.find()
    if tesseract:
        found.append(tesseract)
    if find_spec("rapidocr_onnxruntime"):
        from ricordo.parse.ocr_rapid import Rapid

        found.append(Rapid())
    return tuple(found)


def in_chinese(text: str) -> str:
    """The text with the signs that Chinese writing has for those that recognisers give it in their Latin form."""
    return _DEGREES.sub("℃", _MARK.sub(lambda mark: mark[0].translate(_FULL_WIDTH), text))


def recognise(picture: Image, languages: str, budget: Budget) -> Seen | None:
    """The best reading of a picture, None where no recogniser is there; OcrFailed when every one fails."""
    best: Seen | None = None
    failure: OcrFailed | None = None
    for recogniser in recognisers():
        if budget.left() <= 0:
            failure = failure or OcrFailed("the time for one file was used up")
            break
        try:
            seen = recogniser.read(picture, languages, budget.left())
        except OcrFailed as error:
            failure = error
            continue
        if best is None or seen.worth > best.worth:
            best = seen
        if best.trust >= (_SURE_OF_CHINESE if best.chinese else _SURE):
            break
    if best is None and failure is not None:
        raise failure
    return best
