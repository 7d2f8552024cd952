"""Parsers by name, and a chain that reports every attempt."""

from pathlib import Path

import pytest

from ricordo import registry
from ricordo.errors import Invalid, Unavailable, Unreadable
from ricordo.parse.chain import Attempt, convert_with_fallback, get_parser, list_parsers, register
from ricordo.parse.native import NativeParser
from ricordo.types import READABLE, Block, BlockKind, File, Parsed, ParseStatus


class Stub:
    """A parser of a third party: it answers with what it was made with, or raises it."""

    def __init__(self, name, answer=ParseStatus.OK, endings=()):
        self.name = name
        self.answer = answer
        self.endings = endings
        self.seen = []

    def supports(self, name, media_type):
        return name.endswith(self.endings) if self.endings else False

    async def convert(self, file):
        self.seen.append(file)
        if isinstance(self.answer, Exception):
            raise self.answer
        if self.answer is not ParseStatus.OK:
            return Parsed(parser=self.name, status=self.answer, warnings=(f"{self.name} says {self.answer}",))
        return Parsed(parser=self.name, blocks=(Block(kind=BlockKind.PARAGRAPH, text="read"),))


@pytest.fixture
def known():
    before = dict(registry._added)
    yield
    registry._added.clear()
    registry._added.update(before)


def test_the_known_parsers_are_listed():
    assert {"iris", "llama_parse", "markitdown", "native", "unstructured"} <= set(list_parsers())


def test_an_unknown_name_is_a_value_error_that_lists_the_known():
    with pytest.raises(ValueError, match="native") as raised:
        get_parser("nativ")
    assert isinstance(raised.value, Invalid)


def test_a_registered_parser_is_known_to_the_registry(known):
    parser = Stub("mine")
    register(parser)
    assert get_parser("mine") is parser
    assert registry.load("parser", "mine")(workers=2) is parser
    assert "mine" in list_parsers()


def test_without_a_name_the_first_that_supports_the_file_is_given(known):
    parser = Stub("zmine", endings=(".dwg",))
    register(parser)
    assert isinstance(get_parser(filename="a.docx"), NativeParser)
    assert get_parser(filename="a.dwg") is parser
    with pytest.raises(Invalid, match=r"a\.xyz"):
        get_parser(filename="a.xyz", content_type="application/x-strange")


async def test_the_first_that_reads_the_file_ends_the_chain():
    first, second = Stub("first"), Stub("second")
    read = await convert_with_fallback([first, second], b"x", "a.bin", "text/plain")
    assert read.ok
    assert (read.parser, read.parsed.blocks[0].text) == ("first", "read")
    assert second.seen == []
    assert (first.seen[0].name, first.seen[0].data, first.seen[0].media_type) == ("a.bin", b"x", "text/plain")


@pytest.mark.parametrize(
    "answer",
    [
        *(status for status in ParseStatus if status not in READABLE),
        RuntimeError("broke"),
        Unavailable("down"),
    ],
)
async def test_the_next_is_tried_after_anything_but_text(answer):
    read = await convert_with_fallback([Stub("first", answer), Stub("second")], b"x", "a")
    assert (read.ok, read.parser) == (True, "second")
    assert [attempt.parser for attempt in read.attempts] == ["first", "second"]
    assert read.attempts[0].reason
    assert read.attempts[1] == Attempt("second", "ok")


async def test_spent_it_reports_every_attempt_under_the_most_telling_status():
    chain = [
        Stub("a", ParseStatus.UNSUPPORTED),
        Stub("b", ValueError("odd")),
        Stub("c", ParseStatus.NEEDS_PASSWORD),
        Stub("d", ParseStatus.EMPTY),
    ]
    read = await convert_with_fallback(chain, b"x", "a")
    assert not read.ok
    assert read.parsed.status == "needs_password"
    assert read.parsed.warnings == (
        "a: unsupported: a says unsupported",
        "b: error: ValueError: odd",
        "c: needs_password: c says needs_password",
        "d: empty: d says empty",
    )


async def test_spent_with_a_service_down_it_may_be_tried_later():
    with pytest.raises(Unavailable, match=r"a: unsupported.*b: error"):
        await convert_with_fallback([Stub("a", ParseStatus.UNSUPPORTED), Stub("b", Unavailable("down"))], b"x", "f")


async def test_spent_with_nothing_but_errors_it_is_unreadable():
    with pytest.raises(Unreadable, match=r"f\.bin.*a: error: KeyError.*b: error"):
        await convert_with_fallback([Stub("a", KeyError("k")), Stub("b", OSError("o"))], b"x", "f.bin")


async def test_an_empty_chain_is_the_callers_mistake():
    with pytest.raises(Invalid, match="no parser was named"):
        await convert_with_fallback([], b"x", "f")


async def test_a_password_given_with_the_file_opens_it_and_shows_nowhere():
    path = Path(__file__).parents[2] / "../shared/files/pdf/encrypted_password.pdf"
    if not path.is_file():
        pytest.skip(f"the file is not there: {path}")
    data = path.read_bytes()
    parser = get_parser("native")
    locked = await convert_with_fallback([parser], data, path.name)
    assert locked.parsed.status == "needs_password"
    opened = await convert_with_fallback([parser], data, path.name, password="openpassword")
    assert opened.ok
    assert "openpassword" not in repr(File(name=path.name, data=b"", password="openpassword"))
    await parser.close()
