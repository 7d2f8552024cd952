"""What a file is: bytes first, then its name, then what the client says."""

import io
import json
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.parse.detect import detect
from ricordo.parse.readers import BY_KIND


def packed(*names, first=None):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        if first:
            archive.writestr("mimetype", first)
        for name in names:
            archive.writestr(name, "x")
    return out.getvalue()


DOCX = packed("[Content_Types].xml", "word/document.xml")
MAIL = "From: 王芳 <w@example.com>\r\nSubject: 报价\r\nMessage-ID: <1@x>\r\n\r\n您好".encode()
LETTER = b"From: Ann\nTo: Bob\nDate: Monday\n\nDear Bob"
UTF16 = "差旅费报销制度：每晚不超过650元。".encode("utf-16-le")
GBK = "姓名，城市：王芳在上海".encode("gbk")


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.txt", b"%PDF-1.7\n", "pdf"),
        ("a.txt", b"junk\n%PDF-1.4\n", "pdf"),
        ("a.pdf", DOCX, "docx"),
        ("a.docx", DOCX[:60], "docx"),
        ("a.zip", DOCX[:60], "unknown"),
        ("a.docx", b"PK\x03\x04\x00", "docx"),
        ("a", packed("xl/workbook.xml", "[Content_Types].xml"), "xlsx"),
        ("a", packed("xl/workbook.bin", "[Content_Types].xml"), "xlsb"),
        ("a", packed("ppt/presentation.xml", "[Content_Types].xml"), "pptx"),
        ("a.vsdx", packed("visio/document.xml", "[Content_Types].xml"), "unknown"),
        ("a", packed("content.xml", first="application/vnd.oasis.opendocument.text"), "odt"),
        ("a", packed("content.xml", first="application/vnd.oasis.opendocument.spreadsheet"), "ods"),
        ("a", packed("content.xml", first="application/vnd.oasis.opendocument.presentation"), "odp"),
        ("a", packed("META-INF/container.xml", first="application/epub+zip"), "epub"),
        ("a", packed("META-INF/container.xml", "ch.xhtml"), "epub"),
        ("a", packed("contract.docx", "b.txt"), "zip"),
        ("a.docx", packed("b.txt"), "zip"),
        ("a.txt", b"{\\rtf1 x}", "rtf"),
        ("a.txt", b"\x89PNG\r\n\x1a\n0", "image"),
        ("a.txt", b"RIFF\x00\x00\x00\x00WAVEfmt ", "audio"),
        ("a", b"RIFF\x00\x00\x00\x00WEBPVP8 ", "image"),
        ("a", b"\x00\x00\x00\x20ftypM4A ", "audio"),
        ("a", b"\x00\x00\x00\x20ftypheic", "image"),
        ("a.xls", b"<html><body><table><tr><td>1</td></tr></table></body></html>", "html"),
        ("a.xls", b"a\tb\n1\t2\n", "csv"),
        ("a.txt", b"<!DOCTYPE html>\n<html></html>", "html"),
        ("a.html", b"<p>x</p>", "html"),
        ("a.html", b"just words", "text"),
        ("a.md", b"<html> is a tag", "markdown"),
        ("a", b'<?xml version="1.0"?><feed/>', "xml"),
        ("a", b'<?xml version="1.0"?><html xmlns="x"/>', "html"),
        ("a.json", b'{"a": 1}', "json"),
        ("a.json", b'"quoted" text, not JSON', "text"),
        ("a", b"[INFO] started \xe9t\xe9\n", "text"),
        ("a", b'{"a": 1}\n{"a": 2}\n', "jsonl"),
        ("a", b"{" * 100_000, "text"),
        ("a.json", b"[" * 100_000 + b"]" * 100_000, "text"),
        ("a.json", json.dumps({"cells": [], "nbformat": 4}).encode(), "ipynb"),
        ("a.csv", b'{"a"},1\n', "csv"),
        ("a.csv", GBK, "csv"),
        ("a.txt", MAIL, "eml"),
        ("a", MAIL, "eml"),
        ("a", b"From MAILER Mon Jan 1\n" + MAIL, "mbox"),
        ("a.txt", LETTER, "text"),
        ("a.eml", LETTER, "eml"),
        ("a.py", b"From: x\n", "code"),
        ("a.txt", UTF16, "text"),
        ("a", GBK, "text"),
        ("a.unknown", "任何文字".encode(), "text"),
        ("a.txt", b"with a \x00 inside", "text"),
        ("a.txt", b"", "empty"),
        ("a.pdf", bytes(range(256)) * 20, "pdf"),
        ("a.txt", bytes(range(256)) * 20, "unknown"),
        ("a.exe", b"MZ\x90\x00" + bytes(range(256)) * 20, "unknown"),
        ("a.bin", bytes(5_000), "unknown"),
        ("a.txt", b"\x1f\x8b\x08" + bytes(range(256)) * 20, "unknown"),
        ("A.DOCX", b"\x00\x01\x02" * 50, "docx"),
    ],
)
def test_a_kind_is_told_by_bytes_then_name(name, data, kind):
    assert detect(name, data) == kind


@pytest.mark.parametrize(
    ("name", "data", "media_type", "kind"),
    [
        ("upload", b"a,b\n1,2\n", "text/csv; charset=utf-8", "csv"),
        ("upload", b"# x\n", "text/markdown", "markdown"),
        ("a.txt", b"a,b\n1,2\n", "text/csv", "text"),
        ("upload", b"a,b\n1,2\n", "application/pdf", "text"),
        ("upload", bytes(range(256)) * 20, "application/pdf", "pdf"),
        ("upload", bytes(range(256)) * 20, "text/plain", "unknown"),
        ("a.csv", b"a,b\n", "application/vnd.ms-excel", "csv"),
    ],
)
def test_the_clients_word_counts_last(name, data, media_type, kind):
    assert detect(name, data, media_type) == kind


@pytest.mark.parametrize("names", [["mails/word/a.txt"], ["a\\word\\b.txt"]])
def test_a_folder_of_that_name_deeper_down_makes_no_document(names):
    assert detect("a.zip", packed(*names)) == "zip"


def test_a_zip_that_holds_a_docx_uncompressed_is_a_zip():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("contract.docx", DOCX)
    assert detect("a", out.getvalue()) == "zip"


@given(st.binary(max_size=400), st.sampled_from(["", "a", "a.pdf", "a.json", "a.eml", "x.docx", "..", "a/b\\c.xls"]))
def test_it_never_raises(data, name):
    assert detect(name, data) in {*BY_KIND, "empty", "unknown"}


@given(
    st.sampled_from([b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"From: a\n", b"{", b"<?xml", b"RIFF"]),
    st.binary(max_size=600),
)
def test_it_never_raises_on_what_begins_well(magic, rest):
    assert detect("a", magic + rest) in {*BY_KIND, "empty", "unknown"}
