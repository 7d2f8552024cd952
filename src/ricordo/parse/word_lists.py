"""The numbers that Word counts and does not store: which paragraph is a list item, and what stands before it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ricordo.parse.ooxml import attribute, child, name_of, number
from ricordo.parse.package import Element
from ricordo.parse.word_styles import Styles

_DIGITS = "〇一二三四五六七八九"
_STEMS = "甲乙丙丁戊己庚辛壬癸"
_BRANCHES = "子丑寅卯辰巳午未申酉戌亥"
_ROMAN = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
          (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))  # fmt: skip
_LEVELS = 9


@dataclass(frozen=True, kw_only=True, slots=True)
class _Level:
    format: str = "decimal"
    text: str = ""
    start: int = 1
    style: str = ""
    legal: bool = False


@dataclass(kw_only=True, slots=True)
class _List:
    levels: dict[int, _Level]
    counts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """Counts as Word does: one counter a level of each abstract list, restarted when a higher level goes on."""

    def __init__(self, root: Element | None, styles: Styles) -> None:
        self._styles = styles
        self._lists: dict[str, _List] = {}
        abstract: dict[str, _List] = {}
        for element in [] if root is None else root:
            if name_of(element) == "abstractNum":
                abstract[attribute(element, "abstractNumId")] = _List(levels=dict(_levels(element)))
            elif name_of(element) == "num":
                base = abstract.get(attribute(child(element, "abstractNumId")))
                if base is not None:
                    self._lists[attribute(element, "numId")] = _overridden(element, base)

    def place(self, style: str, properties: Element | None) -> tuple[str, int, bool] | None:
        """List, level from 0, and whether the level was stated; None for a paragraph in no list."""
        own = child(properties, "numPr")
        list_id = attribute(child(own, "numId"))
        level = child(own, "ilvl")
        for identifier, link in self._styles.chain(style):
            inherited = child(link.properties, "numPr")
            if inherited is None or (list_id and level is not None):
                continue
            level = level if level is not None else child(inherited, "ilvl")
            if not list_id:
                list_id = attribute(child(inherited, "numId"))
                level = level if level is not None else self._level_of_style(list_id, identifier)
        if list_id not in self._lists:
            return None
        stated = isinstance(level, int) or level is not None
        at = level if isinstance(level, int) else number(level)
        return list_id, min(max(at, 0), _LEVELS - 1), stated

    def label(self, list_id: str, level: int) -> str:
        """Counts one item and gives its number as it is printed; "" for a bullet."""
        chosen = self._lists[list_id]
        for deeper in [deep for deep in chosen.counts if deep > level]:
            del chosen.counts[deeper]
        at = chosen.levels.get(level, _Level())
        chosen.counts[level] = chosen.counts.get(level, at.start - 1) + 1
        if at.format in ("bullet", "none"):
            return ""

        def shown(match: re.Match[str]) -> str:
            other = int(match[1]) - 1
            style = chosen.levels.get(other, _Level())
            count = chosen.counts.setdefault(other, style.start)
            return counted(count, "decimal" if at.legal else style.format)

        return re.sub(r"%([1-9])", shown, at.text).strip()

    def _level_of_style(self, list_id: str, style: str) -> int | None:
        found = self._lists.get(list_id)
        levels = {} if found is None else found.levels
        return next((number for number, level in levels.items() if level.style == style), None)


def _levels(element: Element) -> list[tuple[int, _Level]]:
    found: list[tuple[int, _Level]] = []
    for level in element.iterchildren("{*}lvl"):
        text = child(level, "lvlText")
        found.append(
            (
                number(level, "ilvl"),
                _Level(
                    format=attribute(child(level, "numFmt"), default="decimal"),
                    text=attribute(text),
                    start=number(child(level, "start"), default=1),
                    style=attribute(child(level, "pStyle")),
                    legal=child(level, "isLgl") is not None,
                ),
            )
        )
    return found


def _overridden(element: Element, base: _List) -> _List:
    """The list of a w:num: the abstract list itself, or one that counts apart where levels are overridden."""
    overrides = list(element.iterchildren("{*}lvlOverride"))
    if not overrides:
        return base
    levels = dict(base.levels)
    for override in overrides:
        at = number(override, "ilvl")
        levels.update(_levels(override))
        start = child(override, "startOverride")
        if start is not None:
            old = levels.get(at, _Level())
            levels[at] = _Level(
                format=old.format, text=old.text, start=number(start, default=1), style=old.style, legal=old.legal
            )
    return _List(levels=levels)


def counted(value: int, style: str) -> str:
    """A number in one of Word's number formats; decimal where the format is not known."""
    if style in ("lowerLetter", "upperLetter") and 0 < value <= 26 * 26:
        letter = chr(ord("a") + (value - 1) % 26) * ((value - 1) // 26 + 1)
        return letter.upper() if style == "upperLetter" else letter
    if style in ("lowerRoman", "upperRoman") and 0 < value < 4000:
        return _roman(value).lower() if style == "lowerRoman" else _roman(value)
    if style.startswith(
        ("chineseCounting", "japaneseCounting", "taiwaneseCounting", "ideographDigital", "chineseLegal")
    ):
        return _chinese(value)
    if style == "ideographTraditional" and 0 < value <= 10:
        return _STEMS[value - 1]
    if style == "ideographZodiac" and 0 < value <= 12:
        return _BRANCHES[value - 1]
    if style.startswith("decimalEnclosedCircle") and 0 < value <= 20:
        return chr(0x245F + value)
    if style == "decimalZero":
        return f"{value:02d}"
    return "" if style in ("bullet", "none") else str(value)


def _roman(value: int) -> str:
    out = ""
    for worth, sign in _ROMAN:
        out += sign * (value // worth)
        value %= worth
    return out


def _chinese(value: int) -> str:
    """0 to 9,999 as Chinese counts: 十一, 二十, 一百零五."""
    if not 0 < value < 10_000:
        return str(value)
    out, gap = "", False
    for worth, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, value = divmod(value, worth)
        if digit:
            out += ("零" if gap and out else "") + _DIGITS[digit] + unit
        gap = not digit
    return out.removeprefix("一") if out.startswith("一十") else out
