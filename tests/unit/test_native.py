"""Our own parser from the outside."""

import asyncio

import pytest

from ricordo.parse.native import PLAIN_BYTES, NativeParser
from ricordo.parse.reading import Limits
from ricordo.parse.render import render
from ricordo.types import File


@pytest.fixture(scope="module")
def parser():
    made = NativeParser(workers=1)
    yield made
    asyncio.run(made.close())


@pytest.mark.parametrize(
    ("name", "media_type", "known"),
    [
        ("a.docx", None, True),
        ("A.PDF", None, True),
        ("LICENSE", None, True),
        ("a.exe", None, False),
        ("a.exe", "application/pdf", True),
        ("a.conf2", "text/plain", True),
        ("报告.第一版.xlsx", None, True),
    ],
)
def test_it_supports_what_its_table_names(parser, name, media_type, known):
    assert parser.supports(name, media_type) is known


@pytest.mark.parametrize("isolate", [True, False])
@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.csv", "a.py"])
async def test_walls_do_not_change_what_is_read(isolate, name):
    parser = NativeParser(isolate=isolate, workers=1)
    parsed = await parser.convert(File(name=name, data="# 标题,x\n\n王芳,1\n".encode("gb18030")))
    await parser.close()
    assert parsed.status == "ok"
    assert "王芳" in render(parsed).text


@pytest.mark.parametrize("name", ["a.txt", "a.md"])
@pytest.mark.parametrize("text", ["# T\r\n\r\n x \r\n", "一\n\n\n二", "---\ntitle: t\n---\n\n# a\nb\n", "\n\nlead"])
async def test_a_text_file_comes_out_as_its_own_text(parser, name, text):
    parsed = await parser.convert(File(name=name, data=text.encode()))
    kept = render(parsed).text
    assert kept.rstrip("\n") == text.replace("\r\n", "\n").rstrip("\n")


async def test_short_plain_text_starts_no_worker():
    parser = NativeParser(workers=1)
    assert (await parser.convert(File(name="a.md", data=b"# x\n"))).status == "ok"
    assert parser._workers._idle == []
    assert (await parser.convert(File(name="a.md", data=b"# x\n" * PLAIN_BYTES))).status == "ok"
    assert len(parser._workers._idle) == 1
    await parser.close()
    assert parser._workers._idle == []


async def test_a_file_over_the_limit_is_refused_before_it_goes_anywhere():
    parser = NativeParser(workers=1, limits=Limits(file_bytes=10))
    parsed = await parser.convert(File(name="a.pdf", data=b"x" * 11))
    assert parsed.status == "too_large"
    assert "11 bytes" in parsed.warnings[0]
    assert parser._workers._idle == []


@pytest.mark.parametrize(
    ("data", "status"), [(b"", "empty"), (b" \n ", "empty"), (bytes(range(256)) * 9, "unsupported")]
)
async def test_what_holds_no_text_says_so(parser, data, status):
    parsed = await parser.convert(File(name="a.txt", data=data))
    assert (parsed.status, parsed.blocks) == (status, ())
    assert "a.txt" in parsed.warnings[0]
