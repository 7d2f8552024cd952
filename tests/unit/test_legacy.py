"""Word and PowerPoint files of 1997 to 2003, Excel ones, and files under a password."""

import io
import random
import struct

import pytest
from msoffcrypto.format.ooxml import OOXMLFile

from officefiles import SHARED, a_docx, a_job, outline, p, rows, shown
from ricordo.parse import encrypted
from ricordo.parse.doc import _words
from ricordo.parse.docx import read as read_docx
from ricordo.parse.edged_table import Cell, grid_of
from ricordo.parse.legacy import read, title_of
from ricordo.parse.ppt import is_encrypted
from ricordo.parse.reading import Exceeded, Job
from ricordo.parse.sheets import read as read_sheets
from ricordo.parse.word_binary import Property, modifiers
from ricordo.types import BlockKind, ParseStatus

shared = pytest.mark.skipif(not SHARED.exists(), reason="the shared test files are not there")


def shared_file(name):
    return (SHARED / "legacy" / name).read_bytes()


@shared
def test_a_word_document_gives_headings_lists_and_tables():
    result = read(shared_file("summer.doc"), a_job("summer.doc", "doc"))
    assert (1, "Swimming in the lake") in outline(result)
    assert "You can relax and look around" in shown(result, BlockKind.LIST)
    assert rows(result)[0] == ("", "Food", "Calories per portion")
    assert rows(result)[2] == ("Berries", "Blueberry, Strawberry, Cranberry", "150")
    assert result.status is ParseStatus.OK


@shared
def test_a_deck_gives_slides_as_pages_with_tables_and_notes():
    result = read(shared_file("slides.ppt"), a_job("slides.ppt", "ppt"))
    assert outline(result)[:2] == [(1, "Test Table Slide"), (1, "Second slide title")]
    assert rows(result)[1] == ("", "A merged with B", "A merged with B", "C", "A", "B", "C")
    notes = [block for block in result.blocks if block.kind is BlockKind.NOTE]
    assert (notes[0].text, notes[0].page) == ("Some notes on the second slide.", 2)


@shared
def test_an_old_workbook_is_read_as_a_new_one():
    result = read_sheets(shared_file("ducks.xls"), a_job("ducks.xls", "xls"))
    assert shown(result)[:2] == ["Duck Observations", "Number of freshwater ducks per year"]
    assert rows(result)[0] == ("Year", "Freshwater Ducks")


@shared
def test_a_deck_whose_list_of_edits_is_lost_is_read_as_it_lies():
    data = shared_file("slides.ppt")
    user = data.find(struct.pack("<L", 0xE391C05F))
    broken = data[: user + 4] + b"\xff\xff\xff\x7f" + data[user + 8 :]
    result = read(broken, a_job("slides.ppt", "ppt"))
    assert "Second slide title" in shown(result)
    assert result.status is ParseStatus.PARTIAL
    assert "edits" in result.warnings[0]


@shared
def test_a_document_that_says_it_is_older_is_unsupported_and_says_what_to_do():
    data = bytearray(shared_file("summer.doc"))
    head = data.find(b"\xec\xa5\xc1\x00")
    data[head + 2] = 0x65
    result = read(bytes(data), a_job("old.doc", "doc"))
    assert result.status is ParseStatus.UNSUPPORTED
    assert "DOCX" in result.warnings[0]


@shared
def test_an_encrypted_document_needs_a_password():
    data = bytearray(shared_file("summer.doc"))
    head = data.find(b"\xec\xa5\xc1\x00")
    data[head + 11] |= 0x01
    assert read(bytes(data), a_job("a.doc", "doc")).status is ParseStatus.NEEDS_PASSWORD


@shared
def test_a_container_of_something_else_is_unsupported():
    result = read(shared_file("ducks.xls"), a_job("ducks.doc", "doc"))
    assert result.status is ParseStatus.UNSUPPORTED


def a_summary(title, page=936, count=2):
    text = struct.pack("<LL", 30, len(title)) + title
    section = struct.pack("<LLLLLL", 0, count, 1, 24, 2, 32) + struct.pack("<LL", 2, page) + text
    return bytes(44) + struct.pack("<L", 48) + section


def test_the_title_is_read_in_its_code_page():
    assert title_of(a_summary("合同".encode("gbk") + b"\x00")) == "合同"


