"""Electronic books: chapters in the order of the spine, each a part, with the headings that the contents name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html.entities import name2codepoint

from lxml import etree

from ricordo.parse.blocks import aside, squeeze
from ricordo.parse.html import decoded_page, page
from ricordo.parse.html_walk import walk
from ricordo.parse.ooxml import attribute, child, name_of
from ricordo.parse.outcome import ReadError, damaged, finish, reader
from ricordo.parse.package import Element, EntryError, Package, parse_xml, resolve
from ricordo.parse.reading import Job
from ricordo.types import Block, BlockKind, Parsed, ParseStatus

_ENTITY = re.compile(rb"&([A-Za-z][A-Za-z0-9]*);")
_XML_ENTITIES = (b"amp", b"lt", b"gt", b"quot", b"apos")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_CHAPTER = (".xhtml", ".html", ".htm", ".xml")
_FONT_SCRAMBLING = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line of the table of contents: what it is called, how deep, and where in a part it points."""

    title: str
    depth: int
    fragment: str


@reader
def read(data: bytes, job: Job) -> Parsed:
    """The book's blocks; each chapter's carry its entry's name as part."""
    package = Package(data, job.limits)
    _refuse_locked(package, job)
    book = _Book(package)
    blocks = [block for part in book.spine() for block in book.chapter(part)]
    who = "\n".join(filter(None, (book.title, book.creators)))
    front = [aside(BlockKind.HEADER, who)] if any(block.text or block.rows for block in blocks) else []
    partial = book.lost or not package.whole
    return finish([*front, *blocks], job, title=book.title, warnings=[*package.warnings, *book.notes], partial=partial)


def _refuse_locked(package: Package, job: Job) -> None:
    if "META-INF/encryption.xml" not in package:
        return
    for element in package.xml("META-INF/encryption.xml").iter("{*}EncryptedData"):
        scheme = attribute(child(element, "EncryptionMethod"), "Algorithm")
        target = attribute(child(element, "CipherData", "CipherReference"), "URI")
        if scheme not in _FONT_SCRAMBLING and target.casefold().endswith(_CHAPTER):
            raise ReadError(ParseStatus.NEEDS_PASSWORD, f"{job.name!r} is a protected book: its chapters are encrypted")


