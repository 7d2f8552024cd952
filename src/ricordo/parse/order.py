"""The order in which a person reads shapes on a slide."""

from __future__ import annotations

from collections.abc import Sequence

Box = tuple[float, float, float]
"""Top, left, height."""


def reading_order(boxes: Sequence[Box | None]) -> list[int]:
    """Indexes: rows from the top, in a row from the left; shapes without a position last, as they stand.

    A shape belongs to a row when it begins in the upper third of the row's first shape.
    """
    placed = sorted((box[0], i, box) for i, box in enumerate(boxes) if box is not None)
    ordered: list[int] = []
    while placed:
        top, _, (_, _, height) = placed[0]
        row = [shape for shape in placed if shape[0] <= top + max(height, 0) / 3]
        placed = placed[len(row) :]
        ordered += [i for _, i, _ in sorted(row, key=lambda shape: (shape[2][1], shape[0], shape[1]))]
    return ordered + [i for i, box in enumerate(boxes) if box is None]
