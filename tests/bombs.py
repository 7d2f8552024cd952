"""Two hundred bombs and broken files, made from a seed: (name, how to make the bytes)."""

import base64
import json
import random
import zlib
from functools import cache, partial

from tiny_files import (
    compound,
    docx,
    epub,
    forwarded_mail,
    lying,
    many_entries,
    nested,
    nested_mail,
    nested_tables,
    nested_zip,
    numbers,
    odt,
    overlapping,
    packed,
    paragraphs,
    pdf,
    png,
    text_pdf,
    wav,
    xlsx,
    xml,
    zeros_zip,
)

MB = 1_000_000
LAUGHS = (
    '<!DOCTYPE b [<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)) + "]>"
)
QUADRATIC = f'<!DOCTYPE b [<!ENTITY a "{"x" * 100_000}">]>'
EXTERNAL = '<!DOCTYPE b [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
ODS_REPEAT = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
    '<table:table table:name="S"><table:table-row table:number-rows-repeated="1048576"><table:table-cell '
    'table:number-columns-repeated="16384" office:value-type="string"><text:p>x</text:p></table:table-cell>'
    "</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"
)
ATTACHED = (
    b"Message-ID: <1@x>\nMIME-Version: 1.0\nFrom: a@b\nContent-Type: application/zip; name=z.zip\n"
    b"Content-Transfer-Encoding: base64\n\n"
)


