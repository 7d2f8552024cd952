"""Text into index terms: English words stemmed, Chinese in characters and pairs, identifiers whole and in parts."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from importlib.resources import files
from itertools import chain, pairwise

import numpy as np
import Stemmer
from numpy.typing import NDArray

EDITION = 1
"""Goes up when a text gives other terms than before: an index of another edition must be built again."""

LONGEST = 64
"""Terms are cut off here: what is longer is encoded data, and nobody types it."""

_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
_OTHER_UNSPACED = "\u3031-\u3035\u3040-\u30ff\u31f0-\u31ff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_UNSPACED = _HAN + _HANGUL + _OTHER_UNSPACED
_NO_WORD = (
    r"\s\x00-/:-@\[-^`{-\xa9\xab-\xb1\xb4\xb6-\xb9\xbb\xbf\xd7\xf7"
    "\u02c2-\u02ff\u2000-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u3036-\u303f\ud800-\uf8ff\ufe00-\ufe6f"
    "\uff00-\uff0f\uff1a-\uff20\uff3b-\uff3e\uff40\uff5b-\uff65\uffe0-\uffff\U0001f000-\U0001faff\U000e0000-\U0010ffff"
)
_LETTERS = f"[^{_NO_WORD}{_UNSPACED}]+"
_WORDS = re.compile(rf"{_LETTERS}(?:[.@'’&,:+/．＠-]{_LETTERS})*(?:\+\+|\#)?")
_ASCII_WORDS = re.compile(r"\w+(?:[.@'&,:+/-]\w+)*(?:\+\+|\#)?", re.ASCII)
_RUNS = re.compile(f"[{_UNSPACED}]+")
_ALONE = re.compile(f"[{_HAN}{_HANGUL}]")
_APART = re.compile("[\u1100-\u11ff\u3099\u309a\uff66-\uffdf]")
_BREAK = 10

_JOINTS = re.compile(r"[._@'&,:+/-]+")
_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_VERSION = re.compile(r"[vV](?=\d)")
_PLAIN_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i"})

STOP_WORDS = frozenset(files("ricordo.stores").joinpath("stop_words.txt").read_text("utf-8").split())

_STOP_PAIR = re.compile(f"[{''.join(filter(_ALONE.match, STOP_WORDS))}]{{2}}")

_stem = Stemmer.Stemmer("english", 0).stemWord


def _one_form() -> dict[int, int]:
    """Compatibility and traditional characters → the one that stands for them."""
    lines = files("ricordo.stores").joinpath("simplified.txt").read_text("utf-8").splitlines()
    pairs = "".join(line for line in lines if not line.startswith("#"))
    forms = dict(zip(map(ord, pairs[::2]), map(ord, pairs[1::2]), strict=True))
    for code in chain(range(0x2E80, 0x2FE0), range(0xF900, 0xFB00)):
        plain = ord(unicodedata.normalize("NFKC", chr(code)))
        forms[code] = forms.get(plain, plain)
    return forms


_ONE_FORM = _one_form()
_FORMS = np.arange(0x32400, dtype=np.uint32)
_FORMS[list(_ONE_FORM)] = list(_ONE_FORM.values())
_STANDS_ALONE = np.zeros(len(_FORMS), np.bool_)
for _first, _last in re.findall("(.)-(.)", _HAN + _HANGUL):
    _STANDS_ALONE[ord(_first) : ord(_last) + 1] = True


def one_form(text: str) -> str:
    """The text with simplified for traditional characters, each in its place."""
    return text.translate(_ONE_FORM)


def _pairs(run: str) -> list[str]:
    """Chinese characters and Korean syllables alone, then every two neighbours; a lone character in any case."""
    run = one_form(run)
    if len(run) == 1:
        return [run]
    return [*_ALONE.findall(run), *map("".join, pairwise(run))]


def _fold(word: str) -> str:
    """The word without case and accents."""
    word = word.casefold()
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word.translate(_PLAIN_LETTERS))
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not "\u0300" <= c <= "\u036f"))


def _term(word: str) -> str:
    folded = _fold(word)[:LONGEST]
    return _stem(folded) if folded.isalpha() else folded


def _pieces(word: str) -> Iterator[str]:
    """What else a word may be looked for by: the parts of an identifier, the number of a version."""
    if _VERSION.match(word):
        yield word[1:]
    for part in _JOINTS.split(word):
        yield part
        if part.isascii() and len(part) <= LONGEST:
            yield from _HUMPS.findall(part)


def _word(token: str) -> list[str]:
    """The terms of one word; none for a stop word."""
    if not token.isascii():
        token = unicodedata.normalize("NFKC", token).replace("’", "'")
    folded = _fold(token)
    if folded in STOP_WORDS:
        return []
    if token.isalpha() and (token.islower() or token.istitle()):
        return [_term(folded)]
    token = token.removesuffix("'s")
    if _INITIALS.fullmatch(token):
        return [_fold(token).replace(".", "")]
    if token.replace(",", "").isdigit():
        return [token.replace(",", "")]
    pieces = [_fold(piece) for piece in _pieces(token) if len(piece) > 1]
    telling = [_term(piece) for piece in pieces if piece not in STOP_WORDS]
    if pieces and not telling:
        return []
    return list(dict.fromkeys((_term(token), *telling)))


class _Terms(dict[str, list[str]]):
    """Word → its terms, kept because texts repeat their words."""

    def __missing__(self, word: str) -> list[str]:
        terms = _word(word[: 4 * LONGEST])
        if len(word) <= LONGEST:
            if len(self) >= 1 << 17:
                self.clear()
            self[word] = terms
        return terms


class _Keys(dict[str, int]):
    """Term → its key."""

    def __missing__(self, term: str) -> int:
        if len(term) <= 2 and _RUNS.fullmatch(term):
            codes = np.array([*map(ord, term), 0], np.uint32)
            key = int(_run_key(codes[:1], codes[1:2])[0])
        else:
            key = int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
        if len(self) >= 1 << 17:
            self.clear()
        self[term] = key
        return key


_terms = _Terms()
_keys = _Keys()


def _split(text: str) -> tuple[list[str], list[str]]:
    """The words of a text, and its runs of unspaced script."""
    if text.isascii():
        return _ASCII_WORDS.findall(text), []
    if _APART.search(text):  # letters in parts, or of half width, become whole ones
        text = unicodedata.normalize("NFKC", text)
    return _WORDS.findall(text), _RUNS.findall(text)


def cut(text: str) -> list[str]:
    """The index terms of a text. Stop words are left out, unless there is nothing else."""
    words, runs = _split(text)
    terms = [*chain.from_iterable(map(_terms.__getitem__, words)), *chain.from_iterable(map(_pairs, runs))]
    return terms or list(map(_fold, words))


def cut_query(text: str) -> list[str]:
    """The terms to look for: those of `cut`, less what tells little of what is meant.

    Characters that stand in almost every text are left out, and pairs of them (什么), unless there is nothing else. Two
    characters by themselves are a word, which its characters do not stand for: 生日 is not in 花生.
    """
    words, runs = _split(text)
    sought = (_pairs(run)[-1:] if len(run) == 2 else _pairs(run) for run in runs)
    terms = [*chain.from_iterable(map(_terms.__getitem__, words)), *chain.from_iterable(sought)]
    telling = [term for term in terms if term not in STOP_WORDS and not _STOP_PAIR.fullmatch(term)]
    return telling or terms or list(map(_fold, words))


def term_keys(terms: Iterable[str]) -> NDArray[np.uint64]:
    """64-bit names of the terms, the same in every process and on every platform."""
    return np.fromiter(map(_keys.__getitem__, terms), np.uint64)


def cut_all(texts: Iterable[str]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The term keys of many texts, each with the number of its text: `term_keys(cut(text))`, several times faster."""
    keys, sizes, joined = array("Q"), array("q"), list[str]()
    for text in texts:
        words, runs = _split(text)
        before = len(keys)
        keys.extend(map(_keys.__getitem__, chain.from_iterable(map(_terms.__getitem__, words))))
        if len(keys) == before and not runs:
            keys.extend(map(_keys.__getitem__, map(_fold, words)))
        sizes.append(len(keys) - before)
        joined.append("\n".join(runs))
    of_words = np.repeat(np.arange(len(sizes)), np.frombuffer(sizes, np.int64))
    run_keys, of_runs = _run_keys(joined)
    return np.concatenate([np.frombuffer(keys, np.uint64), run_keys]), np.concatenate([of_words, of_runs])


