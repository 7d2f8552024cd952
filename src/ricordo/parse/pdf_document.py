"""A PDF opened by PDFium: password, pages, outline, title, attached files."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

from ricordo.parse.outcome import ReadError, damaged, locked
from ricordo.parse.pdf_annotations import wide_text
from ricordo.parse.pdf_headings import Entry
from ricordo.parse.reading import Exceeded, Job
from ricordo.types import ParseStatus

_TAIL = 4_096
_MOST_ENTRIES = 5_000
_DEEPEST = 12
_MOST_ATTACHMENTS = 200
_NO_TITLE = re.compile(
    r"[\W\d_]*|\(?(untitled|anonymous|unspecified|document|title|slide|(powerpoint )?presentation|无标题|未命名)[\W\d]*"
    r"|microsoft (word|powerpoint|excel)\b.*|.*\.(docx?|pptx?|xlsx?|pdf|indd|tex|dvi|txt|wps|html?|qxd|rtf|odt)",
    re.IGNORECASE | re.DOTALL,
)


@contextmanager
def open_pdf(data: bytes, job: Job) -> Iterator[pdfium.PdfDocument]:
    """The document, closed in the end; ReadError says that it is damaged, or what it needs."""
    document = _open(data, job)
    try:
        if document.get_formtype() != raw.FORMTYPE_NONE:
            document.init_forms()
        yield document
    finally:
        document.close()


def _open(data: bytes, job: Job) -> pdfium.PdfDocument:
    reason: pdfium.PdfiumError | None = None
    for password in dict.fromkeys((None, job.password)):
        try:
            return pdfium.PdfDocument(data, password=password)
        except pdfium.PdfiumError as error:
            reason = error
    code = getattr(reason, "err_code", None)
    if code == raw.FPDF_ERR_PASSWORD:
        raise locked(job) from reason
    if code == raw.FPDF_ERR_SECURITY:
        message = f"{job.name!r} is encrypted in a way that cannot be read: save it without protection"
        raise ReadError(ParseStatus.UNSUPPORTED, message) from reason
    raise damaged(f"{job.name!r} is a damaged PDF: no page of it can be found") from reason


def is_broken(document: pdfium.PdfDocument, data: bytes) -> bool:
    """Whether the file's index had to be rebuilt, or its end is missing."""
    return not raw.FPDF_DocumentHasValidCrossReferenceTable(document.raw) or b"%%EOF" not in data[-_TAIL:]


def title_of(document: pdfium.PdfDocument) -> str:
    """The title that the file gives itself, "" where that is a program's filling."""
    title = _meta(document, b"Title").strip()
    if title and all("\x80" <= sign <= "\xff" or sign == " " for sign in title):
        title = _by_code_page(title)
    return "" if _NO_TITLE.fullmatch(title) else " ".join(title.split())


def _meta(document: pdfium.PdfDocument, key: bytes) -> str:
    return wide_text(
        lambda buffer, size: raw.FPDF_GetMetaText(document.raw, key, ctypes.cast(buffer, ctypes.c_void_p), size)
    )


def _by_code_page(title: str) -> str:
    """Chinese that a program wrote in the code page of its machine."""
    try:
        return title.encode("latin-1").decode("gb18030")
    except UnicodeError:
        return title


def outline_of(document: pdfium.PdfDocument) -> list[Entry]:
    """The bookmarks that lead to a page, in order."""
    entries: list[Entry] = []
    for bookmark in document.get_toc(max_depth=_DEEPEST):
        target = bookmark.get_dest()
        index = target.get_index() if target else None
        if index is not None and index >= 0:
            entries.append(Entry(bookmark.get_title(), bookmark.level + 1, index + 1))
        if len(entries) >= _MOST_ENTRIES:
            break
    return entries


def attachments_of(document: pdfium.PdfDocument, most_bytes: int) -> Iterator[tuple[str, bytes]]:
    """The files that travel inside the PDF; Exceeded when one is larger than may be inflated."""
    for index in range(min(document.count_attachments(), _MOST_ATTACHMENTS)):
        attachment = document.get_attachment(index)
        name = attachment.get_name() or f"attachment {index + 1}"
        size = ctypes.c_ulong()
        raw.FPDFAttachment_GetFile(attachment, None, 0, size)
        if size.value > most_bytes:
            raise Exceeded(f"the attached file {name!r} has {size.value} bytes; {most_bytes} may be inflated")
        if size.value:
            yield name, bytes(attachment.get_data())


@contextmanager
def loaded(document: pdfium.PdfDocument, index: int) -> Iterator[Any]:
    """PDFium's handle of a page, None where the page cannot be loaded."""
    page = raw.FPDF_LoadPage(document.raw, index)
    if not page:
        yield None
        return
    if document.formenv:
        raw.FORM_OnAfterLoadPage(page, document.formenv)
    try:
        yield page
    finally:
        if document.formenv:
            raw.FORM_OnBeforeClosePage(page, document.formenv)
        raw.FPDF_ClosePage(page)
