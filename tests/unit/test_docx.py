"""Word documents: nothing that the author wrote is lost, nothing that he did not is kept."""

import pytest

from officefiles import NAMESPACES, a_docx, a_job, a_zip, outline, p, part, relations, rows, run, shown
from ricordo.parse.docx import read
from ricordo.parse.word_lists import counted
from ricordo.parse.word_styles import level_by_name
from ricordo.types import BlockKind, ParseStatus

TABLE = "<w:tbl><w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr><w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr></w:tbl>"


def parsed(body, parts=None, extra=(), **limits):
    return read(a_docx(body, parts, extra), a_job("a.docx", "docx", **limits))


def styles(*definitions):
    inside = "".join(
        f'<w:style w:type="paragraph" w:styleId="{identifier}"><w:name w:val="{name}"/>{rest}</w:style>'
        for identifier, name, rest in definitions
    )
    return {"styles": part("w:styles", inside)}


def test_plain_paragraphs_come_in_order():
    result = parsed(p("第一段") + p("second"))
    assert shown(result) == ["第一段", "second"]
    assert result.status is ParseStatus.OK
    assert result.parser == "native"


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("heading 1", 1),
        ("Heading 3", 3),
        ("Heading2", 2),
        ("标题 2", 2),
        ("标题2", 2),
        ("標題 1", 1),
        ("二级标题", 2),
        ("見出し 1", 1),
        ("제목 4", 4),
        ("Überschrift 2", 2),
        ("Titre 1", 1),
        ("heading 1,H1", 1),
        ("标题 １", 1),
        ("Title", 1),
        ("副标题", 2),
        ("Normal", None),
        ("List Paragraph", None),
        ("heading", None),
    ],
)
def test_a_style_is_a_heading_by_its_name(name, level):
    assert level_by_name(name) == level


def test_headings_are_found_by_name_by_outline_level_and_by_base_style():
    definitions = styles(
        ("2", "heading 1", ""),
        ("x", "Chapter look", '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>'),
        ("y", "My own", '<w:basedOn w:val="x"/>'),
    )
    body = (
        p("By name", '<w:pStyle w:val="2"/>')
        + p("By outline", '<w:pStyle w:val="x"/>')
        + p("By base", '<w:pStyle w:val="y"/>')
        + p("By itself", '<w:outlineLvl w:val="2"/>')
        + p("Set back to body", '<w:pStyle w:val="2"/><w:outlineLvl w:val="9"/>')
    )
    result = parsed(body, definitions)
    assert outline(result) == [(1, "By name"), (2, "By outline"), (2, "By base"), (3, "By itself")]
    assert shown(result, BlockKind.PARAGRAPH) == ["Set back to body"]


def test_styles_that_are_based_on_each_other_end():
    definitions = styles(("a", "A", '<w:basedOn w:val="b"/>'), ("b", "B", '<w:basedOn w:val="a"/>'))
    assert shown(parsed(p("text", '<w:pStyle w:val="a"/>'), definitions)) == ["text"]


def test_a_whole_paragraph_in_a_heading_style_stays_a_paragraph():
    assert outline(parsed(p("很长" * 200, '<w:outlineLvl w:val="0"/>'))) == []


NUMBERING = part(
    "w:numbering",
    '<w:abstractNum w:abstractNumId="0">'
    '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl>'
    "</w:abstractNum>"
    '<w:abstractNum w:abstractNumId="1">'
    '<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="\uf0b7"/></w:lvl></w:abstractNum>'
    '<w:abstractNum w:abstractNumId="2">'
    '<w:lvl w:ilvl="0"><w:start w:val="1"/>'
    '<w:numFmt w:val="chineseCountingThousand"/><w:lvlText w:val="第%1条"/></w:lvl>'
    "</w:abstractNum>"
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
    '<w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num>'
    '<w:num w:numId="4"><w:abstractNumId w:val="0"/>'
    '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>',
)


def numbered(text, list_id, level=0, more=""):
    at = "" if level is None else f'<w:ilvl w:val="{level}"/>'
    return p(text, f'{more}<w:numPr>{at}<w:numId w:val="{list_id}"/></w:numPr>')


