"""Delimited text: delimiters, quotes, titles, and what is broken."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reading_jobs import job, rows, text
from ricordo.parse import tabular
from ricordo.parse.reading import Exceeded, Limits
from ricordo.types import ParseStatus


def read(data, **more):
    return tabular.read(data if isinstance(data, bytes) else data.encode(), job("x.csv", "csv", **more))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a,b\n1,2\n", [("a", "b"), ("1", "2")]),
        ("a\tb, c\n1\t2\n", [("a", "b, c"), ("1", "2")]),
        ("x;y\n1,5;2,5\n3,5;4,5\n", [("x", "y"), ("1,5", "2,5"), ("3,5", "4,5")]),
        ("a|b\n1|2\n", [("a", "b"), ("1", "2")]),
        ("sep=;\na;b\n1;2,3,4\n", [("a", "b"), ("1", "2,3,4")]),
        ('a,b\n"x, y","第一行\n第二行"\n', [("a", "b"), ("x, y", "第一行\n第二行")]),
        ('a,b\n"say ""hi""",\n', [("a", "b"), ('say "hi"', "")]),
        ("a,b\r1,2\r", [("a", "b"), ("1", "2")]),
        ("a,b,,\n,,,\n00012,2,,\n", [("a", "b"), ("00012", "2")]),
        ("one\ntwo\n", [("one",), ("two",)]),
    ],
)
def test_cells_are_found(source, expected):
    assert rows(read(source)) == expected


def test_lines_of_one_cell_above_a_table_are_its_title():
    parsed = read("2024年销售汇总,,\n单位：万元,,\n部门,一月,合计\n华东,1,2\n华北,2,3\n")
    assert rows(parsed)[0] == ("部门", "一月", "合计")
    assert text(parsed).startswith("2024年销售汇总\n\n单位：万元\n\n| 部门")


def test_a_quote_that_never_closes_takes_one_line_and_not_the_file():
    parsed = read('a,b\n1,"x\n' + "2,y\n" * 300)
    assert len(rows(parsed)) == 302
    assert rows(parsed)[1] == ("1", '"x')
    assert parsed.status is ParseStatus.PARTIAL
    assert "line 2" in parsed.warnings[0]


def test_charsets_are_told():
    assert rows(read("名前,年齢\n髙橋淳,35\n".encode("cp932")))[1] == ("髙橋淳", "35")
    assert rows(read("订单号,客户\n00012,成都镕晖书店\n".encode("gbk")))[1] == ("00012", "成都镕晖书店")


def test_a_table_beyond_the_limit_is_too_large():
    with pytest.raises(Exceeded):
        read("abc,def\n" * 1000, limits=Limits(text_characters=1000))


@settings(deadline=None, max_examples=60)
@given(st.one_of(st.binary(max_size=200), st.text('a",;\t\n\r|=é中', max_size=200).map(str.encode)))
def test_it_always_ends_in_a_status(data):
    assert read(data).status in ParseStatus
