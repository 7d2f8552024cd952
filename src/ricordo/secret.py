"""A text that hides itself from logs, errors and reprs."""

from __future__ import annotations


class Secret:
    """`reveal()` gives the text; every other way of looking at it gives stars."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def __bool__(self) -> bool:
        return bool(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return "Secret('***')" if self._text else "Secret('')"

    __str__ = __repr__
