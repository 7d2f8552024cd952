import sys

import pytest

from ricordo import registry
from ricordo.errors import Invalid, MissingExtra


@pytest.mark.parametrize("seam", sorted(registry.BACKENDS))
def test_an_unknown_name_lists_the_known(seam):
    with pytest.raises(Invalid, match=f"unknown {seam} 'none of ours'; known are {registry.names(seam)[0]}"):
        registry.load(seam, "none of ours")


def test_a_missing_library_says_what_to_install(monkeypatch):
    monkeypatch.setitem(registry.BACKENDS["embedder"], "lost", ("ricordo_lost_library.thing:Thing", "lost-library"))
    with pytest.raises(MissingExtra, match="pip install lost-library"):
        registry.load("embedder", "lost")


def test_a_third_party_adds_a_back_end_by_an_entry_point(monkeypatch, tmp_path):
    made = tmp_path / "theirs-1.0.dist-info"
    made.mkdir()
    (made / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n", "utf-8")
    (made / "entry_points.txt").write_text("[ricordo.embedder]\ntheirs = theirs_embedder:make\n", "utf-8")
    (tmp_path / "theirs_embedder.py").write_text("def make():\n    return 'made by them'\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert "theirs" in registry.names("embedder")
    assert registry.load("embedder", "theirs")() == "made by them"
    sys.modules.pop("theirs_embedder", None)
