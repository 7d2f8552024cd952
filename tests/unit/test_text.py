"""Text, code and Markdown: the stored text is the file's own."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reading_jobs import headings, job, text
from ricordo.parse import markdown
from ricordo.parse import text as plain
from ricordo.types import BlockKind, ParseStatus

LINES = st.lists(
    st.one_of(
        st.sampled_from(
            ["", "# 标题", "## b ##", "===", "---", "```", "~~~", "<!--", "-->", "    # x", "| a |", "\f", "- x", "#no"]
        ),
        st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12),
    ),
    max_size=25,
)


@settings(deadline=None, max_examples=60)
@given(LINES, st.sampled_from(["markdown", "text"]))
def test_the_pieces_join_to_the_files_own_text(lines, kind):
    source = "\n".join(lines) + "\n"
    read = markdown.read if kind == "markdown" else plain.read
    parsed = read(source.encode(), job("x", kind))
    if source.strip():
        assert text(parsed) == source.removeprefix("\ufeff")
    else:
        assert parsed.status is ParseStatus.EMPTY


def test_line_ends_are_made_one_and_nul_is_dropped():
    assert text(plain.read(b"a\r\nb\x00c\r\n", job("x.txt", "text"))) == "a\nbc\n"


def test_a_heading_is_no_comment_of_code_or_front_matter():
    source = """---
title: "部署手册: 网关"
# no heading
---
# One #
```bash
# no heading
```
~~~
```
# no heading
~~~
    # no heading
<!--
# no heading
-->
<pre>
# no heading
</pre>
#no

Two
===
Three
---
- item
---
para
line
---
####### seven
#
"""
    parsed = markdown.read(source.encode(), job("x.md", "markdown"))
    assert headings(parsed) == [(1, "One"), (1, "Two"), (2, "Three")]
    assert parsed.title == "部署手册: 网关"


def test_a_rule_at_the_top_is_no_front_matter():
    assert headings(markdown.read(b"---\nSome words\n\n# A\n---\n", job("x.md", "markdown"))) == [(1, "A")]


def test_the_first_top_heading_is_the_title_where_front_matter_gives_none():
    assert markdown.read("序\n\n## b\n\n# 手册 #\n".encode(), job("x.md", "markdown")).title == "手册"


def test_code_stays_code_with_its_language():
    parsed = plain.read(b"def f():\n    # no heading\n    return 1\n", job("a.py", "code"))
    (block,) = parsed.blocks
    assert (block.kind, block.language) == (BlockKind.CODE, "python")
    assert "    # no heading\n" in text(parsed)
    assert headings(parsed) == []


def test_a_form_feed_begins_a_page():
    parsed = plain.read(b"one\n\ftwo\n\f\n", job("x.txt", "text"))
    assert [(block.page, block.text) for block in parsed.blocks] == [(1, "one\n"), (2, "\ftwo\n\f\n")]


@pytest.mark.parametrize("data", [b"", b"\n \n", b"\x00\x00"])
def test_nothing_is_called_empty(data):
    assert plain.read(data, job("x.txt", "text")).status is ParseStatus.EMPTY
    assert markdown.read(data, job("x.md", "markdown")).status is ParseStatus.EMPTY


def test_damaged_bytes_are_partial_with_a_warning():
    parsed = plain.read("第一条，规范员工差旅费用".encode() * 4 + b"\xff\n", job("x.txt", "text"))
    assert parsed.status is ParseStatus.PARTIAL
    assert "could not be read" in parsed.warnings[0]
