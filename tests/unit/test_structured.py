"""JSON, JSON Lines, XML and notebooks."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reading_jobs import headings, job, text
from ricordo.parse import notebook, structured
from ricordo.parse.reading import Exceeded
from ricordo.types import BlockKind, ParseStatus


def read(data, kind):
    return structured.read(data if isinstance(data, bytes) else data.encode(), job(f"x.{kind}", kind))


def test_json_is_read_as_records():
    parsed = read(
        r'{"标题":"\u914d\u7f6e","版本":1.10,"id":9007199254740993123,"tags":["a","b"],"inner":{"x":null,"y":[true]},'
        r'"users":[{"name":"李","roles":[{"r":"x"}]},{"name":"b\nc"}]}',
        "json",
    )
    assert parsed.status is ParseStatus.OK
    assert [block.text for block in parsed.blocks] == [
        "标题: 配置\n版本: 1.10\nid: 9007199254740993123\ntags: a, b\ninner:\n  x: null\n  y: true",
        "users",
        "name: 李\nroles:\n  - r: x",
        "name: b\n  c",
    ]
    assert headings(parsed) == [(1, "users")]


def test_a_key_that_stands_twice_is_kept_twice():
    assert read('{"a":1,"a":2}', "json").blocks[0].text == "a: 1\na: 2"


@pytest.mark.parametrize("source", ['{"a":1', "[" * 100_000, "{'a': 1}", "[log] started"])
def test_what_is_no_json_stays_text_and_says_so(source):
    parsed = read(source, "json")
    assert text(parsed) == f"{source}\n"
    assert parsed.status is ParseStatus.PARTIAL
    assert "kept as text" in parsed.warnings[0]


def test_a_bad_line_of_json_lines_costs_only_itself():
    parsed = read('{"a":"一"}\nbad 行\n"s"\n', "jsonl")
    assert [block.text.strip() for block in parsed.blocks] == ["a: 一", "bad 行", "s"]
    assert parsed.status is ParseStatus.PARTIAL
    assert "line 2" in parsed.warnings[0]


def test_xml_is_read_by_its_declared_charset_with_no_entity_resolved():
    source = (
        '<?xml version="1.0" encoding="gb2312"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        '<rss><channel><title>镕新闻</title><item id="3"><t>你 <b>好</b>&x;</t></item>'
        '<item id="4"><t>二</t></item></channel></rss>'
    )
    parsed = read(source.encode("gb18030"), "xml")
    assert parsed.title == "镕新闻"
    assert "你 好" in text(parsed)
    assert "id: 4\nt: 二" in text(parsed)
    assert "root:" not in text(parsed)


def test_broken_xml_keeps_what_can_be_read():
    parsed = read("<a><b>一</b><c", "xml")
    assert "一" in text(parsed)
    assert parsed.status is ParseStatus.PARTIAL


def test_xml_of_entities_in_entities_stays_small():
    levels = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 9))
    parsed = read(f'<!DOCTYPE a [<!ENTITY e0 "lol">{levels}]><a>&e8;</a>', "xml")
    assert len(text(parsed)) < 10_000


def test_deep_xml_is_too_large():
    with pytest.raises(Exceeded):
        read("<a>" * 5000, "xml")


def cells(*cells, **more):
    data = json.dumps({"nbformat": 4, "metadata": {"language_info": {"name": "Python"}}, "cells": cells, **more})
    return notebook.read(data.encode(), job("x.ipynb", "ipynb"))


def test_a_notebook_gives_text_code_and_text_outputs():
    parsed = cells(
        {"cell_type": "markdown", "source": ["# 结论\n", "一 ![p](data:image/png;base64,AAAA)"]},
        {
            "cell_type": "code",
            "source": "# no heading\nprint(1)",
            "outputs": [
                {"output_type": "stream", "text": ["best epoch: 14\n"]},
                {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo", "text/plain": "<Figure>"}},
                {"output_type": "error", "ename": "ValueError", "evalue": "bad", "traceback": ["\x1b[31m..."]},
            ],
        },
    )
    assert headings(parsed) == [(1, "结论")]
    assert next(b.language for b in parsed.blocks if b.kind is BlockKind.CODE) == "python"
    for kept in ("best epoch: 14", "ValueError: bad", "print(1)", "<Figure>"):
        assert kept in text(parsed)
    for dropped in ("iVBOR", "AAAA", "\x1b"):
        assert dropped not in text(parsed)


@pytest.mark.parametrize("data", [b"{}", b"[]", b"nope", b'{"cells": [1, {"cell_type": 3, "source": {}}]}'])
def test_a_notebook_without_cells_ends_in_a_status(data):
    status = notebook.read(data, job("x.ipynb", "ipynb")).status
    assert status in (ParseStatus.EMPTY, ParseStatus.DAMAGED)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=15,
)


@settings(deadline=None, max_examples=60)
@given(json_values)
def test_any_json_can_be_read(value):
    assert read(json.dumps(value), "json").status in (ParseStatus.OK, ParseStatus.EMPTY)


@settings(deadline=None, max_examples=60)
@given(st.one_of(st.binary(max_size=200), st.text("<>ab/&;\"' =!?[]-", max_size=120).map(str.encode)))
def test_any_bytes_end_in_a_status(data):
    for kind in ("json", "jsonl", "xml"):
        assert read(data, kind).status in ParseStatus
    assert notebook.read(data, job("x.ipynb", "ipynb")).status in ParseStatus
