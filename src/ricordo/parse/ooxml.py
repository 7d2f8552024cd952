"""What Word, PowerPoint and Excel packages have in common: opening, relationships, names in any namespace."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from posixpath import basename, dirname

from ricordo.parse.outcome import damaged
from ricordo.parse.package import Element, EntryError, Package, resolve


@dataclass(frozen=True, kw_only=True, slots=True)
class Link:
    """A relationship of a part: the last word of its type, and an entry's name or an outside address."""

    kind: str
    target: str
    external: bool


def links(package: Package, part: str) -> dict[str, Link]:
    """Relationship id → link; none when the part has no readable relationships."""
    name = f"{dirname(part)}/_rels/{basename(part)}.rels".lstrip("/")
    if name not in package:
        return {}
    try:
        root = package.xml(name)
    except EntryError as error:
        package.warnings.append(str(error))
        return {}
    found: dict[str, Link] = {}
    for element in root.iter("{*}Relationship"):
        external = element.get("TargetMode", "").casefold() == "external"
        target = element.get("Target", "")
        found[element.get("Id", "")] = Link(
            kind=element.get("Type", "").rpartition("/")[2],
            target=target if external else resolve(part, target),
            external=external,
        )
    return found


def main_part(package: Package, usual: str) -> str:
    """The name of the package's main part; DAMAGED when it has none."""
    for link in links(package, "").values():
        if link.kind == "officeDocument" and link.target in package:
            return link.target
    if usual in package:
        return usual
    raise damaged(f"the package has no {usual!r}")


def core_title(package: Package) -> str:
    """The title in the document's properties, "" when there is none."""
    if "docProps/core.xml" not in package:
        return ""
    try:
        return package.xml("docProps/core.xml").findtext("{*}title") or ""
    except EntryError:
        return ""


@lru_cache(4096)
def _bare(tag: str) -> str:
    return tag.rpartition("}")[2]


def name_of(element: Element) -> str:
    """The tag without its namespace, since strict, transitional and odd writers disagree on namespaces."""
    tag = element.tag
    return _bare(tag) if isinstance(tag, str) else ""


def attribute(element: Element | None, name: str = "val", default: str = "") -> str:
    """An attribute in any namespace."""
    if element is not None:
        for key, value in element.items():
            if _bare(key) == name:
                return str(value)
    return default


def number(element: Element | None, name: str = "val", default: int = 0) -> int:
    """A whole number in an attribute; the default where it is missing or none."""
    try:
        return int(attribute(element, name))
    except ValueError:
        return default


def child(element: Element | None, *path: str) -> Element | None:
    """The first descendant along a path of bare names."""
    for name in path:
        if element is None:
            return None
        element = next(element.iterchildren(f"{{*}}{name}"), None)
    return element


def chosen(element: Element) -> Element | None:
    """Of an AlternateContent, the one branch to read: the first Choice that holds something, else the Fallback."""
    for branch in element:
        if name_of(branch) in ("Choice", "Fallback") and len(branch):
            return branch
    return None
