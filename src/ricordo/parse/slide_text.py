"""The paragraphs of a shape, and which of them are list items: the bullet may be stated in five places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ricordo.parse.blocks import item, paragraph
from ricordo.parse.drawing import equation
from ricordo.parse.ooxml import attribute, child, chosen, name_of, number
from ricordo.parse.package import Element
from ricordo.parse.word_lists import counted
from ricordo.types import Block

_FORMATS = (
    ("arabic", "decimal"),
    ("alphaLc", "lowerLetter"),
    ("alphaUc", "upperLetter"),
    ("romanLc", "lowerRoman"),
    ("romanUc", "upperRoman"),
    ("ea1", "chineseCounting"),
    ("circleNum", "decimalEnclosedCircle"),
)
_BULLETS = ("buNone", "buAutoNum", "buChar", "buBlip")
_FIELDS_LEFT_OUT = ("slidenum", "datetime")


def text_of(paragraph: Element) -> str:
    """The words of one a:p: runs, breaks, fields with words, equations."""
    out: list[str] = []
    for part in paragraph:
        match name_of(part):
            case "r":
                out.append(part.findtext("{*}t") or "")
            case "br":
                out.append("\n")
            case "fld" if not attribute(part, "type").startswith(_FIELDS_LEFT_OUT):
                out.append(part.findtext("{*}t") or "")
            case "m":
                out.append(equation(part))
            case "AlternateContent":
                branch = chosen(part)
                out.append("" if branch is None else text_of(branch))
    return "".join(out)


def plain(body: Element | None) -> str:
    """All paragraphs of a text body, a line each."""
    return "" if body is None else "\n".join(map(text_of, body.iterchildren("{*}p"))).strip()


def paragraphs(body: Element, styles: Sequence[Element | None], page: int) -> Iterator[Block]:
    """Blocks of a text body; styles are the list styles that it inherits from, nearest first."""
    counts: dict[int, tuple[str, int]] = {}
    for part in body.iterchildren("{*}p"):
        text = text_of(part).strip()
        if not text:
            continue
        properties = child(part, "pPr")
        level = min(max(number(properties, "lvl"), 0), 8)
        counts = {deep: count for deep, count in counts.items() if deep <= level}
        bullet = _bullet(properties, styles, level)
        if bullet is None or name_of(bullet) == "buNone":
            counts.pop(level, None)
            yield paragraph(text, page=page)
        elif name_of(bullet) == "buAutoNum":
            scheme = attribute(bullet, "type", "arabicPeriod")
            start = number(bullet, "startAt", 1)
            before, count = counts.get(level, ("", 0))
            count = count + 1 if before == f"{scheme}{start}" else start
            counts[level] = (f"{scheme}{start}", count)
            yield item(text, level, _label(count, scheme), page=page)
        else:
            counts.pop(level, None)
            yield item(text, level, page=page)


def _bullet(properties: Element | None, styles: Sequence[Element | None], level: int) -> Element | None:
    for source in (properties, *(child(style, f"lvl{level + 1}pPr") for style in styles)):
        for part in () if source is None else source:
            if name_of(part) in _BULLETS:
                return part
    return None


def _label(count: int, scheme: str) -> str:
    style = next((style for prefix, style in _FORMATS if scheme.startswith(prefix)), "decimal")
    figure = counted(count, style)
    if scheme.endswith("ParenBoth"):
        return f"({figure})"
    if scheme.endswith("ParenR"):
        return f"{figure})"
    if scheme.startswith("ea1"):
        return f"{figure}、"
    return f"{figure}." if scheme.endswith("Period") else figure
