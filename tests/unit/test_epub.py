"""Books: the spine's order, the contents' headings, the letters as the chapter's own bytes say."""

import pytest

from officefiles import a_job, a_zip, outline, rows, shown
from ricordo.parse.epub import read
from ricordo.types import BlockKind, ParseStatus

CONTAINER = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'
PAGE = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>{}</body></html>'


def opf(spine, items="", more=""):
    chapters = "".join(
        f'<item id="{i}" href="{href}" media-type="application/xhtml+xml"/>' for i, href in enumerate(spine)
    )
    order = "".join(f'<itemref idref="{i}"/>' for i in range(len(spine)))
    return (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        f"<dc:title>海边</dc:title><dc:creator>佚名</dc:creator></metadata><manifest>{chapters}{items}</manifest>"
        f"<spine>{order}{more}</spine></package>"
    )


def book(chapters, items="", more="", **entries):
    spine = [name.replace(" ", "%20") for name in chapters]
    package = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": opf(spine, items, more),
    }
    package |= {f"OPS/{name}": content for name, content in reversed(list(chapters.items()))}
    package |= {name.replace("__", "/").replace("_", "."): content for name, content in entries.items()}
    return read(a_zip(package), a_job("a.epub", "epub"))


def said(result):
    return [block.text for block in result.blocks if block.kind is not BlockKind.HEADER]


def test_chapters_come_in_the_order_of_the_spine_as_parts():
    result = book({"z one.xhtml": PAGE.format("<p>first</p>"), "a.xhtml": PAGE.format("<p>second</p>")})
    assert [(b.text, b.part) for b in result.blocks[1:]] == [("first", "OPS/z one.xhtml"), ("second", "OPS/a.xhtml")]


def test_title_and_author_stand_at_the_front():
    result = book({"a.xhtml": PAGE.format("<p>x</p>")})
    assert result.title == "海边"
    assert shown(result, BlockKind.HEADER) == ["海边\n佚名"]


NAV = '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'


def nav(inside):
    return PAGE.format(f'<nav xmlns:epub="http://www.idpf.org/2007/ops" epub:type="toc"><ol>{inside}</ol></nav>')


def test_a_chapter_without_a_heading_takes_its_name_from_the_contents():
    contents = nav('<li><a href="a.xhtml">第一章</a><ol><li><a href="b.xhtml">第二节</a></li></ol></li>')
    chapters = {"a.xhtml": PAGE.format("<p>text</p>"), "b.xhtml": PAGE.format("<p>第二节</p><p>more</p>")}
    result = book(chapters, NAV, OPS__nav_xhtml=contents)
    assert said(result) == ["第一章", "text", "第二节", "more"]
    assert outline(result) == [(1, "第一章"), (2, "第二节")]


def test_a_paragraph_that_the_contents_point_to_is_a_heading():
    ncx = (
        '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>Part Two</text></navLabel>'
        '<content src="a.xhtml#two"/></navPoint></navMap></ncx>'
    )
    item = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    page = PAGE.format('<h2>One</h2><p>x</p><p class="big"><a id="two"/>Part  Two</p><p>y</p>')
    result = book({"a.xhtml": page}, item, OPS__toc_ncx=ncx)
    assert outline(result) == [(2, "One"), (1, "Part Two")]


def test_a_chapter_with_its_own_headings_is_left_as_it_is():
    result = book(
        {"a.xhtml": PAGE.format("<h1>Own</h1>")}, NAV, OPS__nav_xhtml=nav('<li><a href="a.xhtml">Other</a></li>')
    )
    assert said(result) == ["Own"]


def test_the_contents_are_no_chapter():
    result = book(
        {"a.xhtml": PAGE.format("<h1>A</h1>")},
        NAV,
        '<itemref idref="nav"/>',
        OPS__nav_xhtml=nav('<li><a href="a.xhtml">A</a></li>'),
    )
    assert said(result) == ["A"]


def test_a_reading_does_not_cut_a_word():
    assert said(book({"a.xhtml": PAGE.format("<p><ruby>静<rp>(</rp><rt>jìng</rt></ruby>安</p>")})) == ["静安"]


@pytest.mark.parametrize(
    ("encoding", "declared"),
    [("utf-8", "utf-8"), ("gb18030", "gb2312"), ("shift_jis", "shift_jis"), ("utf-16", "utf-16")],
)
def test_bytes_are_read_as_the_declaration_says(encoding, declared):
    text = f'<?xml version="1.0" encoding="{declared}"?>' + PAGE.format("<p>漢字</p>")
    assert said(book({"a.xhtml": text.encode(encoding)})) == ["漢字"]


def test_html_names_of_signs_are_known_and_entities_of_the_file_are_not_resolved():
    page = '<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + PAGE.format("<p>a&nbsp;b&mdash;&lt;&x;</p>")
    assert said(book({"a.xhtml": page})) == ["a b—<"]


def test_a_chapter_that_is_no_xml_is_read_as_html():
    assert said(book({"a.xhtml": "<html><body><p>one<p>two &amp; <br>three</body>"})) == ["one", "two &\nthree"]


def test_tables_lists_and_code_are_blocks():
    page = PAGE.format(
        "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table><ol><li>x</li></ol><pre>c\n d</pre>"
    )
    result = book({"a.xhtml": page})
    assert rows(result) == (("a", "b"), ("1", "2"))
    assert shown(result, BlockKind.LIST) == ["1. x"]
    assert shown(result, BlockKind.CODE) == ["c\n d"]


def test_a_missing_chapter_makes_the_book_partial():
    data = a_zip({
        "META-INF/container.xml": CONTAINER, "OPS/book.opf": opf(["a.xhtml",
        "gone.xhtml"]), "OPS/a.xhtml": PAGE.format("<p>x</p>"),
    })  # fmt: skip
    result = read(data, a_job())
    assert said(result) == ["x"]
    assert result.status is ParseStatus.PARTIAL


def test_without_a_package_document_chapters_come_by_name():
    result = read(a_zip({"b.xhtml": PAGE.format("<p>2</p>"), "a.xhtml": PAGE.format("<p>1</p>")}), a_job())
    assert said(result) == ["1", "2"]
    assert result.status is ParseStatus.PARTIAL
    assert read(a_zip({"x.txt": "y"}), a_job()).status is ParseStatus.DAMAGED


def locked(algorithm, target):
    return (
        f'<encryption><EncryptedData><EncryptionMethod Algorithm="{algorithm}"/><CipherData>'
        f'<CipherReference URI="{target}"/></CipherData></EncryptedData></encryption>'
    )


def test_a_protected_book_says_so_and_scrambled_fonts_do_not_matter():
    chapters = {"a.xhtml": PAGE.format("<p>x</p>")}
    protected = locked("http://www.w3.org/2001/04/xmlenc#aes256-cbc", "OPS/a.xhtml")
    assert book(chapters, **{"META-INF__encryption_xml": protected}).status is ParseStatus.NEEDS_PASSWORD
    fonts = locked("http://www.idpf.org/2008/embedding", "OPS/a.otf")
    assert book(chapters, **{"META-INF__encryption_xml": fonts}).status is ParseStatus.OK


def test_a_book_of_pictures_needs_ocr():
    assert book({"a.xhtml": PAGE.format('<img src="p1.png"/>')}).status is ParseStatus.NEEDS_OCR
