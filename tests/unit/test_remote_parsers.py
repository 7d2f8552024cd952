"""iris and llama_parse against small real servers that speak their protocols."""

import json

import pytest

from ricordo.errors import Invalid, ModelFailed, Unavailable, Unreadable
from ricordo.parse.iris import IrisParser
from ricordo.parse.llama_parse import LlamaParseParser
from ricordo.parse.render import render
from ricordo.secret import Secret
from ricordo.types import File
from servers.iris_server import TOKEN, IrisServer
from servers.llama_parse_server import KEY, LlamaParseServer

REPORT = File(name="年报.pdf", data=b"%PDF-1.7 \x00\xff", media_type="application/pdf")


@pytest.fixture
def iris_server():
    server = IrisServer()
    yield server
    server.close()


@pytest.fixture
def llama_server():
    server = LlamaParseServer()
    yield server
    server.close()


def iris(server, **settings):
    settings = {"token": TOKEN, "org_id": "org-1", "poll_interval": 0.01, "backoff": 0.01, **settings}
    return IrisParser(base_url=f"{server.url}/v1", **settings)


def llama(server, **settings):
    settings = {"api_key": KEY, "poll_interval": 0.01, "backoff": 0.01, **settings}
    return LlamaParseParser(base_url=f"{server.url}/api/v2", **settings)


@pytest.fixture(params=["iris", "llama_parse"])
def service(request):
    """(server, parser factory, the key, the first step) of each service."""
    if request.param == "iris":
        server, made, key, first = IrisServer(), iris, TOKEN, "create"
    else:
        server, made, key, first = LlamaParseServer(), llama, KEY, "upload"
    yield server, made, key, first
    server.close()


async def test_iris_makes_its_four_calls_and_returns_the_text(iris_server):
    parsed = await iris(iris_server).convert(REPORT)
    assert (parsed.status, parsed.parser) == ("ok", "iris")
    assert render(parsed).text == "# 报告\n\nRevenue rose.\n\n"
    assert iris_server.steps() == ["create", "upload", "extract", "poll", "poll"]
    asked = json.loads(iris_server.sent("create")[0][1])
    assert asked == {"name": "年报.pdf", "contentType": "application/pdf"}
    assert iris_server.files == {"/up/f1": ("application/pdf", REPORT.data)}


async def test_iris_uploads_to_the_signed_link_as_it_is_and_without_the_key(iris_server):
    await iris(iris_server).convert(REPORT)
    headers, _, path = iris_server.sent("upload")[0]
    assert "Authorization" not in headers
    assert path == "/up/f1?sig=a%2Fb"


async def test_iris_guesses_a_media_type_that_the_client_did_not_give(iris_server):
    await iris(iris_server).convert(File(name="a.png", data=b"x"))
    assert json.loads(iris_server.sent("create")[0][1])["contentType"] == "image/png"


async def test_a_failed_extraction_is_damaged_with_the_reason_of_the_service(iris_server):
    iris_server.result = {"success": False, "error": "pages unreadable"}
    parsed = await iris(iris_server).convert(REPORT)
    assert parsed.status == "damaged"
    assert "pages unreadable" in parsed.warnings[0]


@pytest.mark.parametrize("text", ["", "  \n", None])
async def test_an_extraction_without_text_is_empty(iris_server, text):
    iris_server.result = {"success": True, "text": text}
    assert (await iris(iris_server).convert(REPORT)).status == "empty"


@pytest.mark.parametrize("status", [400, 404, 415, 422])
async def test_any_other_refusal_of_iris_means_that_it_does_not_take_the_file(iris_server, status):
    iris_server.orders["create"] = [(status, {"error": "unsupported type"})]
    parsed = await iris(iris_server).convert(REPORT)
    assert parsed.status == "unsupported"
    assert f"{status}" in parsed.warnings[0]
    assert "unsupported type" in parsed.warnings[0]


async def test_llama_parse_uploads_with_its_configuration_and_keeps_the_pages(llama_server):
    parsed = await llama(llama_server).convert(REPORT)
    assert (parsed.status, parsed.parser) == ("ok", "llama_parse")
    assert [(block.kind, block.page) for block in parsed.blocks] == [("heading", 1), ("paragraph", 1), ("paragraph", 2)]
    assert render(parsed).text == "# Contract\n\nFirst page.\n\n第二页\n\n"
    body = llama_server.sent("upload")[0][1]
    assert b'{"tier": "cost_effective", "version": "latest"}' in body
    assert REPORT.data in body
    assert llama_server.sent("poll")[0][2].endswith("/job-1?expand=markdown")


@pytest.mark.parametrize("status", [400, 415, 422])
async def test_llama_parse_takes_three_refusals_to_be_about_the_file(llama_server, status):
    llama_server.orders["upload"] = [(status, {"detail": "no such type"})]
    assert (await llama(llama_server).convert(REPORT)).status == "unsupported"


