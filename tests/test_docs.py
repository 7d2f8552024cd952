"""Every Python example of the README and the docs runs; tables that are made from the code are equal to it."""

import ast
import inspect
import re
from pathlib import Path

import pytest

from ricordo import Ricordo, config

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("page", [p for p in PAGES if BLOCK.search(p.read_text("utf-8"))], ids=lambda p: p.stem)
async def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RICORDO_EMBEDDER", "hash")
    async with Ricordo("page", embedder="hash") as ricordo:
        names = {"ricordo": ricordo, "bank": ricordo.bank("page")}
        for example in BLOCK.findall(page.read_text("utf-8")):
            code = compile(example, page.name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            result = eval(code, names)
            if inspect.isawaitable(result):
                await result
        if "main" in names:
            await names["main"]()


def test_the_settings_page_lists_every_setting():
    assert config.table() in (ROOT / "docs" / "settings.md").read_text("utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_links_between_pages_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target
