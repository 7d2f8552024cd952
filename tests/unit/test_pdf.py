"""PDFs drawn for one question each, and broken ones."""

import io
import random
from pathlib import Path

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption

from pdf_maker import HEIGHT, SONG, WIDTH, Maker, prose
from reading_jobs import job
from ricordo.parse import ocr, pdf
from ricordo.parse.pdf_layout import Word
from ricordo.parse.reading import Exceeded, Limits
from ricordo.types import BlockKind, ParseStatus

SHARED = Path(__file__).parents[2] / "../shared/files/pdf"


@pytest.fixture
def no_recogniser(monkeypatch):
    monkeypatch.setattr(ocr, "recognisers", lambda: ())


def read(data, **settings):
    return pdf.read(data, job("a.pdf", "pdf", **settings))


def texts(parsed, kind=None):
    return [block.text for block in parsed.blocks if kind is None or block.kind is kind]


def tables(parsed):
    return [block.rows for block in parsed.blocks if block.kind is BlockKind.TABLE]


def ends(parsed):
    """The marked words in the order in which they came out."""
    return [word for text in texts(parsed) for word in text.split() if word.isupper()]


def test_two_columns_are_read_one_after_the_other():
    made = Maker()
    made.text(120, 60, "A title over both of the columns", 18, "Helvetica-Bold")
    made.column(60, 100, 220, f"AA {prose(180)} AB")
    made.column(310, 106, 220, f"BA {prose(180, 2)} BB")
    parsed = read(made.done())
    assert ends(parsed)[-4:] == ["AA", "AB", "BA", "BB"]
    assert texts(parsed, BlockKind.HEADING) == ["A title over both of the columns"]
    assert not tables(parsed)


def test_three_columns_on_one_grid_are_columns_and_the_table_below_is_a_table():
    made = Maker()
    for index, x in enumerate((40, 220, 400)):
        made.column(x, 80, 160, f"{'ABC'[index]}A {prose(150, index)} {'ABC'[index]}B", 9, 11)
    for row, cells in enumerate((("Species", "Height", "Age"), ("Oak", "23", "210"), ("Ash", "27", "95"))):
        for column, cell in enumerate(cells):
            made.text(60 + 150 * column, 600 + 16 * row, cell)
    parsed = read(made.done())
    assert ends(parsed) == ["AA", "AB", "BA", "BB", "CA", "CB"]
    assert tables(parsed) == [(("Species", "Height", "Age"), ("Oak", "23", "210"), ("Ash", "27", "95"))]


def test_a_ruled_table_inside_one_column_stays_at_its_place():
    made = Maker()
    y = made.column(60, 60, 220, f"AA {prose(120)} AB")
    made.grid((60, 160, 280), (y + 4, y + 20, y + 36))
    for row, cells in enumerate((("Site", "Trees"), ("North", "120"))):
        for column, cell in enumerate(cells):
            made.text(66 + 100 * column, y + 16 + 16 * row, cell)
    made.column(60, y + 60, 220, f"BA {prose(100, 3)} BB")
    made.column(310, 60, 220, f"CA {prose(260, 2)} CB")
    parsed = read(made.done())
    assert tables(parsed) == [(("Site", "Trees"), ("North", "120"))]
    order = [block.text.split()[0] if block.text else "table" for block in parsed.blocks]
    assert order == ["AA", "table", "BA", "CA"]


def test_the_label_of_a_merged_cell_is_said_in_each_row_and_column_that_it_covers():
    made = Maker()
    xs, ys = (60, 160, 260, 360), (100, 120, 140, 160)
    canvas = made.canvas
    for x in (xs[0], xs[3]):
        canvas.line(x, HEIGHT - ys[0], x, HEIGHT - ys[3])
    canvas.line(xs[1], HEIGHT - ys[0], xs[1], HEIGHT - ys[3])
    canvas.line(xs[2], HEIGHT - ys[1], xs[2], HEIGHT - ys[3])
    for y in (ys[0], ys[3]):
        canvas.line(xs[0], HEIGHT - y, xs[3], HEIGHT - y)
    canvas.line(xs[1], HEIGHT - ys[1], xs[3], HEIGHT - ys[1])
    canvas.line(xs[1], HEIGHT - ys[2], xs[3], HEIGHT - ys[2])
    for x, y, cell in ((70, 134, "North"), (200, 114, "Trees"), (170, 134, "oak"), (270, 134, "ash")):
        made.text(x, y, cell)
    made.text(170, 154, "12")
    made.text(270, 154, "40")
    assert tables(read(made.done())) == [
        (("North", "Trees", "Trees"), ("North", "oak", "ash"), ("North", "12", "40")),
    ]


