"""What every parser in the registry must do, whichever name it has."""

import asyncio

import pytest

from ricordo.errors import MissingExtra
from ricordo.registry import load, names
from ricordo.types import READABLE, File, Parsed
from servers.iris_server import TOKEN, IrisServer
from servers.llama_parse_server import KEY, LlamaParseServer


@pytest.fixture(params=names("parser"))
def parser(request):
    """The parser of that name, set up; the remote ones against a server of their protocol."""
    servers = {"iris": IrisServer, "llama_parse": LlamaParseServer}
    server = servers[request.param]() if request.param in servers else None
    settings = {
        "iris": lambda: {"token": TOKEN, "org_id": "org-1", "base_url": f"{server.url}/v1", "poll_interval": 0.01},
        "llama_parse": lambda: {"api_key": KEY, "base_url": f"{server.url}/api/v2", "poll_interval": 0.01},
        "native": lambda: {"workers": 1},
    }.get(request.param, dict)()
    try:
        made = load("parser", request.param)(**settings)
    except MissingExtra as error:
        pytest.skip(str(error))
    yield made
    if hasattr(made, "close"):
        asyncio.run(made.close())
    if server is not None:
        server.close()


def test_its_name_is_the_registrys(parser, request):
    assert parser.name == request.node.callspec.params["parser"]


async def test_text_comes_out_as_blocks_under_its_name(parser):
    parsed = await parser.convert(File(name="报告.csv", data="姓名,城市\n王芳,上海\n".encode()))
    assert isinstance(parsed, Parsed)
    assert parsed.status in READABLE
    assert parsed.parser == parser.name
    assert parsed.blocks


@pytest.mark.parametrize("name", ["a.pdf", "a.docx", "a.xlsx"])
async def test_what_is_wrong_with_a_file_is_a_status_and_no_exception(parser, name):
    if parser.name in ("iris", "llama_parse"):
        pytest.skip("the service decides")
    parsed = await parser.convert(File(name=name, data=bytes(range(256)) * 40))
    assert parsed.status not in READABLE
    assert parsed.blocks == ()
    assert parsed.warnings


def test_supports_answers_without_reading(parser):
    assert parser.supports("a.docx", None) is True
    assert isinstance(parser.supports("a", "application/pdf"), bool)
