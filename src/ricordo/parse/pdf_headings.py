"""Which pieces of a PDF are headings, and of what level: by the outline, else by size and weight against the body."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ricordo.parse.pdf_layout import HYPHEN, Line, Word, is_cjk
from ricordo.parse.pdf_pieces import Piece

_SPACE = re.compile(rf"[\s{HYPHEN}]+")
_WORDY = re.compile(r"[^\W\d_]{2}|[\u2e80-\u9fff]")
_SENTENCE = re.compile(r"[。；，、;,]$|(?<![A-Z])\.$")
_LABEL = re.compile(r"[:：]$")
_OTHER = re.compile(r" … \S{1,6}$|^(?:表|图|圖|附表|附图|table|figure|fig\.)\s*[\dA-Z]+[.\-–\d]*\b", re.IGNORECASE)
_LONGEST = 160
"""Width of the longest heading, in Latin letters."""
_LARGER = 1.12


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the outline: level from 1, page from 1."""

    title: str
    level: int
    page: int


@dataclass(frozen=True, slots=True)
class Style:
    size: float
    bold: bool


@dataclass(slots=True)
class Headings:
    """The levels of a document's headings. Pieces are told apart by their identity."""

    body: Style
    levels: dict[Style, int] = field(default_factory=dict)
    outlined: dict[int, int] = field(default_factory=dict)

    def level(self, piece: Piece) -> int:
        """1 to 6, or 0 for what is no heading."""
        level = self.outlined.get(id(piece))
        if level is None:
            level = self.levels.get(style_of(piece), 0) if _may_head(piece, self.body) else 0
        return min(level, 6)


def style_of(piece: Piece) -> Style:
    line = max(piece.lines, key=lambda line: len(line.text))
    return Style(round(line.size * 2) / 2, line.bold)


def body_of(words: Iterable[Word]) -> Style:
    """The style of most letters."""
    sizes: Counter[float] = Counter()
    bold: Counter[float] = Counter()
    for word in words:
        size = round(word.size * 2) / 2
        sizes[size] += len(word.text)
        bold[size] += len(word.text) if word.bold else 0
    size = sizes.most_common(1)[0][0] if sizes else 10.0
    return Style(size, 2 * bold[size] > sizes[size])


def find_headings(pieces: Sequence[Piece], outlined: dict[int, int], body: Style) -> Headings:
    """The levels of all headings, given those that the outline names."""
    headings = Headings(body, outlined=outlined)
    named: dict[Style, Counter[int]] = {}
    for piece in pieces:
        if id(piece) in outlined:
            named.setdefault(style_of(piece), Counter())[outlined[id(piece)]] += 1
    styles = {style_of(piece) for piece in pieces if _may_head(piece, body)} | set(named)
    above = 0
    before: Style | None = None
    for style in sorted(styles, key=lambda style: (-style.size, not style.bold)):
        if style in named:
            above = named[style].most_common(1)[0][0]
        elif before is None or not (before.bold is style.bold and before.size - style.size <= 0.05 * style.size):
            above += 1
        headings.levels[style] = max(above, 1)
        before = style
    return headings


def _may_head(piece: Piece, body: Style) -> bool:
    style, text = style_of(piece), piece.text
    larger = style.size >= _LARGER * body.size
    heavier = style.bold and not body.bold and style.size >= 0.95 * body.size
    if not (larger or heavier) or len(piece.lines) > 3 or not _WORDY.search(text) or _OTHER.search(text):
        return False
    width = sum(2 if is_cjk(sign) else 1 for sign in text)
    if width > _LONGEST or (_SENTENCE.search(text) and width > 30):
        return False
    return larger or not (_LABEL.search(text) or width > _LONGEST / 2)


def plain(text: str) -> str:
    """What is left of a title for comparing: no white space, one case."""
    return _SPACE.sub("", text).casefold()


def split_at(piece: Piece, title: str) -> tuple[list[Piece], int] | None:
    """The piece cut so that the title stands alone, and which part it is; None where the piece does not say it."""
    wanted = plain(title)
    if not wanted:
        return None
    texts = [plain(line.text) for line in piece.lines]
    for start in range(len(texts)):
        said = ""
        for end in range(start, min(start + 4, len(texts))):
            said += texts[end]
            if said == wanted:
                return _cut(piece, start, end + 1)
            if not wanted.startswith(said):
                break
    return None


def _cut(piece: Piece, start: int, end: int) -> tuple[list[Piece], int]:
    parts: list[list[Line]] = [piece.lines[:start], piece.lines[start:end], piece.lines[end:]]
    kept = [Piece(lines) for lines in parts if lines]
    return kept, 1 if start else 0