@pytest.mark.parametrize("data", [b"", a_summary(b"x", count=0xFFFFFFFF), a_summary(b"x")[:60], b"\xff" * 200])
def test_a_summary_that_claims_too_much_gives_no_title(data):
    assert title_of(data) == ""


def test_a_damaged_container_says_so():
    result = read(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(700), a_job("a.doc", "doc"))
    assert result.status is ParseStatus.DAMAGED
    assert "OLE" in result.warnings[0]


def test_the_mark_of_an_encrypted_deck_is_known():
    assert is_encrypted(bytes(12) + struct.pack("<L", 0xF3D1C4DF))
    assert not is_encrypted(bytes(12) + struct.pack("<L", 0xE391C05F))
    assert not is_encrypted(b"")


def test_properties_of_every_size_are_walked():
    table = struct.pack("<HHB", Property.TABLE_DEFINITION, 4, 0) + bytes(2)
    listed = struct.pack("<HB", Property.IN_TABLE, 1) + table + struct.pack("<HH", Property.LIST, 7) + b"\x00\xc6\x02ab"
    found = list(modifiers(listed))
    assert [code for code, _ in found] == [Property.IN_TABLE, Property.TABLE_DEFINITION, Property.LIST, 0xC600]
    assert found[2][1] == b"\x07\x00"
    assert list(modifiers(b"\x16")) == []


class _Units:
    def __init__(self, units):
        self.units = units

    def offset(self, position):
        return position


class _Runs:
    def __init__(self, *ranges):
        self.ranges = list(ranges)

    def where(self, code):
        return self.ranges


def seen(units, *deleted):
    return _words(_Units(units), _Runs(*deleted)).replace("\x00", "").translate(dict.fromkeys(range(0x13, 0x16)))


def test_fields_show_their_result_and_contents_and_page_numbers_nothing():
    assert seen("a\x13 HYPERLINK x \x14link\x15b") == "alinkb"
    assert seen("a\x13 TOC \\o \x14one\rtwo\x15b") == "ab"
    assert seen("a\x13 IF \x13 PAGE \x147\x15 \x14yes\x15b") == "ayesb"
    assert seen("a\x13 XE hidden\x15b") == "ab"
    assert seen("a\x15b\x13c") == "abc"


def test_deleted_runs_are_left_out_and_paragraph_marks_stay():
    assert seen("keep gone\rnext", (4, 10)) == "keep\rnext"


def test_columns_are_found_by_where_cells_end():
    table = [
        [Cell("a", 1000), Cell("b", 2000), Cell("c", 3000)],
        [Cell("", 1010, below=True), Cell("wide", 2990)],
    ]
    assert grid_of(table)[1] == (("a", "b", "c"), ("a", "wide", "wide"))
    assert grid_of([[Cell("x"), Cell("y")]])[1] == (("x", "y"),)


@pytest.fixture(scope="module")
def locked():
    out = io.BytesIO()
    noise = "".join(
        random.Random(1).choices("abcdefghijklmnopqrstuvwxyz", k=9_000)
    )  # the library encrypts no small files
    OOXMLFile(io.BytesIO(a_docx(p("the secret") + p(noise)))).encrypt("open sesame", out)
    return out.getvalue()


def unlocking(data, password, **limits):
    job = a_job("a.docx", "encrypted", password=password, **limits)
    inner = Job(
        name="a.docx",
        kind="encrypted",
        password=password,
        limits=job.limits,
        child=lambda name, data: read_docx(data, job),
    )
    return encrypted.read(data, inner)


def test_an_encrypted_package_needs_its_password(locked):
    result = unlocking(locked, None)
    assert result.status is ParseStatus.NEEDS_PASSWORD
    assert "give its password" in result.warnings[0]


def test_a_wrong_password_is_told_from_none(locked):
    result = unlocking(locked, "wrong")
    assert result.status is ParseStatus.NEEDS_PASSWORD
    assert "does not open" in result.warnings[0]


def test_with_its_password_the_text_comes(locked):
    assert shown(unlocking(locked, "open sesame"))[0] == "the secret"


def test_what_is_decrypted_is_bounded(locked):
    with pytest.raises(Exceeded, match="when decrypted"):
        unlocking(locked, "open sesame", inflated_bytes=100)


def test_a_damaged_encrypted_package_is_damaged(locked):
    result = unlocking(locked[:2000], "open sesame")
    assert result.status is ParseStatus.DAMAGED
    assert result.warnings
