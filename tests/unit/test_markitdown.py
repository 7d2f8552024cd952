"""markitdown behind our seam: what it is told, what it may not do, and its pictures."""

import asyncio
import importlib.util
import io
import zipfile

import pytest

from ricordo.errors import Invalid, MissingExtra, ModelFailed, Unreadable
from ricordo.parse.markitdown import MarkItDownParser
from ricordo.parse.reading import Limits
from ricordo.parse.render import render
from ricordo.parse.vision import PROMPT, Transcriber
from ricordo.registry import load
from ricordo.types import File
from servers.vision_server import KEY, VisionServer

INSTALLED = importlib.util.find_spec("markitdown") is not None
needs_markitdown = pytest.mark.skipif(not INSTALLED, reason="the extra markitdown is not installed")
PICTURE = File(name="扫描.png", data=b"\x89PNG\r\n\x1a\n...", media_type="image/png")


@pytest.fixture
def server():
    made = VisionServer()
    yield made
    made.close()


@pytest.fixture(scope="module")
def parser():
    made = MarkItDownParser(workers=1)
    yield made
    asyncio.run(made.close())


def transcriber(server, **settings):
    settings = {"model": "vl", "api_key": KEY, "backoff": 0.01, **settings}
    return Transcriber("markitdown", base_url=f"{server.url}/v1", **settings)


@pytest.mark.skipif(INSTALLED, reason="the extra markitdown is installed")
def test_without_the_library_its_extra_is_named():
    with pytest.raises(MissingExtra, match=r"ricordo\[markitdown\]"):
        load("parser", "markitdown")()


async def test_a_picture_goes_to_the_model_and_comes_back_as_text(server):
    parsed = await transcriber(server, headers={"X-Team": "ops"}).read(PICTURE)
    assert parsed.status == "ok"
    assert "SH-20231107-42" in render(parsed).text
    headers, body, _ = server.sent("chat")[0]
    assert headers["X-Team"] == "ops"
    assert b"data:image/png;base64,iVBORw0K" in body
    assert PROMPT[:40].encode() in body


async def test_a_picture_in_which_the_model_sees_nothing_is_empty(server):
    server.text = " "
    assert (await transcriber(server).read(PICTURE)).status == "empty"


async def test_a_picture_that_the_model_refuses_is_unsupported(server):
    server.orders["chat"] = [(400, {"error": "no picture"})]
    assert (await transcriber(server).read(PICTURE)).status == "unsupported"


async def test_a_refused_key_says_so_and_is_not_in_the_error(server):
    with pytest.raises(Unreadable, match="refused the key") as raised:
        await transcriber(server, api_key=f"x{KEY}").read(PICTURE)
    assert KEY not in str(raised.value)


@pytest.mark.parametrize("answer", [{}, {"choices": []}, {"choices": [{"message": {}}]}, {"choices": "x"}])
async def test_an_answer_that_cannot_be_used_is_an_error(server, answer):
    server.orders["chat"] = [(200, answer)]
    with pytest.raises(ModelFailed):
        await transcriber(server).read(PICTURE)


@pytest.mark.parametrize(
    ("settings", "missing"),
    [
        ({}, "ocr_model"),
        ({"model": "vl"}, "ocr_api_key"),
        ({"model": "vl", "api_key": KEY}, "ocr_base_url"),
    ],
)
def test_the_first_missing_setting_is_named_at_the_start(settings, missing):
    with pytest.raises(Invalid, match=missing):
        Transcriber("markitdown", **{"model": "", "api_key": "", "base_url": "", **settings})


@needs_markitdown
async def test_a_table_comes_out_as_markdown(parser):
    parsed = await parser.convert(File(name="a.csv", data="姓名,城市\n王芳,上海\n".encode()))
    assert (parsed.status, parsed.parser) == ("ok", "markitdown")
    assert "| 王芳 | 上海 |" in render(parsed).text


@needs_markitdown
async def test_utf8_is_told_to_it_so_that_a_late_sign_is_no_error(parser):
    data = b"a" * 200_000 + "末尾".encode()
    assert "末尾" in render(await parser.convert(File(name="a.txt", data=data))).text


@needs_markitdown
@pytest.mark.parametrize("name", ["a.pdf", "a.docx"])
async def test_bytes_that_are_not_what_the_name_says_are_damaged_and_never_text(parser, name):
    data = bytes(range(256)) * 40
    assert (await parser.convert(File(name=name, data=data))).status == "damaged"


@needs_markitdown
async def test_a_picture_without_ocr_names_the_settings(parser):
    parsed = await parser.convert(PICTURE)
    assert parsed.status == "needs_ocr"
    assert "ocr_enabled" in parsed.warnings[0]


@needs_markitdown
@pytest.mark.slow
async def test_its_own_bomb_is_ended_by_the_limits():
    parser = MarkItDownParser(workers=1, limits=Limits(cpu_seconds=10, wall_seconds=60))
    packed = io.BytesIO()
    body = b"<w:p><w:r><w:t>x</w:t></w:r></w:p>" * 150_000
    space = b'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", CONTENT_TYPES)
        archive.writestr("_rels/.rels", RELATIONS)
        archive.writestr("word/document.xml", b"<w:document %b><w:body>%b</w:body></w:document>" % (space, body))
    parsed = await parser.convert(File(name="bomb.docx", data=packed.getvalue()))
    assert parsed.status == "too_large"
    await parser.close()


CONTENT_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Override PartName="/word/document.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)
