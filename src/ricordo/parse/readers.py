"""The kinds of file that Ricordo reads itself: which function reads each, by what names it comes, what is kept.

Nothing is imported until a file of that kind is read. `docs/files.md` is made from this table.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePosixPath
from typing import cast

from ricordo.parse.reading import Reader


@dataclass(frozen=True, slots=True)
class Format:
    """One row of the table.

    plain: text whose reader only decodes and cuts, so that it may run outside a worker. reserves: its libraries ask for
    twice the memory that they touch.
    """

    kind: str
    reader: str
    extensions: str
    media_types: str
    keeps: str
    plain: bool = False
    reserves: bool = False


CODE = (
    "py pyi js mjs cjs jsx ts tsx java kt kts scala groovy c h cc cpp cxx hpp cs go rs rb php pl pm swift m mm lua r "
    "jl sh bash zsh fish ps1 bat sql ex exs erl hs clj cljs dart vue svelte css scss less proto graphql tf dockerfile"
)
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"
SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
SLIDES = "application/vnd.openxmlformats-officedocument.presentationml"
ODF = "application/vnd.oasis.opendocument"

FORMATS: tuple[Format, ...] = (
    Format(
        "pdf",
        "pdf:read",
        "pdf",
        "application/pdf",
        "text in reading order, headings, tables, form values, pages; scanned pages by OCR",
    ),
    Format(
        "docx",
        "docx:read",
        "docx docm dotx dotm",
        f"{WORD}.document {WORD}.template",
        "headings, lists, tables, notes, comments, headers and footers, insertions",
    ),
    Format(
        "pptx",
        "pptx:read",
        "pptx pptm ppsx potx",
        f"{SLIDES}.presentation {SLIDES}.slideshow {SLIDES}.template",
        "slides as pages, tables, charts, speaker notes",
    ),
    Format(
        "xlsx",
        "sheets:read",
        "xlsx xlsm xltx",
        f"{SHEET}.sheet {SHEET}.template",
        "one table a region, sheet names, dates as dates, merged labels",
    ),
    Format("xlsb", "sheets:read", "xlsb", "application/vnd.ms-excel.sheet.binary.macroenabled.12", "as xlsx"),
    Format("xls", "sheets:read", "xls xlt", "application/vnd.ms-excel", "as xlsx"),
    Format("ods", "sheets:read", "ods ots", f"{ODF}.spreadsheet {ODF}.spreadsheet-template", "as xlsx"),
    Format("odt", "odf:read", "odt ott", f"{ODF}.text {ODF}.text-template", "headings, lists, tables"),
    Format(
        "odp",
        "odf:read",
        "odp otp",
        f"{ODF}.presentation {ODF}.presentation-template",
        "slides as pages, tables, speaker notes",
    ),
    Format("doc", "legacy:read", "doc dot", "application/msword", "text, headings, tables"),
    Format("ppt", "legacy:read", "ppt pps pot", "application/vnd.ms-powerpoint", "slides as pages, their text"),
    Format(
        "encrypted", "encrypted:read", "", "application/encrypted", "Office files under a password, when it is given"
    ),
    Format("rtf", "rtf:read", "rtf", "application/rtf text/rtf", "text"),
    Format("epub", "epub:read", "epub", "application/epub+zip", "chapters in reading order, headings, tables"),
    Format(
        "html",
        "html:read",
        "html htm xhtml",
        "text/html application/xhtml+xml",
        "headings, lists, tables, code; no scripts, styles or menus",
    ),
    Format("xml", "structured:read", "xml svg rss atom", "application/xml text/xml", "the text as it is"),
    Format(
        "csv", "tabular:read", "csv tsv tab", "text/csv text/tab-separated-values", "one table, the delimiter found"
    ),
    Format("json", "structured:read", "json", "application/json", "the records"),
    Format("jsonl", "structured:read", "jsonl ndjson", "application/x-ndjson application/jsonl", "one record a line"),
    Format("ipynb", "notebook:read", "ipynb", "application/x-ipynb+json", "text cells, code cells, text outputs"),
    Format(
        "markdown",
        "markdown:read",
        "md markdown mdown mkd",
        "text/markdown text/x-markdown",
        "the text as it is, headings, front matter as the title",
        plain=True,
    ),
    Format(
        "code", "text:read", CODE, "text/javascript text/x-python text/x-java text/css", "the text as it is", plain=True
    ),
    Format(
        "text",
        "text:read",
        "txt text log rst org tex ini cfg conf toml yaml yml properties srt vtt",
        "text/plain",
        "the text as it is",
        plain=True,
    ),
    Format("eml", "mail:read", "eml mht mhtml", "message/rfc822", "headers, one body, attachments"),
    Format("mbox", "mail:read", "mbox", "application/mbox", "every message, as eml"),
    Format("msg", "outlook:read", "msg", "application/vnd.ms-outlook", "headers, one body, attachments"),
    Format(
        "zip", "zipped:read", "zip", "application/zip application/x-zip-compressed", "every file inside, to depth 3"
    ),
    Format(
        "image",
        "image:read",
        "png jpg jpeg gif bmp tif tiff webp heic",
        "image/png image/jpeg image/gif image/bmp image/tiff image/webp image/heic",
        "text by OCR, where one is set up",
    ),
    Format(
        "audio",
        "audio:read",
        "wav mp3 m4a flac ogg oga opus aac aiff amr wma",
        "audio/wav audio/x-wav audio/mpeg audio/mp4 audio/x-m4a audio/flac audio/ogg audio/aac audio/aiff",
        "speech as text, where a recogniser is set up",
        reserves=True,
    ),
)

BY_KIND = {f.kind: f for f in FORMATS}
BY_EXTENSION = {e: f.kind for f in FORMATS for e in f.extensions.split()}
BY_MEDIA_TYPE = {m: f.kind for f in FORMATS for m in f.media_types.split()}


def extension(name: str) -> str:
    """The lower-case extension without its dot, or "" where there is none."""
    return PurePosixPath(name.replace("\\", "/")).suffix[1:].lower()


def kind_by_name(name: str) -> str | None:
    return BY_EXTENSION.get(extension(name))


def kind_by_media_type(media_type: str | None) -> str | None:
    return BY_MEDIA_TYPE.get((media_type or "").partition(";")[0].strip().lower())


def reader(kind: str) -> Reader:
    """The function that reads this kind; its module is imported now."""
    return load(f"ricordo.parse.{BY_KIND[kind].reader}")


def load(path: str) -> Reader:
    """The function at `module:name`."""
    module, _, name = path.partition(":")
    return cast("Reader", getattr(import_module(module), name))
