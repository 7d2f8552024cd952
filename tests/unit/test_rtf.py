"""RTF: each run in the code page of its font, and none of the file's own language in the text."""

import pytest

from officefiles import a_job, outline, rows, shown
from ricordo.parse.rtf import read
from ricordo.types import BlockKind, ParseStatus

FONTS = rb"{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset134 SimSun;}{\f2\fcharset128 MS Mincho;}{\f3\fcharset204 Cyr;}}"
STYLES = rb"{\stylesheet{\s0 Normal;}{\s1\sbasedon0 heading 1;}{\s7 \'b1\'ea\'cc\'e2 2;}}"


def rtf(body, head=rb"\ansi\ansicpg936\deff0"):
    return read(rb"{\rtf1" + head + FONTS + STYLES + body + b"}", a_job("a.rtf", "rtf"))


def escaped(text, encoding):
    return b"".join(b"\\'%02x" % byte for byte in text.encode(encoding))


def test_each_run_is_in_the_code_page_of_its_font():
    body = (
        rb"\pard{\f1 " + escaped("合同", "gbk") + rb"}{\f2 " + escaped("テスト",
        "cp932") + rb"}{\f3 " + escaped("да", "cp1251")
        + rb"}{\f0 caf" + escaped("é", "cp1252") + rb"}\par"
    )  # fmt: skip
    assert shown(rtf(body, rb"\ansi\ansicpg1252")) == ["合同テストдаcafé"]


@pytest.mark.parametrize(
    ("page", "encoding", "text"),
    [
        (936, "gbk", "软件采购合同"),
        (932, "cp932", "髙﨑"),
        (950, "cp950", "繁體"),
        (949, "cp949", "한국"),
        (1252, "cp1252", "“é”"),
    ],
)
def test_without_a_font_the_document_s_code_page_counts(page, encoding, text):
    assert shown(rtf(rb"\pard " + escaped(text, encoding) + rb"\par", rb"\ansi\ansicpg%d" % page)) == [text]


def test_raw_bytes_of_a_chinese_code_page_are_text_too():
    assert shown(rtf(rb"\pard " + "泉州".encode("gbk") + rb"\par")) == ["泉州"]


def test_a_font_for_double_byte_text_counts_after_dbch():
    body = rb"\pard\hich\af0\dbch\af1\loch\f0 x\dbch " + escaped("合", "gbk") + rb"\loch y\par"
    assert shown(rtf(body, rb"\ansi\ansicpg1252")) == ["x合y"]


def test_unicode_signs_skip_what_stands_in_for_them():
    assert shown(rtf(rb"\pard\uc1\u24744?\uc2 \u-10179\'3f\'3f\u-8704??\uc0\u233 end\par")) == [
        "您😀é end".replace(" e", "e")
    ]


def test_half_a_pair_is_a_replacement_sign():
    assert shown(rtf(rb"\pard\u-10179?x\par")) == ["\ufffdx"]


def test_headings_are_found_by_style_name_and_outline_level():
    body = rb"\pard\s1 One\par\pard\plain\s7 Two\par\pard\outlinelevel2 Three\par\pard body\par"
    assert outline(rtf(body)) == [(1, "One"), (2, "Two"), (3, "Three")]


def test_list_labels_are_kept_and_bullets_are_not():
    body = rb"\pard{\listtext\pard 1.\tab}\ls1 first\par{\listtext\'b7\tab}dot\par{\pntext 2)\tab}\ilvl1 second\par"
    result = rtf(body, rb"\ansi\ansicpg1252")
    assert shown(result, BlockKind.LIST) == ["1. first", "dot", "2) second"]
    assert result.blocks[-1].level == 2


def test_a_table_keeps_its_cells_and_repeats_merged_labels():
    body = (
        rb"\trowd\clvmgf\cellx1000\cellx2000\cellx3000\pard\intbl a\cell b\cell c\cell\row"
        rb"\trowd\clvmrg\cellx1000\cellx3010\pard\intbl\cell wide\cell\row\pard after\par"
    )
    result = rtf(body)
    assert rows(result) == (("a", "b", "c"), ("a", "wide", "wide"))
    assert shown(result)[-1] == "after"


def test_paragraphs_and_nested_cells_stay_in_their_cell():
    body = (
        rb"\trowd\cellx1000\cellx2000\pard\intbl one\par two"
        rb"\cell x\nestcell y\nestcell{\nonesttables\par}\nestrow\cell\row\pard\par"
    )
    assert rows(rtf(body)) == (("one\ntwo", "x / y /"),)


def test_notes_and_comments_follow_their_paragraph_and_headers_come_once():
    head = rb"{\header\pard secret\par}{\headerr\pard secret\par}{\footer\pard\chpgn\par}"
    body = rb"\pard text{\footnote\pard\plain the note\par} goes on{\*\annotation\pard check\par}\par next\par"
    result = rtf(head + body)
    assert shown(result) == ["secret", "text goes on", "the note", "check", "next"]
    assert [b.kind for b in result.blocks[:4]] == [
        BlockKind.HEADER, BlockKind.PARAGRAPH, BlockKind.NOTE, BlockKind.COMMENT,
    ]  # fmt: skip


def test_what_is_no_text_is_left_out():
    body = (
        rb"\pard{\*\unknown gone}{\pict\pngblip 89504e47}{\info{\title T}{\author A}}a{\deleted gone}"
        rb"{\field{\*\fldinst HYPERLINK x}{\fldrslt link}}{\field{\*\fldinst TOC \\o}{\fldrslt contents}}"
        rb"{\object{\*\objdata 0102}{\result shown}}{\pict\bin4 {}}}}b\par"
    )
    result = rtf(body)
    assert shown(result) == ["alinkshownb"]
    assert result.title == "T"


def test_signs_and_escapes():
    assert shown(rtf(rb"\pard\ldblquote a\rdblquote\emdash\{b\}\\\~c\_d\line e\par")) == ["“a”—{b}\\ c-d\ne"]


def test_a_text_box_is_read_once_after_its_paragraph():
    box = rb"{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt \pard boxed\par}}{\shprslt{\*\do\dptxbxtext boxed\par}}}"
    assert shown(rtf(rb"\pard out" + box + rb" side\par")) == ["out side", "boxed"]


def test_a_truncated_file_keeps_what_stands_before_and_says_so():
    whole = rb"{\rtf1\ansi\pard first\par {\b second"
    result = read(whole, a_job("a.rtf", "rtf"))
    assert shown(result) == ["first", "second"]
    assert result.status is ParseStatus.PARTIAL
    assert "middle of a group" in result.warnings[0]


def test_other_bytes_are_damaged_and_a_file_without_text_is_empty():
    assert read(b"plain words", a_job()).status is ParseStatus.DAMAGED
    assert rtf(b"").status is ParseStatus.EMPTY


def test_closing_braces_beyond_the_first_do_no_harm():
    assert shown(rtf(rb"\pard a}}}}\par b\par"))[0] == "a"
