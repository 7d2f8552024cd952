"""Bytes to text, for every kind of file that is text inside: a mark, strict UTF-8, a label, then judgement."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from charset_normalizer import from_bytes

from ricordo.parse.letters import writing

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"\x84\x31\x95\x33", "gb18030"),
)
_CANDIDATES = (
    ("gb18030", "zh"),
    ("cp932", "ja"),
    ("euc_jp", "ja"),
    ("big5hkscs", "tw"),
    ("cp949", "ko"),
    ("cp1252", "latin"),
    ("cp1250", "latin"),
    ("cp1254", "latin"),
)
_ALPHABETS = (
    "cp1251",
    "koi8_r",
    "cp866",
    "cp1253",
    "cp1255",
    "cp1256",
    "cp874",
    "cp1257",
    "cp1258",
    "cp1250",
    "cp1252",
)
"""What charset-normalizer may choose from: the other charsets have been judged before it is asked."""
_EAST_ASIAN = frozenset(encoding for encoding, script in _CANDIDATES if script != "latin")
_SCRIPTS = ("zh", "tw", "ja", "ko", "latin")
_AS_BROWSERS = {
    "gb18030": ("gb2312", "gbk", "cp936", "euc-cn", "x-gbk", "chinese", "gb_2312-80", "gb18030-2000"),
    "cp932": ("shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "windows-31j", "ms932", "mskanji"),
    "euc_jp": ("euc-jp", "x-euc-jp", "ujis"),
    "cp949": ("euc-kr", "euc_kr", "ks_c_5601-1987", "ks_c_5601-1989", "ksc5601", "korean", "windows-949", "uhc"),
    "big5hkscs": ("big5", "big5-hkscs", "cn-big5", "x-x-big5", "big5-tw", "cp950"),
    "cp1252": ("latin-1", "latin1", "iso-8859-1", "iso8859-1", "iso_8859-1", "l1", "ansi"),
    "cp1254": ("iso-8859-9", "iso8859-9", "latin5"),
    "cp874": ("tis-620", "iso-8859-11"),
    "iso2022_jp_2": ("iso-2022-jp", "iso2022_jp", "csiso2022jp"),
    "hz": ("hz-gb-2312",),
}
_BY_LABEL = {label: encoding for encoding, labels in _AS_BROWSERS.items() for label in labels}
_SEVEN_BIT = {"iso2022_jp_2": b"\x1b", "iso2022_kr": b"\x0e", "hz": b"~{"}
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\f\r\x1b"))
_BEYOND_ASCII = re.compile(rb"[0-\x7f]?[\x80-\xff][^\x00-\x2f]*")
_LOST = "\N{REPLACEMENT CHARACTER}"
_SAMPLE = 8_000
_GUESSED_FROM = 2_000
_FLOOR = 0.4
_FLOOR_UNBROKEN = 0.1
"""Enough where every sign can be read: words of another alphabet seldom pair up so."""
_CLEAR = 0.45
_MARGIN = 0.08


@dataclass(frozen=True, kw_only=True, slots=True)
class Decoded:
    """A text, the encoding it was in, and whether that is certain; `damaged` counts signs that could not be read."""

    text: str
    encoding: str
    sure: bool
    damaged: int = 0

    @property
    def warnings(self) -> tuple[str, ...]:
        found = []
        if not self.sure:
            found.append(f"charset unsure: read as {self.encoding}; save the file as UTF-8 to be certain")
        if self.damaged:
            found.append(f"{self.damaged} signs could not be read as {self.encoding}")
        return tuple(found)


def decode(data: bytes, label: str | None = None) -> Decoded:
    """The text of any bytes, without a byte order mark; never raises.

    label: what a header or the file itself claims; valid UTF-8 wins over it, and it is read as browsers read it.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark) and (encoding != "utf-32-le" or len(data) % 4 == 0):
            return _read(data[len(mark) :], encoding)
    if len(data.translate(None, _CONTROLS)) < len(data):
        wide = _wide(data)
        if wide:
            return wide
    claimed = encoding_of(label)
    text = _strictly(data, "utf-8")
    if text is not None:
        return _seven_bit(data, claimed) or Decoded(text=text, encoding="utf-8", sure=True)
    return _labelled(data, claimed) or _nearly(data, "utf-8") or _nearly(data, claimed) or _judged(data)


def encoding_of(label: str | None) -> str | None:
    """The Python codec that browsers use for a label; None for one that is unknown or names no text encoding."""
    name = (label or "").strip(" \t\r\n\"'").lower()
    name = _BY_LABEL.get(name, name)
    try:
        found = codecs.lookup(name).name
        "".encode(found)
    except (LookupError, ValueError):
        return None
    if found.startswith(("utf-16", "utf-32", "utf-7", "unicode", "raw", "idna", "punycode", "mbcs", "oem")):
        return None
    return _BY_LABEL.get(found, found)


def _strictly(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeError, ValueError):
        return None


