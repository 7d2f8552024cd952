"""Rich Text Format: every run in the code page of its font, paragraphs, headings, lists, tables, notes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ricordo.parse.blocks import squeeze
from ricordo.parse.outcome import damaged, finish, reader
from ricordo.parse.reading import Exceeded, Job
from ricordo.parse.rtf_story import Story
from ricordo.parse.rtf_tokens import CHARSETS, SIGNS, Token, codec, tokens
from ricordo.types import Block, BlockKind, Parsed

_STORIES = {
    "footnote": BlockKind.NOTE,
    "annotation": BlockKind.COMMENT,
    "shptxt": BlockKind.PARAGRAPH,
    **{f"header{side}": BlockKind.HEADER for side in ("", "l", "r", "f")},
    **{f"footer{side}": BlockKind.HEADER for side in ("", "l", "r", "f")},
}
_TARGETS = {"listtext": "label", "pntext": "label", **{n: n for n in ("fonttbl", "stylesheet", "title", "fldinst")}}
_KEPT = frozenset({"shpinst", "shp", "fldrslt", "result", "rtf", "field"})
_SKIPPED = frozenset({
    "colortbl", "pict", "shprslt", "objdata", "themedata", "datastore", "latentstyles", "listtable",
    "listoverridetable",
    "rsidtbl", "generator", "filetbl", "revtbl", "xmlnstbl", "nonshppict", "nonesttables", "sp", "sn", "sv", "pn",
    "atnauthor", "atntime", "atndate", "atnref", "bkmkstart", "bkmkend", "xe", "tc", "do", "mmathPr", "private",
    "author", "operator", "company", "doccomm", "subject", "keywords", "category", "manager", "comment", "creatim",
    "revtim", "printim", "buptim", "atnid", "ftnsep", "ftnsepc", "aftnsep", "aftnsepc", "ftncn", "aftncn", "pgdsctbl",
    "userprops",
})  # fmt: skip
_LEFT_OUT_FIELDS = re.compile(r"\s*(TOC|PAGE|NUMPAGES)\b", re.IGNORECASE)


@dataclass(slots=True)
class _State:
    """What a group hands to the groups inside it."""

    target: str = "body"
    font: int | None = None
    fonts: dict[str, int] = field(default_factory=dict)
    script: str = ""
    skip_after_unicode: int = 1
    deleted: bool = False
    story: int = 0


@reader
def read(data: bytes, job: Job) -> Parsed:
    """The document's blocks; headers and footers stand where the file defines them, notes after their paragraph."""
    if b"{\\rtf" not in data[:1024]:
        raise damaged(f"{job.name!r} does not begin as RTF does")
    rtf = _Rtf()
    for token in tokens(data[data.find(b"{\\rtf") :]):
        rtf.take(token)
        if rtf.depth > job.limits.xml_depth:
            raise Exceeded(f"{job.name!r} nests more than {job.limits.xml_depth} groups")
    cut = rtf.depth > 0
    blocks = rtf.finish()
    notes = ["the file ends in the middle of a group; what stands before was kept"] if cut else []
    return finish(blocks, job, title=squeeze("".join(rtf.title)), warnings=notes, partial=cut)


