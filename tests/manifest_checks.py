"""The checks of the manifest of test files: on Markdown text and, where a reader knows pages, on each page's text."""

import json
import re
import unicodedata
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "../shared/files"
MANIFEST = FOLDER / "manifest.json"


def entries():
    """The rows of the manifest; none where it is absent."""
    return json.loads(MANIFEST.read_text(encoding="utf-8"))["files"] if MANIFEST.exists() else []


def squeezed(text):
    """As the manifest compares: NFC, without white space, backslashes and asterisks."""
    return re.sub(r"[\s\\*]", "", unicodedata.normalize("NFC", text))


def headings(markdown):
    """The heading lines of a Markdown text, fences and front matter left out."""
    found, fence = [], ""
    text = re.sub(r"\A---\n.*?\n---\n", "", markdown, flags=re.DOTALL)
    lines = text.splitlines()
    for above, line in zip(["", *lines], lines, strict=False):
        mark = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if mark and (not fence or (mark[1].startswith(fence) and line.strip() == mark[1])):
            fence = "" if fence else mark[1]
        elif not fence and re.match(r"#{1,6}[ \t]", line):
            found.append(line)
        elif (
            not fence
            and re.match(r"(=+|-+)\s*$", line)
            and above.strip()
            and not above.startswith((" ", "|", "-", ">"))
        ):
            found.append(above)
    return found


def failures(entry, text, pages=None, titles=None):
    """One line for each check of the entry that the text does not meet; `pages` maps a number to its text."""
    return [
        *_strings(entry, squeezed(text)),
        *_rows(entry, text),
        *_headings(entry, titles if titles is not None else headings(text)),
        *_pages(entry, pages or {}),
        *([f"{len(text)} characters"] if len(text) > entry.get("max_chars", len(text)) else []),
    ]


def checks(entry):
    """How many checks the entry has."""
    lists = ("must_contain", "must_not_contain", "must_rows", "must_headings", "must_not_headings", "must_pages")
    return sum(len(entry.get(name, ())) for name in lists) + ("must_order" in entry) + ("max_chars" in entry)


def _strings(entry, text):
    yield from (f"missing {s!r}" for s in entry.get("must_contain", ()) if squeezed(s) not in text)
    yield from (f"holds {s!r}" for s in entry.get("must_not_contain", ()) if squeezed(s) in text)
    at = 0
    for wanted in map(squeezed, entry.get("must_order", ())):
        found = text.find(wanted, at)
        if found < 0:
            yield f"order broken at {wanted!r}"
            return
        at = found


def _rows(entry, text):
    lines = [squeezed(line) for line in text.splitlines()]
    for row in entry.get("must_rows", ()):
        pattern = re.compile(".*".join(re.escape(squeezed(cell)) for cell in row))
        if not any(pattern.search(line) for line in lines):
            yield f"no row {row}"


def _headings(entry, titles):
    said = [squeezed(title) for title in titles]
    yield from (f"no heading {h!r}" for h in entry.get("must_headings", ()) if not any(squeezed(h) in s for s in said))
    yield from (f"heading {h!r}" for h in entry.get("must_not_headings", ()) if any(squeezed(h) in s for s in said))


def _pages(entry, pages):
    for text, number in entry.get("must_pages", {}).items():
        if squeezed(text) not in squeezed(pages.get(number, "")):
            yield f"{text!r} is not on page {number}"
