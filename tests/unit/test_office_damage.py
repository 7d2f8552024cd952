"""Cut and corrupted Office files: each ends in a status with a reason, and most give back what is left."""

import random
from collections import Counter
from importlib import import_module

import pytest

from officefiles import SHARED, a_job
from ricordo.parse.reading import Exceeded
from ricordo.types import READABLE, ParseStatus

FILES = {
    "docx/rich_cells.docx": "docx",
    "docx/header_footer.docx": "docx",
    "pptx/notes_tables_chart_zh.pptx": "pptx",
    "pptx/unrecognized_shape.pptx": "pptx",
    "xlsx/sales_zh.xlsx": "sheets",
    "xlsx/inflated_range.xlsx": "sheets",
    "legacy/ducks.xls": "sheets",
    "odt/text_document.odt": "odf",
    "rtf/hello_ms932.rtf": "rtf",
    "epub/watchmaker_zh.epub": "epub",
    "legacy/summer.doc": "legacy",
    "legacy/slides.ppt": "legacy",
}
pytestmark = pytest.mark.skipif(not SHARED.exists(), reason="the shared test files are not there")


def outcome(module, data):
    """The status of damaged bytes; anything raised but Exceeded fails the test."""
    try:
        result = import_module(f"ricordo.parse.{module}").read(data, a_job("damaged", module))
    except Exceeded:
        return ParseStatus.TOO_LARGE
    assert result.warnings or result.status is ParseStatus.OK
    assert bool(result.blocks) == (result.status in READABLE) or result.status is ParseStatus.NEEDS_OCR
    return result.status


def flipped(data, seed):
    chance = random.Random(seed)
    changed = bytearray(data)
    for _ in range(chance.choice((1, 4, 32, 200))):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


@pytest.mark.parametrize("path", FILES)
def test_a_file_cut_anywhere_ends_in_a_status_that_is_not_ok(path):
    data = (SHARED / path).read_bytes()
    statuses = Counter(outcome(FILES[path], data[: len(data) * part // 100]) for part in range(0, 100, 5))
    assert statuses[ParseStatus.EMPTY] == 1
    assert statuses[ParseStatus.OK] == 0


@pytest.mark.parametrize("path", FILES)
def test_flipped_bits_never_raise(path):
    data = (SHARED / path).read_bytes()
    for seed in range(8):
        outcome(FILES[path], flipped(data, seed))


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES)
def test_many_flipped_bits_never_raise(path):
    data = (SHARED / path).read_bytes()
    for seed in range(8, 300):
        outcome(FILES[path], flipped(data, seed))


@pytest.mark.parametrize("path", ["docx/rich_cells.docx", "pptx/notes_tables_chart_zh.pptx", "epub/watchmaker_zh.epub"])
def test_most_of_a_package_that_lost_its_end_is_saved(path):
    data = (SHARED / path).read_bytes()
    assert outcome(FILES[path], data[:-200]) is ParseStatus.PARTIAL
