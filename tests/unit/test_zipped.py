"""Archives: names, limits, noise, and what is broken."""

import io
import struct
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reading_jobs import headings, job, text
from ricordo.parse import zipped
from ricordo.parse.reading import Limits
from ricordo.types import ParseStatus
from tiny_files import packed


def read(data, **more):
    return zipped.read(data, job("x.zip", "zip", **more))


def named(raw_names, text="words"):
    """A zip whose names are these bytes, without the UTF-8 flag."""
    data = packed({f"{'n' * len(raw)}": f"{text} {i}" for i, raw in enumerate(raw_names)})
    for raw in raw_names:
        data = data.replace(b"n" * len(raw), raw)
    return data


def test_every_file_is_read_under_its_name():
    parsed = read(packed({"a/一.md": "# 标题\n\n正文", "b.txt": "second", "空.txt": ""}))
    assert headings(parsed) == [(1, "a/一.md"), (2, "标题"), (1, "b.txt")]
    assert {block.part for block in parsed.blocks} == {"a/一.md", "b.txt"}
    assert "正文\n\n# b.txt\n\nsecond" in text(parsed)
    assert parsed.status is ParseStatus.OK


@pytest.mark.parametrize(
    ("charset", "name"), [("gb18030", "合同资料.txt"), ("cp932", "議事録の件.txt"), ("utf-8", "合同.txt")]
)
def test_names_without_a_flag_are_told(charset, name):
    assert headings(read(named([name.encode(charset)]))) == [(1, name)]


def test_noise_is_skipped_and_no_name_leads_out():
    parsed = read(
        packed(
            {
                "__MACOSX/._a.txt": "NOISE", ".DS_Store": "NOISE", "a/Thumbs.db": "NOISE", "._b": "NOISE",
                "../../etc/x.txt": "kept", "C:\\windows\\y.txt": "kept too", "/abs.txt": "also\u202e",
            }
        )
    )  # fmt: skip
    assert "NOISE" not in text(parsed)
    assert {title for _, title in headings(parsed)} == {"etc/x.txt", "windows/y.txt", "abs.txt"}


def test_an_entry_that_inflates_too_far_costs_only_itself():
    parsed = read(
        packed({"bomb.txt": "0" * 5_000_000, "ok.txt": "kept", "bomb2.txt": "0" * 5_000_000, "ok2.txt": "too"})
    )
    assert [title for _, title in headings(parsed)] == ["ok.txt", "ok2.txt"]
    assert parsed.status is ParseStatus.PARTIAL
    assert "bomb.txt" in parsed.warnings[0]
    assert "100 times" in parsed.warnings[0]


def test_an_archive_of_nothing_but_bombs_is_too_large():
    parsed = read(packed({f"{i}.txt": "0" * 5_000_000 for i in range(3)}))
    assert parsed.status is ParseStatus.TOO_LARGE


def test_all_entries_together_inflate_no_further_than_the_limit():
    data = packed({f"{i}.txt": "0" * 1_500_000 for i in range(20)})
    parsed = read(data)
    assert len(text(parsed)) < 100 * len(data)
    assert "the rest was left out" in parsed.warnings[-1]


def test_archives_in_archives_end_at_the_depth_limit():
    data = packed({"deep.txt": "bottom"})
    for level in range(6):
        data = packed({f"{level}.zip": data, f"{level}.txt": f"level {level}"})
    from ricordo.parse.opening import Order, open_file

    parsed = open_file(data, Order(name="x.zip", limits=Limits(depth=3)))
    assert "level 5" in text(parsed)
    assert "bottom" not in text(parsed)
    assert any("deeper than 3" in warning for warning in parsed.warnings)


def test_more_files_than_may_be_are_too_large():
    from ricordo.parse.opening import Order, open_file

    many = packed({f"{i}.txt": "x" for i in range(50)})
    assert open_file(many, Order(name="x.zip", limits=Limits(entries=20))).status is ParseStatus.TOO_LARGE


def encrypted(data, which):
    """Sets the flag of encryption on an entry."""
    name = which.encode()
    out = bytearray(data)
    for magic, flag, at in ((b"PK\x03\x04", 6, 30), (b"PK\x01\x02", 8, 46)):
        place = -1
        while (place := data.find(magic, place + 1)) >= 0:
            if data[place + at : place + at + len(name)] == name:
                struct.pack_into("<H", out, place + flag, 1)
    return bytes(out)


def test_encrypted_entries_are_reported():
    data = packed({"a.txt": "one", "b.txt": "two"})
    parsed = read(encrypted(data, "a.txt"))
    assert parsed.status is ParseStatus.PARTIAL
    assert "a.txt: it is encrypted" in parsed.warnings[0]
    assert "two" in text(parsed)
    assert read(encrypted(encrypted(data, "a.txt"), "b.txt")).status is ParseStatus.NEEDS_PASSWORD


def test_a_method_that_is_not_supported_is_reported():
    parsed = read(packed({"a.txt": "x" * 100}, method=zipfile.ZIP_LZMA))
    assert "method 14" in parsed.warnings[0]


def test_a_damaged_entry_costs_only_itself():
    data = bytearray(packed({"a.txt": "a" * 400 + "b" * 300, "b.txt": "kept"}))
    data[40] ^= 0xFF
    parsed = read(bytes(data))
    assert "kept" in text(parsed)
    assert parsed.status is ParseStatus.PARTIAL


def test_a_lost_directory_is_made_up_for():
    data = packed({"a.txt": "first", "b.txt": "second"})
    parsed = read(data[: data.index(b"PK\x01\x02")])
    assert "first" in text(parsed)
    assert parsed.status is ParseStatus.PARTIAL


def test_an_archive_of_nothing_is_empty_and_one_of_unknown_files_says_so():
    assert read(packed({})).status is ParseStatus.EMPTY
    assert read(packed({"a/": "", "__MACOSX/x": "y"})).status is ParseStatus.EMPTY
    assert read(packed({"a.bin": b"\x00\x01\x02\x03" * 30})).status is ParseStatus.UNSUPPORTED


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 400), st.binary(min_size=1, max_size=6))
def test_any_damage_ends_in_a_status(at, change):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("合同/一.txt", "第一行")
        archive.writestr("b.txt", "b" * 500)
    whole = out.getvalue()
    for broken in (whole[:at], whole[:at] + change + whole[at + len(change) :]):
        assert read(broken).status in ParseStatus
