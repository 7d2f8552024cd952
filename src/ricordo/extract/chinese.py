"""Names in Chinese, by what surrounds and ends them, without a dictionary of words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from ricordo.extract.chinese_words import (
    AFTER_A_PERSON,
    BEFORE_A_PERSON,
    DOUBLE_SURNAMES,
    IN_FOREIGN_NAMES,
    NO_LATIN_NAME,
    NO_ORGANISATION,
    NO_PERSON,
    NOT_IN_A_GIVEN_NAME,
    NOT_IN_AN_ORGANISATION,
    ORGANISATIONS,
    PERSON_TITLES,
    PLACES,
    SURNAMES,
    WORDS_BEFORE_A_PERSON,
)
from ricordo.extract.english import LATIN
from ricordo.extract.english_words import DATES, STOP
from ricordo.extract.mentions import Mention, apart

HAN = "\u3400-\u9fff"
_HAN = re.compile(f"[{HAN}]")
_TITLE = re.compile(r"《([^《》]{1,60})》")
_QUOTED = re.compile(rf"[“「『\"]([{HAN}{LATIN}0-9·\- ]{{2,12}})[”」』\"]")
_CLAUSE = re.compile("[的了是吗呢吧啊我你他她它们不这那]")
_SURNAME = rf"(?:{'|'.join(DOUBLE_SURNAMES)}|[{SURNAMES}])"
_GIVEN = rf"(?:(?![{NOT_IN_A_GIVEN_NAME}])[{HAN}])"
_BEFORE = rf"(?:^|(?<=[^{HAN}])|(?<=[{BEFORE_A_PERSON}])|{'|'.join(f'(?<={w})' for w in WORDS_BEFORE_A_PERSON)})"
_AFTER = rf"(?=$|[^{HAN}]|[{AFTER_A_PERSON}]|{PERSON_TITLES})"
_PERSON = re.compile(rf"{_BEFORE}({_SURNAME}{_GIVEN}{{1,2}}){_AFTER}")
_ADDRESSED = re.compile(rf"{_BEFORE}({_SURNAME}{_GIVEN}{{0,2}}?(?:{PERSON_TITLES}))")
_FAMILIAR = re.compile(rf"{_BEFORE}([小老阿][{SURNAMES}]){_AFTER}")
_FOREIGN = re.compile(rf"[{IN_FOREIGN_NAMES}]{{1,7}}(?:·[{IN_FOREIGN_NAMES}]{{1,7}})+")
_ORGANISATION = re.compile(rf"([{HAN}{LATIN}0-9（）()]{{1,20}}?)({ORGANISATIONS})(?!的?[长])")
_CUT = re.compile("|".join(sorted(NOT_IN_AN_ORGANISATION, key=len, reverse=True)))
_REGION = re.compile(rf"([{HAN}]{{2,7}}?)(自治区|自治州|[省市县])")
_NO_REGION = re.compile("[城都超门股楼夜菜黑花]$|自治$|[大小全本各某该每两几多老新]$")
_PLACES = re.compile("|".join(sorted(PLACES, key=len, reverse=True)))
_LATIN_NAME = re.compile(rf"[{LATIN}][{LATIN}0-9.+#&-]*(?: [A-Z][{LATIN}0-9.+#&-]*)*(?<![.&-])")


def has_han(text: str) -> bool:
    return _HAN.search(text) is not None


def is_chinese(sentence: str) -> bool:
    """Whether Latin words stand in Chinese, and not Chinese words in a Latin sentence."""
    return len(_HAN.findall(sentence)) > len(re.findall(rf"[{LATIN}]+", sentence))


def chinese(sentence: str) -> list[Mention]:
    """The names in the sentence, in order; what is inside a longer one is no name of its own."""
    whole = [m for found in (_works, _organisations, _regions) for m in found(sentence)]
    return apart([*whole, *_people(sentence, whole)])


def latin_names(sentence: str) -> list[Mention]:
    """Latin words inside Chinese: those are names, even in small letters."""
    found = []
    for match in _LATIN_NAME.finditer(sentence):
        name = match.group()
        if len(name) > 1 and name.casefold() not in STOP | DATES | NO_LATIN_NAME and not _is_part(sentence, match):
            found.append(Mention(match.start(), name))
    return found


def _is_part(sentence: str, match: re.Match[str]) -> bool:
    """Of a number with its unit, an address or a path."""
    before, after = sentence[: match.start()][-1:], sentence[match.end() :][:1]
    return (before.isascii() and before.isdigit()) or bool({before, after} & set("/\\@_:"))


def _works(sentence: str) -> Iterator[Mention]:
    for match in _TITLE.finditer(sentence):
        yield Mention(match.start(1), match.group(1).rstrip(), "work")
    for match in _QUOTED.finditer(sentence):
        if has_han(match.group(1)) and not _CLAUSE.search(match.group(1)):
            yield Mention(match.start(1), match.group(1).rstrip())


def _organisations(sentence: str) -> list[Mention]:
    """A part that follows its whole makes one name with it."""
    found: list[Mention] = []
    for match in _ORGANISATION.finditer(sentence):
        start = max((cut.end() for cut in _CUT.finditer(match.group(1))), default=0)
        head = match.group(1)[start:]
        if person := re.match(rf"(?:{PERSON_TITLES})", head):
            head = head[person.end() :]
        if len(head) > 1 and head not in NO_ORGANISATION and not head.isdigit():
            at = match.end(1) - len(head)
            mention = Mention(at, head + match.group(2), "organisation")
            if found and found[-1].end == mention.start:
                whole = found.pop()
                mention = Mention(whole.start, whole.name + mention.name, "organisation")
            found.append(mention)
    return found


def _regions(sentence: str) -> Iterator[Mention]:
    for match in _PLACES.finditer(sentence):
        yield Mention(match.start(), match.group(), "place")
    for match in _REGION.finditer(sentence):
        start = max((cut.end() for cut in _CUT.finditer(match.group(1))), default=0)
        places = [m.end() for m in _PLACES.finditer(match.group(1)) if m.end() < len(match.group(1))]
        head = match.group(1)[max([start, *places]) :].lstrip("省市县")
        if 1 < len(head) < 5 and head not in PLACES and not _NO_REGION.search(head):
            yield Mention(match.end(1) - len(head), head + match.group(2), "place")


def _people(sentence: str, others: Collection[Mention]) -> Iterator[Mention]:
    taken = {place for other in others for place in range(other.start, other.end)}
    for match in _FOREIGN.finditer(sentence):
        yield Mention(match.start(), match.group(), "person")
    for pattern in (_ADDRESSED, _PERSON, _FAMILIAR):
        for match in pattern.finditer(sentence):
            name = match.group(1)
            if match.start(1) not in taken and not _is_word(name):
                yield Mention(match.start(1), _named(name), "person")


def _is_word(name: str) -> bool:
    return name[:2] in NO_PERSON or name in PLACES


def _named(name: str) -> str:
    """Without the title, where a whole name is left."""
    bare = re.sub(rf"(?:{PERSON_TITLES})$", "", name)
    return bare if len(bare) > 1 else name
