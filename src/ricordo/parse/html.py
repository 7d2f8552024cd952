"""Web pages: what a reader sees, as blocks. Nothing is fetched and nothing is run."""

from __future__ import annotations

import re
from email.parser import BytesParser
from typing import Any

from lxml import etree

from ricordo.parse.decode import Decoded, clean, decode
from ricordo.parse.html_flat import flat
from ricordo.parse.html_walk import walk
from ricordo.parse.outcome import finish, reader
from ricordo.parse.reading import Job
from ricordo.types import Block, Parsed

_META = re.compile(rb"""<meta[^>]{0,400}?charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_XML = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)["']""")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_ARCHIVE = re.compile(rb"\A[\w-]+:(?:[^\n]+\n){0,60}?content-type:\s*multipart/related", re.IGNORECASE)
_LABEL_WITHIN = 4096


@reader
def read(data: bytes, job: Job) -> Parsed:
    """The page's blocks and title; a web archive (MHTML) gives its first page."""
    decoded = _first_page(data) if _ARCHIVE.match(data[:_LABEL_WITHIN]) else decoded_page(data)
    blocks, title, warnings = page(decoded.text)
    partial = bool(decoded.damaged or warnings)
    return finish(blocks, job, title=title, warnings=(*decoded.warnings, *warnings), partial=partial)


def decoded_page(data: bytes, label: str | None = None) -> Decoded:
    """The page's text; without a label, the one that stands in the page counts."""
    head = data[:_LABEL_WITHIN].replace(b"\x00", b"")
    found = _META.search(head) or _XML.match(head)
    return decode(data, label or (found[1].decode("ascii", "replace") if found else None))


def page(text: str) -> tuple[list[Block], str, tuple[str, ...]]:
    """The blocks of an HTML text, its title, and warnings."""
    text = _DECLARATION.sub("", clean(text), count=1)
    if not text.strip():
        return [], "", ()
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_pis=True)
    root = etree.fromstring(text.encode(), parser)
    if any(error.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for error in parser.error_log):
        return flat(text), "", ("the page nests too deeply: its text was kept without headings, lists and tables",)
    if root is None:
        return [], "", ()
    return walk(root, menus=False) or walk(root, menus=True), _title(root), ()


def _title(root: Any) -> str:
    found = root.find(".//title")
    return "" if found is None else " ".join("".join(found.itertext()).split())


def _first_page(data: bytes) -> Decoded:
    for part in BytesParser().parsebytes(data).walk():
        payload = part.get_payload(decode=True)
        if part.get_content_type() in ("text/html", "application/xhtml+xml") and isinstance(payload, bytes):
            return decoded_page(payload, part.get_param("charset") and str(part.get_param("charset")))
    return decoded_page(data)
