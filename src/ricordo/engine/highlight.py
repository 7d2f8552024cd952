"""Where a question's words stand in a text."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from ricordo.stores.cut import cut, cut_query, one_form

_WORD = re.compile(r"[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SENTENCE = re.compile(r"[^。！？!?\n]*?(?:[。！？!?]+[”’」』）)\"']*|\.(?=\s|$)|\n|$)")


@lru_cache(maxsize=1 << 16)
def _terms(piece: str) -> tuple[str, ...]:
    return tuple(cut(piece))


def marker(query: str) -> Callable[[str], tuple[tuple[int, int], ...]]:
    """A function that gives the ranges of a text that hold words of the query, in order, none touching another."""
    wanted, single = set(cut_query(query)), len(query.strip()) == 1

    def mark(text: str) -> tuple[tuple[int, int], ...]:
        marks: list[tuple[int, int]] = []
        for found in _WORD.finditer(one_form(text)):
            start, word = found.start(), found.group()
            if not _UNSPACED.match(word):
                if not wanted.isdisjoint(_terms(word)):
                    marks.append(found.span())
            elif single:
                marks += [(start + at, start + at + 1) for at, sign in enumerate(word) if sign in wanted]
            else:
                marks += [(start + at, start + at + 2) for at in range(len(word) - 1) if word[at : at + 2] in wanted]
        return _joined(marks)

    return mark


def _joined(marks: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    joined: list[tuple[int, int]] = []
    for start, end in marks:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def sentences(text: str) -> list[tuple[int, int]]:
    """Character ranges of the sentences, blank ones left out."""
    return [m.span() for m in _SENTENCE.finditer(text) if m.group().strip()]


def passage(text: str, marks: tuple[tuple[int, int], ...], limit: int) -> str:
    """The run of whole sentences, at most `limit` characters (one longer sentence is cut), that holds most marks."""
    if len(text) <= limit:
        return text.strip()
    spans = sentences(text)
    best, most = (0, min(len(text), limit)), -1
    for first, (start, _) in enumerate(spans):
        end = min(spans[first][1], start + limit)
        for _, later in spans[first + 1 :]:
            if later - start > limit:
                break
            end = later
        held = sum(start <= a and b <= end for a, b in marks)
        if held > most:
            best, most = (start, end), held
    return text[best[0] : best[1]].strip()