def test_numbers_that_word_counts_are_written_out():
    body = (
        numbered("one", 1)
        + numbered("inner", 1, 1)
        + numbered("inner", 1, 1)
        + numbered("two", 1)
        + numbered("inner again", 1, 1)
        + numbered("dot", 2)
        + numbered("seven", 4)
        + numbered("交付", 3)
    )
    result = parsed(body, {"numbering": NUMBERING})
    assert shown(result) == [
        "1. one", "1.1 inner", "1.2 inner", "2. two", "2.1 inner again", "dot", "7. seven", "第一条 交付",
    ]  # fmt: skip
    assert [block.level for block in result.blocks] == [1, 2, 2, 1, 2, 1, 1, 1]


def test_a_heading_keeps_its_number():
    result = parsed(numbered("Scope", 1, 0, '<w:outlineLvl w:val="0"/>'), {"numbering": NUMBERING})
    assert outline(result) == [(1, "1. Scope")]


def test_a_list_item_without_a_level_is_of_the_first_and_a_warning_says_so():
    result = parsed(numbered("one", 1, None) + p("after"), {"numbering": NUMBERING})
    assert shown(result) == ["1. one", "after"]
    assert result.status is ParseStatus.OK
    assert "no level" in result.warnings[0]


def test_a_list_that_is_not_defined_leaves_a_paragraph():
    assert parsed(numbered("one", 99)).blocks[0].kind is BlockKind.PARAGRAPH


@pytest.mark.parametrize(
    ("value", "style", "text"),
    [
        (28, "lowerLetter", "bb"),
        (4, "upperRoman", "IV"),
        (10, "chineseCounting", "十"),
        (21, "chineseCounting", "二十一"),
        (105, "chineseCountingThousand", "一百零五"),
        (3, "ideographTraditional", "丙"),
        (2, "decimalEnclosedCircle", "②"),
        (5, "decimalZero", "05"),
        (6, "anythingElse", "6"),
    ],
)
def test_numbers_are_written_as_word_does(value, style, text):
    assert counted(value, style) == text


def test_a_merged_label_stands_in_each_of_its_rows_and_columns():
    body = (
        "<w:tbl><w:tr><w:tc>" + p("区域") + "</w:tc><w:tc>" + p("季度") + "</w:tc><w:tc>" + p("额") + "</w:tc></w:tr>"
        '<w:tr><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>' + p("华东") + "</w:tc><w:tc>" + p("Q1")
        + "</w:tc><w:tc>" + p("1") + "</w:tc></w:tr>"
        "<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc>"
        "<w:tc>" + p("Q2") + "</w:tc><w:tc>" + p("2") + "</w:tc></w:tr>"
        '<w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/>'
        '</w:tcPr>' + p("合计") + "</w:tc><w:tc>" + p("3") + "</w:tc></w:tr></w:tbl>"
    )  # fmt: skip
    assert rows(parsed(body)) == (
        ("区域", "季度", "额"),
        ("华东", "Q1", "1"),
        ("华东", "Q2", "2"),
        ("合计", "合计", "3"),
    )


def test_a_row_that_begins_late_keeps_its_columns():
    body = (
        "<w:tbl><w:tr><w:tc>" + p("a") + "</w:tc><w:tc>" + p("b") + "</w:tc></w:tr>"
        '<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr><w:tc>' + p("under b") + "</w:tc></w:tr></w:tbl>"
    )
    assert rows(parsed(body)) == (("a", "b"), ("", "under b"))


def test_a_title_row_over_the_whole_table_is_a_paragraph_before_it():
    body = (
        '<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>' + p("Prices") + "</w:tc></w:tr>"
        "<w:tr><w:tc>" + p("item") + "</w:tc><w:tc>" + p("EUR") + "</w:tc></w:tr></w:tbl>"
    )
    result = parsed(body)
    assert shown(result)[0] == "Prices"
    assert rows(result) == (("item", "EUR"),)


def test_in_a_form_laid_out_with_spans_each_cell_stands_once():
    cell = '<w:tc><w:tcPr><w:gridSpan w:val="{}"/></w:tcPr>{}</w:tc>'
    body = (
        "<w:tbl><w:tr>" + cell.format(3, p("姓名")) + cell.format(4, p("张三")) + "</w:tr><w:tr>"
        + cell.format(2, p("电话")) + cell.format(5, p("021")) + "</w:tr><w:tr>"
        + cell.format(1, p("城")) + cell.format(6, p("泉州")) + "</w:tr></w:tbl>"
    )  # fmt: skip
    assert rows(parsed(body)) == (("姓名", "张三"), ("电话", "021"), ("城", "泉州"))


