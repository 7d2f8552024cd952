"""Lines into paragraphs and list items, the way that a typesetter set them apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from ricordo.parse.pdf_layout import HYPHEN, Line, Region, Table, is_cjk

_BULLET = re.compile(r"[•●○◦▪◆◇➢➤►▶❖∙]\s*(?=\S)")
_TICK = re.compile(r"[■□☐☑☒✓✔√◻]")
"""Opens a piece as a bullet does, but says something and stays."""
_WEAK = re.compile(
    r"[-*·–—]\s+(?=\S)|(?:\(\d{1,3}\)|（\d{1,3}）|\d{1,3}[)）]|\d{1,2}[.、．](?!\d)|[a-z][.)](?=\s)|[①-⑳])\s*(?=\S)"
)
"""Signs that begin an item, but may also fall on the beginning of any line."""
_DASH = re.compile(r"[-*·–—]\s+(?=\S)")
_CONTENTS = re.compile(r" … \S{1,6}$")
"""A line of a table of contents, with its page."""
_CUT = re.compile(r"[a-z]-$")
_FULL_STOP = re.compile(r"[.:;!?。：；！？]$")
_OPENING = re.compile(r"[（(]?[一二三四五六七八九十百]+[、）)．.]|第[一二三四五六七八九十百\d]+[章节条款部分编篇]")


@dataclass(slots=True)
class Piece:
    """A paragraph, a heading or a list item: the lines that belong together."""

    lines: list[Line]
    marked: bool = False
    depth: int = 0

    @property
    def text(self) -> str:
        return flowing([line.text for line in self.lines])

    @property
    def box(self) -> tuple[float, float, float, float]:
        lines = self.lines
        return (
            min(line.left for line in lines),
            lines[0].top,
            max(line.right for line in lines),
            lines[-1].bottom,
        )


def flowing(lines: Sequence[str]) -> str:
    """Lines as one running text: hyphens at line ends undone, no space between Chinese signs."""
    text = lines[0]
    for line in lines[1:]:
        if text.endswith(HYPHEN) or (_CUT.search(text) and line[:1].islower()):
            text = text[:-1] + line
        elif text and line and (is_cjk(text[-1]) or is_cjk(line[0])):
            text += line
        else:
            text += " " + line
    if text.endswith(HYPHEN):
        text = text[:-1] + "-"
    return text.replace(HYPHEN, "").strip()


def unmarked(text: str) -> str:
    """The text of a list item without its bullet; a number stays."""
    mark = _BULLET.match(text) or _DASH.match(text)
    return text[mark.end() :] if mark else text


def pieces(region: Region) -> Iterator[Piece | Table]:
    """The paragraphs, list items and tables of a region."""
    lines = [thing for thing in region if isinstance(thing, Line)]
    if not lines:
        yield from (thing for thing in region if isinstance(thing, Table))
        return
    usual = _usual_gap(lines)
    rights = _rights(lines, usual)
    edges: list[float] = []
    piece: Piece | None = None
    for thing in region:
        if isinstance(thing, Table):
            if piece:
                yield piece
            piece = None
            yield thing
            continue
        if piece and not _begins(piece, thing, rights[id(thing)], usual):
            piece.lines.append(thing)
            continue
        if piece:
            yield piece
        marked = bool(_BULLET.match(thing.text) or _WEAK.match(thing.text))
        piece = Piece([thing], marked, _depth(edges, thing) if marked else 0)
        if not marked and edges and not 0.5 * thing.size < thing.left - edges[-1] < 3.0 * thing.size:
            edges = []
    if piece:
        yield piece


def _usual_gap(lines: list[Line]) -> float:
    """The white between two lines of one paragraph; may be below zero."""
    gaps = [below.top - above.bottom for above, below in pairwise(lines) if below.top > above.top]
    close = [gap for gap in gaps if gap < 1.5 * lines[0].size]
    return median(close) if close else 0.0


def _apart(before: Line, line: Line, usual: float) -> bool:
    """Whether white or another size parts two lines."""
    size, white = max(before.size, 1.0), line.top - before.bottom
    return not -1.5 * size < white < max(usual, 0.0) + 0.4 * size or abs(line.size - before.size) > 0.12 * size


def _rights(lines: list[Line], usual: float) -> dict[int, float]:
    """For each line, by its identity, how far to the right the lines around it reach."""
    rights: dict[int, float] = {}
    group: list[Line] = []
    for before, line in zip(lines, [*lines[1:], None], strict=True):
        group.append(before)
        if line is None or _apart(before, line, usual):
            reach = max(line.right for line in group)
            rights.update((id(line), reach) for line in group)
            group = []
    return rights


def _begins(piece: Piece, line: Line, right: float, usual: float) -> bool:
    """Whether the line opens a new piece."""
    before, first = piece.lines[-1], piece.lines[0]
    size = max(before.size, 1.0)
    if _apart(before, line, usual) or abs(line.weight - before.weight) > 0.75:
        return True
    if _CONTENTS.search(before.text) or _BULLET.match(line.text) or _TICK.match(line.text) or _OPENING.match(line.text):
        return True
    if _WEAK.match(line.text) and (piece.marked or _FULL_STOP.search(before.text) or _ends(before, line, right)):
        return True
    if before.text.endswith(HYPHEN):
        return False
    if piece.marked:
        return line.left < first.left - size or (line.left <= first.left + 1 and _ends(before, line, right))
    if abs(before.left + before.right - line.left - line.right) < size and before.left > first.left - size / 2:
        centred = abs(line.left - before.left) > size
        if centred:
            return False
    indented = line.left - before.left > 0.8 * size and len(piece.lines) > 1
    return indented or _ends(before, line, right)


def _ends(before: Line, line: Line, right: float) -> bool:
    """Whether the line above stopped although the first word of this one had room there."""
    first = line.cells[0][0]
    width = first.size if is_cjk(first.text[0]) else first.right - first.left
    return right - before.right > width + 1.2 * before.size


def _depth(edges: list[float], line: Line) -> int:
    """How deep an item is nested, from 1, by the left edges of the items before it."""
    while edges and line.left < edges[-1] - line.size / 2:
        edges.pop()
    if not edges or line.left > edges[-1] + line.size / 2:
        edges.append(line.left)
    return len(edges)
