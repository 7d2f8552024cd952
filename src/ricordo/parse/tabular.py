"""Delimited text: one table, its delimiter found, its quotes forgiven."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from ricordo.parse.decode import clean, decode
from ricordo.parse.outcome import finish, reader
from ricordo.parse.reading import Exceeded, Job
from ricordo.types import Block, BlockKind, Parsed

_DELIMITERS = "\t;|,"
_SAMPLE_CHARACTERS = 65_536
_SAMPLE_ROWS = 200
_LONGEST_CELL = 16_000_000
_QUOTED_LINES = 100

Row = tuple[str, ...]


@reader
def read(data: bytes, job: Job) -> Parsed:
    """The rows as one table, the head row first; lines of one cell above it become paragraphs."""
    decoded = decode(data)
    text = clean(decoded.text).replace("\r", "\n")
    delimiter, text = _named_delimiter(text)
    delimiter = delimiter or delimiter_of(text)
    warnings = list(decoded.warnings)
    csv.field_size_limit(_LONGEST_CELL)
    lines = _lines(text)
    unclosed = text.count('"') % 2 == 1
    cells = _forgiving(lines, delimiter, warnings) if unclosed else csv.reader(lines, delimiter=delimiter)
    rows = _within(job, cells)
    above, rows = _split_off_title(rows)
    blocks = [Block(kind=BlockKind.PARAGRAPH, text=line) for line in above]
    blocks.append(Block(kind=BlockKind.TABLE, rows=tuple(rows)))
    partial = bool(decoded.damaged) or len(warnings) > len(decoded.warnings)
    return finish(blocks, job, warnings=warnings, partial=partial)


def delimiter_of(text: str) -> str:
    """The sign that cuts most lines of the text into the same number of cells."""
    sample = text[:_SAMPLE_CHARACTERS]
    lines = _lines(sample)
    if len(sample) < len(text) and len(lines) > 1:
        lines.pop()
    best, choice = (0.0, 0), ","
    for delimiter in _DELIMITERS:
        widths = Counter(len(row) for row in islice(_quietly(lines, delimiter), _SAMPLE_ROWS) if any(row))
        widths_beyond_one = {width: count for width, count in widths.items() if width > 1}
        if not widths_beyond_one:
            continue
        width, count = max(widths_beyond_one.items(), key=lambda found: (found[1], found[0]))
        score = (round(count / widths.total(), 2), width if delimiter != "," else 0)
        if score > best:
            best, choice = score, delimiter
    return choice


def _quietly(lines: list[str], delimiter: str) -> Iterator[list[str]]:
    try:
        yield from csv.reader(lines, delimiter=delimiter)
    except csv.Error:
        return


def _named_delimiter(text: str) -> tuple[str, str]:
    """Spreadsheet programs may name the delimiter in a first line: sep=;"""
    first, _, rest = text.partition("\n")
    if first.lower().startswith("sep=") and len(first.rstrip()) in (4, 5):
        return first[4:5], rest
    return "", text


def _lines(text: str) -> list[str]:
    return [f"{line}\n" for line in text.split("\n")]


def _forgiving(lines: list[str], delimiter: str, warnings: list[str]) -> Iterator[list[str]]:
    """The rows, where a quote that does not close within a hundred lines is taken for an ordinary sign."""
    at = 0
    while at < len(lines):
        end, quotes = at, lines[at].count('"')
        while quotes % 2 and end + 1 < len(lines) and end - at < _QUOTED_LINES:
            end += 1
            quotes += lines[end].count('"')
        if quotes % 2:
            warnings.append(f"line {at + 1}: a quote never closes; the line was taken without quotes")
            yield lines[at].split(delimiter)
            at += 1
        else:
            yield from csv.reader(lines[at : end + 1], delimiter=delimiter)
            at = end + 1


def _within(job: Job, rows: Iterable[list[str]]) -> list[Row]:
    """The rows that hold something, without the empty columns at their right."""
    kept: list[Row] = []
    size = 0
    for row in rows:
        cells = tuple(map(str.strip, row))
        if any(cells):
            kept.append(cells)
            size += sum(map(len, cells)) + len(cells)
            if size > 2 * job.limits.text_characters:
                raise Exceeded(f"{job.name!r} holds more than {job.limits.text_characters} characters of text")
    width = max((max(i + 1 for i, cell in enumerate(row) if cell) for row in kept), default=0)
    return [row[:width] for row in kept]


def _split_off_title(rows: list[Row]) -> tuple[list[str], list[Row]]:
    """Lines of one cell above a table of three columns and more are its title, not its head."""
    width = Counter(sum(map(bool, row)) for row in rows[:_SAMPLE_ROWS]).most_common(1)[0][0] if rows else 0
    above: list[str] = []
    if width >= 3:
        while len(rows) > len(above) + 1 and sum(map(bool, rows[len(above)])) == 1:
            above.append("".join(rows[len(above)]))
    return above, rows[len(above) :]
