"""Outlook messages, old ones in code pages among them."""

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ole_writer import ole, properties, substream
from reading_jobs import headings, job, text
from ricordo.parse import outlook
from ricordo.parse.reading import Limits
from ricordo.parse.rtf_packed import unpacked
from ricordo.types import ParseStatus

TICKS = 133_493_472_000_000_000  # 2024-01-10 08:00:00 UTC


def message(texts, *, code_page=None, number=None, header=32, times=None, inside=None):
    fixed = {**({0x3FFD: number} if number else {}), **(times or {})}
    tree = {"__properties_version1.0": properties(header, fixed)}
    tree.update(substream(key, value, code_page) for key, value in texts.items())
    return {**tree, **(inside or {})}


def read(tree, **more):
    return outlook.read(ole(tree), job("x.msg", "msg", **more))


PEOPLE = {
    "__recip_version1.0_#00000000": message({0x3001: "王工", 0x39FE: "wang@example.cn"}, header=8, times={0x0C15: 1}),
    "__recip_version1.0_#00000001": message({0x3001: "Priya", 0x3003: "p@example.org"}, header=8, times={0x0C15: 2}),
}
TEXTS = {0x0037: "報價單更新", 0x0C1A: "李慕白", 0x5D01: "li@example.cn", 0x1000: "總價下調至四十八萬元。\r\n"}


def test_headers_and_body_are_read():
    parsed = read(message(TEXTS, times={0x0039: TICKS}, inside=PEOPLE))
    assert text(parsed) == (
        "Subject: 報價單更新\nFrom: 李慕白 <li@example.cn>\nTo: 王工 <wang@example.cn>\nCc: Priya <p@example.org>\n"
        "Date: 2024-01-10 08:00:00 UTC\n\n總價下調至四十八萬元。\n\n"
    )
    assert (parsed.title, parsed.status) == ("報價單更新", ParseStatus.OK)


@pytest.mark.parametrize(("code_page", "number"), [("big5", 950), ("utf-8", 65001), ("big5", None)])
def test_a_message_that_is_not_unicode_is_read_by_its_code_page(code_page, number):
    attached = {"__attach_version1.0_#00000000": message({0x3707: "說明.txt"}, code_page="big5", header=8)}
    attached["__attach_version1.0_#00000000"] |= {"__substg1.0_37010102": "附件內容".encode()}
    parsed = read(message(TEXTS, code_page=code_page, number=number, inside=attached if code_page == "big5" else {}))
    assert "Subject: 報價單更新\nFrom: 李慕白" in text(parsed)
    assert "總價下調至四十八萬元。" in text(parsed)
    if code_page == "big5":
        assert "Attachments: 說明.txt" in text(parsed)
        assert "附件內容" in text(parsed)


def test_names_of_attachments_follow_the_code_page_of_the_message():
    part = message({0x3707: "Αρχείο.txt"}, code_page="cp1253", header=8) | {"__substg1.0_37010102": b"words"}
    parsed = read(message({0x0037: "x"}, number=1253, inside={"__attach_version1.0_#00000000": part}))
    assert headings(parsed) == [(1, "Αρχείο.txt")]


def test_the_headers_that_it_travelled_with_come_first():
    travelled = "From: =?gb2312?B?wO7EvbDX?= <li@example.cn>\r\nTo: all@example.cn\r\n"
    travelled += "Date: Wed, 10 Jan 2024 16:20:31 +0800\r\n"
    parsed = read(message({0x0037: "x", 0x007D: travelled, 0x1000: "body"}, inside=PEOPLE))
    assert "From: 李慕白 <li@example.cn>\nTo: all@example.cn" in text(parsed)
    assert "Date: Wed, 10 Jan 2024 16:20:31 +0800" in text(parsed)


def test_a_body_in_html_only_is_read():
    parsed = read(message({0x0037: "x", 0x1013: "<meta charset=gbk><h1>标题</h1><p>正文".encode("gbk")}))
    assert "正文" in text(parsed)
    assert headings(parsed) == [(1, "标题")]


def test_a_body_in_rtf_only_is_read():
    packed = struct.pack("<IIII", 0, 24, 0x414C454D, 0) + rb"{\rtf1\ansi Hello there}"
    assert "Hello there" in text(read(message({0x0037: "x", 0x1009: packed})))


def test_an_attached_message_is_read_in_place_and_not_deeper_than_the_limit():
    def nested(depth):
        inner = message({0x0037: f"level {depth}", 0x1000: f"words of level {depth}"}, header=24 if depth else 32)
        if depth < 5:
            part = message({0x3001: f"inner {depth}"}, header=8) | {"__substg1.0_3701000D": nested(depth + 1)}
            inner["__attach_version1.0_#00000000"] = part
        return inner

    parsed = read(nested(0), limits=Limits(depth=3))
    assert "words of level 3" in text(parsed)
    assert "words of level 4" not in text(parsed)
    assert parsed.status is ParseStatus.PARTIAL
    assert "deeper than 3" in parsed.warnings[0]


def test_packed_rtf_is_unpacked():
    # the example of [MS-OXRTFCP], section 4.1.1
    packed = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
    )
    assert unpacked(packed, 1000) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"


@settings(deadline=None, max_examples=60)
@given(st.binary(max_size=80))
def test_packed_rtf_never_runs_away(data):
    out = unpacked(struct.pack("<IIII", 0, 500, 0x75465A4C, 0) + data, 1000)
    assert len(out) <= 500


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 3000), st.binary(max_size=4))
def test_a_cut_or_changed_file_ends_in_a_status(at, change):
    whole = ole(message(TEXTS, inside=PEOPLE))
    at = min(at, len(whole))
    for broken in (whole[:at], whole[:at] + change + whole[at + len(change) :]):
        assert outlook.read(broken, job("x.msg", "msg")).status in ParseStatus
