"""A name in a sentence, and text as sentences: what every way of finding names shares."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ABBREVIATIONS = words("mr mrs ms dr prof st jr sr inc ltd corp co vs no mt gen sen rev hon etc approx fig")
"""What ends with a dot and no sentence."""

_END = re.compile(r"[。！？；!?;\n]+|(?<=[^\W_A-Z])\.[)\]\"”’]*(?=\s|$)")
_LAST_WORD = re.compile(r"[A-Za-z]+$")


class Mention(NamedTuple):
    """type: "person", "organisation", "place", "work", or nothing where the text does not say."""

    start: int
    name: str
    type: str = ""

    @property
    def end(self) -> int:
        return self.start + len(self.name)


def sentences(text: str) -> Iterator[str]:
    """The sentences, without those that are empty."""
    start = 0
    for end in _END.finditer(text):
        before = _LAST_WORD.search(text, start, end.start())
        if end.group().startswith(".") and before and before.group().casefold() in ABBREVIATIONS:
            continue
        if sentence := text[start : end.end()].strip():
            yield sentence
        start = end.end()
    if sentence := text[start:].strip():
        yield sentence


def apart(mentions: list[Mention]) -> list[Mention]:
    """In order of the text, without those that lie in an earlier or longer one."""
    kept: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: (m.start, -len(m.name))):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept
