"""The extractor that needs nothing: rules for Chinese and English, and no model."""

from __future__ import annotations

from ricordo.extract.chinese import chinese, has_han, is_chinese, latin_names
from ricordo.extract.english import english
from ricordo.extract.links import graph_of
from ricordo.extract.mentions import Mention, apart
from ricordo.types import Entity, Memory, Relation


def names_in(sentence: str) -> list[Mention]:
    """What the sentence names, each language by its own rules."""
    if not has_han(sentence):
        return english(sentence)
    others = latin_names(sentence) if is_chinese(sentence) else english(sentence)
    return apart([*chinese(sentence), *others])


class LightExtractor:
    async def extract(self, memory: Memory) -> tuple[list[Entity], list[Relation]]:
        return graph_of(memory, names_in)


class NoExtractor:
    """Finds nothing: the bank has no graph."""

    async def extract(self, memory: Memory) -> tuple[list[Entity], list[Relation]]:  # noqa: ARG002 - the seam's shape
        return [], []
