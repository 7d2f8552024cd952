"""OpenDocument texts and presentations."""

import pytest

from officefiles import a_job, a_zip, outline, rows, shown
from ricordo.parse.odf import read
from ricordo.types import BlockKind, ParseStatus

SPACES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in {
        "office": "office", "text": "text", "table": "table",
        "style": "style", "draw": "drawing", "svg": "svg-compatible",
        "presentation": "presentation", "meta": "meta", "chart": "chart", "manifest": "manifest",
    }.items()
) + ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"'  # fmt: skip


def content(body, styles="", kind="text"):
    return (
        f"<office:document-content {SPACES}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    )


def odt(body, styles="", kind="text", **entries):
    package = {"mimetype": "application/x", "content.xml": content(body, styles, kind)}
    return read(
        a_zip({**package, **{name.replace("_", "."): xml for name, xml in entries.items()}}), a_job("a.odt", "odt")
    )


def para(text):
    return f"<text:p>{text}</text:p>"


def test_headings_have_their_outline_level_and_paragraphs_follow():
    result = odt('<text:h text:outline-level="2">第一条</text:h>' + para("正文"))
    assert outline(result) == [(2, "第一条")]
    assert shown(result) == ["第一条", "正文"]


def test_a_paragraph_in_a_heading_style_is_a_heading():
    styles = (
        '<style:style style:name="P1" style:parent-style-name="Title"/>'
        '<style:style style:name="P2" style:parent-style-name="Mine"/>'
        '<style:style style:name="Mine" style:default-outline-level="3"/><style:style style:name="Title"/>'
        '<style:style style:name="P3" style:parent-style-name="P3"/>'
    )
    body = "".join(f'<text:p text:style-name="P{i}">t{i}</text:p>' for i in (1, 2, 3))
    assert outline(odt(body, styles)) == [(1, "t1"), (3, "t2")]


def test_white_space_is_what_the_format_says():
    text = para('a  b<text:s text:c="3"/>c<text:tab/>d<text:line-break/>e\n   f <text:span> g</text:span>')
    assert shown(odt(text)) == ["a b   c\td\ne f g"]


def test_a_flood_of_spaces_is_bounded():
    assert len(shown(odt(para('a<text:s text:c="999999999"/>b')))[0]) < 2_000


NUMBERS = (
    '<text:list-style style:name="L">'
    '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>'
    '<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/></text:list-style>'
    '<text:list-style style:name="B">'
    '<text:list-level-style-bullet text:level="1" text:bullet-char="x"/></text:list-style>'
)


def test_lists_are_numbered_and_nested():
    item = "<text:list-item>{}</text:list-item>"
    inner = "<text:list>" + item.format(para("x")) + item.format(para("y")) + "</text:list>"
    body = (
        '<text:list text:style-name="L">' + item.format(para("one") + inner) + item.format(para("two")) + "</text:list>"
        '<text:list text:style-name="B">' + item.format(para("dot") + para("more")) + "</text:list>"
    )
    result = odt(body, NUMBERS)
    assert [(block.text, block.level) for block in result.blocks] == [
        ("1. one", 1), ("a) x", 2), ("b) y", 2), ("2. two", 1), ("dot", 1), ("more", 1),
    ]  # fmt: skip


def test_tables_repeat_merged_labels_and_bound_repeated_cells():
    cell = "<table:table-cell{}>{}</table:table-cell>"
    body = (
        "<table:table><table:table-row>" + cell.format(' table:number-rows-spanned="2"', para("区域"))
        + cell.format("", para("Q1")) + cell.format(' table:number-columns-repeated="16000"', "")
        + "</table:table-row><table:table-row><table:covered-table-cell/>" + cell.format("", para("Q2"))
        + '</table:table-row><table:table-row table:number-rows-repeated="1000000">' + cell.format("", "")
        + "</table:table-row></table:table>"
    )  # fmt: skip
    assert [row[:2] for row in rows(odt(body))] == [("区域", "Q1"), ("区域", "Q2")]


def test_a_nested_table_stays_in_its_cell():
    inner = (
        "<table:table><table:table-row><table:table-cell>"
        + para("in")
        + "</table:table-cell></table:table-row></table:table>"
    )
    body = (
        "<table:table><table:table-row>"
        "<table:table-cell>" + para("out") + inner + "</table:table-cell><table:table-cell>"
        + para("b") + "</table:table-cell></table:table-row></table:table>"
    )  # fmt: skip
    assert rows(odt(body)) == (("out\nin", "b"),)


def test_notes_comments_and_pictures_follow_their_paragraph():
    body = para(
        "text<text:note><text:note-citation>1</text:note-citation><text:note-body>"
        + para("脚注")
        + "</text:note-body></text:note>"
        "<office:annotation><dc:creator>Li</dc:creator><dc:date>2024</dc:date>" + para("check") + "</office:annotation>"
        '<draw:frame><draw:image xlink:href="Pictures/a.png"/><svg:desc>a map</svg:desc></draw:frame> end'
    )
    result = odt(body, **{"Pictures/a_png": b"x"})
    assert shown(result, BlockKind.PARAGRAPH) == ["text end"]
    assert shown(result, BlockKind.NOTE) == ["脚注"]
    assert shown(result, BlockKind.COMMENT) == ["Li: check"]
    picture = result.blocks[-1]
    assert (picture.text, picture.part) == ("a map", "Pictures/a.png")


def test_a_linked_picture_is_not_fetched():
    result = odt(para('t<draw:frame><draw:image xlink:href="https://example.com/a.png"/></draw:frame>'))
    assert "not fetched" in result.warnings[0]


def test_contents_and_deletions_are_left_out():
    body = (
        "<text:tracked-changes><text:changed-region>" + para("deleted") + "</text:changed-region>"
        "</text:tracked-changes>"
        "<text:table-of-content><text:index-body>" + para("Scope 1") + "</text:index-body></text:table-of-content>"
        + para("静<text:ruby><text:ruby-base>安</text:ruby-base><text:ruby-text>ān</text:ruby-text></text:ruby>")
    )  # fmt: skip
    assert shown(odt(body)) == ["静安"]


def test_text_boxes_and_sections_are_read():
    body = (
        "<text:section>"
        + para("in section")
        + "</text:section>"
        + para("<draw:frame><draw:text-box>" + para("boxed") + "</draw:text-box></draw:frame>")
    )
    assert shown(odt(body)) == ["in section", "boxed"]


def test_headers_come_first_and_footers_last_each_once():
    page = "<style:master-page><style:header>{}</style:header><style:footer>{}</style:footer></style:master-page>"
    styles = (
        f"<office:document-styles {SPACES}><office:master-styles>"
        + page.format(para("机密"), para("foot"))
        + page.format(para("机密"), para("<text:page-number>3</text:page-number>"))
        + "</office:master-styles></office:document-styles>"
    )
    assert shown(odt(para("body"), styles_xml=styles)) == ["机密", "body", "foot"]


def test_slides_are_pages_with_titles_first_and_notes_last():
    frame = '<draw:frame svg:y="{}cm" svg:x="0cm"{}><draw:text-box>{}</draw:text-box></draw:frame>'
    slide = (
        "<draw:page>" + frame.format(9, "", para("low")) + frame.format(1, "", para("high"))
        + frame.format(20, ' presentation:class="title"', para("标题"))
        + "<presentation:notes>" + frame.format(0, "", para("remember")) + "</presentation:notes></draw:page>"
    )  # fmt: skip
    result = odt(slide + slide, kind="presentation")
    assert [(b.text, b.page) for b in result.blocks[:4]] == [("标题", 1), ("high", 1), ("low", 1), ("remember", 1)]
    assert result.blocks[3].kind is BlockKind.NOTE
    assert outline(result) == [(1, "标题"), (1, "标题")]
    assert result.blocks[-1].page == 2


def test_an_embedded_chart_is_a_table():
    chart = content(
        "<chart:chart><table:table><table:table-row>"
        "<table:table-cell>" + para("year") + "</table:table-cell><table:table-cell>"
        + para("sum") + "</table:table-cell></table:table-row></table:table></chart:chart>",
        kind="chart",
    )  # fmt: skip
    data = a_zip(
        {
            "content.xml": content(para('<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>')),
            "Object 1/content.xml": chart,
        }
    )
    assert rows(read(data, a_job())) == (("year", "sum"),)


@pytest.mark.parametrize(("password", "status"), [(None, ParseStatus.NEEDS_PASSWORD), ("x", ParseStatus.UNSUPPORTED)])
def test_an_encrypted_document_says_so(password, status):
    data = a_zip({"META-INF/manifest.xml": "<m:encryption-data/>", "content.xml": b"\x00noise"})
    result = read(data, a_job(password=password))
    assert result.status is status
    assert result.warnings


def test_a_broken_style_sheet_makes_it_partial_and_a_missing_text_damaged():
    assert odt(para("x"), styles_xml="<broken").status is ParseStatus.PARTIAL
    assert read(a_zip({"mimetype": "x"}), a_job()).status is ParseStatus.DAMAGED


def test_the_title_comes_from_the_properties():
    meta = f"<office:document-meta {SPACES}><office:meta><dc:title>报告</dc:title></office:meta></office:document-meta>"
    assert odt(para("x"), meta_xml=meta).title == "报告"
