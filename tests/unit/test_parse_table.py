"""The table of kinds: true to itself, and printed in the docs."""

from pathlib import Path

import pytest

from ricordo.parse.readers import BY_KIND, FORMATS, reader
from ricordo.parse.table import page

DOCS = Path(__file__).parents[2] / "docs" / "files.md"


@pytest.mark.parametrize("kind", sorted(BY_KIND))
def test_every_kind_has_its_reader(kind):
    assert callable(reader(kind))


@pytest.mark.parametrize("column", ["extensions", "media_types"])
def test_a_name_leads_to_one_kind(column):
    names = [name for row in FORMATS for name in getattr(row, column).split()]
    assert len(names) == len(set(names))
    assert names == [name.lower() for name in names]


def test_the_docs_are_the_code():
    assert DOCS.read_text(encoding="utf-8") == page(), "run: python -m ricordo.parse.table > docs/files.md"
