"""Markdown as paragraphs under their headings, and paragraphs packed into chunks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from ricordo.chunk.markdown import Shape, regions
from ricordo.chunk.recursive import split
from ricordo.errors import Invalid
from ricordo.rank.budget import approx_tokens

Paragraph: TypeAlias = dict[str, Any]

_CJK = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
)
_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")
_HEADING = re.compile(r"(#{1,6})(?!#)\s*(.*?)\s*#*\s*$")


def _is_cjk(character: str) -> bool:
    return any(low <= ord(character) <= high for low, high in _CJK)


def _approx_token_len(text: str) -> int:
    """One a CJK character and one a word between spaces."""
    return sum(map(_is_cjk, text)) + len(text.split())


def _tokens(text: str) -> int:
    """The estimate, in which a word without an end does not count as one."""
    return max(_approx_token_len(text), approx_tokens(text))


def _split_paragraphs_with_headings(text: str) -> list[Paragraph]:
    """Paragraphs {content, heading_path, start, end} in order, each with text[start:end] == content.

    Blank lines and headings part them; what looks like either inside a code fence does not. A heading that nothing
    stands under is a paragraph of its own.
    """
    found: list[Paragraph] = []
    above: list[tuple[int, str]] = []
    bare: tuple[int, int] | None = None
    run: list[tuple[int, int]] = []

    def close() -> None:
        nonlocal bare
        if run:
            found.append(_paragraph(text, run[0][0], run[-1][1], above))
            run.clear()
            bare = None

    for start, end, code in _lines(text):
        line = text[start:end]
        heading = None if code else _HEADING.match(line)
        if heading:
            close()
            level = len(heading[1])
            if bare and level <= above[-1][0]:
                found.append(_paragraph(text, *bare, above))
            above = [*(outer for outer in above if outer[0] < level), (level, heading[2])]
            bare = (start, end)
        elif line.strip() or code:
            run.append((start, end))
        else:
            close()
    close()
    if bare:
        found.append(_paragraph(text, *bare, above))
    return found


def _lines(text: str) -> Iterator[tuple[int, int, bool]]:
    """Start and end of each line without its break, and whether it belongs to a code fence."""
    fences = iter([r for r in regions(text) if r.shape is Shape.CODE])
    fence = next(fences, None)
    for line in _LINE.finditer(text):
        while fence and fence.end <= line.start():
            fence = next(fences, None)
        end = line.start() + len(line[0].rstrip("\r\n"))
        yield line.start(), end, bool(fence and fence.start < line.end() and line.start() < fence.end)


def _paragraph(text: str, start: int, end: int, above: Sequence[tuple[int, str]]) -> Paragraph:
    path = " > ".join(title for _, title in above if title)
    return {"content": text[start:end], "heading_path": path or None, "start": start, "end": end}


def _chunk_paragraphs(paragraphs: Sequence[Paragraph], chunk_tokens: int, overlap_tokens: int) -> list[Paragraph]:
    """Whole paragraphs packed into chunks of up to chunk_tokens; one that is longer is cut.

    A chunk begins with the last whole pieces of the one before, up to overlap_tokens, where it has room for them. Its
    heading_path is that of its last paragraph that has one.
    """
    if chunk_tokens < 1 or overlap_tokens < 0:
        raise Invalid(f"a chunk has 1 token or more and an overlap 0 or more, got {chunk_tokens} and {overlap_tokens}")
    chunks: list[Paragraph] = []
    held: list[tuple[Paragraph, int]] = []
    for piece in _pieces(paragraphs, chunk_tokens):
        size = _tokens(piece["content"])
        if held and sum(n for _, n in held) + size > chunk_tokens:
            chunks.append(_chunk([p for p, _ in held]))
            held = _tail(held, min(overlap_tokens, chunk_tokens - size))
        held.append((piece, size))
    if held:
        chunks.append(_chunk([p for p, _ in held]))
    return chunks


def _pieces(paragraphs: Sequence[Paragraph], limit: int) -> Iterator[Paragraph]:
    for paragraph in paragraphs:
        content = paragraph["content"]
        if _tokens(content) <= limit:
            yield paragraph
            continue
        for span in split(content, size=limit, parent=0, count=_tokens):
            start = paragraph["start"] + span.start
            part = content[span.start : span.end]
            if part.strip():
                yield {**paragraph, "content": part, "start": start, "end": start + len(part)}


def _tail(held: Sequence[tuple[Paragraph, int]], room: int) -> list[tuple[Paragraph, int]]:
    kept: list[tuple[Paragraph, int]] = []
    for piece, size in reversed(held):
        room -= size
        if room < 0:
            break
        kept.insert(0, (piece, size))
    return kept


def _chunk(pieces: Sequence[Paragraph]) -> Paragraph:
    content = pieces[0]["content"]
    for before, piece in pairwise(pieces):
        content += ("" if before["end"] == piece["start"] else "\n\n") + piece["content"]
    path = next((p["heading_path"] for p in reversed(pieces) if p.get("heading_path")), None)
    return {"content": content, "start": pieces[0]["start"], "end": pieces[-1]["end"], "heading_path": path}


_MARKS = re.compile(
    r"^(?P<fence>`{3,}|~{3,})[^\n]*\n(?P<code>.*?)^(?P=fence)[ \t]*$"
    r"|`(?P<inline>[^`\n]+)`"
    r"|!?\[(?P<label>[^\]\n]*)\]\([^)\n]*\)"
    r"|^[ \t]{0,3}(?:\#{1,6}[ \t]+|>[ \t]?)"
    r"|(?<![\w*])(?P<strong>\*{1,3})(?=\S)(?P<loud>[^*\n]+?)(?<=\S)(?P=strong)(?![\w*])"
    r"|(?<![\w_])(?P<under>_{1,3})(?=\S)(?P<soft>[^\n]+?)(?<=\S)(?P=under)(?![\w_])",
    re.MULTILINE | re.DOTALL,
)
_INSIDE = ("label", "loud", "soft")


def _preprocess_markdown_for_embedding(text: str) -> str:
    """The words without Markdown's marks; code keeps every character of its own."""
    return re.sub(r"\n\s*\n+", "\n", re.sub(r"[ \t]+\n", "\n", _MARKS.sub(_unmarked, text))).strip()


def _unmarked(mark: re.Match[str]) -> str:
    for name in _INSIDE:
        if mark[name] is not None:
            return _MARKS.sub(_unmarked, mark[name])
    return next((mark[name] for name in ("code", "inline") if mark[name] is not None), "")
