"""Web pages: structure kept, what does not show dropped, nothing lost to depth."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reading_jobs import headings, job, rows, text
from ricordo.parse import html
from ricordo.parse.reading import Exceeded
from ricordo.types import BlockKind, ParseStatus


def read(page):
    return html.read(page if isinstance(page, bytes) else page.encode(), job("x.html", "html"))


def test_headings_paragraphs_and_title():
    parsed = read(
        "<title>年度 &amp; 汇报</title><h1>第一<br>章</h1>裸文字 <b>粗</b>"
        "<p>两行\n文字 and\nwords <a href=x>link</a></p><div role=heading aria-level=3>角色</div><p>a<br>b</p>"
    )
    assert parsed.title == "年度 & 汇报"
    assert headings(parsed) == [(1, "第一 章"), (3, "角色")]
    assert "裸文字 粗\n\n两行文字 and words link" in text(parsed)
    assert text(parsed).endswith("a\nb")


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>NO</script>",
        "<style>NO</style>",
        "<template><p>NO</p></template>",
        "<div hidden>NO</div>",
        "<p style='color:red; DISPLAY : none'>NO</p>",
        "<span style='visibility:hidden'>NO</span>",
        "<nav><ul><li>NO</ul></nav>",
        "<ul role=navigation><li>NO</ul>",
        "<noscript>NO</noscript>",
        "<!-- NO -->",
        "<svg><text>NO</text></svg>",
        "<select><option>NO</select>",
        "<ruby>静<rp>(</rp><rt>NO</rt><rp>)</rp></ruby>",
        "<table><tr><th>a<th>b<tr><td>1<td><p hidden>NO</p>2</table>",
    ],
)
def test_what_does_not_show_is_dropped_and_what_follows_it_is_kept(hidden):
    parsed = text(read(f"<p>before</p>{hidden}after"))
    assert "NO" not in parsed
    assert parsed.startswith("before")
    assert parsed.endswith("after")


def test_a_page_of_nothing_but_a_menu_keeps_it():
    assert text(read("<nav><p>only this</p></nav>")) == "only this"
    assert text(read("<body style='visibility:hidden'><p>waits for a script</p>")) == "waits for a script"


def test_ruby_stays_one_word_and_powers_stay_powers():
    assert text(read("<ruby>静<rt>jìng</rt>安<rt>ān</rt></ruby>区 10<sup>6</sup> H<sub>2</sub>O a<sup>th</sup>")) == (
        "静安区 10^6 H2O ath"
    )


def test_lists_keep_numbers_and_depth():
    parsed = read("<ul><li>a<ul><li>b</ul><li><p>c</p><p>d</p></ul><ol start=3><li>x<li value=7>y<li>z</ol>")
    assert text(parsed) == "- a\n  - b\n- c\n  d\n3. x\n7. y\n8. z"


def test_a_spanning_cell_is_repeated_over_its_range():
    parsed = read(
        "<table><caption>表一</caption><tr><th rowspan=2>地区<th colspan=2>营收"
        "<tr><td>一月<td>二月<tr><td rowspan=0>华东<td>1<br>2<td><ul><li>x<li>y</ul><tr><td>3<td>4</table>"
    )
    assert rows(parsed) == [
        ("地区", "营收", "营收"),
        ("地区", "一月", "二月"),
        ("华东", "1\n2", "x\ny"),
        ("华东", "3", "4"),
    ]
    assert text(parsed).startswith("表一\n\n| 地区 |")


def test_a_table_for_layout_is_read_as_the_page_that_it_is():
    parsed = read("<table><tr><td>menu<td><h2>Title</h2><table><tr><th>k<th>v<tr><td>a<td>1</table></table>")
    assert headings(parsed) == [(2, "Title")]
    assert rows(parsed) == [("k", "v"), ("a", "1")]


def test_code_keeps_its_indent_and_language():
    parsed = read('<pre><code class="hl language-py"><span>if a:</span>\n    <b>b</b><!-- c -->()\n</code></pre>')
    (block,) = parsed.blocks
    assert (block.kind, block.text, block.language) == (BlockKind.CODE, "if a:\n    b()", "py")


def test_a_quote_is_marked_and_alt_text_kept():
    assert text(read("<blockquote><p>一</p><p>二</p></blockquote><p>see <img alt='a cat' src=x><img src=y> here")) == (
        "> 一\n\n> 二\n\nsee a cat here"
    )


PAGE = "<html><head><meta {} charset={}></head><body><p>镕与碁，髙橋</p></body></html>"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (PAGE.format("", "gb2312").encode("gb18030"), "gb2312 is gb18030"),
        (PAGE.format("http-equiv=x content='text/html;", "gbk'").encode("gb18030"), "http-equiv"),
        (PAGE.format("", "gbk").encode(), "UTF-8 wins over the label"),
        (PAGE.format("", "ascii").encode("utf-16"), "a mark wins over the label"),
        (PAGE.format("", "x").encode("utf-16-le"), "UTF-16 without a mark"),
        ('<?xml version="1.0" encoding="gbk"?><p>镕与碁，髙橋</p>'.encode("gb18030"), "XHTML"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_charset_is_found_as_browsers_find_it(data, says):
    assert text(read(data)) == "镕与碁，髙橋"


@pytest.mark.parametrize("tag", ["div", "ul><li", "table><tr><td", "b", "blockquote"])
def test_depth_costs_structure_and_not_words(tag):
    parsed = read(f"<p>first</p>{f'<{tag}>' * 20_000}deep<script>NO</script></div>last")
    assert parsed.status is ParseStatus.PARTIAL
    assert "first\n\ndeep" in text(parsed)
    assert "last" in text(parsed)
    assert "NO" not in text(parsed)


def test_a_thousand_levels_are_read_as_they_are():
    assert read(f"{'<div>' * 1000}<h2>deep</h2>").blocks[0].level == 2


def test_spans_that_multiply_are_bounded():
    with pytest.raises(Exceeded):
        read("<table>" + "<tr><td colspan=99999>x<td>y" * 2000 + "</table>")
    assert len(rows(read("<table><tr><td colspan=99999 rowspan=99999>x<td>y<tr><td>1</table>"))[0]) == 1000


def test_a_web_archive_gives_its_page():
    archive = (
        b"From: <Saved by Blink>\nMIME-Version: 1.0\nContent-Type: multipart/related;\n\tboundary=b\n\n"
        b"--b\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n"
        b"<meta charset=3Dgbk><h1>=D6=D0</h1>\n"
        b"--b\nContent-Type: image/png\n\nxx\n--b--\n"
    )
    assert headings(read(archive)) == [(1, "中")]


@pytest.mark.parametrize("data", [b"", b"   ", b"<html></html>", b"<!-- -->", b"<script>x</script>"])
def test_nothing_is_called_empty(data):
    assert read(data).status is ParseStatus.EMPTY


FRAGMENTS = st.sampled_from(
    [
        "<p>",
        "</p>",
        "<div>",
        "</div>",
        "<li>",
        "<ul>",
        "</ul>",
        "<ol>",
        "<table>",
        "<tr>",
        "<td>",
        "<td/colspan=2>",
        "<th>",
        "</table>",
        "<h1>",
        "</h1>",
        "<pre>",
        "</pre>",
        "<b>",
        "<br>",
        "<sup>",
        "<script>",
        "</script>",
        "<ruby>",
        "<rt>",
        "<blockquote>",
        "</blockquote>",
        "<dl>",
        "<dd>",
        "<caption>",
        "<!--",
        "-->",
        "中",
        "a",
        "1",
        "&amp;",
        "&#0;",
        "<body>",
        "</body>",
        "</html>",
        "<head>",
        "<title>",
        "<?x?>",
        "<![CDATA[",
        "<a:b>",
        "<svg>",
        "<nav>",
    ]
)


@settings(deadline=None, max_examples=80)
@given(st.lists(FRAGMENTS, max_size=40))
def test_any_tags_in_any_order_end_in_a_status(fragments):
    assert read("".join(fragments)).status in ParseStatus


@settings(deadline=None, max_examples=40)
@given(st.binary(max_size=300))
def test_any_bytes_end_in_a_status(data):
    assert read(data).status in ParseStatus
