"""Workbooks: real extents, one table a region, values as a person reads them."""

import io
from datetime import date, datetime, time, timedelta

import pytest
import xlsxwriter

from officefiles import a_job, a_zip, rows, shown
from ricordo.parse.cells import is_figure, number_text, text_of
from ricordo.parse.reading import Exceeded
from ricordo.parse.regions import tables
from ricordo.parse.sheets import read
from ricordo.types import BlockKind, ParseStatus


def workbook(fill, **options):
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True, **options})
    fill(book)
    book.close()
    return out.getvalue()


def parsed(fill, **limits):
    return read(workbook(fill), a_job("a.xlsx", "xlsx", **limits))


def table_of(cells, merged=()):
    return [block.rows or block.text for block in tables([list(row) for row in cells], merged)]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (9400.0, "9400"),
        (0.1 + 0.2, "0.3"),
        (18250.5, "18250.5"),
        (1234567890123456.0, "1.23456789012346e+15"),
        (-0.0, "0"),
        (True, "TRUE"),
        ("000731", "000731"),
        ("a_x000D_\nb", "a\nb"),
        (datetime(2024, 1, 5), "2024-01-05"),
        (datetime(2024, 1, 5, 8, 29, 59, 999_999), "2024-01-05 08:30"),
        (datetime(2024, 1, 5, 8, 30, 7), "2024-01-05 08:30:07"),
        (date(2024, 1, 5), "2024-01-05"),
        (time(8, 30), "08:30"),
        (timedelta(hours=30, minutes=5), "30:05"),
        (timedelta(hours=-1), "-01:00"),
        ("", ""),
    ],
)
def test_a_value_is_written_as_a_person_reads_it(value, text):
    assert text_of(value) == text


def test_numbers_lose_the_noise_of_binary_fractions():
    assert number_text(4.3999999999999995) == "4.4"


@pytest.mark.parametrize("text", ["12", "-3.5", "1,234.00", "12%", "2024-01-05", "08:30", "￥1.11", "TRUE", "1e+20"])
def test_figures_are_told_from_words(text):
    assert is_figure(text)
    assert not is_figure(f"a{text}")


def test_each_sheet_is_a_heading_and_its_blocks_carry_its_name():
    def fill(book):
        for name in ("销售", "Stock"):
            sheet = book.add_worksheet(name)
            sheet.write_row(0, 0, ["a", "b"])
            sheet.write_row(1, 0, [1, 2])
        book.add_worksheet("空表")

    result = parsed(fill)
    assert [(block.kind, block.sheet) for block in result.blocks] == [
        (BlockKind.HEADING, "销售"),
        (BlockKind.TABLE, "销售"),
        (BlockKind.HEADING, "Stock"),
        (BlockKind.TABLE, "Stock"),
    ]


def test_a_title_over_the_table_is_a_paragraph_and_the_head_row_is_first():
    def fill(book):
        sheet = book.add_worksheet()
        sheet.merge_range("A1:C1", "2024年销售（单位：元）")
        sheet.write_row(1, 0, ["日期", "区域", "金额"])
        sheet.write_row(2, 0, ["周一", "华东", 12.5])

    result = parsed(fill)
    assert shown(result, BlockKind.PARAGRAPH) == ["2024年销售（单位：元）"]
    assert rows(result) == (("日期", "区域", "金额"), ("周一", "华东", "12.5"))


def test_regions_that_do_not_touch_are_tables_of_their_own():
    cells = [
        ["a", "b", "", "x", "y"],
        ["1", "2", "", "3", "4"],
        ["", "", "", "", ""],
        ["", "far", "", "", ""],
    ]
    assert table_of(cells) == [(("a", "b"), ("1", "2")), (("x", "y"), ("3", "4")), "far"]


def test_a_table_cut_by_an_empty_row_is_one_table():
    cells = [["name", "sum"], ["x", "1"], ["", ""], ["y", "2"]]
    assert table_of(cells) == [(("name", "sum"), ("x", "1"), ("y", "2"))]