def test_an_empty_cell_of_a_table_without_lines_stays_empty():
    made = Maker()
    rows = (("Code", "Expected", "Actual"), ("S-1", "450", ""), ("S-2", "", "289"), ("S-3", "780", "778"))
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            made.text(60 + 120 * column, 100 + 15 * row, cell)
    assert tables(read(made.done())) == [rows]


def test_a_frame_around_text_is_no_table():
    made = Maker()
    made.grid((50, 560), (50, 300))
    made.column(60, 80, 480, prose(120))
    assert not tables(read(made.done()))


def test_headings_have_levels_by_size_and_weight():
    made = Maker()
    made.text(60, 60, "The whole of it", 20, "Helvetica-Bold")
    made.text(60, 100, "First part", 14, "Helvetica-Bold")
    y = made.column(60, 120, 460, prose(90))
    made.text(60, y + 10, "A smaller matter", 10, "Helvetica-Bold")
    made.column(60, y + 30, 460, prose(90, 4))
    parsed = read(made.done())
    headings = [(b.text, b.level) for b in parsed.blocks if b.kind is BlockKind.HEADING]
    assert headings == [("The whole of it", 1), ("First part", 2), ("A smaller matter", 3)]
    assert parsed.title == "The whole of it"


def test_the_outline_names_headings_that_size_does_not():
    made = Maker()
    made.text(60, 60, "Plain heading")
    made.canvas.bookmarkPage("here")
    made.canvas.addOutlineEntry("Plain heading", "here", 0)
    made.column(60, 74, 460, prose(90))
    parsed = read(made.done())
    assert [(b.text, b.level) for b in parsed.blocks if b.kind is BlockKind.HEADING] == [("Plain heading", 1)]


def test_running_heads_come_once_and_page_numbers_not_at_all():
    made = Maker()
    for page in range(4):
        made.text(60, 30, f"The forest gazette {page + 7}")
        made.column(60, 80, 460, f"A{'BCDE'[page]} {prose(200, page)}")
        made.text(290, 815, str(page + 7))
        made.page()
    parsed = read(made.done())
    assert texts(parsed, BlockKind.HEADER) == ["The forest gazette 7"]
    assert ends(parsed) == ["AB", "AC", "AD", "AE"]
    assert [block.page for block in parsed.blocks if block.kind is BlockKind.PARAGRAPH] == [1, 2, 3, 4]
    assert not any(text.strip().isdigit() for text in texts(parsed))


def test_a_hyphen_at_a_line_end_is_undone_and_chinese_lines_join_without_a_space():
    made = Maker()
    made.text(60, 60, "The report of the commission on inter-")
    made.text(60, 72, "national trade in timber was read.")
    made.text(60, 120, "公司董事会保证季度报告内容的真实", font=SONG)
    made.text(60, 134, "准确完整不存在虚假记载。", font=SONG)
    assert texts(read(made.done())) == [
        "The report of the commission on international trade in timber was read.",
        "公司董事会保证季度报告内容的真实准确完整不存在虚假记载。",
    ]


