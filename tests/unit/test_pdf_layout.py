"""Words with boxes, made by hand, in reading order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.parse.pdf_columns import with_tables
from ricordo.parse.pdf_frame import Frame
from ricordo.parse.pdf_layout import HYPHEN, Line, Table, Word, arrange, joined, rows_of
from ricordo.parse.pdf_pieces import flowing, pieces, unmarked
from ricordo.parse.pdf_rules import ruled_tables


def word(text, left, top, width=None, size=10.0, **more):
    return Word(text, left, top, left + (width or 5.0 * len(text)), top + size, size, **more)


def line(text, left, top, width):
    """A line of running text, as one word."""
    return word(text, left, top, width)


def texts(region):
    return [thing.text for thing in region if isinstance(thing, Line)]


def test_words_on_slightly_different_heights_are_one_row():
    rows = rows_of([word("one", 0, 0), word("three", 60, 1.5), word("two", 30, -1.0), word("below", 0, 12)])
    assert [[item.text for item in row] for row in rows] == [["one", "two", "three"], ["below"]]


def test_a_raised_number_stays_in_its_line():
    rows = rows_of([word("Shen", 0, 0), word("1", 20, -2, size=7.0), word("and", 30, 0)])
    assert [[item.text for item in row] for row in rows] == [["Shen", "1", "and"]]


@pytest.mark.parametrize(
    ("before", "after", "gap", "text"),
    [
        ("one", "two", 2.5, "one two"),
        ("10", ".5", 0.0, "10.5"),
        ("红", "军", 5.0, "红军"),
        ("目", "录", 20.0, "目 录"),
        ("2016", "年", 2.5, "2016 年"),
        ("第", "7", 0.3, "第7"),
    ],
)
def test_a_gap_is_a_space_but_not_between_chinese_signs(before, after, gap, text):
    first = word(before, 0, 0)
    assert joined([first, word(after, first.right + gap, 0)]) == text


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["inter" + HYPHEN, "national"], "international"),
        (["inter-", "national"], "international"),
        (["North-", "South"], "North- South"),
        (["真实、", "准确"], "真实、准确"),
        (["end of page" + HYPHEN], "end of page-"),
        (["one", "two"], "one two"),
    ],
)
def test_lines_flow_together(lines, text):
    assert flowing(lines) == text


def two_columns(offset=0.0):
    left = [line(f"left{i}", 50, 100 + 12 * i, 220) for i in range(8)]
    right = [line(f"right{i}", 290, 100 + offset + 12 * i, 220) for i in range(8)]
    return left, right


@pytest.mark.parametrize("offset", [0.0, 3.0, 6.0])
def test_columns_come_one_after_the_other_whether_or_not_their_lines_are_level(offset):
    left, right = two_columns(offset)
    title, foot = line("title", 50, 60, 460), line("foot", 50, 260, 460)
    regions = arrange([title, *right, *left, foot])
    assert [text for region in regions for text in texts(region)] == [
        "title",
        *(f"left{i}" for i in range(8)),
        *(f"right{i}" for i in range(8)),
        "foot",
    ]


def test_columns_around_a_figure_are_read_above_it_and_then_below():
    left, right = two_columns()
    lower = [item._replace(text=item.text + "b", top=item.top + 300, bottom=item.bottom + 300) for item in left + right]
    order = [text for region in arrange([*left, *right, *lower]) for text in texts(region)]
    assert order.index("right7") < order.index("left0b") < order.index("right0b")


def test_a_table_in_a_column_does_not_break_the_columns():
    left, right = two_columns()
    table = Table((("a", "b"),), 50, 136, 270, 170)
    left = [item for item in left if not 130 < item.top < 170]
    things = [thing for region in arrange([*left, *right, table]) for thing in region]
    assert things.index(table) < min(things.index(t) for t in things if isinstance(t, Line) and t.text == "right0")


def test_short_cells_beside_each_other_are_rows_and_no_columns():
    cells = [word(f"{column}{row}", 50 + 120 * column, 100 + 14 * row) for row in range(6) for column in range(3)]
    [region] = arrange(cells)
    assert len(region) == 6
    [table] = with_tables(region)
    assert table.rows[1] == ("01", "11", "21")


def test_two_lines_that_happen_to_have_gaps_are_no_table():
    region = arrange(
        [line("a", 50, 100, 200), line("b", 290, 100, 200), line("c", 50, 112, 90), line("d", 190, 112, 9)]
    )
    assert not any(isinstance(thing, Table) for thing in with_tables(region[0]))


def test_an_indent_or_a_short_line_ends_a_paragraph():
    rows = [(50, 400), (50, 400), (50, 150), (70, 380), (50, 400)]
    [region] = arrange([line(str(i), left, 12 * i, width) for i, (left, width) in enumerate(rows)])
    assert [len(piece.lines) for piece in pieces(region)] == [3, 2]


def test_a_dash_within_a_sentence_is_no_list_item():
    [region] = arrange([line("a sentence that is broken", 50, 0, 400), line("- here - in the middle", 50, 12, 400)])
    [piece] = pieces(region)
    assert not piece.marked
    assert unmarked("• first") == "first"
    assert unmarked("1. first") == "1. first"


def grid(xs, ys):
    across = [(xs[0], y, xs[-1], y) for y in ys]
    return across + [(x, ys[0], x, ys[-1]) for x in xs]


def test_lines_make_a_table_even_when_drawn_in_pieces_and_open_at_the_sides():
    words = [word("A", 10, 5), word("B", 60, 5), word("C", 10, 25), word("D", 60, 25), word("out", 10, 80)]
    rules = [(0, 0, 48, 0), (50, 0, 100, 0), (0, 20, 100, 20), (0, 40, 100, 40), (50, 0, 50, 40)]
    tables, rest = ruled_tables(rules, words)
    assert [table.rows for table in tables] == [(("A", "B"), ("C", "D"))]
    assert [item.text for item in rest] == ["out"]


def test_a_long_text_over_several_rows_is_said_once():
    long = "a text that is much too long to be the label of the rows that stand beside it, and so on"
    rules = [(0, 0, 200, 0), (0, 60, 200, 60), (0, 0, 0, 60), (100, 0, 100, 60), (200, 0, 200, 60), (100, 30, 200, 30)]
    words = [word(long, 5, 25, 90), word("one", 110, 5), word("two", 110, 40)]
    [table] = ruled_tables(rules, words)[0]
    assert table.rows == ((long, "one"), ("", "two"))


@given(st.lists(st.tuples(st.integers(0, 500), st.integers(0, 700), st.integers(1, 200)), max_size=60))
def test_no_word_is_lost_or_doubled_by_the_layout(places):
    words = [word(f"w{i}", left, top, width) for i, (left, top, width) in enumerate(places)]
    kept = [
        item.text
        for region in arrange(words)
        for thing in region
        if isinstance(thing, Line)
        for cell in thing.cells
        for item in cell
    ]
    assert sorted(kept) == sorted(item.text for item in words)


@given(
    st.lists(st.sampled_from((0, 40, 80, 120, 160)), min_size=4, max_size=24),
    st.lists(st.tuples(st.integers(0, 160), st.integers(0, 160)), max_size=20),
)
def test_no_word_is_lost_between_ruling_lines(sides, places):
    quads = zip(sides[::4], sides[1::4], sides[2::4], sides[3::4], strict=False)
    rules = [(min(a, b), c, max(a, b), c) if d % 80 else (c, min(a, b), c, max(a, b)) for a, b, c, d in quads]
    words = [word(f"w{i}", left, top, 4, 4.0) for i, (left, top) in enumerate(places)]
    tables, rest = ruled_tables(rules, words)
    said = " ".join(cell for table in tables for row in table.rows for cell in row)
    assert all(item in rest or item.text in said for item in words)


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_a_box_turned_upright_and_back_is_the_same(angle):
    frame = Frame(10, 20, 210, 320, angle)
    box = (30.0, 50.0, 60.0, 55.0)
    turned = tuple(frame.upright([box])[0].tolist())
    assert frame.original(turned) == pytest.approx(box)
    width, height = frame.size
    assert 0 <= turned[0] < turned[2] <= width
    assert 0 <= turned[1] < turned[3] <= height
