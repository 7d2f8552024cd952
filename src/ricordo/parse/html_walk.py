"""One walk over a page's elements, without recursion: text flows into blocks, tables are taken whole."""

from __future__ import annotations

import re
from typing import Any

from ricordo.parse.blocks import heading, item, paragraph
from ricordo.parse.html_table import caption, grid, is_data
from ricordo.parse.html_text import BLOCKS, flowed, hidden, inline, is_menu, preformatted
from ricordo.types import Block, BlockKind

Element = Any

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LISTS = frozenset(("ul", "ol", "menu", "dir"))
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source)-([\w+#-]+)")


class _Page:
    """Blocks so far, and the text that flows towards the next one."""

    def __init__(self, *, menus: bool) -> None:
        self.blocks: list[Block] = []
        self._menus = menus
        self._flow: list[str] = []
        self._lists: list[int | None] = []
        self._label: str | None = None
        self._in_item = 0
        self._quotes = 0
        self._heading = 0

    def enter(self, element: Element) -> bool:
        """Takes an element's beginning; False when what is inside is done with."""
        tag = element.tag
        if not isinstance(tag, str):
            return False
        if hidden(element) or (not self._menus and is_menu(element)):
            return False
        if tag == "pre":
            self._code(element)
            return False
        if tag == "table" and is_data(element):
            self._table(element)
            return False
        if _is_block(element):
            self._open(element, tag)
        else:
            self._flow.append(inline(element))
        self.text(element.text)
        return True

    def leave(self, element: Element) -> None:
        tag = element.tag
        if _is_block(element):
            self.flush()
            self._heading = 0
        if tag in _LISTS and self._lists:
            self._lists.pop()
        elif tag in ("li", "dd"):
            self._in_item = max(0, self._in_item - 1)
            self._label = None
        elif tag == "blockquote":
            self._quotes -= 1

    def text(self, text: str | None) -> None:
        if text:
            self._flow.append(text)

    def flush(self) -> None:
        """Ends the block that the text flows into."""
        text = flowed("".join(self._flow))
        self._flow.clear()
        if not text:
            return
        if self._heading:
            self.blocks.append(heading(text, self._heading))
        elif self._in_item:
            self._item(text)
        else:
            quoted = "\n".join(f"> {line}" for line in text.split("\n")) if self._quotes else text
            self.blocks.append(paragraph(quoted))

    def _open(self, element: Element, tag: str) -> None:
        self.flush()
        level = _level(element)
        if level:
            self._heading = level
        elif tag in _LISTS:
            self._lists.append(_start(element) if tag == "ol" else None)
        elif tag in ("li", "dd"):
            self._in_item += 1
            self._label = self._next_label(element) if tag == "li" else ""
        elif tag == "blockquote":
            self._quotes += 1

    def _next_label(self, element: Element) -> str:
        number = self._lists[-1] if self._lists else None
        if number is None:
            return ""
        told = element.get("value", "")
        number = int(told) if re.fullmatch(r"\d{1,6}", told) else number
        self._lists[-1] = number + 1
        return f"{number}."

    def _item(self, text: str) -> None:
        depth = max(len(self._lists) - 1, 0)
        last = self.blocks[-1] if self.blocks else None
        if self._label is None and last is not None and last.kind is BlockKind.LIST:
            self.blocks[-1] = Block(kind=BlockKind.LIST, text=f"{last.text}\n{text}", level=last.level)
        else:
            self.blocks.append(item(text, depth, self._label or ""))
        self._label = None

    def _code(self, element: Element) -> None:
        self.flush()
        classes = " ".join(inner.get("class", "") for inner in [element, *element.iterchildren("code")])
        found = _LANGUAGE.search(classes)
        language = found[1].lower() if found else ""
        self.blocks.append(Block(kind=BlockKind.CODE, text=preformatted(element).strip("\n"), language=language))

    def _table(self, element: Element) -> None:
        self.flush()
        self.blocks.append(Block(kind=BlockKind.TABLE, text=caption(element), rows=grid(element)))


def walk(root: Element, *, menus: bool) -> list[Block]:
    """The blocks of everything under root that shows; with menus, also the page's navigation."""
    page = _Page(menus=menus)
    element = root
    inside = page.enter(root)
    while True:
        if inside and len(element):
            element = element[0]
            inside = page.enter(element)
            continue
        if inside:
            page.leave(element)
        while True:
            if element is root:
                page.flush()
                return page.blocks
            page.text(element.tail)
            following = element.getnext()
            if following is not None:
                element = following
                inside = page.enter(element)
                break
            element = element.getparent()
            page.leave(element)


def _is_block(element: Element) -> bool:
    return element.tag in BLOCKS or element.get("role") == "heading"


def _level(element: Element) -> int:
    """1..6 of a heading, 0 of anything else."""
    level = _HEADINGS.get(element.tag, 0)
    if not level and element.get("role") == "heading":
        told = element.get("aria-level", "2")
        level = int(told) if told in ("1", "2", "3", "4", "5", "6") else 2
    return level


def _start(element: Element) -> int:
    told = element.get("start", "")
    return int(told) if re.fullmatch(r"\d{1,6}", told) else 1
