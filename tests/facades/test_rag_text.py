"""Splitting, packing and cleaning: they end on every input, and keep every character in its place."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hello_agents.memory.rag.convert import _post_process_pdf_text
from hello_agents.memory.rag.pipeline import (
    _approx_token_len,
    _chunk_paragraphs,
    _is_cjk,
    _preprocess_markdown_for_embedding,
    _split_paragraphs_with_headings,
)
from ricordo.errors import Invalid

BOOK = """# 手册

开头一段。

## 请假

第一段。
仍是第一段。

## 空标题

# 附录
```python
# 不是标题

x = 1
```
末尾
"""


def test_paragraphs_stand_under_their_headings_once_each():
    found = [(p["content"], p["heading_path"]) for p in _split_paragraphs_with_headings(BOOK)]
    assert found == [
        ("开头一段。", "手册"),
        ("第一段。\n仍是第一段。", "手册 > 请假"),
        ("## 空标题", "手册 > 空标题"),
        ("```python\n# 不是标题\n\nx = 1\n```\n末尾", "附录"),
    ]


def test_text_before_any_heading_has_no_path_and_text_right_before_one_comes_once():
    found = _split_paragraphs_with_headings("前言\n# 标题\n正文")
    assert [(p["content"], p["heading_path"]) for p in found] == [("前言", None), ("正文", "标题")]


@pytest.mark.parametrize(
    "text", [BOOK, BOOK.replace("\n", "\r\n"), "", "\n\n", "#", "####### x", "# a\n# b", "x" * 9000]
)
def test_offsets_are_exact(text):
    for p in _split_paragraphs_with_headings(text):
        assert text[p["start"] : p["end"]] == p["content"]


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab中文。 #\n\r`~-=|*"), max_size=200))
def test_no_character_is_lost_and_no_offset_wrong(text):
    found = _split_paragraphs_with_headings(text)
    assert all(text[p["start"] : p["end"]] == p["content"] for p in found)
    assert all(a["end"] <= b["start"] for a, b in pairwise(found))
    kept = "".join(p["content"] + (p["heading_path"] or "") for p in found)
    assert set(re.sub(r"[\s#]", "", text)) <= set(re.sub(r"[\s#]", "", kept))
    outside, at = [], 0
    for p in found:
        outside.append(text[at : p["start"]])
        at = p["end"]
    outside.append(text[at:])
    left = [line for gap in outside for line in re.split(r"\r?\n", gap) if line.strip()]
    assert all(line.startswith("#") for line in left)


def test_a_short_and_a_long_paragraph_with_overlap_come_to_an_end():
    text = "短" * 50 + "\n\n" + "长" * 790
    chunks = _chunk_paragraphs(_split_paragraphs_with_headings(text), 800, 100)
    assert [text[c["start"] : c["end"]] for c in chunks] == [c["content"] for c in chunks]
    assert "".join(c["content"] for c in chunks).count("长") == 790
    assert max(_approx_token_len(c["content"]) for c in chunks) <= 800


@pytest.mark.parametrize("text", ["字" * 5000, "x" * 5000, "word " * 5000])
def test_a_single_long_paragraph_is_cut(text):
    chunks = _chunk_paragraphs(_split_paragraphs_with_headings(text), 800, 100)
    assert len(chunks) > 1
    assert "".join(c["content"] for c in chunks).split() == text.split()


def test_overlap_is_whole_paragraphs_and_the_path_is_the_last_one():
    text = "# 甲\n\n" + "\n\n".join("字" * 30 for _ in range(4)) + "\n\n# 乙\n\n" + "尾" * 30
    chunks = _chunk_paragraphs(_split_paragraphs_with_headings(text), 70, 35)
    assert [c["content"].count("字") for c in chunks] == [60, 60, 60, 30]
    assert chunks[-1]["heading_path"] == "乙"
    assert chunks[1]["start"] < chunks[0]["end"]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(1, 60), max_size=12), st.integers(1, 40), st.integers(0, 60))
def test_packing_ends_and_keeps_everything_whatever_the_sizes(lengths, size, overlap):
    text = "\n\n".join("字" * n for n in lengths)
    chunks = _chunk_paragraphs(_split_paragraphs_with_headings(text), size, overlap)
    covered = sorted(
        {at for c in chunks for at in range(c["start"], c["end"])} - {m.start() for m in re.finditer("\n", text)}
    )
    assert covered == [at for at, c in enumerate(text) if c == "字"]


def test_sizes_that_cannot_be_are_refused():
    with pytest.raises(Invalid, match="1 token or more"):
        _chunk_paragraphs([], 0, 0)


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("中文", 3), ("two words", 2), ("RAG 技术", 4), ("a,b", 1)])
def test_tokens_are_one_a_chinese_character_and_one_a_word(text, tokens):
    assert _approx_token_len(text) == tokens


@pytest.mark.parametrize(
    ("character", "is_cjk"), [("中", True), ("㐀", True), ("𠀀", True), ("豈", True), ("a", False), ("。", False)]
)
def test_the_seven_ranges_are_chinese(character, is_cjk):
    assert _is_cjk(character) is is_cjk


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("# 标题\n\n\n正文", "标题\n正文"),
        ("**粗** 和 *斜* 和 _下_", "粗 和 斜 和 下"),
        ("[链接 **重**](http://x) ![图](y.png)", "链接 重 图"),
        ("`a*b*c` 与 2*3*4", "a*b*c 与 2*3*4"),
        ("```c\na*b*c = __x__;\n```\n后", "a*b*c = __x__;\n后"),
        ("snake_case_name", "snake_case_name"),
        ("> 引用", "引用"),
    ],
)
def test_marks_go_and_code_stays(markdown, words):
    assert _preprocess_markdown_for_embedding(markdown) == words


def test_the_clean_up_of_a_pdf_drops_no_line():
    text = "报告\n是\n否\n2024\n12\n\n这一行很长，它在页面的边缘被折断了，所以\n应当和下一行接起来。\n\n- 甲\n- 乙"
    cleaned = _post_process_pdf_text(text)
    assert cleaned.split("\n\n")[0].split("\n") == ["报告", "是", "否", "2024", "12"]
    assert "所以应当和下一行" in cleaned
    assert "- 甲\n- 乙" in cleaned


def test_wrapped_english_is_joined_by_a_space_and_a_parted_word_without():
    wrapped = "The committee considered the infor-\nmation that had been sent to it by the\nother committee."
    assert _post_process_pdf_text(wrapped) == wrapped.replace("-\n", "").replace("\n", " ")
