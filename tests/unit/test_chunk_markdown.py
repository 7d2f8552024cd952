"""Headings, fences and tables are found where Markdown has them, and nowhere else."""

from pathlib import Path

import pytest

from ricordo.chunk.markdown import Shape, regions
from ricordo.errors import Invalid

FENCES = Path(__file__).parents[2] / "../shared/files/md/front_matter_and_fences.md"


def headings(text: str, anchors=()) -> list[tuple[int, str]]:
    return [(region.level, region.title) for region in regions(text, anchors) if region.shape is Shape.HEADING]


def shapes(text: str) -> list[tuple[Shape, str]]:
    return [(region.shape, text[region.start : region.end]) for region in regions(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# One\n## Two ##\n### 三#\n", [(1, "One"), (2, "Two"), (3, "三#")]),
        ("   # Indented\n    # code\n\t# code\n", [(1, "Indented")]),
        ("#none\n####### none\n#\n# #\n", [(1, ""), (1, "")]),
        ("One\n===\n\n二\n--\n", [(1, "One"), (2, "二")]),
        ("# A\r\nB\r\n===\r\nC", [(1, "A"), (1, "B")]),
        ("A paragraph of\ntwo lines\n---\n", []),
        ("- item\n---\n\n> quote\n---\n\n    code\n---\n\n---\n---\n", []),
        ("---\ntitle: x\n# comment\n---\n# Real\n", [(1, "Real")]),
        ("---\n\n# Real\n", [(1, "Real")]),
        ("```\n# no\n```\n# yes\n~~~~\n# no\n~~~\n# no\n~~~~~\n# yes too", [(1, "yes"), (1, "yes too")]),
        ("`` ` ``\n```not`a fence\n# yes\n", [(1, "yes")]),
        ("# yes\n```\n# never closed\n", [(1, "yes")]),
        ("1. item\n\n     ```sh\n# no\n     ```\n", []),
    ],
)
def test_headings_are_these(text, found):
    assert headings(text) == found


def test_a_title_full_of_spaces_is_read_at_once():
    assert headings("# a" + " " * 200_000 + "b #")[0][1].endswith("b")


def test_tables_need_a_divider_below_a_row():
    table = "| a | b |\n|---|---|\n| 1 | 2 |"
    assert shapes(f"x\n{table}\ny\n") == [(Shape.TABLE, table)]
    assert shapes("a | b\n- | -\n1 | 2\n\nc | d\n") == [(Shape.TABLE, "a | b\n- | -\n1 | 2")]
    assert shapes("no row\n|---|\n") == []


def test_anchors_replace_the_search_for_headings_and_leave_fences():
    text = "# not\nIntro\n```\n# not\n```\nTitle\ntext"
    assert headings(text, [(6, 1, "Intro"), (25, 2, "Title")]) == [(1, "Intro"), (2, "Title")]
    assert [region.shape for region in regions(text, [(6, 1, "Intro")])] == [Shape.HEADING, Shape.CODE]


def test_a_block_that_an_anchor_falls_into_is_no_block():
    text = "```\none\nTitle\ntwo\n```\n"
    assert [region.shape for region in regions(text, [(8, 1, "Title")])] == [Shape.HEADING]


@pytest.mark.parametrize("anchors", [[(-1, 1, "x")], [(6, 1, "x")], [(3, 1, "x"), (2, 1, "y")]])
def test_anchors_out_of_place_are_refused(anchors):
    with pytest.raises(Invalid, match="anchor"):
        regions("short", anchors)


def test_a_difficult_file_has_exactly_its_headings():
    if not FENCES.exists():
        pytest.skip(f"{FENCES} is absent")
    titles = ["部署手册", "安装", "Setext Title", "Sub Setext", "回滚"]
    assert [title for _, title in headings(FENCES.read_text("utf-8"))] == titles
