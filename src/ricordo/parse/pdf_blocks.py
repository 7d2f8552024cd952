"""Words on sheets into pieces and tables in reading order, and these into blocks."""

from __future__ import annotations

from collections.abc import Iterable

from ricordo.parse.pdf_columns import with_tables
from ricordo.parse.pdf_frame import Box, Frame
from ricordo.parse.pdf_layout import Table, arrange
from ricordo.parse.pdf_page import Sheet
from ricordo.parse.pdf_pieces import Piece, pieces, unmarked
from ricordo.parse.pdf_rules import ruled_tables
from ricordo.types import Block, BlockKind


def things_of(sheets: Iterable[Sheet]) -> list[tuple[Piece | Table, Frame]]:
    """The pieces and tables of a page in reading order, each with the frame in which it stands."""
    things: list[tuple[Piece | Table, Frame]] = []
    for sheet in sheets:
        tables, words = ruled_tables(sheet.rules, sheet.words)
        for region in arrange([*words, *tables]):
            things += [(thing, sheet.frame) for thing in pieces(with_tables(region))]
    return things


def piece_block(piece: Piece, level: int, page: int | None, box: Box | None) -> Block:
    """A heading where the level is not 0, else a list item or a paragraph."""
    if level:
        return Block(kind=BlockKind.HEADING, text=piece.text, level=level, page=page, box=box)
    if piece.marked:
        return Block(kind=BlockKind.LIST, text=unmarked(piece.text), level=max(piece.depth, 1), page=page, box=box)
    return Block(kind=BlockKind.PARAGRAPH, text=piece.text, page=page, box=box)


def table_block(table: Table, page: int | None, box: Box | None) -> Block:
    return Block(kind=BlockKind.TABLE, rows=table.rows, page=page, box=box)