def test_signs_drawn_twice_for_weight_are_read_once():
    lines = ["Heavy words", "重要提示", *(f"line {number}" for number in range(12))]
    made = Maker()
    for shift in (0.0, 0.4):
        for at, line in enumerate(lines):
            made.text(60 + shift, 60 + 30 * at, line, font="Helvetica" if line.isascii() else SONG)
    assert texts(read(made.done())) == lines


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_a_page_shown_turned_is_read_upright(angle):
    made = Maker()
    made.canvas.setPageRotation(angle)
    made.canvas.translate(WIDTH / 2, HEIGHT / 2)
    made.canvas.rotate(angle)
    made.canvas.translate(-WIDTH / 2, -HEIGHT / 2)
    made.column(200, 300, 200, f"AA {prose(60)} AB")
    parsed = read(made.done())
    [block] = parsed.blocks
    assert block.text.startswith("AA ")
    assert block.text.endswith(" AB")
    left, top, right, bottom = block.box
    assert right - left > bottom - top


def test_turned_writing_in_the_margin_does_not_cut_into_lines():
    made = Maker()
    made.column(60, 60, 460, prose(200))
    made.canvas.saveState()
    made.canvas.translate(30, 300)
    made.canvas.rotate(90)
    made.canvas.drawString(0, 0, "turned note in the margin")
    made.canvas.restoreState()
    assert texts(read(made.done())) == [prose(200), "turned note in the margin"]


def test_form_values_stand_where_the_form_has_them():
    made = Maker()
    made.text(60, 72, "Name:")
    made.canvas.acroForm.textfield(name="name", value="Alice", x=110, y=HEIGHT - 76, width=120, height=16)
    made.text(60, 112, "Agreed:")
    made.canvas.acroForm.checkbox(name="agreed", checked=True, x=110, y=HEIGHT - 116, size=14)
    text = " ".join(texts(read(made.done())))
    assert "Name: Alice" in text
    assert "Agreed: ☑" in text


def test_notes_are_set_apart():
    made = Maker()
    made.text(60, 60, "The text of the page.")
    made.canvas.textAnnotation("Please check this figure", Rect=(100, 700, 120, 720))
    assert texts(read(made.done()), BlockKind.NOTE) == ["Please check this figure"]


def test_list_items_keep_their_numbers_and_nesting():
    made = Maker()
    for y, x, text in (
        (60, 60, "\u2022 first"),
        (74, 80, "\u2022 below it"),
        (88, 60, "\u2022 second"),
        (120, 60, "1. one"),
    ):
        made.text(x, y, text)
    made.text(60, 134, "2. two")
    items = [(b.text, b.level) for b in read(made.done()).blocks if b.kind is BlockKind.LIST]
    assert items == [("first", 1), ("below it", 2), ("second", 1), ("1. one", 1), ("2. two", 1)]


def test_a_locked_file_needs_its_password():
    lock = StandardEncryption("open sesame", ownerPassword="owner", strength=128)
    made = Maker(encrypt=lock)
    made.text(60, 60, "Behind the lock.")
    data = made.done()
    assert read(data).status is ParseStatus.NEEDS_PASSWORD
    wrong = read(data, password="wrong")
    assert wrong.status is ParseStatus.NEEDS_PASSWORD
    assert "does not open" in wrong.warnings[0]
    assert texts(read(data, password="open sesame")) == ["Behind the lock."]


def test_a_file_locked_for_changes_only_is_read():
    made = Maker(encrypt=StandardEncryption("", ownerPassword="owner", canCopy=0, strength=128))
    made.text(60, 60, "Look but do not touch.")
    assert texts(read(made.done(), password="anything")) == ["Look but do not touch."]


def test_a_title_that_a_program_filled_in_is_none():
    made = Maker()
    made.canvas.setTitle("Microsoft Word - draft3.docx")
    made.text(60, 60, "The true title", 20)
    made.column(60, 100, 460, prose(90))
    assert read(made.done()).title == "The true title"


def picture_page(made, text=""):
    made.canvas.drawInlineImage(Image.new("RGB", (60, 80), "grey"), 40, 40, 500, 700)
    if text:
        made.text(60, 60, text)


@pytest.mark.usefixtures("no_recogniser")
def test_pages_that_are_pictures_need_ocr():
    made = Maker()
    for _ in range(3):
        picture_page(made)
        made.page()
    parsed = read(made.done())
    assert parsed.status is ParseStatus.NEEDS_OCR
    assert "pages 1 to 3 need OCR" in parsed.warnings[0]


