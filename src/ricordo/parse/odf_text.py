"""What OpenDocument texts, sheets and slides have in common: opening, and the words of a paragraph."""

from __future__ import annotations

from dataclasses import dataclass, field

from ricordo.parse.ooxml import attribute, child, name_of, number
from ricordo.parse.outcome import ReadError, locked
from ricordo.parse.package import Element, EntryError, Package
from ricordo.parse.reading import Job
from ricordo.types import ParseStatus

_SKIPPED = frozenset(
    {"ruby-text", "change", "change-start", "change-end", "bookmark", "tracked-changes", "page-number"}
)
MOST_SPACES = 1_000


@dataclass(slots=True)
class Line:
    """A paragraph's words, and the elements that hang on it: notes, comments, frames."""

    words: list[str] = field(default_factory=list)
    hanging: list[Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.words).strip()


def open_odf(data: bytes, job: Job) -> Package:
    """The package, when it is not encrypted."""
    package = Package(data, job.limits)
    if "META-INF/manifest.xml" in package and b"encryption-data" in package.read("META-INF/manifest.xml"):
        if job.password is None:
            raise locked(job)
        raise ReadError(
            ParseStatus.UNSUPPORTED, f"{job.name!r} is encrypted in OpenDocument's own way: save it without a password"
        )
    return package


def title_of(package: Package) -> str:
    try:
        return child(package.xml("meta.xml"), "meta").findtext("{*}title") or ""  # type: ignore[union-attr]
    except (KeyError, EntryError, AttributeError):
        return ""


def line(element: Element) -> Line:
    """The words of a text:p or text:h, white space as OpenDocument counts it."""
    out = Line()
    _gather(element, out)
    return out


def _gather(element: Element, out: Line) -> None:
    _say(element.text, out)
    for part in element:
        match name_of(part):
            case "s":
                out.words.append(" " * min(max(number(part, "c", 1), 1), MOST_SPACES))
            case "tab":
                out.words.append("\t")
            case "line-break":
                out.words.append("\n")
            case "note" | "annotation" | "frame" | "g" | "custom-shape":
                out.hanging.append(part)
            case name if name and name not in _SKIPPED:
                _gather(part, out)
        _say(part.tail, out)


def _say(text: str | None, out: Line) -> None:
    """White space in the XML is one space, and none at the beginning or after another."""
    if not text:
        return
    words = " ".join(text.split())
    before = "".join(out.words[-1:])
    if text[0].isspace() and before and not before[-1].isspace():
        words = f" {words}"
    if text[-1].isspace() and words.strip():
        words += " "
    out.words.append(words)


def style_of(element: Element) -> str:
    return attribute(element, "style-name")
