"""Sentences, lines and blocks are told apart as a reader would."""

from itertools import pairwise

import pytest

from ricordo.chunk.boundaries import BLANK, HEADING, LINE, SENTENCE, WRAP, boundaries
from ricordo.chunk.markdown import regions
from ricordo.chunk.measure import Characters


def cut(text: str, limit: int = 200) -> list[str]:
    cuts, _ = boundaries(text, regions(text), Characters(text), limit)
    offsets = [0, *(at for at, _ in cuts)]
    return [text[start:end] for start, end in pairwise(offsets)]


def levels(text: str, limit: int = 200) -> list[int]:
    return [level for _, level in boundaries(text, regions(text), Characters(text), limit)[0]]


@pytest.mark.parametrize(
    "sentences",
    [
        ["他来了。", "她走了！", "真的吗？", "是……", "好；", "完"],
        ["他说：“走吧。”", "然后走了。"],
        ["（见下文。）", "「好！」", "他笑了"],
        ["什么？！", "不会吧！！！", "会"],
        ["**重点。** ", "后文"],
        ["他走了。", "**重点**在这里"],
        ["我用 Python.", "然后用 Rust.", "完"],
        ["One. ", "Two! ", "Three? ", "Four"],
        ['He said "go." ', "(She went.) ", "So it was."],
        ["Wait... ", "What?! ", "Yes."],
        ["It ends in 2019. ", "The next begins."],
        ["这是中文. ", "This is English。", "混排"],
    ],
)
def test_sentences_end_here(sentences):
    assert cut("".join(sentences)) == sentences


@pytest.mark.parametrize(
    "whole",
    [
        "Dr. Who met Mr. Smith and Prof. Jones",
        "See e.g. the list, i.e. Fig. 3 and No. 5",
        "Pi is 3.14 and v1.2.3 is on example.com/a.b",
        "J. R. R. Tolkien of the U.S. Army",
        "Smith et al. (2020) on Jan. 5",
        "Wait... it goes on",
        "Yahoo! is a name, so is who? or not",
        "1. First item",
        "  12. 第十二条",
        "版本3.14是新的，用Node.js写成",
    ],
)
def test_nothing_ends_inside(whole):
    assert cut(whole) == [whole]


def test_a_blank_line_is_more_than_a_line_and_a_line_more_than_a_wrap():
    assert levels("End.\n\nOne.\nTwo goes\non. Three") == [BLANK, LINE, WRAP, SENTENCE, HEADING]


def test_a_line_of_fixed_width_that_goes_on_with_a_name_is_a_wrap():
    line = "The quick brown fox jumps over the lazy dog and then goes to see\nAlice at home"
    assert levels(line) == [WRAP, HEADING]
    assert levels("Short title\nAlice at home") == [LINE, HEADING]
    assert levels("这一行很长，是按固定宽度折行的中文段落，读到行尾的时候句子还没有说\n完，所以不算一行的结束") == [
        WRAP,
        HEADING,
    ]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r", "\u2028", "\x0c"])
def test_any_line_break_stays_with_the_line_that_it_ends(newline):
    assert cut(f"一行{newline}又一行{newline} \t{newline}末行") == [
        f"一行{newline}",
        f"又一行{newline} \t{newline}",
        "末行",
    ]


def test_indentation_stays_with_its_line():
    assert cut("If:\n    then\n\n    else") == ["If:\n", "    then\n\n", "    else"]


def test_headings_hold_on_to_what_follows():
    text = "前言。\n\n# 书名\n\n## 第一章\n\n正文。后文。"
    assert cut(text) == ["前言。\n\n", "# 书名\n\n## 第一章\n\n正文。", "后文。"]
    assert levels(text)[0] == HEADING


def test_a_heading_of_more_than_half_the_limit_may_stand_alone():
    assert cut("# A long heading\nText.", limit=20) == ["# A long heading\n", "Text."]


def test_sentences_in_a_heading_are_no_boundaries():
    assert cut("## Why? Because. 为什么？因为\nText.") == ["## Why? Because. 为什么？因为\nText."]


def test_a_fence_that_fits_is_whole_and_one_that_does_not_is_cut_at_its_lines():
    fence = "```py\na = 1. \nb = 2\n\nc = '完。了'\nd = 4\n```\n"
    assert cut("Before.\n" + fence + "After.") == ["Before.\n", fence, "After."]
    assert cut(fence, limit=30) == ["```py\na = 1. \n", "b = 2\n\n", "c = '完。了'\n", "d = 4\n```\n"]


def test_a_fence_under_a_heading_that_do_not_fit_together_is_not_torn():
    fence = "```\n" + "x = 1\n" * 9 + "```\n"
    assert cut("# Heading of some length\n" + fence, limit=70) == ["# Heading of some length\n", fence]


def test_a_table_is_cut_between_rows_and_its_head_stays_with_the_first():
    rows = ["| 名. | b |\n| --- | :-: |\n| 一。二 | 2 |\n", "| 三 | 4 |\n", "| 五 | 6 |\n", "完"]
    assert cut("".join(rows)[:-2] + "\n完") == rows