@pytest.mark.usefixtures("no_recogniser")
def test_a_document_with_some_pictured_pages_is_partial_and_names_them():
    made = Maker()
    made.column(60, 80, 460, prose(100))
    made.page()
    picture_page(made)
    made.page()
    made.page()
    parsed = read(made.done())
    assert parsed.status is ParseStatus.PARTIAL
    assert [warning for warning in parsed.warnings if "page 2 needs OCR" in warning]
    assert [block.page for block in parsed.blocks if block.kind is BlockKind.PICTURE] == [2]


def test_what_is_read_off_a_picture_follows_the_text_of_its_page(monkeypatch):
    class Reader:
        name = "fixed"

        def read(self, picture, languages, seconds):
            said = ("Few words", "and a picture", "that says more")
            return ocr.Seen(
                [Word(s, 200.0, 300.0 + 60 * i, 700.0, 340.0 + 60 * i, 40.0) for i, s in enumerate(said)], 0, 95
            )

    monkeypatch.setattr(ocr, "recognisers", lambda: (Reader(),))
    made = Maker()
    picture_page(made, "Few words")
    parsed = read(made.done())
    assert parsed.status is ParseStatus.OK
    assert texts(parsed) == ["Few words", "and a picture that says more"]


@pytest.mark.usefixtures("no_recogniser")
def test_writing_drawn_as_shapes_needs_ocr():
    made = Maker()
    for index in range(40):
        made.canvas.circle(60 + 10 * index, 400, 4)
    assert read(made.done()).status is ParseStatus.NEEDS_OCR


def test_blank_pages_are_empty_and_need_no_ocr():
    made = Maker()
    made.page()
    assert read(made.done()).status is ParseStatus.EMPTY


def test_a_file_inside_the_pdf_is_handed_on_and_named():
    made = Maker()
    made.text(60, 60, "See the attached file.")
    data = made.done()
    document = pypdfium2.PdfDocument(data)
    document.new_attachment("figures.csv").set_data(b"a,b")
    out = io.BytesIO()
    document.save(out)
    document.close()
    seen = []
    parsed = read(out.getvalue(), child=lambda name, inner: seen.append((name, inner)) or read(data))
    assert seen == [("figures.csv", b"a,b")]
    assert [block.part for block in parsed.blocks] == [None, "figures.csv"]


def test_more_text_than_allowed_is_too_much():
    made = Maker()
    made.column(60, 60, 460, prose(100))
    with pytest.raises(Exceeded):
        read(made.done(), limits=Limits(text_characters=100))


def test_a_file_cut_short_says_so_or_is_damaged():
    made = Maker()
    for page in range(3):
        made.column(60, 60, 460, prose(300, page))
        made.page()
    data = made.done()
    for share in range(1, 20):
        parsed = read(data[: len(data) * share // 20])
        assert parsed.status in (ParseStatus.DAMAGED, ParseStatus.PARTIAL), share
        assert parsed.warnings


@pytest.fixture(scope="module")
def samples():
    made = Maker()
    made.column(60, 60, 220, prose(150))
    made.column(310, 60, 220, prose(150, 2))
    made.grid((60, 160, 260), (500, 520, 540))
    made.canvas.acroForm.textfield(name="name", value="Alice", x=110, y=60, width=120, height=16)
    return [made.done(), *(path.read_bytes() for path in sorted(SHARED.glob("*.pdf")) if path.stat().st_size < 60_000)]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), flips=st.sampled_from((1, 8, 100)), cut=st.integers(0, 20))
def test_a_broken_file_ends_in_a_status(samples, seed, flips, cut):
    chosen = random.Random(seed)
    data = bytearray(chosen.choice(samples))
    for _ in range(flips):
        data[chosen.randrange(len(data))] ^= 1 << chosen.randrange(8)
    kept = bytes(data[: len(data) * cut // 20]) if cut else bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ocr, "recognisers", lambda: ())
        try:
            parsed = read(kept)
        except Exceeded:
            return
    assert parsed.blocks or parsed.warnings