@pytest.mark.parametrize("status", [402, 404, 410])
async def test_any_other_refusal_of_llama_parse_is_an_error_and_not_about_the_file(llama_server, status):
    llama_server.orders["upload"] = [(status, {"detail": "gone"})]
    with pytest.raises(Unreadable, match=f"{status}"):
        await llama(llama_server).convert(REPORT)


@pytest.mark.parametrize("ended", ["FAILED", "CANCELLED"])
async def test_a_job_that_failed_is_damaged_with_the_reason(llama_server, ended):
    llama_server.job = {"id": "job-1", "status": ended, "error_message": "no pages"}
    parsed = await llama(llama_server).convert(REPORT)
    assert parsed.status == "damaged"
    assert ended in parsed.warnings[0]
    assert "no pages" in parsed.warnings[0]


async def test_a_page_that_failed_makes_the_rest_partial(llama_server):
    llama_server.pages[0] = {"page_number": 1, "success": False, "error": "too dark"}
    parsed = await llama(llama_server).convert(REPORT)
    assert parsed.status == "partial"
    assert "page 1" in parsed.warnings[0]
    assert "too dark" in parsed.warnings[0]


async def test_pages_without_text_are_empty(llama_server):
    llama_server.pages = [{"page_number": 1, "markdown": " ", "success": True}]
    assert (await llama(llama_server).convert(REPORT)).status == "empty"


async def test_a_refused_key_says_so_and_is_not_in_the_error(service):
    server, made, key, _ = service
    wrong = {"token" if made is iris else "api_key": Secret(f"wrong-{key}")}
    with pytest.raises(Unreadable, match="refused the key") as raised:
        await made(server, **wrong).convert(REPORT)
    assert key not in str(raised.value)
    assert len(server.calls) == 1


@pytest.mark.parametrize("order", [(429, "slow down", {"Retry-After": "0"}), (500, "oops"), (503, ""), "hang up"])
@pytest.mark.parametrize("step", ["first", "poll"])
async def test_a_passing_fault_is_tried_again(service, order, step):
    server, made, _, first = service
    server.orders[first if step == "first" else "poll"] = [order, order]
    assert (await made(server).convert(REPORT)).status == "ok"


@pytest.mark.parametrize("order", [(429, "slow down"), (502, "bad gateway"), "hang up"])
async def test_a_lasting_fault_is_unavailable_which_may_be_tried_later(service, order):
    server, made, key, first = service
    server.orders[first] = [order] * 10
    with pytest.raises(Unavailable, match="3 tries") as raised:
        await made(server).convert(REPORT)
    assert raised.value.transient
    assert key not in str(raised.value)
    assert len(server.calls) == 3


async def test_a_service_that_is_not_there_is_unavailable(service):
    server, made, _, _ = service
    parser = made(server)
    server.close()
    with pytest.raises(Unavailable):
        await parser.convert(REPORT)


async def test_a_job_that_is_not_done_in_time_is_unavailable(service):
    server, made, _, _ = service
    running = {"ready": False, "job": {"id": "job-1", "status": "RUNNING"}}
    server.orders["poll"] = [(200, running)] * 1000
    with pytest.raises(Unavailable, match="not done"):
        await made(server, timeout=0.05).convert(REPORT)


@pytest.mark.parametrize("answer", ["<html>login</html>", [], {}, {"fileId": 1, "ready": True, "job": "x"}, "{"])
@pytest.mark.parametrize("step", ["first", "poll"])
async def test_an_answer_that_cannot_be_used_is_an_error_and_never_an_empty_file(service, answer, step):
    server, made, _, first = service
    if step == "poll" and answer == {} and made is iris:
        answer = {"ready": True}
    server.orders[first if step == "first" else "poll"] = [(200, answer)]
    with pytest.raises(ModelFailed):
        await made(server).convert(REPORT)


async def test_pages_that_cannot_be_used_are_an_error(llama_server):
    llama_server.pages = ["no page"]
    with pytest.raises(ModelFailed):
        await llama(llama_server).convert(REPORT)


@pytest.mark.parametrize("link", ["file:///etc/passwd", "no address"])
async def test_an_upload_link_that_is_none_is_an_error(iris_server, link):
    iris_server.orders["create"] = [(200, {"fileId": "f", "uploadUrl": link})]
    with pytest.raises(ModelFailed):
        await iris(iris_server).convert(REPORT)


@pytest.mark.parametrize(
    ("make", "missing"),
    [
        (IrisParser, "token"),
        (lambda: IrisParser(token=TOKEN), "org_id"),
        (LlamaParseParser, "api_key"),
        (lambda: LlamaParseParser(api_key=Secret("")), "api_key"),
    ],
)
def test_a_missing_setting_is_named_at_the_start(make, missing):
    with pytest.raises(Invalid, match=missing) as raised:
        make()
    assert TOKEN not in str(raised.value)
