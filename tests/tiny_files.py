"""Small files of many kinds, written by hand so that each part of them can be made to lie."""

import io
import struct
import zipfile
import zlib

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
APPLICATION = "application/vnd.openxmlformats-officedocument"


def packed(files, first=None, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        if first:
            archive.writestr(zipfile.ZipInfo("mimetype"), first)
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def docx(body, doctype=""):
    document = f'<?xml version="1.0"?>{doctype}<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
    return packed(
        {
            "[Content_Types].xml": f'<Types xmlns="{TYPES}"><Default Extension="rels" ContentType="application/vnd.'
            f'openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" '
            f'ContentType="{APPLICATION}.wordprocessingml.document.main+xml"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{RELATIONS}"><Relationship Id="r1" Type="{OFFICE}/officeDocument" '
            'Target="word/document.xml"/></Relationships>',
            "word/document.xml": document,
        }
    )


def paragraphs(count):
    return "<w:p><w:r><w:t>x</w:t></w:r></w:p>" * count


def nested_tables(depth):
    return "<w:tbl><w:tr><w:tc>" * depth + paragraphs(1) + "</w:tc></w:tr></w:tbl>" * depth


def xlsx(rows, extra="", doctype=""):
    return packed(
        {
            "[Content_Types].xml": f'<Types xmlns="{TYPES}"><Default Extension="rels" ContentType="application/vnd.'
            f'openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" '
            f'ContentType="{APPLICATION}.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" '
            f'ContentType="{APPLICATION}.spreadsheetml.worksheet+xml"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{RELATIONS}"><Relationship Id="r1" Type="{OFFICE}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>',
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{RELATIONS}"><Relationship Id="r1" '
            f'Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
            "xl/workbook.xml": f'<workbook xmlns="{SHEET}" xmlns:r="{OFFICE}"><sheets><sheet name="S" sheetId="1" '
            'r:id="r1"/></sheets></workbook>',
            "xl/worksheets/sheet1.xml": f'<?xml version="1.0"?>{doctype}<worksheet xmlns="{SHEET}"><sheetData>{rows}'
            f"</sheetData>{extra}</worksheet>",
        }
    )


def numbers(count):
    return "".join(f'<row r="{n}"><c r="A{n}"><v>{n}</v></c></row>' for n in range(1, count + 1))


def odt(body, doctype=""):
    office = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
    text = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
    content = (
        f'<?xml version="1.0"?>{doctype}<office:document-content xmlns:office="{office}" xmlns:text="{text}">'
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    return packed({"content.xml": content}, "application/vnd.oasis.opendocument.text")


def epub(chapter, doctype=""):
    return packed(
        {
            "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
            'version="1.0"><rootfiles><rootfile full-path="b.opf" media-type="application/oebps-package+xml"/>'
            "</rootfiles></container>",
            "b.opf": '<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest><item id="c" href="c.xhtml" '
            'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>',
            "c.xhtml": f'<?xml version="1.0"?>{doctype}<html xmlns="http://www.w3.org/1999/xhtml"><body>{chapter}'
            "</body></html>",
        },
        "application/epub+zip",
    )


def xml(body, doctype=""):
    return f'<?xml version="1.0"?>{doctype}{body}'.encode()


def zeros_zip(size, name="zeros.txt"):
    return packed({name: bytes(size)})


def lying(data):
    """The same zip with every stated inflated size, in the directory and before the entry, set to one byte."""
    raw = bytearray(data)
    at = 0
    for magic, offset in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        at = raw.find(magic)
        while at >= 0:
            struct.pack_into("<I", raw, at + offset, 1)
            at = raw.find(magic, at + 4)
    return bytes(raw)


def overlapping(entries, size):
    """A directory of many names for one entry of zeros."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = deflate.compress(bytes(size)) + deflate.flush()
    crc = zlib.crc32(bytes(size))
    local = struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0, 8, 0, 0, crc, len(body), size, 1, 0) + b"a" + body
    directory = b"".join(
        struct.pack("<4s6H3I5H2I", b"PK\x01\x02", 20, 20, 0, 8, 0, 0, crc, len(body), size, 5, 0, 0, 0, 0, 0, 0)
        + b"%05d" % n
        for n in range(entries)
    )
    end = struct.pack(
        "<4s4H2IH", b"PK\x05\x06", 0, 0, entries & 0xFFFF, entries & 0xFFFF, len(directory), len(local), 0
    )
    return local + directory + end


def nested_zip(depth, wide=1):
    data = b"at the bottom"
    for level in range(depth):
        data = packed({f"{n}.zip" if level else f"{n}.txt": data for n in range(wide)})
    return data


def many_entries(count):
    return packed({f"{n}.txt": b"" for n in range(count)}, method=zipfile.ZIP_STORED)


def nested(opening, closing, depth, inside="x"):
    return (opening * depth + inside + closing * depth).encode()


def nested_mail(depth):
    head = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(depth))
    return f"MIME-Version: 1.0\nMessage-ID: <1@x>\nFrom: a@b\nSubject: x\n{head}\nbottom\n".encode()


def forwarded_mail(depth):
    head = "MIME-Version: 1.0\nMessage-ID: <1@x>\nFrom: a@b\nSubject: x\nContent-Type: message/rfc822\n\n"
    return (head * depth + "bottom").encode()


def pdf(
    kids="", pages="<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R>>", content=b"BT ET", packing=""
):
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count 1/Kids[{kids or '3 0 R'}]>>".encode(),
        pages.encode(),
        b"<</Length %d%b>>stream\n%b\nendstream" % (len(content), packing.encode(), content),
    ]
    out, offsets = b"%PDF-1.7\n", []
    for number, part in enumerate(parts, 1):
        offsets.append(len(out))
        out += b"%d 0 obj%b\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return out + b"xref\n0 5\n0000000000 65535 f \n%btrailer<</Root 1 0 R/Size 5>>\nstartxref\n%d\n%%%%EOF" % (
        table,
        len(out),
    )


def text_pdf():
    page = (
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1"
        "/BaseFont/Helvetica>>>>>>>>"
    )
    return pdf(pages=page, content=b"BT /F 12 Tf 20 200 Td (A plain page of words) Tj ET")


def png(width, height, rows=b""):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def wav(stated):
    return (
        b"RIFF"
        + struct.pack("<I", stated)
        + b"WAVEfmt "
        + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 16000, 2, 16)
        + (b"data" + struct.pack("<I", stated) + bytes(2000))
    )


def compound(size=4096):
    """An OLE file whose sector chains lead in circles."""
    head = bytearray(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504))
    struct.pack_into("<HHHHH", head, 24, 0x3E, 3, 0xFFFE, 9, 6)
    struct.pack_into("<IIIIIIIII", head, 40, 0, 1, 1, 0, 4096, 0, 1, 0, 1)
    struct.pack_into("<I", head, 76, 0)
    return bytes(head) + struct.pack("<I", 1) * (size // 4)
