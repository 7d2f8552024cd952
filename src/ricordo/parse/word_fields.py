"""Takes out of a Word part what is not its author's text: tables of contents, page numbers, deletions."""

from __future__ import annotations

from collections.abc import Iterator

from ricordo.parse.ooxml import attribute, child, name_of
from ricordo.parse.package import Element

CONTENTS = frozenset({"TOC"})
PAGE_NUMBERS = frozenset({"PAGE", "NUMPAGES", "SECTIONPAGES"})


def drop_fields(root: Element, kinds: frozenset[str]) -> None:
    """Removes the results of fields of these kinds; a field without an end is left as it is."""
    for element in [*_whole(root, kinds), *_runs(root, kinds)]:
        parent = element.getparent()
        if parent is not None:
            parent.remove(element)


def _whole(root: Element, kinds: frozenset[str]) -> Iterator[Element]:
    for element in root.iter("{*}fldSimple", "{*}sdt"):
        if _kind(attribute(element, "instr")) in kinds or ("TOC" in kinds and _holds_contents(element)):
            yield element


def _runs(root: Element, kinds: frozenset[str]) -> Iterator[Element]:
    """The runs from the begin mark to the end mark of each such field, over paragraphs and nested fields."""
    runs: list[Element] = []
    begun: list[tuple[int, list[str]]] = []
    for element in root.iter("{*}r", "{*}fldChar", "{*}instrText"):
        name = name_of(element)
        mark = attribute(element, "fldCharType")
        if name == "r":
            runs.append(element)
        elif name == "instrText" and begun:
            begun[-1][1].append(element.text or "")
        elif mark == "begin":
            begun.append((max(len(runs) - 1, 0), []))
        elif mark == "end" and begun:
            first, instruction = begun.pop()
            if _kind("".join(instruction)) in kinds:
                yield from runs[first:]


def _kind(instruction: str) -> str:
    return (instruction.split() or [""])[0].upper()


def _holds_contents(sdt: Element) -> bool:
    gallery = child(sdt, "sdtPr", "docPartObj", "docPartGallery")
    return attribute(gallery).casefold() in ("table of contents", "table of figures")