class _Rtf:
    def __init__(self) -> None:
        self.title: list[str] = []
        self._state = _State()
        self._stack: list[_State] = []
        self._styles: dict[int, str] = {}
        self._stories = [Story(self._styles)]
        self._charsets: dict[int, str] = {}
        self._default_font: int | None = None
        self._code_page = "cp1252"
        self._bytes = bytearray()
        self._to_skip = 0
        self._star = False
        self._instruction: list[str] = []
        self._actions: dict[str, Callable[[int | None], None]] = self._table_of_actions()

    @property
    def depth(self) -> int:
        return len(self._stack)

    def take(self, token: Token) -> None:
        match token.kind:
            case "open":
                self._flush()
                self._stack.append(replace(self._state, fonts=dict(self._state.fonts)))
                self._to_skip = 0
            case "close":
                self._close()
            case "word":
                self._word(token.word, token.number)
            case "sign":
                self._sign(token.word)
            case _:
                self._literal(token.data)

    def finish(self) -> list[Block]:
        while self._stack:
            self._close()
        self._flush()
        self._stories[0].finish()
        return self._stories[0].blocks

    # groups

    def _close(self) -> None:
        self._flush()
        if not self._stack:
            return
        before = self._stack.pop()
        if before.story != self._state.story and len(self._stories) > 1:
            self._end_story()
        self._state = before
        self._star = False
        self._to_skip = 0

    def _end_story(self) -> None:
        story = self._stories.pop()
        story.finish()
        block = story.as_aside()
        if story.kind is not BlockKind.HEADER:
            self._stories[-1].after.append(block)
        elif any(sign.isalpha() for sign in block.text) and block not in self._stories[0].blocks:
            self._stories[0].blocks.append(block)

    # control words

    def _word(self, word: str, number: int | None) -> None:
        star, self._star = self._star, False
        if word == "u" and number is not None:
            self._unicode(number)
        elif word in _STORIES:
            self._flush()
            self._stories.append(Story(self._styles, kind=_STORIES[word]))
            self._state = replace(self._state, target="body", story=len(self._stories))
        elif word in _TARGETS:
            self._target(_TARGETS[word])
        elif self._is_left_out(word, star=star):
            self._target("skip")
        elif word in SIGNS:
            self._say(SIGNS[word])
        elif word in self._actions:
            self._flush()
            self._actions[word](number)

    def _is_left_out(self, word: str, *, star: bool) -> bool:
        if word == "fldrslt":
            instruction, self._instruction = "".join(self._instruction), []
            return _LEFT_OUT_FIELDS.match(instruction) is not None
        return word in _SKIPPED or (star and word not in _KEPT and word not in self._actions)

    def _target(self, name: str) -> None:
        self._flush()
        if self._state.target != "skip":
            self._state.target = name

    def _table_of_actions(self) -> dict[str, Callable[[int | None], None]]:
        return {
            "ansicpg": self._set_code_page,
            "mac": lambda _: self._set_code_page(10000),
            "deff": self._set_default_font,
            "f": lambda number: self._set_font(number, plain=True),
            "af": lambda number: self._set_font(number, plain=False),
            "fcharset": self._set_charset,
            "loch": lambda _: self._set_script("loch"),
            "hich": lambda _: self._set_script("hich"),
            "dbch": lambda _: self._set_script("dbch"),
            "plain": lambda _: self._reset_font(),
            "uc": self._set_skip,
            "deleted": self._set_deleted,
            "par": lambda _: self._end_paragraph(),
            "sect": lambda _: self._end_paragraph(),
            "page": lambda _: self._end_paragraph(),
            "pard": lambda _: self._story.reset(),
            "s": lambda number: setattr(self._story, "style", number),
            "outlinelevel": lambda number: setattr(self._story, "outline", number),
            "ilvl": lambda number: setattr(self._story, "depth", number or 0),
            "intbl": lambda _: setattr(self._story, "in_table", True),
            "trowd": lambda _: self._story.begin_row(),
            "clvmrg": lambda _: self._story.mark_edge(below=True),
            "clmrg": lambda _: self._story.mark_edge(beside=True),
            "cellx": self._add_edge,
            "cell": lambda _: self._story.end_cell(),
            "nestcell": lambda _: self._say(" / "),
            "nestrow": lambda _: self._say("\n"),
            "row": lambda _: self._story.end_row(),
        }

    @property
    def _story(self) -> Story:
        return self._stories[-1]

    def _add_edge(self, number: int | None) -> None:
        self._story.add_edge(number)

    def _end_paragraph(self) -> None:
        if self._state.target == "body":
            self._story.end_paragraph()

    def _set_code_page(self, number: int | None) -> None:
        self._code_page = codec(number or 1252)

    def _set_default_font(self, number: int | None) -> None:
        self._default_font = number

    def _set_font(self, number: int | None, *, plain: bool) -> None:
        if number is not None:
            self._state.fonts[self._state.script] = number
            if plain:
                self._state.font = number

    def _set_charset(self, number: int | None) -> None:
        if self._state.target == "fonttbl" and self._state.font is not None and number in CHARSETS:
            self._charsets[self._state.font] = CHARSETS[number]

    def _set_script(self, script: str) -> None:
        self._state.script = script

    def _reset_font(self) -> None:
        self._state = replace(self._state, font=None, fonts={}, script="", deleted=False)

    def _set_skip(self, number: int | None) -> None:
        self._state.skip_after_unicode = max(number if number is not None else 1, 0)

    def _set_deleted(self, number: int | None) -> None:
        self._state.deleted = number != 0

    # text

    def _unicode(self, number: int) -> None:
        self._flush()
        self._say(chr(number & 0xFFFF))
        self._to_skip = self._state.skip_after_unicode

    def _sign(self, sign: str) -> None:
        if sign == "*":
            self._star = True
        elif sign in "\r\n" and self._state.target == "body":
            self._flush()
            self._end_paragraph()
        elif sign == "~":
            self._say(" ")
        elif sign == "_":
            self._say("-")
        elif sign in "\\{}":
            self._literal(sign.encode())

    def _literal(self, data: bytes) -> None:
        skipped = min(self._to_skip, len(data))
        self._to_skip -= skipped
        if self._state.target != "skip" and not self._state.deleted:
            self._bytes += data[skipped:]

    def _flush(self) -> None:
        if self._bytes:
            data, self._bytes = bytes(self._bytes), bytearray()
            self._say(data.decode(self._codec(), "replace"))

    def _codec(self) -> str:
        state = self._state
        font = state.fonts.get(state.script, state.font)
        font = self._default_font if font is None else font
        return self._code_page if font is None else self._charsets.get(font, self._code_page)

    def _say(self, text: str) -> None:
        if self._bytes:
            self._flush()
        story = self._story
        match self._state.target:
            case "body" if not self._state.deleted:
                story.words.append(text)
            case "label":
                story.label.append(text)
            case "title":
                self.title.append(text)
            case "fldinst":
                self._instruction.append(text)
            case "stylesheet" if story.style is not None:
                self._styles[story.style] = self._styles.get(story.style, "") + text