class _Book:
    def __init__(self, package: Package) -> None:
        self._package = package
        self.notes: list[str] = []
        self.lost = False
        self._opf = self._find_opf()
        root = self._xml(self._opf) if self._opf else None
        self.title = squeeze(root.findtext(".//{*}title") or "") if root is not None else ""
        makers = () if root is None else root.iter("{*}creator")
        self.creators = ", ".join(filter(None, (squeeze(maker.text or "") for maker in makers)))
        self._root = root
        self._items = {attribute(i, "id"): i for i in (() if root is None else root.iter("{*}item"))}
        self._nav = self._find_nav()
        self._contents = self._read_contents()

    def spine(self) -> list[str]:
        """Names of the chapters in reading order; by their names where the book does not say."""
        references = [] if self._root is None else list(self._root.iter("{*}itemref"))
        found: list[str] = []
        for reference in references:
            item = self._items.get(attribute(reference, "idref"))
            part = "" if item is None else resolve(self._opf, attribute(item, "href"))
            if part in self._package:
                found.append(part)
            else:
                self.lost = True
                self.notes.append(f"the chapter {attribute(reference, 'idref')!r} is not in the book's file")
        if not found:
            self.lost = True
            self.notes.append("the reading order cannot be read; chapters were taken by their names")
            found = sorted(name for name in self._package.names() if name.casefold().endswith(_CHAPTER[:3]))
        return [part for part in found if part != self._nav] or found

    def chapter(self, part: str) -> Iterator[Block]:
        try:
            data = self._package.read(part)
        except EntryError as error:
            self.lost = True
            self.notes.append(str(error))
            return
        try:
            root = parse_xml(_ENTITY.sub(_numbered, data))
        except etree.XMLSyntaxError:
            decoded = decoded_page(data)
            blocks, _, warnings = page(decoded.text)
            self.notes += (f"{part!r}: {warning}" for warning in (*decoded.warnings, *warnings))
        else:
            _strip_namespaces(root)
            self._mark_headings(root, self._contents.get(part, []))
            blocks = walk(root, menus=False) or walk(root, menus=True) or list(_pictures(root))
        yield from (replace(block, part=part) for block in blocks)

    def _mark_headings(self, root: Element, entries: list[_Entry]) -> None:
        """Makes headings of what the table of contents names and the chapter only shows in large type."""
        for entry in entries:
            for target in root.xpath("//*[@id=$name]", name=entry.fragment) if entry.fragment else ():
                block = next((e for e in (target, *target.iterancestors()) if e.tag in ("p", "div")), None)
                if block is not None and _said(block) == _close(entry.title) and block.find(".//p") is None:
                    block.tag = _HEADINGS[min(entry.depth, 5)]
        body = root.find("body")
        if body is not None and entries and next(body.iter(*_HEADINGS), None) is None:
            self._put_heading(body, entries[0])

    def _put_heading(self, body: Element, entry: _Entry) -> None:
        tag = _HEADINGS[min(entry.depth, 5)]
        first = next((block for block in body.iter("p", "div") if _said(block) and block.find(".//p") is None), None)
        if first is not None and _said(first) == _close(entry.title):
            first.tag = tag
            return
        heading = etree.Element(tag)
        heading.text = entry.title
        heading.tail, body.text = body.text, None
        body.insert(0, heading)

    def _find_opf(self) -> str:
        container = self._xml("META-INF/container.xml") if "META-INF/container.xml" in self._package else None
        for rootfile in () if container is None else container.iter("{*}rootfile"):
            name = resolve("", attribute(rootfile, "full-path"))
            if name in self._package:
                return name
        names = [name for name in self._package.names() if name.casefold().endswith(".opf")]
        if not names and not any(name.casefold().endswith(_CHAPTER[:3]) for name in self._package.names()):
            raise damaged("the book has neither a package document nor chapters")
        return names[0] if names else ""

    def _find_nav(self) -> str:
        for item in self._items.values():
            if "nav" in attribute(item, "properties").split():
                return resolve(self._opf, attribute(item, "href"))
        return ""

    def _read_contents(self) -> dict[str, list[_Entry]]:
        """Part → the entries that point into it, from the navigation document or, in older books, the NCX."""
        ncx = next((i for i in self._items.values() if attribute(i, "media-type") == "application/x-dtbncx+xml"), None)
        part = self._nav or ("" if ncx is None else resolve(self._opf, attribute(ncx, "href")))
        root = self._xml(part) if part in self._package else None
        found: dict[str, list[_Entry]] = {}
        for target, title, depth in () if root is None else (*_nav_entries(root), *_ncx_entries(root)):
            entry = _Entry(title, depth, target.partition("#")[2])
            found.setdefault(resolve(part, target), []).append(entry)
        return found

    def _xml(self, name: str) -> Element | None:
        try:
            return self._package.xml(name)
        except (KeyError, EntryError) as error:
            self._package.warnings.append(f"{name!r} cannot be read: {error}")
            return None


def _nav_entries(root: Element) -> Iterator[tuple[str, str, int]]:
    for nav in root.iter("{*}nav"):
        if attribute(nav, "type", "toc") != "toc":
            continue
        for link in nav.iter("{*}a"):
            depth = sum(name_of(above) == "ol" for above in link.iterancestors()) - 1
            yield attribute(link, "href"), squeeze("".join(link.itertext())), max(depth, 0)


def _ncx_entries(root: Element) -> Iterator[tuple[str, str, int]]:
    for point in root.iter("{*}navPoint"):
        depth = sum(name_of(above) == "navPoint" for above in point.iterancestors())
        label = child(point, "navLabel", "text")
        yield attribute(child(point, "content"), "src"), squeeze("" if label is None else label.text or ""), depth


def _numbered(match: re.Match[bytes]) -> bytes:
    """HTML's names for signs as numbers, since XML knows five names only."""
    code = name2codepoint.get(match[1].decode("ascii"))
    return match[0] if code is None or match[1] in _XML_ENTITIES else b"&#%d;" % code


def _strip_namespaces(root: Element) -> None:
    for element in root.iter("*"):
        element.tag = name_of(element)


def _pictures(root: Element) -> Iterator[Block]:
    for image in root.iter("img", "image"):
        yield aside(BlockKind.PICTURE, squeeze(image.get("alt") or ""))


def _said(element: Element) -> str:
    return _close("".join(element.itertext()))


def _close(text: str) -> str:
    return "".join(text.split()).casefold()
