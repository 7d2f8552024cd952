"""Text into index terms: English words stemmed, Chinese in characters and pairs, identifiers whole and in parts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from itertools import chain, pairwise

import numpy as np
import Stemmer
from numpy.typing import NDArray

EDITION = 1
"""Goes up when a text gives other terms than before: an index of another edition must be built again."""

LONGEST = 64
"""Words are cut off here: what is longer is encoded data, and nobody types it."""

_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
_OTHER_UNSPACED = "\u3031-\u3035\u3040-\u30ff\u31f0-\u31ff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_UNSPACED = _HAN + _HANGUL + _OTHER_UNSPACED
_NO_WORD = (
    r"\s\x00-/:-@\[-^`{-\xa9\xab-\xb1\xb4\xb6-\xb9\xbb\xbf\xd7\xf7"
    "\u02c2-\u02ff\u2000-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u3036-\u303f\ud800-\uf8ff\ufe00-\ufe6f"
    "\ufff0-\uffff\U0001f000-\U0001faff\U000e0000-\U0010ffff"
)
_LETTERS = f"[^{_NO_WORD}{_UNSPACED}]+"
_TOKENS = re.compile(rf"[{_UNSPACED}]+|{_LETTERS}(?:[.@'’&,:+/-]{_LETTERS})*(?:\+\+|\#)?")
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]")
_ALONE = re.compile(f"[{_HAN}{_HANGUL}]")
_PARTS = re.compile(r"[^\W_]+")
_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


STOP_WORDS = frozenset(files("ricordo.stores").joinpath("stop_words.txt").read_text("utf-8").split())

_stem = Stemmer.Stemmer("english", 0).stemWord


def _simplified() -> dict[int, int]:
    lines = files("ricordo.stores").joinpath("simplified.txt").read_text("utf-8").splitlines()
    pairs = "".join(line for line in lines if not line.startswith("#"))
    return dict(zip(map(ord, pairs[::2]), map(ord, pairs[1::2]), strict=True))


_SIMPLIFIED = _simplified()


def _unspaced(run: str) -> tuple[str, ...]:
    """Every pair of neighbours; a Chinese character or Korean syllable also alone."""
    run = run.translate(_SIMPLIFIED)
    if len(run) == 1:
        return (run,)
    pairs = map("".join, pairwise(run))
    return (*_ALONE.findall(run), *pairs)


def _fold(word: str) -> str:
    """Case and accents away."""
    word = word.casefold()
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word)
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not "\u0300" <= c <= "\u036f"))


def _term(word: str) -> str:
    folded = _fold(word)[:LONGEST]
    return _stem(folded) if folded.isalpha() else folded


@lru_cache(maxsize=1 << 16)
def _word(token: str) -> tuple[tuple[str, ...], bool]:
    """The terms of one word, and whether it is a stop word."""
    token = token.replace("’", "'")
    folded = _fold(token)
    if folded in STOP_WORDS:
        return (folded,), True
    if folded.endswith("'s"):
        token, folded = token[:-2], folded[:-2]
    if token.replace(",", "").isdigit():
        return (token.replace(",", ""),), False
    parts = _PARTS.findall(token)
    humps = [hump for part in parts for hump in (_HUMPS.findall(part) if part.isascii() else [part])]
    pieces = dict.fromkeys(_term(piece) for piece in (*parts, *humps))
    pieces.pop(_term(token), None)
    return (_term(token), *pieces), False


def _terms(text: str) -> list[tuple[tuple[str, ...], bool]]:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return [
        (_unspaced(token), False) if _UNSPACED_RUN.match(token) else _word(token) for token in _TOKENS.findall(text)
    ]


def cut(text: str) -> list[str]:
    """The index terms of a text, in order. Stop words are left out, unless there is nothing else."""
    found = _terms(text)
    kept = [terms for terms, stop in found if not stop] or [terms for terms, _ in found]
    return list(chain.from_iterable(kept))


def cut_query(text: str) -> list[str]:
    """The terms to look for: as `cut`, without the single characters of longer Chinese runs."""
    return cut(text)


class _Keys(dict[str, int]):
    def __missing__(self, term: str) -> int:
        if len(self) >= 1 << 18:
            self.clear()
        key = int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
        self[term] = key
        return key


_keys = _Keys()


def term_keys(terms: Iterable[str]) -> NDArray[np.uint64]:
    """64-bit names of the terms, the same in every process and on every platform."""
    return np.fromiter(map(_keys.__getitem__, terms), np.uint64)
