"""Pictures: counted before they are decoded, turned upright, read where a recogniser is."""

import io
import shutil
from zlib import crc32

import pytest
from PIL import Image, ImageDraw

from reading_jobs import job
from ricordo.parse import image, ocr
from ricordo.parse.ocr import OcrFailed, Seen, in_chinese
from ricordo.parse.pdf_layout import Word
from ricordo.parse.reading import Exceeded, Limits
from ricordo.types import BlockKind, ParseStatus

TESSERACT = pytest.mark.skipif(not shutil.which("tesseract"), reason="tesseract is not on the PATH")


class Fixed:
    """A recogniser that says what it is told, and keeps the sizes of what it was shown."""

    name = "fixed"

    def __init__(self, words=(), trust=95.0, turned=0, fails=False):
        self.seen = Seen(list(words), turned, trust)
        self.sizes = []
        self._fails = fails

    def read(self, picture, languages, seconds):
        self.sizes.append(picture.size)
        if self._fails:
            raise OcrFailed("it is tired")
        return self.seen


@pytest.fixture
def recognisers(monkeypatch):
    def use(*chosen):
        monkeypatch.setattr(ocr, "recognisers", lambda: chosen)
        return chosen

    return use


def word(text, left=10.0, top=10.0, size=12.0):
    return Word(text, left, top, left + size * len(text) / 2, top + size, size)


def encoded(picture, kind="PNG", **more):
    out = io.BytesIO()
    picture.save(out, kind, **more)
    return out.getvalue()


def read(data, **settings):
    return image.read(data, job("a.png", "image", **settings))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP"])
def test_every_usual_kind_is_read(recognisers, kind):
    recognisers(Fixed([word("hello")]))
    parsed = read(encoded(Image.new("RGB", (80, 40), "white"), kind))
    assert parsed.status is ParseStatus.OK
    assert [(b.kind, b.text) for b in parsed.blocks] == [(BlockKind.PICTURE, ""), (BlockKind.PARAGRAPH, "hello")]


def test_without_a_recogniser_a_picture_needs_ocr(recognisers):
    recognisers()
    parsed = read(encoded(Image.new("RGB", (80, 40))))
    assert (parsed.status, parsed.blocks) == (ParseStatus.NEEDS_OCR, ())
    assert "tesseract" in parsed.warnings[0]


def test_a_picture_without_text_is_empty(recognisers):
    recognisers(Fixed())
    assert read(encoded(Image.new("RGB", (80, 40)))).status is ParseStatus.EMPTY


def test_the_camera_s_turn_is_undone_before_reading(recognisers):
    [fixed] = recognisers(Fixed([word("hello")]))
    exif = Image.Exif()
    exif[0x0112] = 6
    read(encoded(Image.new("RGB", (80, 40)), "JPEG", exif=exif))
    assert fixed.sizes == [(40, 80)]


def test_the_pages_of_a_tiff_are_pages_and_a_film_is_its_first_picture(recognisers):
    recognisers(Fixed([word("hello")]))
    pictures = [Image.new("RGB", (80, 40), colour) for colour in ("white", "grey", "black")]
    paged = read(encoded(pictures[0], "TIFF", save_all=True, append_images=pictures[1:]))
    assert [b.page for b in paged.blocks if b.text] == [1, 2, 3]
    film = read(encoded(pictures[0], "GIF", save_all=True, append_images=pictures[1:]))
    assert [b.page for b in film.blocks if b.text] == [None]


def test_pixels_are_counted_before_they_are_decoded(recognisers):
    [fixed] = recognisers(Fixed([word("hello")]))
    with pytest.raises(Exceeded, match="3000 pixels"):
        read(encoded(Image.new("RGB", (80, 40))), limits=Limits(pixels=3000))
    bomb = bytearray(encoded(Image.new("1", (8, 8))))
    bomb[16:24] = (60_000).to_bytes(4, "big") * 2
    bomb[29:33] = crc32(bomb[12:29]).to_bytes(4, "big")
    with pytest.raises(Exceeded):
        read(bytes(bomb))
    assert fixed.sizes == []


def test_a_cut_picture_is_damaged_and_a_strange_one_unsupported(recognisers):
    recognisers(Fixed([word("hello")]))
    data = encoded(Image.effect_noise((200, 200), 80), "JPEG")
    assert read(data[: len(data) // 2]).status is ParseStatus.DAMAGED
    assert read(b"\x00\x00\x00\x18ftypheic" + bytes(40)).status is ParseStatus.UNSUPPORTED


def test_transparent_ground_is_paper(recognisers):
    recognisers(Fixed([word("hello")]))
    shown = []
    fixed = ocr.recognisers()[0]
    fixed.read = lambda picture, languages, seconds: shown.append(picture.getpixel((0, 0))) or fixed.seen
    read(encoded(Image.new("RGBA", (8, 8), (0, 0, 0, 0))))
    assert shown == [(255, 255, 255)]


def test_a_recogniser_that_fails_makes_way_for_the_next(recognisers):
    recognisers(Fixed(fails=True), Fixed([word("hello")]))
    assert read(encoded(Image.new("RGB", (80, 40)))).status is ParseStatus.OK
    recognisers(Fixed(fails=True))
    parsed = read(encoded(Image.new("RGB", (80, 40))))
    assert "it is tired" in parsed.warnings[0]
    assert parsed.status not in (ParseStatus.OK, ParseStatus.EMPTY)


@pytest.mark.parametrize(
    ("text", "trust", "asked"),
    [("hello world", 85.0, 0), ("hello world", 70.0, 1), ("你好世界", 85.0, 1), ("你好世界", 93.0, 0)],
)
def test_the_second_recogniser_is_asked_only_where_the_first_is_not_sure(recognisers, text, trust, asked):
    _, second = recognisers(Fixed([word(text)], trust), Fixed([word("other text")], 99.0))
    read(encoded(Image.new("RGB", (80, 40))))
    assert len(second.sizes) == asked


@pytest.mark.parametrize(
    ("read_as", "text"),
    [
        ("单号:SH", "单号：SH"),
        ("10:30", "10:30"),
        ("OK, done", "OK, done"),
        ("-40°C深度", "-40℃深度"),
        ("40°C deep", "40°C deep"),
    ],
)
def test_chinese_text_gets_its_own_signs(read_as, text):
    assert in_chinese(read_as) == text


@pytest.fixture(scope="module")
def letter():
    """A picture of three lines."""
    picture = Image.new("L", (900, 400), "white")
    draw = ImageDraw.Draw(picture)
    for at, line in enumerate(("The harbour master wrote", "that seven ships had come", "before the winter storm")):
        draw.text((60, 60 + 90 * at), line, fill="black", font_size=48)
    return picture


@TESSERACT
@pytest.mark.slow
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_tesseract_reads_a_picture_whichever_way_it_lies(letter, turn):
    parsed = read(encoded(letter.rotate(turn, expand=True)), ocr_languages="eng")
    text = " ".join(block.text for block in parsed.blocks)
    assert "The harbour master wrote that seven ships had come before the winter storm" in text


@TESSERACT
@pytest.mark.slow
def test_tesseract_reads_through_speckles_on_a_tilted_page(letter):
    noisy = letter.rotate(1.5, fillcolor="white")
    for at in range(0, 900 * 400, 97):
        noisy.putpixel((at % 900, at // 900), 0)
    text = " ".join(block.text for block in read(encoded(noisy), ocr_languages="eng").blocks)
    assert "seven ships had come" in text
