"""JSON, JSON Lines and XML as readable records; what does not parse stays the text that it is."""

from __future__ import annotations

import json
import re
from typing import Any

from lxml import etree

from ricordo.parse.decode import Decoded, clean, decode
from ricordo.parse.outcome import finish, reader
from ricordo.parse.outline import Pairs, Value, blocks, record
from ricordo.parse.package import parse_xml
from ricordo.parse.reading import Job
from ricordo.parse.text import source
from ricordo.types import Block, Parsed

_DECLARED = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)["']""")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_DOCTYPE = re.compile(r"<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>", re.IGNORECASE | re.DOTALL)


@reader
def read(data: bytes, job: Job) -> Parsed:
    """A block for each record."""
    match job.kind:
        case "jsonl":
            return _json_lines(decode(data), job)
        case "xml":
            declared = _DECLARED.match(data)
            return _xml(decode(data, declared[1].decode("ascii") if declared else None), job)
    return _json(decode(data), job)


def load_json(text: str) -> Value:
    """The value with its numbers as they are written; ValueError or RecursionError where it does not parse."""
    return _plain(json.loads(text, object_pairs_hook=Pairs, parse_float=str, parse_int=str, strict=False))


def _plain(value: Any) -> Value:
    if isinstance(value, Pairs):
        return Pairs((clean(key), _plain(inner)) for key, inner in value)
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else clean(str(value))


def _json(decoded: Decoded, job: Job) -> Parsed:
    try:
        found = list(blocks(load_json(decoded.text)))
    except (ValueError, RecursionError) as error:
        return _as_text(decoded, job, f"not read as JSON, kept as text: {_reason(error)}")
    return finish(found, job, warnings=decoded.warnings, partial=bool(decoded.damaged))


def _json_lines(decoded: Decoded, job: Job) -> Parsed:
    found: list[Block] = []
    warnings = list(decoded.warnings)
    for number, line in enumerate(decoded.text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            found.append(record(load_json(line)))
        except (ValueError, RecursionError) as error:
            warnings.append(f"line {number} is not JSON, kept as text: {_reason(error)}")
            found += source(clean(line))
    return finish(found, job, warnings=warnings[:50], partial=len(warnings) > len(decoded.warnings))


def _xml(decoded: Decoded, job: Job) -> Parsed:
    text = _DECLARATION.sub("", clean(decoded.text), count=1)
    warnings = list(decoded.warnings)
    data = text.encode()
    try:
        root = parse_xml(data)
    except etree.XMLSyntaxError as error:
        root = parse_xml(data, recover=True)
        if root is None:
            return _as_text(decoded, job, f"not read as XML, kept as text: {error}")
        warnings.append(f"broken XML ({error}); what could be read was kept")
    title = next((" ".join(e.itertext()).strip() for e in root.iter() if _local(e) == "title"), "")
    while len(root) == 1 and len(root[0]) and not root.attrib:
        root = root[0]
    found = list(blocks(_element(root)))
    return finish(found, job, title=title, warnings=warnings, partial=len(warnings) > len(decoded.warnings))


def _element(element: Any) -> Value:
    """Attributes and children as members; an element of words, with or without marks inside, as its text."""
    children = [child for child in element if _local(child)]
    words = bool((element.text or "").strip()) or any((child.tail or "").strip() for child in element)
    text = " ".join("".join(element.itertext()).split())
    attributes = [(etree.QName(key).localname, value) for key, value in element.attrib.items()]
    if words or not children:
        return Pairs([*attributes, *([("text", text)] if text else [])]) if attributes else text
    grouped: dict[str, list[Value]] = {}
    for child in children:
        grouped.setdefault(_local(child), []).append(_element(child))
    members = [(name, same if len(same) > 1 else same[0]) for name, same in grouped.items()]
    return Pairs([*attributes, *members])


def _local(element: Any) -> str:
    """The tag without its namespace; "" for what is no element (an unresolved entity)."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _as_text(decoded: Decoded, job: Job, warning: str) -> Parsed:
    return finish(source(clean(decoded.text)), job, warnings=(*decoded.warnings, warning), partial=True)


def _reason(error: Exception) -> str:
    return "it nests too deeply" if isinstance(error, RecursionError) else str(error)
