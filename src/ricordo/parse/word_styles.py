"""Which paragraphs of a Word document are headings: by outline level, by the style's name, by what it is based on."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from ricordo.parse.ooxml import attribute, child, number
from ricordo.parse.package import Element

BODY_LEVEL = 9
LONGEST_HEADING = 250
"""Characters; longer text is a paragraph that somebody gave a heading's look."""

_WORDS = (
    "heading|header text|标题|標題|見出し|제목|überschrift|titre|título|titolo|título|заголовок|kop|rubrik|overskrift|"
    "nagłówek|nadpis|intestazione|encabezado|otsikko|başlık|címsor"
)
_NUMBERED = re.compile(rf"^(?:{_WORDS})\s*([1-9])(?!\d)")
_CHINESE = re.compile(r"^([一二三四五六七八九])[级級]\s*[标標][题題]")
_TITLES = {"title": 1, "标题": 1, "標題": 1, "文档标题": 1, "titel": 1, "subtitle": 2, "副标题": 2, "副標題": 2}
_CONTENTS = re.compile(r"^(toc|目录|目錄|目次|table of figures|图表目录)\s*\d*$")


def level_by_name(name: str) -> int | None:
    """The heading level that a style's name states, in the languages that Word and WPS write."""
    for alias in map(str.strip, unicodedata.normalize("NFKC", name).casefold().split(",")):
        if match := _NUMBERED.match(alias):
            return int(match[1])
        if match := _CHINESE.match(alias):
            return "一二三四五六七八九".index(match[1]) + 1
        if alias in _TITLES:
            return _TITLES[alias]
    return None


@dataclass(frozen=True, kw_only=True, slots=True)
class Style:
    name: str
    base: str
    outline: int | None
    properties: Element | None


class Styles:
    def __init__(self, root: Element | None) -> None:
        self._styles: dict[str, Style] = {}
        self._default = ""
        for element in () if root is None else root.iter("{*}style"):
            properties = child(element, "pPr")
            outline = child(properties, "outlineLvl")
            identifier = attribute(element, "styleId")
            self._styles[identifier] = Style(
                name=attribute(child(element, "name")),
                base=attribute(child(element, "basedOn")),
                outline=None if outline is None else number(outline, default=BODY_LEVEL),
                properties=properties,
            )
            if attribute(element, "type") == "paragraph" and attribute(element, "default") in ("1", "true", "on"):
                self._default = identifier

    def chain(self, identifier: str) -> Iterator[tuple[str, Style]]:
        """The style, then what it is based on, each once."""
        seen: set[str] = set()
        identifier = identifier or self._default
        while identifier and identifier not in seen:
            seen.add(identifier)
            style = self._styles.get(identifier)
            if style is None:
                style = Style(name=identifier, base="", outline=None, properties=None)
            yield identifier, style
            identifier = style.base

    def heading(self, identifier: str, properties: Element | None) -> int | None:
        """The level from 1 of a heading, None for other paragraphs."""
        own = child(properties, "outlineLvl")
        if own is not None:
            level = number(own, default=BODY_LEVEL)
            return level + 1 if level < BODY_LEVEL else None
        for _, style in self.chain(identifier):
            named = level_by_name(style.name)
            if named is not None:
                return named
            if style.outline is not None:
                return style.outline + 1 if style.outline < BODY_LEVEL else None
        return None

    def contents(self, identifier: str) -> bool:
        """True for an entry of a table of contents."""
        return any(_CONTENTS.match(style.name.casefold()) for _, style in self.chain(identifier))