def _read(data: bytes, encoding: str, *, sure: bool = True) -> Decoded:
    text = _strictly(data, encoding)
    if text is not None:
        return Decoded(text=text, encoding=encoding, sure=sure)
    text = data.decode(encoding, "replace")
    return Decoded(text=text, encoding=encoding, sure=sure, damaged=max(1, text.count(_LOST)))


def _wide(data: bytes) -> Decoded | None:
    """UTF-32 or UTF-16 without a mark, told by where zero bytes stand and by what the signs would be."""
    for encoding in ("utf-32-le", "utf-32-be"):
        if len(data) % 4 == 0 and _strictly(data[: 4 * _SAMPLE], encoding):
            return _read(data, encoding)
    best, encoding = max((_wide_score(data, encoding), encoding) for encoding in ("utf-16-le", "utf-16-be"))
    return _read(data, encoding) if best > _CLEAR else None


def _wide_score(data: bytes, encoding: str) -> float:
    sample = data[: 2 * _SAMPLE & ~1]
    text = sample[: len(sample) & ~1].decode(encoding, "replace")
    if not text:
        return 0.0
    high = sample[1::2] if encoding == "utf-16-le" else sample[::2]
    low = sample[::2] if encoding == "utf-16-le" else sample[1::2]
    plain = sum(character.isprintable() or character.isspace() for character in text if character < "\x7f")
    beyond = sum(character > "\x7f" for character in text)
    score = (plain + beyond * max(writing(text, script) for script in _SCRIPTS)) / len(text)
    paged = high.count(0) > 0.02 * len(high) and not low.count(0) and len(set(high)) <= max(2.0, 0.3 * len(high))
    return score + 0.4 if paged and _LOST not in text else score


def _seven_bit(data: bytes, claimed: str | None) -> Decoded | None:
    """Plain ASCII whose escapes hide other signs."""
    encoding = claimed if claimed in _SEVEN_BIT else "iso2022_jp_2" if b"\x1b$" in data else None
    if encoding is None or _SEVEN_BIT[encoding] not in data or not data.isascii():
        return None
    text = _strictly(data, encoding)
    return None if text is None else Decoded(text=text, encoding=encoding, sure=True)


def _labelled(data: bytes, claimed: str | None) -> Decoded | None:
    if claimed is None:
        return None
    for encoding in {"big5hkscs": ("big5hkscs", "cp950"), "cp1252": ("cp1252", "latin-1")}.get(claimed, (claimed,)):
        text = _strictly(data, encoding)
        if text is not None:
            return Decoded(text=text, encoding=encoding, sure=True)
    return None


def _nearly(data: bytes, encoding: str | None) -> Decoded | None:
    """A multi-byte encoding with a few broken bytes: one bad line, or a file cut off inside a sign."""
    if encoding is None:
        return None
    found = _read(data, encoding)
    good = sum(map(len, _BEYOND_ASCII.findall(data))) / 3 - found.damaged
    cut_off = found.damaged == 1 and found.text.endswith(_LOST) and good >= 2
    return found if good >= 10 * found.damaged or cut_off else None


def _judged(data: bytes) -> Decoded:
    """What looks most like writing; charset-normalizer is asked about alphabets that no candidate here has."""
    sample = _sample(data)
    scores = [(writing(sample.decode(encoding, "replace"), script), encoding) for encoding, script in _CANDIDATES]
    if len(data) % 2 == 0 and len(data) > 2:
        scores += [(_wide_score(data, encoding) - 0.1, encoding) for encoding in ("utf-16-le", "utf-16-be")]
    scores.sort(key=lambda scored: -scored[0])
    best, encoding = scores[0]
    text = sample.decode(encoding, "replace")
    unbroken = encoding in _EAST_ASIAN and _LOST not in text
    if best >= (_FLOOR_UNBROKEN if unbroken else _FLOOR):
        second = next((score for score, other in scores[1:] if sample.decode(other, "replace") != text), 0.0)
        return _read(data, encoding, sure=best >= _CLEAR and best - second >= _MARGIN)
    guess = from_bytes(sample[:_GUESSED_FROM], cp_isolation=list(_ALPHABETS)).best()
    known = encoding_of(guess.encoding) if guess and guess.chaos < 0.2 else None
    return _read(data, known or "cp1252", sure=False)


def _sample(data: bytes) -> bytes:
    """The words that hold bytes beyond ASCII; no multi-byte sign contains a byte below 0x30, so none is torn."""
    parts, size = [], 0
    for found in _BEYOND_ASCII.finditer(data):
        part = data[found.start() : min(found.end(), found.start() + _SAMPLE - size)]
        parts.append(part)
        size += len(part)
        if size >= _SAMPLE:
            break
    return b" ".join(parts)


def clean(text: str) -> str:
    r"""The text as it is stored: lines end in \n, without NUL and without halves of surrogate pairs."""
    text = text.replace("\r\n", "\n").replace("\x00", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
