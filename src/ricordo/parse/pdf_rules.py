"""Tables between ruling lines: lines into grids, grids into rows with every merged label repeated."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ricordo.parse.pdf_frame import Box
from ricordo.parse.pdf_layout import Table, Word, joined, rows_of
from ricordo.parse.pdf_pieces import flowing

_NEAR = 3.0
"""Points by which lines may miss each other and still meet."""
_LABEL = 60
"""Characters of a merged cell up to which it is a label, said again in each row and column that it covers."""
_MOST_LINES = 600
"""Lines on a page beyond which it holds a drawing."""


@dataclass(slots=True)
class _Ruling:
    """A straight line: where it lies, and from where to where it goes."""

    at: float
    start: float
    end: float


@dataclass(slots=True)
class _Mesh:
    """Lines that meet."""

    across: list[_Ruling] = field(default_factory=list)
    down: list[_Ruling] = field(default_factory=list)


def ruled_tables(rules: Iterable[Box], words: Sequence[Word]) -> tuple[list[Table], list[Word]]:
    """The tables that lines draw, and the words that stand in none of them."""
    across, down = _rulings(rules)
    tables: list[Table] = []
    if not across or not down or len(across) + len(down) > _MOST_LINES:
        return tables, list(words)
    rest = list(words)
    for mesh in _meshes(across, down):
        table, rest = _table(mesh, rest)
        if table:
            tables.append(table)
    return tables, rest


def _rulings(rules: Iterable[Box]) -> tuple[list[_Ruling], list[_Ruling]]:
    across, down = [], []
    for left, top, right, bottom in rules:
        if right - left >= bottom - top:
            across.append(_Ruling((top + bottom) / 2, left, right))
        else:
            down.append(_Ruling((left + right) / 2, top, bottom))
    return _merged(across), _merged(down)


def _merged(lines: list[_Ruling]) -> list[_Ruling]:
    """Pieces of one line as one."""
    lines.sort(key=lambda line: line.at)
    tracks: list[list[_Ruling]] = []
    for line in lines:
        if tracks and line.at - tracks[-1][-1].at < _NEAR / 2:
            tracks[-1].append(line)
        else:
            tracks.append([line])
    merged: list[_Ruling] = []
    for track in tracks:
        track.sort(key=lambda line: line.start)
        at = sum(line.at for line in track) / len(track)
        whole = [_Ruling(at, track[0].start, track[0].end)]
        for line in track[1:]:
            if line.start <= whole[-1].end + _NEAR:
                whole[-1].end = max(whole[-1].end, line.end)
            else:
                whole.append(_Ruling(at, line.start, line.end))
        merged += [line for line in whole if line.end - line.start > 5.0]
    return merged


def _meet(across: _Ruling, down: _Ruling) -> bool:
    return across.start - _NEAR <= down.at <= across.end + _NEAR and down.start - _NEAR <= across.at <= down.end + _NEAR


def _meshes(across: list[_Ruling], down: list[_Ruling]) -> list[_Mesh]:
    """Lines grouped by whether they meet, from top to bottom."""
    meshes: list[_Mesh] = []
    waiting = list(down)
    for line in across:
        touching = [mesh for mesh in meshes if any(_meet(line, other) for other in mesh.down)]
        fresh = [other for other in waiting if _meet(line, other)]
        waiting = [other for other in waiting if not _meet(line, other)]
        if not touching and not fresh:
            continue
        home = _Mesh([line], fresh)
        for mesh in touching:
            home.across = mesh.across + home.across
            home.down = mesh.down + home.down
            meshes.remove(mesh)
        meshes.append(home)
    return meshes


def _stops(*positions: float) -> list[float]:
    kept: list[float] = []
    for position in sorted(positions):
        if not kept or position - kept[-1] > _NEAR:
            kept.append(position)
    return kept


def _table(mesh: _Mesh, words: list[Word]) -> tuple[Table | None, list[Word]]:
    xs = _stops(*(line.at for line in mesh.down), *(end for line in mesh.across for end in (line.start, line.end)))
    ys = _stops(*(line.at for line in mesh.across), *(end for line in mesh.down for end in (line.start, line.end)))
    if len(xs) < 3 or len(ys) < 3:
        return None, words
    cells = _cells(mesh, xs, ys)
    content: dict[int, list[Word]] = {}
    rest: list[Word] = []
    for word in words:
        x, y = (word.left + word.right) / 2, (word.top + word.bottom) / 2
        if xs[0] <= x < xs[-1] and ys[0] <= y < ys[-1]:
            cell = cells[bisect_right(ys, y) - 1][bisect_right(xs, x) - 1]
            content.setdefault(cell, []).append(word)
        else:
            rest.append(word)
    if not _is_table(content, len(words)):
        return None, words
    texts = {cell: _text(inside) for cell, inside in content.items()}
    rows = _rows(cells, texts)
    if len(rows) < 2 or len(rows[0]) < 2:
        return None, words
    return Table(rows, xs[0], ys[0], xs[-1], ys[-1]), rest


def _is_table(content: dict[int, list[Word]], on_page: int) -> bool:
    """Cells with words, and none that is really the page inside a frame."""
    biggest = max(map(len, content.values()), default=0)
    return len(content) >= 2 and not (biggest > 60 and biggest > on_page / 2)


def _cells(mesh: _Mesh, xs: list[float], ys: list[float]) -> list[list[int]]:
    """The number of the cell that covers each place of the grid; cells that no line parts share one."""
    width = len(xs) - 1
    home = list(range(width * (len(ys) - 1)))

    def root(place: int) -> int:
        while home[place] != place:
            place = home[place]
        return place

    walls = [[line for line in mesh.down if abs(line.at - x) <= _NEAR] for x in xs]
    floors = [[line for line in mesh.across if abs(line.at - y) <= _NEAR] for y in ys]
    for row in range(len(ys) - 1):
        y = (ys[row] + ys[row + 1]) / 2
        for column in range(width):
            x = (xs[column] + xs[column + 1]) / 2
            place = row * width + column
            if column + 1 < width and not _covers(walls[column + 1], y):
                home[root(place + 1)] = root(place)
            if row + 2 < len(ys) and not _covers(floors[row + 1], x):
                home[root(place + width)] = root(place)
    return [[root(row * width + column) for column in range(width)] for row in range(len(ys) - 1)]


def _covers(lines: list[_Ruling], at: float) -> bool:
    return any(line.start - _NEAR <= at <= line.end + _NEAR for line in lines)


def _text(words: list[Word]) -> str:
    return flowing([_line(row) for row in rows_of(words)])


def _line(row: Sequence[Word | Table]) -> str:
    return joined([item for item in row if isinstance(item, Word)])


def _rows(cells: list[list[int]], texts: dict[int, str]) -> tuple[tuple[str, ...], ...]:
    """Labels again wherever their cell reaches, longer texts once; what is empty throughout is left out."""
    said: set[int] = set()
    rows: list[list[str]] = []
    for places in cells:
        row: list[str] = []
        whole = len(set(places)) == 1
        for place in places:
            text = texts.get(place, "")
            again = place in said and (whole or len(text) > _LABEL)
            row.append("" if again else text)
            said.add(place)
        rows.append(row)
    used = [at for at in range(len(rows[0])) if any(row[at] for row in rows)]
    return tuple(tuple(row[at] for at in used) for row in rows if any(row))
