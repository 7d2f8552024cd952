"""Bombs and broken files: each ends in one status, none takes anything with it, and the next file is read."""

import asyncio
import gc
import sys

import pytest

from bombs import BOMBS, bombs, whole
from ricordo.parse.native import NativeParser
from ricordo.parse.reading import Limits
from ricordo.types import READABLE, File

ALL = bombs()
QUICK = [
    "zeros_lying.zip", "overlap.zip", "deep.zip", "paragraphs_lying.docx", "tables_deep.docx", "span.docx", "far.xlsx",
    "merged.xlsx", "repeat.ods", "spaces.odt", "deep.epub", "laughs.docx", "laughs.xml", "quadratic.xml",
    "external.xml", "external.docx", "deeper.json", "deep.html", "span.html", "deep.rtf", "forwarded.eml",
    "columns.csv", "quotes.md", "circle.pdf", "pixels.png", "negative.wav", "circle.doc",
]  # fmt: skip
SMALL = Limits(
    cpu_seconds=3, wall_seconds=15, memory_bytes=400_000_000, inflated_bytes=20_000_000, text_characters=2_000_000
)


@pytest.fixture(scope="module")
def parser():
    made = NativeParser(workers=1, limits=SMALL)
    yield made
    asyncio.run(made.close())


async def harmless(parser, name, data):
    parsed = await parser.convert(File(name=name, data=data))
    said = " ".join(block.text for block in parsed.blocks)
    assert "root:" not in said
    assert "No module named 'ricordo" not in str(parsed.warnings)
    if parsed.status in READABLE:
        assert parsed.blocks
    else:
        assert parsed.warnings
    return parsed


@pytest.mark.parametrize("name", QUICK)
async def test_a_bomb_ends_in_one_status_under_small_limits(parser, name):
    await harmless(parser, name, ALL[name]())


@pytest.mark.parametrize("name", [name for name in ALL if name not in BOMBS][::4])
async def test_a_broken_file_ends_in_one_status(parser, name):
    await harmless(parser, name, ALL[name]())


@pytest.mark.parametrize("name", ["zeros_lying.zip", "overlap.zip", "paragraphs_lying.docx", "pixels.png"])
async def test_a_bomb_is_not_taken_for_a_file(parser, name):
    parsed = await parser.convert(File(name=name, data=ALL[name]()))
    assert parsed.status in ("too_large", "damaged", "empty", "partial")
    assert parsed.warnings


@pytest.mark.parametrize("name", [name for name in whole() if not name.endswith((".png", ".wav"))])
async def test_the_files_that_the_broken_ones_are_made_from_are_well(parser, name):
    assert (await parser.convert(File(name=name, data=whole()[name]))).status == "ok"


@pytest.mark.slow
@pytest.mark.timeout(3600)
async def test_two_hundred_bombs_and_broken_files_leave_the_process_and_its_limits_alone():
    assert len(ALL) == 200
    parser = NativeParser(workers=2)
    for name, make in ALL.items():
        await harmless(parser, name, make())
        gc.collect()
    after = await parser.convert(File(name="a.csv", data="姓名,城市\n王芳,上海\n".encode("gbk")))
    assert after.status == "ok"
    await parser.close()
    if sys.platform == "linux":
        import resource

        largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        assert largest < 1_050_000_000
