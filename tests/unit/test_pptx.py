"""Decks: one odd shape, chart or position never costs the rest."""

import io

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from officefiles import NAMESPACES, a_job, a_zip, outline, part, relations, rows, shown
from ricordo.parse.order import reading_order
from ricordo.parse.pptx import read
from ricordo.types import BlockKind, ParseStatus


def sp(text, *, at=None, holder="", bullet=""):
    place = f'<a:xfrm><a:off x="{at[0]}" y="{at[1]}"/><a:ext cx="100" cy="90"/></a:xfrm>' if at else ""
    paragraphs = "".join(f"<a:p><a:pPr{bullet}<a:r><a:t>{line}</a:t></a:r></a:p>" for line in text.split("\n"))
    return (
        f"<p:sp><p:nvSpPr><p:cNvPr id='1' name='s'/><p:nvPr>{holder}</p:nvPr></p:nvSpPr><p:spPr>{place}</p:spPr>"
        f"<p:txBody><a:lstStyle/>{paragraphs}</p:txBody></p:sp>"
    ).replace("<a:pPr<", "<a:pPr/><")


def slide(*shapes, show=""):
    return f"<p:sld {NAMESPACES}{show}><p:cSld><p:spTree>{''.join(shapes)}</p:spTree></p:cSld></p:sld>"


