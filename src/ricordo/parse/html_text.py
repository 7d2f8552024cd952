"""What of a page's element is text, and how that text flows."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

Element = Any

BREAK = "\x00"
"""Stands for <br> until whitespace is collapsed; no decoded text holds it."""

BLOCKS = frozenset(
    (
        "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog",
        "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frameset", "header",
        "hgroup", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "p", "pre", "section", "summary",
        "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "h1", "h2", "h3", "h4", "h5", "h6",
    )
)  # fmt: skip
DROPPED = frozenset(
    (
        "script", "style", "template", "head", "title", "meta", "link", "base", "svg", "canvas", "audio",
        "video", "object", "embed", "applet", "iframe", "select", "datalist", "input", "rt", "rp", "rtc",
    )
)  # fmt: skip
_MENUS = frozenset(("nav", "noscript"))
_MENU_ROLES = frozenset(("navigation", "search", "menu", "menubar", "toolbar"))
_INVISIBLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_WHITE = re.compile(r"[ \t\n\r\f\xa0\u200b]+")
_WIDE = r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]"
_BETWEEN_IDEOGRAPHS = re.compile(rf"(?<={_WIDE})\n\s*(?={_WIDE})")
_NUMBER = re.compile(r"[-+\u2212]?\d+")


def hidden(element: Element) -> bool:
    """Never shown as text, or hidden by the page itself. A whole page that hides itself waits for a script."""
    if element.tag in DROPPED:
        return True
    if element.tag in ("html", "body", "main"):
        return False
    if element.get("hidden", "until-found") != "until-found":
        return True
    style = element.get("style")
    return style is not None and _INVISIBLE.search(style) is not None


def is_menu(element: Element) -> bool:
    return element.tag in _MENUS or element.get("role") in _MENU_ROLES


def inline(element: Element) -> str:
    """What an inline element adds beside its own text."""
    match element.tag:
        case "br":
            return BREAK
        case "img":
            alt = " ".join(element.get("alt", "").split())
            return f" {alt} " if alt else ""
        case "sup":
            return "^" if _is_exponent(element) else ""
    return ""


def flowed(text: str) -> str:
    """Text with whitespace collapsed as browsers do, and line breaks only where the page has them."""
    text = _WHITE.sub(" ", _BETWEEN_IDEOGRAPHS.sub("", text))
    if BREAK not in text:
        return text.strip()
    return "\n".join(line for line in map(str.strip, text.split(BREAK)) if line)


def inner_text(element: Element) -> str:
    """All that shows inside an element, a line for each block in it."""
    parts: list[str] = []
    walker = etree.iterwalk(element, events=("start", "end", "comment", "pi"))
    for event, inner in walker:
        if event == "start":
            if inner is not element and hidden(inner):
                walker.skip_subtree()
                continue
            parts.append(BREAK if inner.tag in BLOCKS else inline(inner))
            parts.append(inner.text or "")
        elif inner is not element:
            parts.append(BREAK if inner.tag in BLOCKS else "")
            parts.append(inner.tail or "")
    return flowed("".join(parts))


def preformatted(element: Element) -> str:
    """The text with its own line breaks and indents."""
    parts: list[str] = []
    for event, inner in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        if event == "start":
            parts.append("\n" if inner.tag == "br" else inner.text or "")
        elif inner is not element:
            parts.append(inner.tail or "")
    return "".join(parts)


def _is_exponent(element: Element) -> bool:
    """A number raised right after a digit: 10 to the power of 6 must not become 106."""
    if not _NUMBER.fullmatch("".join(element.itertext()).strip()):
        return False
    before = element.getprevious()
    text = element.getparent().text if before is None else before.tail
    return bool(text) and text[-1:].isdigit()
