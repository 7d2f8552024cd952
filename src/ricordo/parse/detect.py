"""What a file is: its bytes decide, then its name, and last what the client says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from ricordo.parse.readers import BY_KIND, extension, kind_by_media_type, kind_by_name
from ricordo.parse.sniff import looks_like_text, office_kind, zip_kind

UNKNOWN = "unknown"
EMPTY = "empty"

_PDF_WITHIN = 1024
_HEAD = 4096

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"{\\rtf", "rtf"),
    (b"\x89PNG\r\n\x1a\n", "image"),
    (b"\xff\xd8\xff", "image"),
    (b"GIF87a", "image"),
    (b"GIF89a", "image"),
    (b"II*\x00", "image"),
    (b"MM\x00*", "image"),
    (b"ID3", "audio"),
    (b"fLaC", "audio"),
    (b"OggS", "audio"),
    (b"#!AMR", "audio"),
    (b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", "audio"),
    (b"\x1a\x45\xdf\xa3", "audio"),
)
_FORMS = {b"WAVE": "audio", b"WEBP": "image", b"AIFF": "audio", b"AIFC": "audio"}
_FTYP_IMAGES = (b"heic", b"heix", b"mif1", b"msf1", b"avif")
_TEXT_KINDS = frozenset(
    ("html", "xml", "csv", "json", "jsonl", "ipynb", "markdown", "code", "text", "eml", "mbox", "rtf")
)
_HTML = re.compile(rb"<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>]")
_TAG = re.compile(rb"<(?:p|div|span|table|h[1-6]|ul|ol|a|br|meta|title)[\s/>]")
_HEADER = re.compile(rb"([a-z][a-z0-9-]{1,40}):[ \t]")
_MAIL_SURE = frozenset((b"message-id", b"mime-version", b"received", b"return-path", b"delivered-to"))
_MAIL = _MAIL_SURE | {b"from", b"to", b"cc", b"subject", b"date", b"reply-to", b"sender", b"content-type"}


def detect(name: str, data: bytes, media_type: str | None = None) -> str:
    """A kind of `readers.FORMATS`, or "empty", or "unknown"; never raises."""
    if not data:
        return EMPTY
    kind = _by_magic(data, name)
    if kind is not None:
        return kind
    if looks_like_text(data):
        return _text_kind(name, data, media_type)
    for told in (kind_by_name(name), kind_by_media_type(media_type)):
        if told is not None and told not in _TEXT_KINDS:
            return told
    return UNKNOWN


def _by_magic(data: bytes, name: str) -> str | None:
    for magic, kind in _MAGIC:
        if data.startswith(magic):
            return kind
    if data[:4] in (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"):
        return zip_kind(data, kind_by_name(name))
    if data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        return office_kind(data) or kind_by_name(name) or UNKNOWN
    if b"%PDF-" in data[:_PDF_WITHIN]:
        return "pdf"
    return _by_form(data)


def _by_form(data: bytes) -> str | None:
    if data[:4] in (b"RIFF", b"FORM"):
        return _FORMS.get(data[8:12])
    if data[4:8] == b"ftyp":
        return "image" if data[8:12] in _FTYP_IMAGES else "audio"
    if data[:2] == b"BM" and data[6:10] == bytes(4):
        return "image"
    if data[0] == 0xFF and data[1:2] in (b"\xfb", b"\xfa", b"\xf3", b"\xf2", b"\xf1", b"\xf9"):
        return "audio"
    return None


def _text_kind(name: str, data: bytes, media_type: str | None) -> str:
    head = data[:_HEAD].replace(b"\x00", b"").removeprefix(b"\xef\xbb\xbf").lstrip(b"\xff\xfe").lstrip().lower()
    told = kind_by_name(name)
    if told not in ("markdown", "code", "eml", "mbox", "csv") and (markup := _markup(head, told)):
        return markup
    if told not in ("code", "csv", "json", "jsonl", "ipynb", "html", "xml") and (mail := _mail(head, told)):
        return mail
    if told in ("json", "jsonl", "ipynb") or (told is None and head[:1] in (b"{", b"[")):
        return _json_kind(data, told) or "text"
    if told in ("xls", "xlsx", "xlsb", "ods"):
        return "csv" if b"\t" in head or b"," in head.partition(b"\n")[0] else "text"
    if told in ("html", "xml"):
        return "text"
    if told in _TEXT_KINDS:
        return str(told)
    by_client = kind_by_media_type(media_type)
    return by_client if not extension(name) and by_client in ("csv", "markdown", "code", "eml") else "text"


def _markup(head: bytes, told: str | None) -> str | None:
    if head.startswith(b"<?xml") or (told == "xml" and head.startswith(b"<")):
        return "html" if re.search(rb"<html[\s>]", head) else "xml"
    if head.startswith(b"<") and _HTML.search(head[:1024]):
        return "html"
    return "html" if told == "html" and (_HTML.search(head) or _TAG.search(head)) else None


def _mail(head: bytes, told: str | None) -> str | None:
    if told in ("eml", "mbox"):
        return "mbox" if head.startswith(b"from ") else "eml"
    block = re.split(rb"\r?\n\r?\n", head, maxsplit=1)[0]
    lines = block.splitlines()
    box = bool(lines) and lines[0].startswith(b"from ")
    found = set()
    for line in lines[1:] if box else lines:
        if line[:1] in (b" ", b"\t"):
            continue
        header = _HEADER.match(line)
        if header is None:
            return None
        found.add(header[1])
    sure, known = found & _MAIL_SURE, found & _MAIL
    if sure and len(known) >= 3:
        return "mbox" if box else "eml"
    return "eml" if told is None and {b"from", b"date", b"subject"} <= known else None


def _json_kind(data: bytes, told: str | None) -> str | None:
    value = _parses(json.loads, data)
    if value is not None:
        notebook = isinstance(value, dict) and "cells" in value and "nbformat" in value
        return "ipynb" if notebook else ("jsonl" if told == "jsonl" else "json")
    lines = [line for line in data.splitlines() if line.strip()]
    sample = (lines[0], lines[len(lines) // 2], lines[-1]) if len(lines) > 1 else ()
    return "jsonl" if sample and all(_parses(json.loads, line) is not None for line in sample) else None


def _parses(load: Callable[[bytes], object], data: bytes) -> object | None:
    try:
        return load(data)
    except (ValueError, RecursionError):
        return None


def is_plain(kind: str) -> bool:
    """Whether the kind's reader only decodes and cuts, and so may run outside a worker."""
    return kind in BY_KIND and BY_KIND[kind].plain
