"""unstructured behind our seam; its elements, built by hand where the library is not installed."""

import importlib.util
from types import SimpleNamespace

import pytest

from ricordo.errors import MissingExtra
from ricordo.parse.unstructured_reader import blocks_of
from ricordo.registry import load


def element(category, text, **metadata):
    told = {"text_as_html": None, "category_depth": None, "page_number": None, "page_name": None, **metadata}
    return SimpleNamespace(category=category, text=text, metadata=SimpleNamespace(**told))


def test_elements_become_blocks_with_their_places():
    blocks = list(
        blocks_of(
            [
                element("Title", "付款", category_depth=1, page_number=2),
                element("NarrativeText", "三十日内付清。", page_number=2),
                element("ListItem", "现金"),
                element(
                    "Table", "a b c", text_as_html="<table><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>"
                ),
                element("Table", "no cells known"),
            ]
        )
    )
    assert [(block.kind, block.text, block.level, block.page) for block in blocks] == [
        ("heading", "付款", 2, 2),
        ("paragraph", "三十日内付清。", 0, 2),
        ("list", "现金", 1, None),
        ("table", "", 0, None),
        ("table", "no cells known", 0, None),
    ]
    assert blocks[3].rows == (("a", "b"), ("c",))


@pytest.mark.skipif(importlib.util.find_spec("unstructured") is not None, reason="the extra unstructured is installed")
def test_without_the_library_its_extra_is_named():
    with pytest.raises(MissingExtra, match=r"ricordo\[unstructured\]"):
        load("parser", "unstructured")()
