"""Chunks fill their text, keep to their limits, and are cut where a reader would cut."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ricordo.chunk.graphemes import joined
from ricordo.chunk.recursive import RecursiveChunker, split
from ricordo.errors import Invalid
from ricordo.types import Section

FAMILY = "👨‍👩‍👧‍👦"
FRAGMENTS = (
    *("一个句子。", "他说：“好！”", "；", "，", "……", "A sentence. ", "Dr. Who, e.g. 3.14; ", "word "),
    *("x" * 230, "字" * 230, "\n", "\r\n", "\r", "\n\n", "    ", "\u3000", "\x0c", "\x00", "\u2028"),
    *("# 标题\n", "## Heading two\n", "Title\n=====\n", "```py\n# not\n\nx = 1\n```\n", "~~~\n", "---\n", "- item\n"),
    *("| a | b |\n| - | - |\n| 1 | 2 |\n", FAMILY, "🇨🇳", "e\u0301", "👍🏽", "\ud83d", "\ude00"),
    *("https://example.org/a-b_c?d=e&f=g", "a" * 18 + "\n"),
)
CHARACTERS = st.sampled_from([FAMILY, "🇨🇳", "e\u0301", "👍🏽", "\ud83d\ude00", "字", "a "])
TEXTS = st.one_of(
    st.lists(st.sampled_from(FRAGMENTS), max_size=60).map("".join),
    st.text(st.characters(codec=None), max_size=600),
    st.text(alphabet="ab \n。，.#`|", max_size=400),
)


def token_count(text: str) -> int:
    """Four characters a token for ASCII, and the bytes of all others: rough, but it never falls as a text grows."""
    return sum(1 if c.isascii() else 4 * len(c.encode("utf-8", "surrogatepass")) for c in text) // 4 + 1


def chunks_of(sections: list[Section], text: str) -> list[str]:
    return [text[child.start : child.end] for section in sections for child in section.children]


def check_fills(sections: list[Section], text: str) -> None:
    at = 0
    for section in sections:
        assert section.start == at
        for child in section.children:
            assert child.start == at
            assert child.end > at
            at = child.end
        assert section.end == at
    assert at == len(text)


@given(TEXTS, st.integers(1, 250), st.integers(1, 6))
def test_sections_fill_the_text_and_chunks_fill_sections_within_their_limits(text, size, times):
    sections = split(text, size=size, parent=size * times)
    check_fills(sections, text)
    lengths = [len(chunk) for chunk in chunks_of(sections, text)]
    assert all(length <= size for length in lengths)
    assert all(section.end - section.start <= size * times for section in sections)
    if len(lengths) > 1:
        assert min(lengths) >= min(20, (size + 1) // 2)


@given(TEXTS, st.integers(1, 120))
def test_without_a_parent_each_chunk_is_a_section(text, size):
    sections = split(text, size=size, parent=0)
    check_fills(sections, text)
    for section in sections:
        (child,) = section.children
        assert (child.start, child.end, child.headings) == (section.start, section.end, section.headings)
        assert section.end - section.start <= size


@given(TEXTS, st.integers(30, 250), st.integers(1, 6))
def test_sizes_in_tokens_hold(text, size, times):
    sections = split(text, size=size, parent=size * times, count=token_count)
    check_fills(sections, text)
    chunks = chunks_of(sections, text)
    assert all(token_count(chunk) <= size for chunk in chunks)
    assert all(token_count(text[s.start : s.end]) <= size * times for s in sections)
    for before, after in pairwise(chunks):
        if min(len(before), len(after)) < min(20, (size + 1) // 2):
            assert token_count(before + after) > size


@given(TEXTS, st.integers(1, 4))
def test_a_token_limit_below_one_character_still_ends(text, size):
    check_fills(split(text, size=size, parent=0, count=token_count), text)


@given(st.lists(CHARACTERS, max_size=200).map("".join))
def test_no_visible_character_is_torn(text):
    for section in split(text, size=100, parent=300):
        for child in section.children:
            assert not joined(text, child.start)


@given(TEXTS, st.integers(60, 200), st.data())
def test_overlap_adds_text_of_the_chunk_before_and_nothing_else(text, size, data):
    overlap = data.draw(st.integers(1, size // 2))
    sections = split(text, size=size, parent=0, overlap=overlap)
    assert text == "" or sections[0].start == 0
    for before, after in pairwise(sections):
        assert before.start <= after.start <= before.end < after.end
        assert before.end - after.start <= overlap
    assert all(section.end - section.start <= size for section in sections)


@settings(max_examples=50)
@given(TEXTS, st.lists(st.tuples(st.integers(0, 600), st.integers(1, 6), st.text(max_size=5)), max_size=8))
def test_anchors_anywhere_lose_nothing(text, anchors):
    inside = sorted((anchor for anchor in anchors if anchor[0] <= len(text)), key=lambda anchor: anchor[0])
    check_fills(split(text, inside, size=50, parent=150), text)


def test_overlap_is_there_in_chinese_and_reaches_back_to_a_sentence():
    text = "".join(f"这是第{number:02}个句子，说的是同一件事情。" for number in range(20))
    sections = split(text, size=100, parent=0, overlap=30)
    assert all(after.start < before.end for before, after in pairwise(sections))
    assert all(text[section.start :].startswith("这是第") for section in sections)
    inside = split(text, size=100, parent=200, overlap=30)
    for section in inside:
        assert section.start == section.children[0].start
        assert all(after.start < before.end for before, after in pairwise(section.children))


def test_overlap_falls_back_to_phrases_and_then_to_characters():
    words, letters = "word " * 100, "字" * 400
    assert all(text.startswith("word") for text in chunks_of(split(words, size=100, parent=0, overlap=30), words))
    assert split(letters, size=100, parent=0, overlap=30)[1].start < 100


def test_headings_are_known_and_stand_with_their_text():
    text = (
        "# 书\n\n## 一\n\n"
        + "第一章的正文。" * 20
        + "\n\n## Two\n\n"
        + "Text of two. " * 14
        + "\n\n# B\n\nThe end of it all, at last."
    )
    sections = split(text, size=100, parent=250)
    assert [section.headings for section in sections] == [("书", "一"), ("书", "Two"), ("B",)]
    children = [child for section in sections for child in section.children]
    assert children[1].headings == ("书", "一")
    for child in children:
        assert not text[child.start : child.end].rstrip().splitlines()[-1].startswith("#")


def test_a_heading_behind_blank_lines_is_the_path_of_the_first_chunk():
    assert split("\n\n# Title\n\nText of some length.")[0].headings == ("Title",)


def test_a_section_closes_at_the_first_heading_once_half_is_full():
    part = "这是一句二十个字左右的话，正好这么长。"
    text = "".join(f"## 第{number}节\n\n{part * 8}\n\n" for number in range(6))
    for section in split(text, size=200, parent=600):
        assert text[section.start :].startswith("## ")
        assert text[section.start : section.end].count("##") == 2


def test_anchors_replace_markdown_headings():
    text = "# a comment\nIntroduction\n\nSome text that is long enough.\n"
    (section,) = split(text, [(12, 1, "Intro")], size=200)
    assert section.headings == ()
    assert [child.headings for child in split(text, [(0, 1, "Intro")])[0].children] == [("Intro",)]


def test_a_fence_that_fits_is_never_cut():
    fence = "```python\n" + "value = compute(1)\n\n" * 8 + "```\n"
    text = "Some words before the code, enough of them. " * 3 + "\n\n" + fence + "\n" + "Words after it. " * 20
    assert any(fence in chunk for chunk in chunks_of(split(text, size=200, parent=400), text))


def test_a_fence_over_the_limit_is_cut_at_its_lines():
    lines = [f"line_{number} = {number}; more(). And. more()\n" for number in range(30)]
    text = "```\n" + "".join(lines) + "```"
    assert all(chunk.endswith(("\n", "```")) for chunk in chunks_of(split(text, size=120, parent=400), text))


def test_a_short_piece_between_fences_that_fit_borrows_from_one():
    fence = "```\n" + "x = 1234567\n" * 15 + "```\n"
    lengths = [len(chunk) for chunk in chunks_of(split(fence + "short\n" + fence), fence * 2 + "short\n")]
    assert min(lengths) >= 20
    assert max(lengths) <= 200


def test_a_short_piece_borrows_from_prose_before_it_tears_a_fence():
    fence = "```\n" + "x = 1234567\n" * 15 + "y = 12\n```\n"
    prose = "，".join(["这是一句没有句号的话"] * 18) + "。\n"
    for text in (fence + "short\n" + prose, prose + "short\n" + fence):
        assert fence in chunks_of(split(text, parent=0), text)


def test_a_long_sentence_is_cut_and_not_the_heading_over_it():
    heading = "## One thing and another, then a third, and at last a fourth\n\n"
    text = heading + "word " * 33
    assert chunks_of(split(text), text)[0].startswith(heading + "word")


def test_rows_of_a_table_stay_whole():
    rows = [f"| 第{number}行。是的 | value, {number} |\n" for number in range(40)]
    text = "| 名 | value |\n| --- | --- |\n" + "".join(rows)
    assert all(chunk.startswith("|") and chunk.endswith("|\n") for chunk in chunks_of(split(text), text))


def test_a_sentence_that_is_too_long_is_cut_at_its_clauses():
    text = "，".join(["这个分句有十来个字那么长"] * 40) + "。"
    assert all(chunk.endswith(("，", "。")) for chunk in chunks_of(split(text), text))


def test_an_edit_stays_local():
    dice = random.Random(7)
    words = ["记忆", "检索", "模型", "文档", "句子", "向量", "节点", "边界"]
    sentences = ["".join(dice.choices(words, k=dice.randint(5, 25))) + "。" for _ in range(1500)]
    breaks = dice.sample(range(1500), 300)
    plain = [sentence + "\n\n" * (number in breaks) for number, sentence in enumerate(sentences)]

    def cut(parts: list[str]) -> set[str]:
        return set(chunks_of(split("".join(parts)), "".join(parts)))

    before, new = cut(plain), []
    for _ in range(20):
        at = dice.randrange(1500)
        new.append(len(cut([*plain[:at], "这里加了一句新的话。", *plain[at:]]) - before))
    assert sum(new) / len(new) <= 3
    assert max(new) <= 12


def test_an_edit_stays_local_in_a_run_of_lines_that_are_all_alike():
    dice = random.Random(3)
    lines = [f"- option_{'x' * dice.randint(1, 25)} = {number}\n" for number in range(2000)]
    before = set(chunks_of(split("".join(lines)), "".join(lines)))
    for at in dice.sample(range(2000), 20):
        text = "".join([*lines[:at], "- a new line among them\n", *lines[at:]])
        assert len(set(chunks_of(split(text), text)) - before) <= 10


def test_text_without_any_boundary_is_read_in_good_time():
    for character in ("x", "字", "🇨", "\u0301", " ", "\n", "`", "|", "-", ".", "。", "a. ", " \n"):
        text = character * (20_000 // len(character))
        check_fills(split(text), text)


async def test_the_chunker_gives_what_split_gives():
    text = "一句话。" * 200
    assert await RecursiveChunker(100, None, overlap=20).split(text) == split(text, size=100, parent=0, overlap=20)
    assert await RecursiveChunker(50, 200, "tokens", token_count).split(text) == split(
        text, size=50, parent=200, count=token_count
    )
    assert await RecursiveChunker().split("") == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"size": 0},
        {"size": 200, "parent": 100},
        {"unit": "tokens"},
        {"unit": "words"},
        {"count": len},
        {"overlap": -1},
        {"overlap": 101},
    ],
)
def test_sizes_that_contradict_each_other_are_refused(wrong):
    with pytest.raises(Invalid):
        RecursiveChunker(**wrong)
