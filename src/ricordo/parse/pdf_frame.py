"""Where things lie on a page: between a PDF's own coordinates and an upright page read from its top left corner."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

Box: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Frame:
    """The visible part of a page, and the angle (in degrees, counter-clockwise) of the writing upright in it."""

    left: float
    bottom: float
    right: float
    top: float
    angle: int = 0

    def turned(self, angle: int) -> Frame:
        return replace(self, angle=angle)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the upright page, in points."""
        width, height = self.right - self.left, self.top - self.bottom
        return (height, width) if self.angle in (90, 270) else (width, height)

    def upright(self, boxes: Any) -> Any:
        """Rows of (x0, y0, x1, y1) in the PDF's coordinates as rows of (left, top, right, bottom)."""
        x0, y0, x1, y1 = np.asarray(boxes, dtype=float).reshape(-1, 4).T
        match self.angle:
            case 0:
                turned = x0 - self.left, self.top - y1, x1 - self.left, self.top - y0
            case 90:
                turned = y0 - self.bottom, x0 - self.left, y1 - self.bottom, x1 - self.left
            case 180:
                turned = self.right - x1, y0 - self.bottom, self.right - x0, y1 - self.bottom
            case 270:
                turned = self.top - y1, self.right - x1, self.top - y0, self.right - x0
            case _:
                turned = self._slanted(x0, y0, x1, y1)
        return np.stack(turned, axis=1)

    def _slanted(self, x0: Any, y0: Any, x1: Any, y1: Any) -> tuple[Any, Any, Any, Any]:
        cos, sin = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        x, y = (x0 + x1) / 2 - self.left, (y0 + y1) / 2 - self.bottom
        along, across = x * cos + y * sin, x * sin - y * cos
        half = np.minimum(x1 - x0, y1 - y0) / 2
        return along - half, across - half, along + half, across + half

    def original(self, box: Box) -> Box:
        """The inverse of `upright`, for one box and the four right angles."""
        left, top, right, bottom = box
        match self.angle:
            case 90:
                return top + self.left, left + self.bottom, bottom + self.left, right + self.bottom
            case 180:
                return self.right - right, top + self.bottom, self.right - left, bottom + self.bottom
            case 270:
                return self.right - bottom, self.top - right, self.right - top, self.top - left
            case _:
                return left + self.left, self.top - bottom, right + self.left, self.top - top
