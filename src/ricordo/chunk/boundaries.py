"""Where a text may be cut, and how well: the ends of lines and sentences in Chinese and English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from ricordo.chunk.markdown import Region, Shape
from ricordo.chunk.measure import Measure

HEADING, BLANK, LINE, SENTENCE, WRAP, CLAUSE, SPACE, ANY = range(8)
"""How well a text is cut at a boundary, best first. WRAP: a line break in the midst of a sentence or of code, or ；."""

Cut: TypeAlias = tuple[int, int]
"""An offset and the level of the boundary there. The white space before it belongs to the left part."""

_BREAKS = r"\n\r\v\f\x85\u2028\u2029"
_BLANKS = r" \t\u3000\xa0"
_CLOSERS = r"\"'”’」』）】》〉〕)\]"
_CJK = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u3001-\u301f\uff01-\uff60\U00020000-\U0003ffff“‘"
_LINES = rf"(?:(?<=\r)\n)?(?P<blank>(?:[{_BLANKS}]*+(?:\r\n|[{_BREAKS}]))*)"

_NEWLINE = re.compile(rf"[{_BREAKS}]{_LINES}")
_STOP = re.compile(
    rf"[{_BREAKS}。！？…｡；.!?]"
    rf"(?:(?<=[{_BREAKS}]){_LINES}"
    rf"|(?<=[。！？…｡；])(?<![。！？…｡；]{{2}})[。！？…｡!?]*+[{_CLOSERS}]*+(?:[*_`~]++(?=[{_BLANKS}{_BREAKS}]|$))?[{_BLANKS}]*+(?![{_BREAKS}])"
    rf"|(?<=[.!?])(?<![.!?]{{2}})[.!?]*+[{_CLOSERS}*_`~]*+(?:[{_BLANKS}]++(?![{_BREAKS}a-z])|(?=[{_CJK}])))"
)
_NO_END = re.compile(
    r"(?:\b(?:Mrs?|Ms|Dr|Prof|Rev|Gen|Sen|Rep|Gov|Capt|Lt|Col|Sgt|St|Mt|vs|cf|al|approx|viz)"
    r"|(?<![^\W_])[A-Za-z]|^[ \t>]*\d+(?:\.\d+)*)$",
    re.MULTILINE,
)
_NO_END_BEFORE_DIGIT = re.compile(
    r"\b(?:No|Nos|pp?|[Vv]ol|[Cc]h|[Ss]ec|[Ff]igs?|[Ee]qs?|[Aa]rt|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)$"
)
_PHRASE = re.compile(
    rf"(?P<clause>(?:[，、；：]|——)[{_CLOSERS}]*+[{_BLANKS}]*+|[,;:|][{_CLOSERS}]*+[{_BLANKS}]++)"
    rf"|[{_BLANKS}]++|[/\\&?=_-](?=\w)"
)
_COMMAS = frozenset(",，、")
_OPENERS = frozenset('(（[【`"“「《')


def boundaries(text: str, found: Sequence[Region], measure: Measure, limit: int) -> tuple[list[Cut], dict[int, int]]:
    """The ends of lines and sentences in order, the end of the text last; and what is to stay whole, start to end.

    Whole are a fence that fits the limit, and headings with the space behind them, up to half of the limit. They have
    no boundaries inside, and headings none behind them, so that they stay with the text that they stand over.
    """
    cuts: list[Cut] = []
    whole: dict[int, int] = {}
    at = opened = 0
    for region in found:
        cuts += _prose(text, at, region.start)
        under_heading = whole.get(opened) == at == region.start
        at, behind = region.end, _newlines_end(text, region.end)
        if region.shape is Shape.HEADING:
            if not under_heading:
                opened = _open(cuts, region.start)
            if measure.size(opened, behind) * 2 <= limit:
                whole[opened] = at = behind
        elif region.shape is Shape.TABLE:
            cuts += [(row.end(), SENTENCE) for row in _NEWLINE.finditer(text, region.head + 1, at)]
        elif measure.size(region.start, behind) > limit:
            cuts += _lines_of_code(text, region)
        else:
            if under_heading and measure.size(opened, behind) > limit:
                cuts.append((region.start, WRAP))
            whole[region.start] = at
    cuts += _prose(text, at, len(text))
    if cuts and cuts[-1][0] == len(text):
        cuts.pop()
    return [*cuts, (len(text), HEADING)], whole


def sentences(text: str, start: int, end: int) -> list[Cut]:
    return list(_prose(text, start, end))


def phrases(text: str, start: int, end: int) -> list[Cut]:
    return [(m.end(), CLAUSE if m["clause"] else SPACE) for m in _PHRASE.finditer(text, start, end)]


def _open(cuts: list[Cut], start: int) -> int:
    if cuts and cuts[-1][0] == start:
        cuts.pop()
    if start:
        cuts.append((start, HEADING))
    return start


def _newlines_end(text: str, at: int) -> int:
    newlines = _NEWLINE.match(text, at)
    return newlines.end() if newlines else at


def _prose(text: str, start: int, end: int) -> Iterator[Cut]:
    for match in _STOP.finditer(text, start, end):
        first, at = match.start(), match.end()
        if (blank := match["blank"]) is not None:
            yield at, BLANK if blank else WRAP if _wrapped(text, first, at) else LINE
        elif text[first] != "." or _ends_sentence(text, first, at):
            yield at, WRAP if text[first] == "；" else SENTENCE


def _lines_of_code(text: str, region: Region) -> list[Cut]:
    """The marks of a fence hold on to the line next to them."""
    lines = _NEWLINE.finditer(text, region.start, region.end)
    return [(line.end(), SENTENCE if line["blank"] else WRAP) for line in lines][1:-1]


def _ends_sentence(text: str, stop: int, at: int) -> bool:
    """False for the full stop of an abbreviation, an initial, or a number at the start of a line."""
    before = text[max(stop - 16, 0) : stop]
    if _NO_END.search(before):
        return False
    return not (text[at : at + 1].isdigit() and _NO_END_BEFORE_DIGIT.search(before))


def _wrapped(text: str, end: int, at: int) -> bool:
    """True when the line that ends here goes on in the next: a paragraph set to a fixed width."""
    before, after = text[end - 1 : end], text[at : at + 1]
    if after.islower() or before in _COMMAS:
        return True
    if not before.isalpha() or not (after.isalnum() or after in _OPENERS):
        return False
    width = 60 if before < "\u2e80" else 30
    return text.find("\n", max(end - width, 0), end) < 0 and end >= width
