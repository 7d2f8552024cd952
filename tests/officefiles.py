"""Office files made for tests: packages from a few lines of XML, and what a reader makes of them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from ricordo.parse.reading import Job, Limits
from ricordo.types import BlockKind, Parsed

SHARED = Path(__file__).parents[1] / "../shared/files"

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
REL = "http://schemas.openxmlformats.org/package/2006/relationships"
NAMESPACES = (
    f'xmlns:w="{W}" xmlns:r="{R}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)


def a_job(name: str = "file", kind: str = "office", *, password: str | None = None, **limits: int) -> Job:
    def child(inner: str, data: bytes) -> Parsed:
        raise AssertionError(f"no file inside was expected, got {inner!r}")

    return Job(name=name, kind=kind, password=password, limits=Limits(**limits), child=child)


def a_zip(entries: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return out.getvalue()


def relations(*links: tuple[str, str, str]) -> str:
    """Relationships from (id, kind, target); a target with :// lies outside."""
    inside = "".join(
        f'<Relationship Id="{i}" Type="{R}/{kind}" Target="{target}"'
        f"{' TargetMode=' + chr(34) + 'External' + chr(34) if '://' in target else ''}/>"
        for i, kind, target in links
    )
    return f'<Relationships xmlns="{REL}">{inside}</Relationships>'


def a_docx(body: str, parts: Mapping[str, str] | None = None, extra: tuple[tuple[str, str, str], ...] = ()) -> bytes:
    """A Word document; parts by name without folder, each linked by the kind that its name says."""
    parts = parts or {}
    links = [(f"p{i}", name.rstrip("0123456789"), f"{name}.xml") for i, name in enumerate(parts)]
    return a_zip(
        {
            "[Content_Types].xml": f'<Types xmlns="{TYPES}"/>',
            "_rels/.rels": relations(("m", "officeDocument", "word/document.xml")),
            "word/document.xml": f"<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>",
            "word/_rels/document.xml.rels": relations(*links, *extra),
            **{f"word/{name}.xml": xml for name, xml in parts.items()},
        }
    )


def part(root: str, inside: str) -> str:
    prefix = root.partition(":")[0]
    assert prefix in ("w", "p", "c", "dgm")
    return f"<{root} {NAMESPACES}>{inside}</{root}>"


def p(text: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr>{run(text)}</w:p>" if properties else f"<w:p>{run(text)}</w:p>"


def run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def shown(parsed: Parsed, kind: BlockKind | None = None) -> list[str]:
    """The texts of the blocks, of one kind or all."""
    return [block.text for block in parsed.blocks if kind is None or block.kind is kind]


def rows(parsed: Parsed, index: int = 0) -> tuple[tuple[str, ...], ...]:
    return [block.rows for block in parsed.blocks if block.kind is BlockKind.TABLE][index]


def outline(parsed: Parsed) -> list[tuple[int, str]]:
    return [(block.level, block.text) for block in parsed.blocks if block.kind is BlockKind.HEADING]