def test_text_in_nested_tables_lists_and_content_controls_is_kept_in_its_cell():
    inner = TABLE.format(p("n1"), p("n2"), p("n3"), p("n4"))
    control = "<w:sdt><w:sdtContent>" + p("controlled") + "</w:sdtContent></w:sdt>"
    text = rows(parsed(TABLE.format(p("a") + inner, control, p("x"), p("y"))))
    assert text[0] == ("a\nn1 / n2\nn3 / n4", "controlled")


def test_rows_and_cells_in_content_controls_are_found():
    body = (
        "<w:tbl><w:sdt><w:sdtContent><w:tr><w:sdt><w:sdtContent><w:tc>" + p("a")
        + "</w:tc></w:sdtContent></w:sdt><w:tc>" + p("b") + "</w:tc></w:tr></w:sdtContent></w:sdt></w:tbl>"
    )  # fmt: skip
    assert rows(parsed(body)) == (("a", "b"),)


def test_a_frame_of_one_cell_is_its_content():
    result = parsed(
        "<w:tbl><w:tr><w:tc>" + p("Boxed", '<w:outlineLvl w:val="0"/>') + p("text") + "</w:tc></w:tr></w:tbl>"
    )
    assert [block.kind for block in result.blocks] == [BlockKind.HEADING, BlockKind.PARAGRAPH]


def test_text_that_a_merged_cell_hides_is_left_out_and_a_warning_says_so():
    body = (
        '<w:tbl><w:tr><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>' + p("label") + "</w:tc><w:tc>" + p("1")
        + "</w:tc></w:tr><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr>" + p("hidden") + "</w:tc><w:tc>" + p("2")
        + "</w:tc></w:tr></w:tbl>"
    )  # fmt: skip
    result = parsed(body)
    assert rows(result) == (("label", "1"), ("label", "2"))
    assert "hides" in result.warnings[0]


def test_insertions_are_in_and_deletions_are_out():
    body = (
        "<w:p>"
        + run("due ")
        + "<w:ins>"
        + run("Monday")
        + "</w:ins><w:del><w:r><w:delText>Friday</w:delText></w:r></w:del>"
        "<w:moveTo>" + run(" moved here") + "</w:moveTo><w:moveFrom>" + run(" from there") + "</w:moveFrom></w:p>"
        "<w:ins>" + p("whole paragraph") + "</w:ins>"
    )
    assert shown(parsed(body)) == ["due Monday moved here", "whole paragraph"]


