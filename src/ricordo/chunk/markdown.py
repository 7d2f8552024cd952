"""Markdown's outline: where headings, code fences and tables stand in a text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from ricordo.errors import Invalid

_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)

_MARK = re.compile(
    r"^(?P<indent>[ \t]*+)(?:(?P<hashes>\#{1,6})(?=[ \t\r]|$)"
    r"|(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)"
    r"|(?P<rule>={2,}|-{2,})[ \t\r]*$"
    r"|(?P<divider>(?=[ \t:\-]*+\|)\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t:\-]*)+\r?$))",
    re.MULTILINE,
)
_NO_TITLE = re.compile(r"[ \t]*(?:$|[#>|]|[-*+][ \t]|\d+[.)][ \t]|={2,}[ \t\r]*$|-{2,}[ \t\r]*$)|[ ]{4}|[ ]{,3}\t")
_ROWS = re.compile(r"(?:\n[^\n|]*\|[^\n]*)*")


class Shape(Enum):
    HEADING = auto()
    CODE = auto()
    TABLE = auto()


@dataclass(frozen=True, slots=True)
class Region:
    """Whole lines, from the start of the first to the end of the last, without its line break.

    head: where a table's head ends, which is the line that divides it from the rows.
    """

    start: int
    end: int
    shape: Shape
    level: int = 0
    title: str = ""
    head: int = 0


def regions(text: str, anchors: Sequence[tuple[int, int, str]] = ()) -> list[Region]:
    """Headings, fences and tables, in order and apart; where anchors are given, they alone are headings.

    ATX headings and fences follow CommonMark, but a fence may stand at any depth of a list. A setext heading is one
    line over two or more '=' or '-', so that a paragraph with a rule below it stays a paragraph. Front matter has none.
    """
    found = _markdown(text)
    if not anchors:
        return list(found)
    headings = _given(text, anchors)
    starts = [heading.start for heading in headings]
    blocks = (region for region in found if region.shape is not Shape.HEADING)
    whole = (b for b in blocks if bisect_left(starts, b.start) == bisect_left(starts, b.end))
    return sorted((*headings, *whole), key=lambda region: region.start)


def _given(text: str, anchors: Sequence[tuple[int, int, str]]) -> list[Region]:
    found = []
    for (at, level, title), (after, _, _) in zip(anchors, [*anchors[1:], (len(text), 0, "")], strict=True):
        if not 0 <= at <= after <= len(text):
            raise Invalid(
                f"the anchor {title!r} at offset {at} is out of order or outside of the text of {len(text)} characters;"
                " give anchors in the order of their offsets"
            )
        found.append(Region(at, min(_line_end(text, at), after), Shape.HEADING, level, title))
    return found


def _markdown(text: str) -> Iterator[Region]:
    front = _FRONT_MATTER.match(text)
    at = taken = front.end() if front else 0
    while mark := _MARK.search(text, at):
        region = _region(text, mark, taken)
        at = region.end if region else mark.end()
        if region:
            yield region
            taken = region.end


def _region(text: str, mark: re.Match[str], taken: int) -> Region | None:
    """The region that a mark opens or closes; its first line may be the one above, unless that is taken."""
    if mark["fence"]:
        return _fence(text, mark)
    if mark["hashes"]:
        return _atx(text, mark)
    above = text.rfind("\n", 0, max(mark.start() - 1, 0)) + 1
    if not taken <= above < mark.start():
        return None
    if mark["rule"]:
        return _setext(text, above, mark)
    rows = _ROWS.match(text, mark.end())
    end = rows.end() if rows else mark.end()
    return Region(above, end, Shape.TABLE, head=mark.end()) if "|" in text[above : mark.start()] else None


def _atx(text: str, mark: re.Match[str]) -> Region | None:
    if not _shallow(mark):
        return None
    end = _line_end(text, mark.end())
    title = text[mark.end() : end].strip()
    bare = title.rstrip("#")
    if not bare or bare[-1] in " \t":
        title = bare.rstrip()
    return Region(mark.start(), end, Shape.HEADING, len(mark["hashes"]), title)


def _setext(text: str, above: int, mark: re.Match[str]) -> Region | None:
    title = text[above : mark.start()].rstrip()
    before = text[text.rfind("\n", 0, max(above - 1, 0)) + 1 : above]
    if _NO_TITLE.match(title) or not _shallow(mark) or (before.strip() and not _NO_TITLE.match(before)):
        return None
    return Region(above, mark.end(), Shape.HEADING, 1 if mark["rule"][0] == "=" else 2, title.strip())


def _fence(text: str, mark: re.Match[str]) -> Region | None:
    ticks = mark["fence"]
    if ticks[0] == "`" and "`" in mark["info"]:
        return None
    closing = re.compile(rf"^[ \t]*{ticks[0]}{{{len(ticks)},}}[ \t\r]*$", re.MULTILINE).search(text, mark.end())
    end = closing.end() if closing else len(text)
    return Region(mark.start(), end, Shape.CODE)


def _shallow(mark: re.Match[str]) -> bool:
    return len(mark["indent"]) <= 3 and "\t" not in mark["indent"]


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return end - 1 if end > at and text[end - 1] == "\r" else end
