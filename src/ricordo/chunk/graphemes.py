"""Which neighbouring characters are one to the reader."""

from __future__ import annotations

from unicodedata import category

_ZWJ = "\u200d"


def joined(text: str, at: int) -> bool:
    """True when a cut at the offset would tear one visible character: an accent, an emoji, a flag, a surrogate pair."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if after < "\u0300":
        return after == "\n" and before == "\r"
    return (
        _ZWJ in (before, after)
        or category(after) in ("Mn", "Me", "Mc")
        or "\U0001f3fb" <= after <= "\U0001f3ff"
        or "\U000e0020" <= after <= "\U000e007f"
        or ("\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff")
        or (_regional(after) and _regional(before) and _odd_run(text, at))
    )


def untorn(text: str, low: int, at: int, high: int) -> int:
    """The last offset up to `at` that tears no word, else no character; else the first behind it that tears none."""
    safe = [place for place in range(at, low - 1, -1) if not joined(text, place)]
    for place in safe:
        if not (_word(text[place - 1 : place]) and _word(text[place : place + 1])):
            return place
    if safe:
        return safe[0]
    return next((place for place in range(at + 1, high + 1) if not joined(text, place)), at)


def _word(character: str) -> bool:
    return character.isascii() and character.isalnum()


def _regional(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _odd_run(text: str, at: int) -> bool:
    """Flags are pairs of regional letters: torn only after an odd number of them. Looks back over twenty flags."""
    start = at
    while start > max(at - 40, 0) and _regional(text[start - 1]):
        start -= 1
    return (at - start) % 2 == 1
