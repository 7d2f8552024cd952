"""Zip-based packages: what they may cost, what is saved of broken ones, what XML may do."""

import io
import random
import zipfile

import pytest

from officefiles import a_zip
from ricordo.parse.outcome import ReadError
from ricordo.parse.package import EntryError, Package, parse_xml, resolve
from ricordo.parse.reading import Exceeded, Limits

MEGABYTE = 1_000_000


def test_entries_are_found_without_regard_to_case_and_slashes():
    package = Package(a_zip({"Word\\Document.xml": b"<a/>"}), Limits())
    assert "word/document.XML" in package
    assert package.read("/word/document.xml") == b"<a/>"


def test_an_absent_entry_is_a_key_error():
    with pytest.raises(KeyError):
        Package(a_zip({"a": b"x"}), Limits()).read("b")


def test_a_bomb_is_stopped_by_its_ratio_while_inflating():
    package = Package(a_zip({"bomb": bytes(20 * MEGABYTE)}), Limits())
    with pytest.raises(Exceeded, match="100 times"):
        package.read("bomb")


def test_what_the_header_claims_bounds_nothing():
    bomb = bytearray(a_zip({"bomb": bytes(20 * MEGABYTE)}))
    directory = bomb.rfind(b"PK\x01\x02")
    bomb[directory + 24 : directory + 28] = (10).to_bytes(4, "little")
    with pytest.raises(Exceeded):
        Package(bytes(bomb), Limits()).read("bomb")


def test_the_inflated_bytes_of_all_entries_count_together():
    noise = zipfile.ZIP_STORED
    package = Package(a_zip({f"e{i}": bytes(1000) for i in range(10)}, noise), Limits(inflated_bytes=5_000))
    for i in range(5):
        package.read(f"e{i}")
    with pytest.raises(Exceeded, match="5000 bytes"):
        package.read("e5")


def test_reading_an_entry_again_does_not_count_again():
    package = Package(a_zip({"e": bytes(900)}, zipfile.ZIP_STORED), Limits(inflated_bytes=1_000))
    for _ in range(3):
        assert len(package.read("e")) == 900


def test_too_many_entries_are_refused_before_they_are_listed():
    data = a_zip({f"e{i}": b"" for i in range(30)})
    with pytest.raises(Exceeded, match="more than 20 entries"):
        Package(data, Limits(entries=20))
    with pytest.raises(Exceeded, match="more than 20 entries"):
        Package(data[: data.find(b"PK\x01\x02")], Limits(entries=20))


def test_a_small_file_may_inflate_freely_up_to_the_floor():
    assert len(Package(a_zip({"zeros": bytes(900_000)}), Limits()).read("zeros")) == 900_000


def test_entries_of_a_truncated_package_are_saved():
    data = a_zip({"first": b"whole " * 50, "second": b"cut " * 500}, zipfile.ZIP_STORED)
    package = Package(data[: data.find(b"second") + 100], Limits())
    assert package.read("first") == b"whole " * 50
    assert package.read("second").startswith(b"cut cut")
    assert not package.whole


def test_what_an_entry_gave_before_its_fault_is_kept():
    letters = bytes(random.Random(1).choices(b"abcdefghijklmnopqrstuvwxyz", k=60_000))
    data = bytearray(a_zip({"a": letters}))
    data[len(data) // 2] ^= 0xFF
    package = Package(bytes(data), Limits())
    saved = package.read("a")
    assert saved[:10_000] == letters[:10_000]
    assert any("damaged" in note or "checksum" in note for note in package.warnings)


def test_a_checksum_that_does_not_match_is_said():
    data = bytearray(a_zip({"a": b"12345"}, zipfile.ZIP_STORED))
    data[data.find(b"12345")] = ord("9")
    package = Package(bytes(data), Limits())
    assert package.read("a") == b"92345"
    assert package.warnings == ["'a' does not match its checksum"]


def test_the_directory_of_a_file_inside_is_not_taken_for_the_outer_one():
    inner = a_zip({"inner.txt": b"inner"})
    outer = a_zip({"outer.txt": b"outer", "inner.zip": inner, "last": bytes(500)}, zipfile.ZIP_STORED)
    package = Package(outer[: outer.find(b"last") + 20], Limits())
    assert package.names() == ["outer.txt", "inner.zip", "last"]


def test_bytes_that_hold_no_entry_are_damaged():
    with pytest.raises(ReadError, match="not a readable zip"):
        Package(b"PK\x03\x04 nothing", Limits())


def test_an_encrypted_entry_is_an_entry_error():
    data = bytearray(a_zip({"a": b"12345"}))
    for magic, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(magic) + at] |= 1
    with pytest.raises(EntryError, match="encrypted"):
        Package(bytes(data), Limits()).read("a")


def test_a_rebuilt_package_is_sound():
    data = a_zip({"first": b"1", "second": b"2"})
    package = Package(data[: data.find(b"PK\x01\x02")], Limits())
    with zipfile.ZipFile(io.BytesIO(package.rebuilt())) as archive:
        assert archive.testzip() is None
        assert archive.read("second") == b"2"


def test_entities_are_never_resolved():
    laughs = (
        b'<!DOCTYPE a [<!ENTITY l "ha"><!ENTITY m "&l;&l;&l;"><!ENTITY f SYSTEM "file:///etc/passwd">]><a>x&m;&f;</a>'
    )
    root = parse_xml(laughs)
    assert "".join(root.itertext("a")) == "x"


def test_xml_that_nests_too_deeply_is_refused():
    with pytest.raises(Exceeded, match="nests too deeply"):
        parse_xml(b"<a>" * 5_000 + b"</a>" * 5_000)


def test_broken_xml_gives_what_could_be_read_and_says_so():
    package = Package(a_zip({"a.xml": b"<a><b>kept</b><c>lost"}), Limits())
    assert package.xml("a.xml").findtext("b") == "kept"
    assert "broken XML" in package.warnings[0]


@pytest.mark.parametrize(
    ("base", "target", "entry"),
    [
        ("word/document.xml", "media/a.png", "word/media/a.png"),
        ("word/document.xml", "../docProps/core.xml", "docProps/core.xml"),
        ("word/document.xml", "/word/styles.xml", "word/styles.xml"),
        ("OPS/book.opf", "ch%20one.xhtml#top", "OPS/ch one.xhtml"),
        ("a.xml", "../../../etc/passwd", "etc/passwd"),
        ("a\\b.xml", "c\\d.xml", "c/d.xml"),
        ("x", "", ""),
    ],
)
def test_a_reference_names_an_entry_and_never_leaves_the_package(base, target, entry):
    assert resolve(base, target) == entry
