"""Names in English: runs of capitalised words, acronyms, and identifiers of mixed case."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ricordo.extract.english_words import (
    AFTER_A_SUBJECT,
    DATES,
    JOINERS,
    ORGANISATIONS,
    PLACES,
    STOP,
    TITLES,
)
from ricordo.extract.mentions import Mention

LATIN = "A-Za-zÀ-ÖØ-öø-ɏ"
LONGEST_RUN = 6
_TOKEN = re.compile(rf"[{LATIN}](?:[{LATIN}0-9]|[&+.’'_-](?=[{LATIN}0-9])|\+{{1,2}}|#)*")
_CONTRACTED = re.compile(r"(?:n['’]t|['’](?:m|ve|re|ll|d))$")
_POSSESSIVE = re.compile(r"['’]s$")
_NOT_A_WORD = re.compile(r"[/@_]|://")


class Token(NamedTuple):
    start: int
    end: int
    word: str
    closes: bool
    """A possessive ends the name that it belongs to."""

    @property
    def folded(self) -> str:
        return self.word.casefold()

    @property
    def is_name(self) -> bool:
        """Capitalised, or of mixed case."""
        return any(letter.isupper() for letter in self.word) and not _CONTRACTED.search(self.word)

    @property
    def stands_out(self) -> bool:
        """Written as no ordinary word is, even at the start of a sentence."""
        return sum(letter.isupper() for letter in self.word) > 1 or any(c.isdigit() for c in self.word)


def tokens(sentence: str) -> list[Token]:
    found = []
    for match in _TOKEN.finditer(sentence):
        around = sentence[max(0, match.start() - 1) : match.start()] + sentence[match.end() : match.end() + 1]
        if _NOT_A_WORD.search(around) or "_" in match.group():
            continue
        word = _POSSESSIVE.sub("", match.group())
        found.append(Token(match.start(), match.end(), word, word != match.group()))
    return found


def english(sentence: str) -> list[Mention]:
    """The names in the sentence, in order; days, months and numbers are none."""
    all_tokens = tokens(sentence)
    if len(all_tokens) > 2 and all(token.word.isupper() for token in all_tokens):
        return []
    found = []
    for first, last in _runs(sentence, all_tokens):
        if mention := _mention(sentence, all_tokens, first, last):
            found.append(mention)
    return found


def _runs(sentence: str, all_tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """From where to where tokens belong to one capitalised phrase."""
    runs = []
    place = 0
    while place < len(all_tokens):
        first = place
        if not all_tokens[first].is_name:
            place += 1
            continue
        last = first
        while last - first < LONGEST_RUN and (after := _next(sentence, all_tokens, last)) is not None:
            last = after
        runs.append((first, last))
        place = last + 1
    return runs


def _next(sentence: str, all_tokens: Sequence[Token], place: int) -> int | None:
    """The next token of the phrase, beyond "of", "van der" or "of the"."""
    for after in range(place + 1, min(place + 4, len(all_tokens))):
        before, token = all_tokens[after - 1], all_tokens[after]
        gap = sentence[before.end : token.start]
        dotted = gap == ". " and (len(before.word) == 1 or before.folded in TITLES)
        if before.closes or not (gap == " " or dotted):
            return None
        if token.is_name:
            return after
        if token.folded not in JOINERS and not (token.folded == "the" and before.folded == "of"):
            return None
    return None


def _mention(sentence: str, all_tokens: Sequence[Token], first: int, last: int) -> Mention | None:
    """The phrase without what is no part of a name; None where nothing is left."""
    opens, titled = first == 0, False
    while first <= last and _is_empty(all_tokens[first]):
        if all_tokens[first].folded in TITLES:
            titled = True
        first += 1
        opens = False
    while last >= first and _is_empty(all_tokens[last]):
        last -= 1
    run = all_tokens[first : last + 1]
    if not run or (len(run[0].word) == 1 and len(run) == 1):
        return None
    if opens and first == last and not titled and not _is_subject(sentence, all_tokens, first):
        return None
    name = sentence[run[0].start : run[-1].start + len(run[-1].word)]
    return Mention(run[0].start, name, "person" if titled else _type(run))


def _is_empty(token: Token) -> bool:
    folded = token.folded
    if folded in ("us", "it") and token.word.isupper():
        return False
    return folded in STOP or folded in DATES or folded in TITLES or folded in JOINERS


def _is_subject(sentence: str, all_tokens: Sequence[Token], place: int) -> bool:
    """Whether the word that a sentence begins with is a name: it stands out, or a verb in the singular follows."""
    token = all_tokens[place]
    if token.stands_out or token.closes:
        return True
    if token.folded.endswith(("ly", "ing", "tion", "ness")):
        return False
    after = all_tokens[place + 1 : place + 2]
    if not after:
        return sentence.rstrip(".") == token.word
    follows = after[0].folded
    gap = sentence[token.end : after[0].start]
    if gap == ", ":
        return False
    return gap == " " and (follows in AFTER_A_SUBJECT or follows.endswith("ed") or _is_singular_verb(follows))


def _is_singular_verb(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "ous"))


def _type(run: Sequence[Token]) -> str:
    words = {token.folded.rstrip(".") for token in run}
    if len(run) > 1 and words & ORGANISATIONS:
        return "organisation"
    return "place" if len(run) > 1 and run[-1].folded in PLACES else ""