def _run_keys(joined: Sequence[str]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The keys of what `_pairs` gives for the runs of each text, and the numbers of the texts."""
    where = np.repeat(np.arange(len(joined)), np.fromiter(map(len, joined), np.int64) + 1)
    codes = _FORMS[np.frombuffer("".join(f"{runs}\n" for runs in joined).encode("utf-32-le"), "<u4")]
    inside = codes != _BREAK
    paired = np.zeros(len(codes) + 1, np.bool_)
    paired[1:-1] = inside[:-1] & inside[1:]
    alone = inside & (_STANDS_ALONE[codes] | ~(paired[:-1] | paired[1:]))
    firsts, seconds = codes[:-1][paired[1:-1]], codes[1:][paired[1:-1]]
    keys = np.concatenate([_run_key(codes[alone], np.uint32(0)), _run_key(firsts, seconds)])
    return keys, np.concatenate([where[alone], where[1:][paired[1:-1]]])


def _run_key(first: NDArray[np.uint32], second: NDArray[np.uint32] | np.uint32) -> NDArray[np.uint64]:
    """The finaliser of splitmix64 over both characters: every bit of them moves every bit of the key."""
    key = (first.astype(np.uint64) << np.uint64(32)) | second
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        key = (key ^ (key >> np.uint64(shift))) * np.uint64(factor)
    return key ^ (key >> np.uint64(31))
