"""Takes a model's reasoning, `<think>…</think>` before the answer, out of what it says."""

from __future__ import annotations

_OPEN, _CLOSE = "<think>", "</think>"


class Thinking:
    """Feed it pieces as they come; it gives back what may be shown. A tag after the answer has begun is text."""

    def __init__(self) -> None:
        self.inside = False
        self._answering = False
        self._held = ""

    def feed(self, piece: str) -> str:
        if self._answering:
            return piece
        self._held += piece
        if self.inside:
            _, closed, after = self._held.partition(_CLOSE)
            if not closed:
                self._held = self._held[-len(_CLOSE) + 1 :]
                return ""
            self.inside, self._held = False, after
        self._held = self._held.lstrip()
        if self._held.startswith(_OPEN):
            self.inside, self._held = True, self._held.removeprefix(_OPEN)
            return self.feed("")
        if _OPEN.startswith(self._held):
            return ""
        self._answering = True
        return self._held

    def rest(self) -> str:
        """What was held back when the answer ended."""
        return "" if self.inside or self._answering else self._held


def without_thinking(text: str) -> str:
    """The answer alone; some servers leave the opening tag out."""
    if _OPEN not in text:
        return text.rpartition(_CLOSE)[2].strip()
    thinking = Thinking()
    return (thinking.feed(text) + thinking.rest()).strip()