BOMBS = {
    "zeros.zip": partial(zeros_zip, 200 * MB),
    "zeros_lying.zip": lambda: lying(zeros_zip(60 * MB)),
    "zeros.docx": lambda: lying(packed({"[Content_Types].xml": bytes(200 * MB), "word/document.xml": b"<a/>"})),
    "overlap.zip": partial(overlapping, 5_000, 5 * MB),
    "entries.zip": partial(many_entries, 50_000),
    "deep.zip": partial(nested_zip, 12),
    "wide.zip": partial(nested_zip, 3, 40),
    "paragraphs_5.docx": lambda: docx(paragraphs(5 * MB // 34)),
    "paragraphs_50.docx": lambda: docx(paragraphs(50 * MB // 34)),
    "paragraphs_lying.docx": lambda: lying(docx(paragraphs(50 * MB // 34))),
    "one_word.docx": lambda: docx(f"<w:p><w:r><w:t>{'x' * 60 * MB}</w:t></w:r></w:p>"),
    "tables_deep.docx": lambda: docx(nested_tables(10_000)),
    "tags_deep.docx": lambda: docx("<w:sdt>" * 10_000 + "</w:sdt>" * 10_000),
    "cells.docx": lambda: docx(nested_tables(1) * 100_000),
    "span.docx": lambda: docx(
        '<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="999999999"/></w:tcPr><w:p/></w:tc></w:tr></w:tbl>' * 50
    ),
    "rows.xlsx": lambda: xlsx(numbers(400_000)),
    "far.xlsx": lambda: xlsx(
        '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
    ),
    "merged.xlsx": lambda: xlsx(numbers(3), '<mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>'),
    "tags_deep.xlsx": lambda: xlsx("<row>" * 10_000 + "</row>" * 10_000),
    "repeat.ods": lambda: packed({"content.xml": ODS_REPEAT}, "application/vnd.oasis.opendocument.spreadsheet"),
    "spaces.odt": lambda: odt('<text:p><text:s text:c="2000000000"/></text:p>'),
    "deep.odt": lambda: odt("<text:list><text:list-item>" * 10_000 + "</text:list-item></text:list>" * 10_000),
    "deep.epub": lambda: epub("<div>" * 10_000 + "x" + "</div>" * 10_000),
    "long.epub": lambda: epub("<p>x</p>" * 2 * MB),
    **{
        f"{word}{ending}": partial(make, text, doctype)
        for ending, make, text in (
            (".docx", docx, "<w:p><w:r><w:t>&a9;&a;</w:t></w:r></w:p>"),
            (".odt", odt, "<text:p>&a9;&a;</text:p>"),
            (".xlsx", xlsx, '<row r="1"><c r="A1" t="str"><v>&a9;&a;</v></c></row>'),
            (".epub", epub, "<p>&a9;&a;</p>"),
        )
        for word, doctype in (("laughs", LAUGHS), ("external", EXTERNAL))
    },
    "laughs.xml": partial(xml, "<b>&a9;</b>", LAUGHS),
    "laughs.svg": partial(xml, "<svg>&a9;</svg>", LAUGHS),
    "quadratic.xml": lambda: xml(f"<b>{'&a;' * 100_000}</b>", QUADRATIC),
    "external.xml": partial(xml, "<b>&a;</b>", EXTERNAL),
    "deep.xml": lambda: b'<?xml version="1.0"?>' + nested("<a>", "</a>", 10_000),
    "attributes.xml": lambda: b"<?xml version='1.0'?><a " + b" ".join(b"x%d=''" % n for n in range(200_000)) + b"/>",
    "deep.json": partial(nested, "[", "]", 10_000, "1"),
    "deeper.json": partial(nested, '{"a":', "}", 1_000_000, "1"),
    "unclosed.json": partial(nested, "[", "", 1_000_000, ""),
    "records.json": lambda: json.dumps([{"id": n, "name": "x" * 20} for n in range(200_000)]).encode(),
    "number.json": lambda: b"[" + b"9" * 3 * MB + b"]",
    "deep.html": partial(nested, "<div>", "</div>", 10_000),
    "deeper.html": partial(nested, "<b><i>", "", 300_000),
    "tables.html": partial(nested, "<table><tr><td>", "</td></tr></table>", 10_000),
    "lists.html": partial(nested, "<ul><li>", "</li></ul>", 10_000),
    "span.html": lambda: b"<html><table>" + b"<tr><td colspan=99999999 rowspan=99999999>x" * 500,
    "attributes.html": lambda: b"<html><p " + b" ".join(b"x%d=1" % n for n in range(200_000)) + b">x",
    "entities.html": lambda: b"<html><p>" + b"&amp;" * 2 * MB,
    "comments.html": lambda: b"<html>" + b"<!--" * 2 * MB,
    "deep.rtf": lambda: b"{\\rtf1 " + nested("{", "}", 10_000) + b"}",
    "deeper.rtf": lambda: b"{\\rtf1 " + nested("{", "", 2 * MB) + b"}",
    "hex.rtf": lambda: b"{\\rtf1 " + b"\\'41" * 2 * MB + b"}",
    "bin.rtf": lambda: b"{\\rtf1 \\bin999999999999 x}",
    "deep.eml": partial(nested_mail, 5_000),
    "forwarded.eml": partial(forwarded_mail, 2_000),
    "headers.eml": lambda: b"Message-ID: <1@x>\nMIME-Version: 1.0\nFrom: a@b\n" + b"X-A: b\n" * 500_000 + b"\nx",
    "words.eml": lambda: (
        b"Message-ID: <1@x>\nMIME-Version: 1.0\nFrom: a@b\nSubject: " + b"=?utf-8?B?eA==?= " * 100_000 + b"\n\nx"
    ),
    "attached.eml": lambda: ATTACHED + _base64(zeros_zip(200 * MB)),
    "many.mbox": lambda: b"From a Mon Jan 1\nMessage-ID: <1@x>\nMIME-Version: 1.0\nFrom: a@b\n\nx\n\n" * 20_000,
    "quotes.csv": lambda: b'"' * 3 * MB,
    "columns.csv": lambda: b"," * 3 * MB + b"\n" + b"1,2\n",
    "rows.csv": lambda: b"1,2,3\n" * 1_000_000,
    "line.csv": lambda: b"x" * 20 * MB,
    "line.txt": lambda: b"x" * 30 * MB,
    "newlines.txt": lambda: b"\n" * 30 * MB,
    "guess.txt": lambda: bytes(random.Random(5).choices(range(128, 255), k=5 * MB)),
    "formfeeds.txt": lambda: b"a\n\f" * 500_000,
    "quotes.md": partial(nested, "> ", "", 500_000),
    "headings.md": lambda: b"# x\n" * 500_000,
    "fences.md": lambda: b"```\n" * 500_001,
    "emphasis.md": lambda: b"*" * 3 * MB,
    "links.md": lambda: b"[" * 3 * MB + b"](x)",
    "front.md": lambda: b"---\n" + b"a: b\n" * 500_000,
    "cells.ipynb": lambda: json.dumps(
        {"nbformat": 4, "cells": [{"cell_type": "markdown", "source": ["# x\n"] * 3}] * 100_000}
    ).encode(),
    "circle.pdf": lambda: pdf(kids="2 0 R 2 0 R 3 0 R"),
    "zeros.pdf": lambda: pdf(content=zlib.compress(b"0 " * 50 * MB), packing="/Filter/FlateDecode"),
    "twice.pdf": lambda: pdf(
        content=zlib.compress(zlib.compress(bytes(200 * MB))), packing="/Filter[/FlateDecode/FlateDecode]"
    ),
    "saves.pdf": lambda: pdf(content=b"q " * 1 * MB),
    "arrays.pdf": lambda: pdf(content=b"[" * 1 * MB),
    "huge_page.pdf": lambda: pdf(pages="<</Type/Page/Parent 2 0 R/MediaBox[0 0 1e9 1e9]/Contents 4 0 R>>"),
    "pages.pdf": lambda: pdf(kids="3 0 R " * 100_000),
    "pixels.png": partial(png, 60_000, 60_000),
    "pixels_full.png": lambda: png(12_000, 12_000, bytes(12_000 * 36_001)),
    "negative.wav": partial(wav, 0xFFFFFFFF),
    "circle.doc": compound,
    "circle.xls": partial(compound, 8192),
    "circle.ppt": partial(compound, 512),
    "circle.msg": partial(compound, 2048),
}


def _base64(data):
    return base64.encodebytes(data)


@cache
def whole():
    """Small files that are well, one of each kind: what the broken ones are made from."""
    return {
        "a.docx": docx(paragraphs(20) + nested_tables(2)),
        "a.xlsx": xlsx(numbers(30)),
        "a.odt": odt("<text:p>words</text:p>" * 20),
        "a.epub": epub("<h1>T</h1><p>words</p>" * 20),
        "a.zip": packed({"a.txt": b"words " * 50, "b.csv": b"a,b\n1,2\n"}),
        "a.pdf": text_pdf(),
        "a.html": b"<html><h1>T</h1><table><tr><td>1</td></tr></table>" + b"<p>words</p>" * 20,
        "a.rtf": b"{\\rtf1\\ansi{\\fonttbl\\f0 Arial;}" + b"words\\par " * 20 + b"}",
        "a.eml": b"Message-ID: <1@x>\nMIME-Version: 1.0\nFrom: a@b\nContent-Type: multipart/mixed; boundary=q\n\n"
        b"--q\nContent-Type: text/plain\n\nwords\n--q--\n",
        "a.json": json.dumps([{"name": "王芳", "n": n} for n in range(20)]).encode(),
        "a.png": png(40, 40, bytes(40 * 121)),
        "a.wav": wav(2036),
    }


def _truncated(name, share):
    data = whole()[name]
    return data[: int(len(data) * share)]


def _flipped(name, seed):
    data, chance = bytearray(whole()[name]), random.Random(f"{name}{seed}")
    for _ in range(1 + len(data) // 200):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def bombs():
    """Name → maker of the bytes, 200 in all: bombs, truncations, wrong extensions, flipped bits."""
    made = dict(BOMBS)
    names = list(whole())
    for number, name in enumerate(names):
        ending = name.partition(".")[2]
        made |= {f"cut_{share:.1f}.{ending}": partial(_truncated, name, share) for share in (0.2, 0.6, 0.95)}
        other = names[(number + 5) % len(names)]
        made[f"really_{other.partition('.')[2]}.{ending}"] = partial(whole().get, other)
    seed = 0
    while len(made) < 200:
        name = names[seed % len(names)]
        made[f"flipped_{seed}.{name.partition('.')[2]}"] = partial(_flipped, name, seed)
        seed += 1
    return made
