"""Every file of the shared collection through our own parser, held to the checks of its row."""

import asyncio
import importlib.util
import shutil
from collections import defaultdict
from pathlib import PurePath

import pytest

from manifest_checks import FOLDER, MANIFEST, checks, entries, failures
from ricordo.parse.native import NativeParser
from ricordo.parse.render import anchors, render
from ricordo.types import READABLE, File

pytestmark = pytest.mark.skipif(not MANIFEST.exists(), reason="the shared test files are not there")

OCR = shutil.which("tesseract") or importlib.util.find_spec("rapidocr_onnxruntime")
# slanted display type, and a line set vertically: tesseract reads a part of each
HARD = ("image/poster_zh.jpg", "image/boxes_horizontal_vertical_zh.jpg")
REFUSED = {"error": ("damaged", "partial"), "error_without_password": ("needs_password",)}


@pytest.fixture(scope="module")
def parser():
    made = NativeParser(workers=1)
    yield made
    asyncio.run(made.close())


def file_of(entry):
    path = FOLDER / entry["path"]
    return File(name=PurePath(entry["path"]).name, data=path.read_bytes(), media_type=entry["media_type"])


def unmet(entry, parsed):
    rendered = render(parsed)
    pages = defaultdict(str)
    for start, end, block in rendered.spans:
        pages[block.page] += rendered.text[start:end]
    return failures(entry, rendered.text, pages, [title for _, _, title in anchors(rendered)])


def rows(needs=None, expect=None):
    chosen = [e for e in entries() if e.get("needs") == needs and (expect is None or e["expect"] == expect)]
    return pytest.mark.parametrize("entry", chosen, ids=lambda e: e["path"])


@rows(expect="text")
async def test_a_file_comes_out_as_its_row_says(parser, entry):
    parsed = await parser.convert(file_of(entry))
    assert parsed.status in READABLE, parsed
    assert unmet(entry, parsed) == []


@pytest.mark.parametrize("entry", [e for e in entries() if e["expect"] in REFUSED], ids=lambda e: e["path"])
async def test_a_file_that_cannot_be_read_says_which_way(parser, entry):
    parsed = await parser.convert(file_of(entry))
    assert parsed.status in REFUSED[entry["expect"]]
    assert parsed.warnings


@pytest.mark.parametrize(
    "entry", [e for e in entries() if e.get("password") and e["must_contain"]], ids=lambda e: e["path"]
)
async def test_with_its_password_a_file_opens(entry):
    parser = NativeParser(workers=1, password=entry["password"])
    parsed = await parser.convert(file_of(entry))
    await parser.close()
    assert parsed.status == "ok", parsed
    assert unmet(entry, parsed) == []


@rows(expect="empty")
async def test_a_file_without_bytes_is_empty(parser, entry):
    assert (await parser.convert(file_of(entry))).status == "empty"


@rows(needs="ocr")
@pytest.mark.slow
async def test_a_picture_is_read_where_a_recogniser_is_and_else_says_what_it_needs(parser, entry):
    parsed = await parser.convert(file_of(entry))
    if not OCR:
        assert (parsed.status, parsed.blocks) == ("needs_ocr", ())
        assert "tesseract" in parsed.warnings[0]
    else:
        assert parsed.status in READABLE, parsed
        assert len(unmet(entry, parsed)) <= (checks(entry) - 1 if entry["path"] in HARD else 0)


@rows(needs="asr")
async def test_sound_without_a_recogniser_says_what_it_needs(parser, entry):
    parsed = await parser.convert(file_of(entry))
    assert (parsed.status, parsed.blocks) == ("needs_transcription", ())
    assert parsed.warnings
