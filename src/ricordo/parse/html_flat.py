"""The text of a page that nests too deeply for a tree: a paragraph for each block, and no structure."""

from __future__ import annotations

from lxml import etree

from ricordo.parse.blocks import paragraph
from ricordo.parse.html_text import BLOCKS, BREAK, DROPPED, flowed
from ricordo.types import Block


def flat(text: str) -> list[Block]:
    target = _Text()
    etree.fromstring(text.encode(), etree.HTMLParser(encoding="utf-8", huge_tree=True, target=target))
    return [paragraph(line) for line in flowed("".join(target.parts)).split("\n") if line]


class _Text:
    """What the parser tells, element by element."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._dropped = 0

    def start(self, tag: str, attributes: object) -> None:  # noqa: ARG002  the parser passes it
        self._dropped += tag in DROPPED and tag not in _EMPTY
        self._part(tag)

    def end(self, tag: str) -> None:
        self._dropped -= tag in DROPPED and tag not in _EMPTY
        self._part(tag)

    def data(self, text: str) -> None:
        if not self._dropped:
            self.parts.append(text)

    def close(self) -> None:
        """The parser wants it; all is in `parts`."""

    def _part(self, tag: str) -> None:
        if tag in BLOCKS or tag == "br":
            self.parts.append(BREAK)


_EMPTY = frozenset(("meta", "link", "base", "input", "embed"))
