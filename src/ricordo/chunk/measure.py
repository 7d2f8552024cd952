"""What limits are counted in: characters, or a model's tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from ricordo.errors import Invalid

Count: TypeAlias = Callable[[str], int]


class Measure(Protocol):
    def size(self, start: int, end: int) -> int:
        """How much the range counts."""
        ...

    def reach(self, start: int, limit: int) -> int:
        """The end of the longest range from start that counts no more than limit; at least one character."""
        ...


class Characters:
    def __init__(self, text: str) -> None:
        self._end = len(text)

    def size(self, start: int, end: int) -> int:
        return end - start

    def reach(self, start: int, limit: int) -> int:
        return min(start + max(limit, 1), self._end)


class Tokens:
    """Counts by a function that does not fall as a text grows."""

    def __init__(self, text: str, count: Count) -> None:
        self._text = text
        self._count = count

    def size(self, start: int, end: int) -> int:
        return self._count(self._text[start:end])

    def reach(self, start: int, limit: int) -> int:
        low, high, step = start + 1, len(self._text), max(limit, 1)
        while (probe := min(low + step, high)) < high and self.size(start, probe) <= limit:
            low, step = probe, step * 2
        if probe == high and self.size(start, high) <= limit:
            return high
        high = probe
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.size(start, middle) <= limit else (low, middle)
        return low


def measure_of(text: str, count: Count | None) -> Measure:
    return Tokens(text, count) if count else Characters(text)


def check_sizes(size: int, parent: int, unit: str, count: Count | None) -> None:
    """Raises Invalid for sizes and units that contradict each other."""
    if size < 1:
        raise Invalid(f"size must be 1 or more, got {size}")
    if parent and parent < size:
        raise Invalid(f"parent must be 0 or at least the size of {size}, got {parent}")
    if unit not in ("characters", "tokens"):
        raise Invalid(f"unit must be 'characters' or 'tokens', got {unit!r}")
    if (unit == "tokens") != (count is not None):
        raise Invalid(f"unit is {unit!r}: a function `count` belongs to the unit 'tokens', and to no other")