def test_a_second_table_with_its_own_head_stays_apart():
    cells = [["name", "sum"], ["x", "1"], ["", ""], ["city", "people"], ["y", "2"]]
    assert len(table_of(cells)) == 2


def test_a_head_with_one_name_over_figures_is_no_title():
    assert table_of([["Year", ""], ["2019", "5"]]) == [(("Year", ""), ("2019", "5"))]


def test_merged_labels_are_repeated_and_never_split_a_table():
    cells = [["区域", "Q1", "Q2"], ["华东", "1", "2"], ["", "3", "4"], ["合计", "", "10"]]
    assert table_of(cells, [(1, 0, 2, 0), (3, 0, 3, 1)]) == [
        (("区域", "Q1", "Q2"), ("华东", "1", "2"), ("华东", "3", "4"), ("合计", "合计", "10"))
    ]


def test_a_merged_range_that_goes_far_beyond_the_cells_stays_within_them():
    assert table_of([["t", "u"], ["1", "2"]], [(1, 1, 1_000_000, 16_000)]) == [(("t", "u"), ("1", "2"))]


def test_a_scatter_of_cells_is_read_as_one_table():
    cells = [["x" if (r + c) % 2 == 0 and r % 2 == 0 else "" for c in range(40)] for r in range(80)]
    assert len(table_of(cells)) == 1


def test_empty_stays_empty_and_zeros_in_front_stay():
    def fill(book):
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["id", "name", "n"])
        sheet.write_string(1, 0, "000731")
        sheet.write_number(1, 2, 0)
        sheet.write_formula(2, 0, "=1/0", None, "#DIV/0!")
        sheet.write_row(2, 1, ["z", 1])

    assert rows(parsed(fill))[:2] == (("id", "name", "n"), ("000731", "", "0"))


@pytest.mark.parametrize("form", ["yyyy-mm-dd", 'yyyy"年"m"月"d"日"', "[$-804]m月d日", "d.m.yy"])
def test_dates_are_dates_whatever_their_format(form):
    def fill(book):
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["day", "n"])
        sheet.write_datetime(1, 0, datetime(2020, 1, 1), book.add_format({"num_format": form}))
        sheet.write_number(1, 1, 43831)

    assert rows(parsed(fill))[1] == ("2020-01-01", "43831")


@pytest.mark.parametrize("code", [27, 28, 31, 36, 50, 55, 57, 58])
def test_chinese_built_in_formats_are_dates(code):
    def fill(book):
        form = book.add_format({"num_format": code})
        book.add_worksheet().write_row(0, 0, ["day", "n"])
        book.get_worksheet_by_name("Sheet1").write_number(1, 0, 43831, form)
        book.get_worksheet_by_name("Sheet1").write_number(1, 1, 7)

    assert rows(parsed(fill))[1] == ("2020-01-01", "7")


def test_a_hidden_sheet_is_kept_and_said():
    def fill(book):
        book.add_worksheet("open").write("A1", "x")
        sheet = book.add_worksheet("底价")
        sheet.write("A1", "4321")
        sheet.hide()

    result = parsed(fill)
    assert "4321" in shown(result)
    assert result.warnings == ("the sheet '底价' is hidden; its cells were kept",)
    assert result.status is ParseStatus.OK


def test_comments_are_kept_with_their_cell():
    def fill(book):
        sheet = book.add_worksheet()
        sheet.write("B2", "12")
        sheet.write_comment("B2", "estimate only")

    assert shown(parsed(fill), BlockKind.COMMENT) == ["B2: estimate only"]


def test_one_sheet_with_a_cell_at_the_far_corner_does_not_cost_the_others():
    def fill(book):
        far = book.add_worksheet("far")
        far.write("A1", "near")
        far.write("XFD1048576", "far")
        book.add_worksheet("plain").write("A1", "text")

    result = parsed(fill)
    assert [block.sheet for block in result.blocks] == ["plain", "plain"]
    assert result.status is ParseStatus.PARTIAL
    assert "'far' spans" in result.warnings[0]


