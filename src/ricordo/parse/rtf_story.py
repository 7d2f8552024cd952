"""A flow of paragraphs in an RTF file: the body, a note, a header."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ricordo.parse.blocks import aside, flat, heading, item, paired, paragraph, squeeze, table
from ricordo.parse.edged_table import Cell, grid_of
from ricordo.parse.word_styles import LONGEST_HEADING, level_by_name
from ricordo.types import Block, BlockKind


@dataclass(slots=True)
class Story:
    styles: Mapping[int, str]
    kind: BlockKind | None = None
    blocks: list[Block] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    label: list[str] = field(default_factory=list)
    after: list[Block] = field(default_factory=list)
    style: int | None = None
    outline: int | None = None
    depth: int = 0
    in_table: bool = False
    _rows: list[list[Cell]] = field(default_factory=list)
    _cells: list[str] = field(default_factory=list)
    _edges: list[Cell] = field(default_factory=list)
    _edge: Cell = field(default_factory=Cell)

    def reset(self) -> None:
        """Paragraph properties go back to none."""
        self.style, self.outline, self.depth, self.in_table = None, None, 0, False

    def end_paragraph(self) -> None:
        if self.in_table or self._cells:
            self.words.append("\n")
            return
        label, text = self._taken_label(), self._taken_words()
        if text:
            self.end_table()
            self.blocks.append(self._worded(text, label))
        self._hang()

    def begin_row(self) -> None:
        self._edges, self._edge = [], Cell()

    def mark_edge(self, *, below: bool = False, beside: bool = False) -> None:
        self._edge.below |= below
        self._edge.beside |= beside

    def add_edge(self, right: int | None) -> None:
        self._edge.right = right
        self._edges.append(self._edge)
        self._edge = Cell()

    def end_cell(self) -> None:
        self._cells.append(f"{self._taken_label()} {self._taken_words()}".strip())

    def end_row(self) -> None:
        if self._cells:
            edges = self._edges + [Cell()] * (len(self._cells) - len(self._edges))
            self._rows.append([replace(edge, text=text) for edge, text in zip(edges, self._cells, strict=False)])
        self._cells = []

    def end_table(self) -> None:
        self.end_row()
        if self._rows:
            titles, rows = grid_of(self._rows)
            self._rows = []
            self.blocks += map(paragraph, titles)
            self.blocks.append(table(rows))
            self._hang()

    def finish(self) -> None:
        self.in_table = False
        if self._cells and self.words:
            self.end_cell()
        self.end_table()
        self.end_paragraph()

    def as_aside(self) -> Block:
        return aside(self.kind or BlockKind.NOTE, "\n".join(map(flat, self.blocks)))

    def _hang(self) -> None:
        self.blocks += self.after
        self.after = []

    def _worded(self, text: str, label: str) -> Block:
        level = level_by_name(self.styles.get(self.style, "").strip(" ;")) if self.style is not None else None
        if self.outline is not None and 0 <= self.outline < 9:
            level = self.outline + 1
        if level is not None and len(text) <= LONGEST_HEADING:
            return heading(f"{label} {text}".strip(), level)
        if not label:
            return paragraph(text)
        return item(text, self.depth, label if any(sign.isalnum() for sign in label) else "")

    def _taken_label(self) -> str:
        label, self.label = squeeze("".join(self.label)), []
        return label

    def _taken_words(self) -> str:
        text, self.words = "".join(self.words), []
        return paired(text).strip()
