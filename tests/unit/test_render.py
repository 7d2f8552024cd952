"""Blocks into Markdown with the range of each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.parse.render import anchors, pages, render
from ricordo.types import Block, BlockKind, Parsed


def rendered(*blocks):
    return render(Parsed(parser="test", blocks=blocks))


def block(kind, text="", **more):
    return Block(kind=BlockKind(kind), text=text, **more)


@pytest.mark.parametrize(
    ("given_block", "text"),
    [
        (block("heading", "付款 方式", level=2), "## 付款 方式"),
        (block("heading", "two\nlines", level=9), "###### two lines"),
        (block("heading", "no level"), "# no level"),
        (block("paragraph", "plain"), "plain"),
        (block("paragraph", "# of items\nx"), "\\# of items\nx"),
        (block("paragraph", "```\nx"), "\\```\nx"),
        (block("paragraph", "Title\n---"), "Title\n\\---"),
        (block("paragraph", "#hash-tag"), "#hash-tag"),
        (block("list", "milk"), "- milk"),
        (block("list", "oats\nrolled", level=2), "  - oats\n    rolled"),
        (block("list", "1. first"), "1. first"),
        (block("list", "（一）"), "- （一）"),
        (block("note", "seen\ntwice"), "> seen\n> twice"),
        (block("comment", "why?"), "> why?"),
        (block("picture", "a chart"), "a chart"),
        (block("code", "x = 1\n\n", language="python"), "```python\nx = 1\n```"),
        (block("code", "a\n````\nb"), "`````\na\n````\nb\n`````"),
        (block("table", rows=(("a", "b|c"), ("1\n2", "\\"))), "| a | b\\|c |\n| --- | --- |\n| 1 2 | \\\\ |"),
        (block("table", rows=(("a",), ("1", "2"))), "| a |  |\n| --- | --- |\n| 1 | 2 |"),
        (block("table", "caption", rows=(("a",),)), "caption\n\n| a |\n| --- |"),
    ],
)
def test_a_block_becomes_markdown(given_block, text):
    assert rendered(given_block).text == text


def test_blocks_stand_an_empty_line_apart_and_items_a_line_break():
    made = rendered(block("paragraph", "a"), block("list", "b"), block("list", "c"), block("paragraph", "d"))
    assert made.text == "a\n\n- b\n- c\n\nd"


def test_every_block_is_found_at_its_range():
    made = rendered(block("heading", "甲", level=1), block("table", rows=(("x",),)), block("paragraph", "乙"))
    assert [made.text[start:end] for start, end, _ in made.spans] == ["# 甲", "| x |\n| --- |", "乙"]
    assert [b.kind for *_, b in made.spans] == ["heading", "table", "paragraph"]


def test_blocks_without_words_leave_no_gap():
    silent = (block("picture"), block("table"), block("heading", " "))
    made = rendered(block("paragraph", "a"), *silent, block("paragraph", "b"))
    assert made.text == "a\n\nb"


def test_source_is_kept_as_it_is():
    pieces = ("# T\n\n", "x  \n    code\n```\n# no\n```\n", "Setext\n===\n", "end\n")
    kinds = ("heading", "paragraph", "heading", "paragraph")
    made = rendered(*(block(kind, text, level=1) for kind, text in zip(kinds, pieces, strict=True)))
    assert made.text == "".join(pieces)
    assert anchors(made) == [(0, 1, "T"), (len("".join(pieces[:2])), 1, "Setext")]


@given(st.lists(st.text(st.characters(exclude_categories=("Cs",)), min_size=1).map(lambda t: t + "\n"), max_size=8))
def test_pieces_of_a_text_join_to_the_text(pieces):
    made = rendered(*(block("paragraph", piece) for piece in pieces))
    assert made.text == "".join(pieces)
    assert [made.text[start:end] for start, end, _ in made.spans] == pieces


def test_anchors_give_offset_level_and_title():
    headings = (block("heading", "第一章  渔港", level=2), block("heading", "x", level=3))
    made = rendered(block("paragraph", "前言"), *headings)
    assert anchors(made) == [(4, 2, "第一章 渔港"), (15, 3, "x")]
    assert made.text[4:].startswith("## 第一章")


def test_pages_are_told_where_they_change():
    made = rendered(*(block("paragraph", str(n), page=n // 2) for n in range(2, 6)), block("paragraph", "no page"))
    assert pages(made) == [(0, 1), (6, 2)]
