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
    "一个句子。", "他说：“好！”", "；", "，", "……", "A sentence. ", "Dr. Who, e.g. 3.14; ", "word ", "x" * 230, "字" * 230,
    "\n", "\r\n", "\r", "\n\n", "    ", "\u3000", "\x0c", "\x00", "\u2028", "# 标题\n", "## Heading two\n", "Title\n=====\n",
    "```py\n# not\n\nx = 1\n```\n", "~~~\n", "| a | b |\n| - | - |\n| 1 | 2 |\n", "---\n", "- item\n", FAMILY, "🇨🇳",
    "e\u0301", "👍🏽", "\ud83d", "\ude00", "https://example.org/a-b_c?d=e&f=g", "a" * 18 + "\n",
)  # fmt: skip
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
        if min(len(before), len(after)) < 20:
            assert token_count(before + after) > size


@given(TEXTS, st.integers(1, 4))
def test_a_token_limit_below_one_character_still_ends(text, size):
    check_fills(split(text, size=size, parent=0, count=token_count), text)


@given(st.lists(st.sampled_from([FAMILY, "🇨🇳", "e\u0301", "👍🏽", "\ud83d\ude00", "字", "a "]), max_size=200).map("".join))
def test_no_visible_character_is_torn(text):
    for section in split(text, size=100, parent=300):
        for child in section.children:
            assert not joined(text, child.start)


@given(TEXTS, st.integers(60, 200), st.data())
def test_overlap_adds_text_of_the_chunk_before_and_nothing_else(text, size, data):
    overlap = data.draw(st.integers(1, size // 2))
    sections = split(text, size=size, parent=0, overlap=overlap)
    assert "" == text or sections[0].start == 0
    for before, after in pairwise(sections):
        assert before.start <= after.start <= before.end < after.end
        assert before.end - after.start <= overlap
    assert all(section.end - section.start <= size for section in sections)


@settings(max_examples=50)
@given(TEXTS, st.lists(st.tuples(st.integers(0, 600), st.integers(1, 6), st.text(max_size=5)), max_size=8))
def test_anchors_anywhere_lose_nothing(text, anchors):
    inside = sorted((anchor for anchor in anchors if anchor[0] <= len(text)), key=lambda anchor: anchor[0])
    check_fills(split(text, inside, size=50, parent=150), text)