def test_a_range_that_only_claims_to_be_large_costs_nothing():
    data = workbook(lambda book: book.add_worksheet().write_row(0, 0, ["a", "b"]))
    assert rows(read(data.replace(b'ref="A1:B1"', b'ref="A1:B9"'), a_job())) == (("a", "b"),)


def test_an_inflating_workbook_is_stopped_before_it_is_read():
    data = workbook(lambda book: [book.add_worksheet().write_column(0, 0, ["x" * 50] * 3_000)])
    with pytest.raises(Exceeded):
        read(data, a_job(inflated_bytes=20_000))


def test_a_truncated_workbook_gives_what_is_left():
    data = workbook(lambda book: book.add_worksheet().write_row(0, 0, ["kept", "too"]))
    result = read(data[: data.find(b"PK\x01\x02")], a_job())
    assert rows(result) == (("kept", "too"),)
    assert result.status is ParseStatus.PARTIAL


@pytest.mark.parametrize("data", [b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), b"no workbook"])
def test_what_is_no_workbook_is_damaged_with_a_reason(data):
    result = read(data, a_job("a.xlsx"))
    assert result.status is ParseStatus.DAMAGED
    assert result.warnings


ODS = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
    ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0">'
    '<office:automatic-styles><style:style style:name="h"><style:table-properties table:display="false"/></style:style>'
    '</office:automatic-styles><office:body><office:spreadsheet><table:table table:name="表"{}>{}</table:table>'
    "</office:spreadsheet></office:body></office:document-content>"
)


def ods(inside, more=""):
    return read(a_zip({"mimetype": "x", "content.xml": ODS.format(more, inside)}), a_job("a.ods", "ods"))


def row(*cells, repeated=1):
    return f'<table:table-row table:number-rows-repeated="{repeated}">{"".join(cells)}</table:table-row>'


def cell(text="", more=""):
    return f"<table:table-cell{more}><text:p>{text}</text:p></table:table-cell>"


def test_an_open_document_sheet_gives_values_by_their_type():
    typed = ' office:value-type="{}" office:{}="{}"'
    result = ods(
        row(cell("a"), cell("b"), cell("c"), cell("d"))
        + row(
            cell("1.234,50 €", typed.format("currency", "value", "1234.5")),
            cell("5. Jan", typed.format("date", "date-value", "2024-01-05T00:00:00")),
            cell("8 Uhr", typed.format("time", "time-value", "PT08H30M00S")),
            cell("wahr", typed.format("boolean", "boolean-value", "true")),
        )
    )
    assert rows(result) == (("a", "b", "c", "d"), ("1234.5", "2024-01-05", "08:30", "TRUE"))
    assert result.blocks[0].sheet == "表"


def test_repeated_empty_cells_and_rows_cost_nothing():
    result = ods(
        row(cell("a"), cell("b"), cell("", ' table:number-columns-repeated="16000"'))
        + row(cell(), repeated=1_048_000)
        + row(cell("below"), cell("x"))
    )
    assert [block.rows for block in result.blocks if block.rows] == [(("a", "b"),), (("below", "x"),)]


def test_repeated_filled_cells_are_bounded():
    with pytest.raises(Exceeded, match="cells"):
        ods(row(cell("x", ' table:number-columns-repeated="16000"'), repeated=1_048_000))


def test_spans_of_an_open_document_sheet_repeat_their_label():
    result = ods(
        row(cell("h", ' table:number-columns-spanned="2"'), "<table:covered-table-cell/>", cell("k"))
        + row(cell("1"), cell("2"), cell("3"))
    )
    assert rows(result) == (("h", "h", "k"), ("1", "2", "3"))


def test_a_hidden_open_document_sheet_is_said():
    assert "hidden" in ods(row(cell("a"), cell("b")), ' table:style-name="h"').warnings[0]