def test_a_text_box_is_read_once():
    box = "<w:txbxContent>" + p("boxed") + "</w:txbxContent>"
    body = (
        "<w:p>" + run("before") + "<w:r><mc:AlternateContent>"
        "<mc:Choice Requires='wps'><w:drawing><wps:wsp><wps:txbx>" + box
        + "</wps:txbx></wps:wsp></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>" + box
        + "</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )  # fmt: skip
    assert shown(parsed(body)) == ["before", "boxed"]


def test_a_text_box_that_only_the_fallback_holds_is_read():
    box = "<w:pict><v:textbox><w:txbxContent>" + p("old box") + "</w:txbxContent></v:textbox></w:pict>"
    body = (
        f"<w:p><w:r><mc:AlternateContent><mc:Choice/><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert shown(parsed(body)) == ["old box"]


def test_notes_follow_the_paragraph_that_refers_to_them():
    parts = {
        "footnotes": part(
            "w:footnotes",
            '<w:footnote w:type="separator" w:id="-1">' + p("____") + '</w:footnote><w:footnote w:id="1">'
            + p("脚注内容") + '</w:footnote><w:footnote w:id="2">' + p("never referred to") + "</w:footnote>",
        ),
        "endnotes": part("w:endnotes", '<w:endnote w:id="1">' + p("end note") + "</w:endnote>"),
    }  # fmt: skip
    body = (
        "<w:p>" + run("first") + '<w:r><w:footnoteReference w:id="1"/></w:r></w:p>'
        "<w:p>" + run("second") + '<w:r><w:endnoteReference w:id="1"/></w:r></w:p>'
    )
    result = parsed(body, parts)
    assert shown(result) == ["first", "脚注内容", "second", "end note", "never referred to"]
    assert shown(result, BlockKind.NOTE) == ["脚注内容", "end note", "never referred to"]


def test_comments_stand_apart_with_their_author():
    comments = part("w:comments", '<w:comment w:id="0" w:author="Li">' + p("check this") + "</w:comment>")
    result = parsed("<w:p>" + run("body") + '<w:r><w:commentReference w:id="0"/></w:r></w:p>', {"comments": comments})
    assert shown(result, BlockKind.COMMENT) == ["Li: check this"]
    assert shown(result, BlockKind.PARAGRAPH) == ["body"]


def test_headers_and_footers_come_once_and_without_page_numbers():
    def field(name):
        return f'<w:p>{run("第")}<w:fldSimple w:instr=" {name} ">{run("7")}</w:fldSimple>{run("页")}</w:p>'

    parts = {
        "header1": part("w:hdr", p("机密")),
        "header2": part("w:hdr", p("机密")),
        "footer1": part("w:ftr", field("PAGE")),
        "footer2": part("w:ftr", "<w:p/>"),
    }
    result = parsed(p("body"), parts)
    assert shown(result) == ["机密", "body", "第页"]
    assert shown(result, BlockKind.HEADER) == ["机密", "第页"]


def complex_field(instruction, *paragraphs, end=True):
    first, *rest = paragraphs
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    close = mark.format("end") if end else ""
    return (
        f"<w:p>{mark.format('begin')}<w:r><w:instrText>{instruction}</w:instrText></w:r>{mark.format('separate')}"
        f"{run(first)}</w:p>" + "".join(map(p, rest)) + f"<w:p>{close}</w:p>"
    )


def test_a_table_of_contents_is_dropped_and_its_headings_stay():
    body = complex_field(r' TOC \o "1-3" ', "Scope\t1", "Terms\t2") + p("Scope", '<w:outlineLvl w:val="0"/>')
    assert shown(parsed(body)) == ["Scope"]


def test_a_table_of_contents_in_a_content_control_or_by_its_styles_is_dropped():
    control = (
        '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr>'
        "<w:sdtContent>" + p("目录") + p("第一章 1") + "</w:sdtContent></w:sdt>"
    )
    body = control + p("第二章 2", '<w:pStyle w:val="t"/>') + p("正文")
    assert shown(parsed(body, styles(("t", "toc 1", "")))) == ["正文"]


def test_other_fields_keep_their_result_and_a_field_without_end_loses_nothing():
    body = complex_field(' HYPERLINK "http://x" ', "the link") + complex_field(" TOC ", "unfinished", "rest", end=False)
    assert shown(parsed(body)) == ["the link", "unfinished", "rest"]


PICTURE = (
    '<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1"{}/>'
    "<a:graphic><a:blip {}/></a:graphic></wp:inline></w:drawing></w:r></w:p>"
)


def test_a_picture_is_a_block_with_its_alternative_text_and_part():
    body = p("text") + PICTURE.format(' descr="A cat on a wall"', 'r:embed="i"')
    picture = parsed(body, extra=(("i", "image", "media/image1.png"),)).blocks[1]
    assert (picture.kind, picture.text, picture.part) == (BlockKind.PICTURE, "A cat on a wall", "word/media/image1.png")


def test_a_linked_picture_is_never_fetched_and_the_text_is_kept():
    body = p("before") + PICTURE.format("", 'r:link="i"') + p("after")
    result = parsed(body, extra=(("i", "image", "https://example.com/image.png"),))
    assert shown(result, BlockKind.PARAGRAPH) == ["before", "after"]
    assert "not fetched" in result.warnings[0]
    assert result.status is ParseStatus.OK


def test_a_document_of_pictures_needs_ocr():
    result = parsed(PICTURE.format("", 'r:embed="i"'), extra=(("i", "image", "media/scan.png"),))
    assert result.status is ParseStatus.NEEDS_OCR
    assert "OCR" in result.warnings[0]


def test_a_document_without_text_is_empty():
    assert parsed("<w:p/>").status is ParseStatus.EMPTY


CHART = part(
    "c:chartSpace",
    "<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t>"
    "</a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart>"
    "<c:ser><c:tx><c:strRef><c:strCache><c:pt idx='0'><c:v>2024</c:v></c:pt></c:strCache></c:strRef></c:tx>"
    "<c:cat><c:strRef><c:strCache><c:pt idx='0'><c:v>North</c:v></c:pt>"
    "<c:pt idx='1'><c:v>South</c:v></c:pt></c:strCache></c:strRef></c:cat>"
    "<c:val><c:numRef><c:numCache><c:pt idx='0'><c:v>4.2999999999999998</c:v>"
    "</c:pt><c:pt idx='1'><c:v>#N/A</c:v></c:pt></c:numCache></c:numRef></c:val>"
    "</c:ser></c:barChart></c:plotArea></c:chart>",
)  # fmt: skip


def with_chart(xml):
    drawing = '<w:p><w:r><w:drawing><a:graphic><c:chart r:id="c"/></a:graphic></w:drawing></w:r></w:p>'
    package = {
        "_rels/.rels": relations(("m", "officeDocument", "word/document.xml")),
        "word/document.xml": f"<w:document {NAMESPACES}><w:body>{p('text')}{drawing}</w:body></w:document>",
        "word/_rels/document.xml.rels": relations(("c", "chart", "charts/chart1.xml")),
        "word/charts/chart1.xml": xml,
    }
    return read(a_zip(package), a_job("a.docx"))


def test_a_chart_is_a_table_of_its_data():
    result = with_chart(CHART)
    assert shown(result)[:2] == ["text", "Sales"]
    assert rows(result) == (("", "2024"), ("North", "4.3"), ("South", "#N/A"))


def test_a_chart_that_cannot_be_read_is_a_warning():
    result = with_chart("this is no XML")
    assert shown(result, BlockKind.PARAGRAPH) == ["text"]
    assert "chart1.xml" in result.warnings[0]
    assert result.status is ParseStatus.PARTIAL


def test_an_equation_stands_on_one_line():
    fraction = "<m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>c</m:t></m:r></m:den></m:f>"
    power = "<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
    assert shown(parsed(f"<w:p>{run('y = ')}<m:oMath>{fraction}{power}</m:oMath></w:p>")) == ["y = (a+b)/cx^2"]


def test_a_reading_does_not_cut_a_word():
    ruby = f"<w:ruby><w:rt>{run('jìng')}</w:rt><w:rubyBase>{run('静')}</w:rubyBase></w:ruby>"
    assert shown(parsed(f"<w:p><w:r>{ruby}</w:r>{run('安')}</w:p>")) == ["静安"]


def test_strict_documents_are_read_as_transitional_ones():
    body = (
        f'<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main">'
        f"<w:body>{p('strict')}</w:body></w:document>"
    )
    data = a_zip({"_rels/.rels": relations(("m", "officeDocument", "word/document.xml")), "word/document.xml": body})
    assert shown(read(data, a_job())) == ["strict"]


def test_odd_xml_costs_its_structure_and_not_its_text():
    odd = '<w:p><w:r><w:sym w:char="no number"/></w:r>' + run("kept") + "</w:p>" + p("too")
    result = parsed(odd)
    assert shown(result) == ["kept", "too"]
    assert result.status is ParseStatus.PARTIAL
    assert "odd XML" in result.warnings[0]


def test_a_document_without_relationships_is_found_by_its_usual_name():
    data = a_zip({"word/document.xml": f"<w:document {NAMESPACES}><w:body>{p('found')}</w:body></w:document>"})
    assert shown(read(data, a_job())) == ["found"]


def test_a_package_that_is_no_document_is_damaged():
    result = read(a_zip({"other.txt": "x"}), a_job("a.docx"))
    assert result.status is ParseStatus.DAMAGED
    assert "word/document.xml" in result.warnings[0]


def test_broken_parts_beside_the_text_make_it_partial():
    result = parsed(p("text"), {"numbering": "<broken", "footnotes": ""})
    assert shown(result) == ["text"]
    assert result.status is ParseStatus.PARTIAL


def test_the_title_comes_from_the_properties():
    core = (
        '<cp:coreProperties xmlns:cp="c" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<dc:title>合同</dc:title></cp:coreProperties>"
    )
    package = {
        "word/document.xml": f"<w:document {NAMESPACES}><w:body>{p('x')}</w:body></w:document>",
        "docProps/core.xml": core,
    }
    assert read(a_zip(package), a_job()).title == "合同"


def test_no_bytes_are_empty():
    assert read(b"", a_job()).status is ParseStatus.EMPTY