def deck(*slides, extra=None, links=()):
    ids = "".join(f'<p:sldId id="{256 + i}" r:id="s{i}"/>' for i in range(len(slides)))
    entries = {
        "_rels/.rels": relations(("m", "officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": f"<p:presentation {NAMESPACES}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": relations(
            *((f"s{i}", "slide", f"slides/slide{i + 1}.xml") for i in range(len(slides)))
        ),
        "ppt/slides/_rels/slide1.xml.rels": relations(*links),
        **{f"ppt/slides/slide{i + 1}.xml": xml for i, xml in enumerate(slides)},
        **(extra or {}),
    }
    return read(a_zip(entries), a_job("a.pptx", "pptx"))


def saved(presentation):
    out = io.BytesIO()
    presentation.save(out)
    return read(out.getvalue(), a_job("a.pptx", "pptx"))


TITLE = '<p:ph type="title"/>'


def test_a_slide_is_a_page_and_its_title_a_heading_that_comes_first():
    result = deck(slide(sp("top", at=(0, 0)), sp("标题", at=(0, 500), holder=TITLE)), slide(sp("two")))
    assert shown(result) == ["标题", "top", "two"]
    assert outline(result) == [(1, "标题")]
    assert [block.page for block in result.blocks] == [1, 1, 2]


def test_shapes_are_read_in_rows_from_the_left_and_those_without_position_last():
    shapes = (
        sp("nowhere"),
        sp("right", at=(500, 110)),
        sp("left", at=(0, 120)),
        sp("top", at=(300, 0)),
    )
    assert shown(deck(slide(*shapes))) == ["top", "left", "right", "nowhere"]


@pytest.mark.parametrize(
    ("boxes", "order"),
    [
        ([], []),
        ([None, (0, 0, 1)], [1, 0]),
        ([(10, 0, 30), (0, 0, 5), (12, 5, 30)], [1, 0, 2]),
        ([(12, 0, 30), (10, 5, 30)], [0, 1]),
        ([(0, 9, -5), (0, 1, 0)], [1, 0]),
    ],
)
def test_reading_order(boxes, order):
    assert reading_order(boxes) == order


def test_a_placeholder_without_position_takes_the_one_of_its_layout():
    presentation = Presentation()
    page = presentation.slides.add_slide(presentation.slide_layouts[1])
    page.shapes.add_textbox(Inches(1), Inches(7), Inches(2), Inches(0.3)).text_frame.text = "below"
    page.shapes.title.text = "Title"
    page.placeholders[1].text_frame.text = "body"
    assert shown(saved(presentation)) == ["Title", "body", "below"]


def test_bullets_that_only_the_master_states_are_list_items_with_their_depth():
    presentation = Presentation()
    page = presentation.slides.add_slide(presentation.slide_layouts[1])
    frame = page.placeholders[1].text_frame
    frame.text = "outer"
    frame.add_paragraph().text = "inner"
    frame.paragraphs[1].level = 1
    page.shapes.add_textbox(0, Inches(7), 99, 99).text_frame.text = "plain"
    result = saved(presentation)
    assert [(b.kind, b.level) for b in result.blocks] == [
        (BlockKind.LIST, 1),
        (BlockKind.LIST, 2),
        (BlockKind.PARAGRAPH, 0),
    ]


def test_numbered_paragraphs_are_numbered_and_begin_again_after_a_plain_line():
    auto = "><a:buAutoNum type='{}'/></a:pPr>"
    result = deck(
        slide(
            sp("one\ntwo", at=(0, 0), bullet=auto.format("arabicPeriod")),
            sp("甲\n乙", at=(0, 200), bullet=auto.format("ea1ChsPlain")),
            sp("x", at=(0, 400), bullet="><a:buAutoNum type='arabicParenR' startAt='5'/></a:pPr>"),
        )
    )
    assert shown(result) == ["1. one", "2. two", "一、 甲", "二、 乙", "5) x"]


def test_speaker_notes_and_comments_belong_to_their_slide():
    notes = slide(sp("remember", holder='<p:ph type="body"/>'), sp("7", holder='<p:ph type="sldNum"/>'))
    comments = part("p:cmLst", "<p:cm><p:text>too long</p:text></p:cm>")
    result = deck(
        slide(sp("text")),
        slide(sp("next")),
        extra={"ppt/notes1.xml": notes, "ppt/c1.xml": comments},
        links=(("n", "notesSlide", "../notes1.xml"), ("c", "comments", "../c1.xml")),
    )
    assert [(b.kind, b.text, b.page) for b in result.blocks] == [
        (BlockKind.PARAGRAPH, "text", 1),
        (BlockKind.NOTE, "remember", 1),
        (BlockKind.COMMENT, "too long", 1),
        (BlockKind.PARAGRAPH, "next", 2),
    ]


def test_slide_numbers_and_dates_are_left_out_and_a_footer_comes_once():
    foot = sp("云杉科技", holder='<p:ph type="ftr"/>')
    page = slide(sp("x"), foot, sp("3", holder='<p:ph type="sldNum"/>'), sp("May 1", holder='<p:ph type="dt"/>'))
    result = deck(page, page)
    assert shown(result) == ["x", "云杉科技", "x"]
    assert shown(result, BlockKind.HEADER) == ["云杉科技"]


def test_a_merged_label_stands_in_each_of_its_cells():
    presentation = Presentation()
    page = presentation.slides.add_slide(presentation.slide_layouts[6])
    table = page.shapes.add_table(3, 3, 0, 0, 99, 99).table
    for row in range(3):
        for column in range(3):
            table.cell(row, column).text = f"{row}{column}"
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(1, 0).merge(table.cell(2, 0))
    for cell in (table.cell(0, 2), table.cell(2, 0)):
        cell.text = ""
    assert rows(saved(presentation)) == (
        ("00", "01\n02", "01\n02"),
        ("10\n20", "11", "12"),
        ("10\n20", "21", "22"),
    )


def test_a_chart_is_a_table_with_equal_decimals():
    presentation = Presentation()
    page = presentation.slides.add_slide(presentation.slide_layouts[6])
    data = CategoryChartData()
    data.categories = ["类别 1", "类别 2"]
    data.add_series("系列", (4.3, 5))
    data.add_series("missing", (None, 2))
    page.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, 99, 99, data)
    assert rows(saved(presentation)) == (("", "系列", "missing"), ("类别 1", "4.3", ""), ("类别 2", "5.0", "2.0"))


FRAME = (
    "<p:graphicFrame><p:nvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr>"
    "<a:graphic><a:graphicData>{}</a:graphicData></a:graphic></p:graphicFrame>"
)


def test_a_chart_of_an_unknown_kind_or_without_data_is_a_warning():
    chart = part("c:chartSpace", "<c:chart><c:plotArea><c:hologramChart/></c:plotArea></c:chart>")
    result = deck(
        slide(sp("kept"), FRAME.format('<c:chart r:id="c"/>'), FRAME.format('<c:chart r:id="gone"/>')),
        extra={"ppt/charts/chart1.xml": chart},
        links=(("c", "chart", "../charts/chart1.xml"),),
    )
    assert shown(result) == ["kept"]
    assert result.status is ParseStatus.OK
    assert "chart" in result.warnings[0]


def test_smart_art_gives_its_labels():
    data = part(
        "dgm:dataModel",
        "<dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>计划</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt/></dgm:ptLst>",
    )
    result = deck(
        slide(FRAME.format('<dgm:relIds r:dm="d"/>')),
        extra={"ppt/diagrams/data1.xml": data},
        links=(("d", "diagramData", "../diagrams/data1.xml"),),
    )
    assert shown(result) == ["计划"]


def test_groups_are_read_in_their_own_order_and_alternatives_once():
    group = f"<p:grpSp><p:grpSpPr/>{sp('second', at=(0, 500))}{sp('first', at=(0, 0))}</p:grpSp>"
    either = (
        f"<mc:AlternateContent><mc:Choice Requires='x'>{sp('new')}</mc:Choice>"
        f"<mc:Fallback>{sp('old')}</mc:Fallback></mc:AlternateContent>"
    )
    assert shown(deck(slide(group, either))) == ["first", "second", "new"]


def test_a_shape_of_no_known_type_keeps_its_text():
    assert shown(deck(slide(sp("odd").replace("<p:spPr></p:spPr>", "<p:spPr><a:mystery/></p:spPr>")))) == ["odd"]


def test_odd_xml_in_a_shape_costs_only_its_structure():
    broken = sp("words").replace("</a:p>", "<m:m><m:rad/></m:m></a:p>")
    result = deck(slide(broken, sp("next")))
    assert shown(result) == ["words", "next"]
    assert "odd" in result.warnings[0]


def test_a_picture_says_its_alternative_text_and_a_linked_one_is_not_fetched():
    pic = (
        "<p:pic><p:nvPicPr><p:cNvPr id='1' name='Picture 2' descr='{}'/>"
        "<p:nvPr/></p:nvPicPr><p:blipFill><a:blip {}/></p:blipFill></p:pic>"
    )
    result = deck(
        slide(sp("t"), pic.format("a map", "r:embed='i'"), pic.format("", "r:link='l'")),
        links=(("i", "image", "../media/i.png"), ("l", "image", "http://example.com/x.png")),
    )
    pictures = [block for block in result.blocks if block.kind is BlockKind.PICTURE]
    assert [(block.text, block.part) for block in pictures] == [("a map", "ppt/media/i.png"), ("", None)]
    assert "not fetched" in result.warnings[0]


def test_a_hidden_slide_is_kept_and_said():
    result = deck(slide(sp("secret"), show=' show="0"'))
    assert shown(result) == ["secret"]
    assert "slide 1 is hidden" in result.warnings[0]


def test_a_slide_that_is_missing_leaves_the_others_with_their_numbers():
    entries = deck(slide(sp("one")), "not XML at all", slide(sp("three")))
    assert [(block.text, block.page) for block in entries.blocks] == [("one", 1), ("three", 3)]
    assert entries.status is ParseStatus.PARTIAL


def test_slides_are_taken_by_number_where_their_order_is_lost():
    data = a_zip(
        {"ppt/presentation.xml": "<broken", **{f"ppt/slides/slide{i}.xml": slide(sp(str(i))) for i in (10, 2)}}
    )
    result = read(data, a_job())
    assert shown(result) == ["2", "10"]
    assert result.status is ParseStatus.PARTIAL


def test_a_deck_without_slides_is_empty():
    assert deck().status is ParseStatus.EMPTY
