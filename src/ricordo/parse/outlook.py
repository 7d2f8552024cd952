"""Outlook messages: headers, one body, attachments read as files of their own, attached messages in place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from email.parser import HeaderParser
from io import BytesIO

import olefile

from ricordo.parse.blocks import heading
from ricordo.parse.html import decoded_page, page
from ricordo.parse.mail_words import HEADERS, header, header_block
from ricordo.parse.nested import Children, safe_name
from ricordo.parse.outcome import finish, reader
from ricordo.parse.outlook_store import Store
from ricordo.parse.reading import Job
from ricordo.parse.rtf_packed import unpacked
from ricordo.parse.text import source
from ricordo.types import READABLE, Block, Parsed, ParseStatus

_SUBJECT, _SENT, _DELIVERED, _TRANSPORT = 0x0037, 0x0039, 0x0E06, 0x007D
_BODY, _RTF, _HTML = 0x1000, 0x1009, 0x1013
_SENDER_NAME, _SENDER_SMTP, _SENDER_ADDRESS, _BEHALF = 0x0C1A, 0x5D01, 0x0C1F, 0x0042
_NAME, _ADDRESS, _SMTP, _ROLE = 0x3001, 0x3003, 0x39FE, 0x0C15
_FILE, _LONG_NAME, _SHORT_NAME = 0x3701, 0x3707, 0x3704
_ROLES = {1: "To", 2: "Cc"}
_ROOT, _EMBEDDED, _PART = 32, 24, 8


@reader
def read(data: bytes, job: Job) -> Parsed:
    """One message with all that is attached to it."""
    with olefile.OleFileIO(BytesIO(data)) as ole:
        store = Store(ole, (), _ROOT)
        message = _Message(job, level=1)
        message.take(store)
        subject = " ".join(store.text(_SUBJECT).split())
        return finish(message.blocks, job, title=subject, warnings=message.warnings, partial=message.partial)


class _Message:
    """One message being taken apart."""

    def __init__(self, job: Job, *, level: int) -> None:
        self.blocks: list[Block] = []
        self.warnings: list[str] = []
        self.partial = False
        self._job = job
        self._level = level

    def take(self, store: Store) -> None:
        attached = [(_name(part, number), part) for number, part in enumerate(store.inside("__attach_", _PART), 1)]
        fields = [*_head(store), ("Attachments", ", ".join(name for name, _ in attached))]
        self.blocks.append(header_block(fields))
        self.blocks += self._body(store)
        for name, part in attached:
            self._attachment(name, part)

    def _body(self, store: Store) -> list[Block]:
        plain = store.text(_BODY)
        if plain:
            return source(f"{plain}\n\n")
        html = store.binary(_HTML)
        text = decoded_page(html, store.body_code_page).text if html else store.text(_HTML)
        if text:
            blocks, _, warnings = page(text)
            self.warnings += warnings
            return blocks
        packed = store.binary(_RTF)
        if not packed:
            return []
        try:
            parsed = self._job.child("body.rtf", unpacked(packed, self._job.limits.file_bytes))
        except ValueError as error:
            parsed = Parsed(parser="", status=ParseStatus.DAMAGED, warnings=(str(error),))
        self.warnings += parsed.warnings
        self.partial |= parsed.status not in READABLE
        return list(parsed.blocks)

    def _attachment(self, name: str, part: Store) -> None:
        message = next(part.inside("__substg1.0_3701000D", _EMBEDDED), None)
        if message is not None:
            self._message(name, message)
            return
        children = Children(job=self._job, level=self._level)
        status = children.add(name, part.binary(_FILE))
        self.blocks += children.blocks
        self.warnings += children.warnings
        self.partial |= status not in (ParseStatus.OK, ParseStatus.EMPTY)

    def _message(self, name: str, store: Store) -> None:
        if self._job.depth + self._level > self._job.limits.depth:
            self.warnings.append(f"{name}: lies deeper than {self._job.limits.depth} files inside each other")
            self.partial = True
            return
        inner = _Message(self._job, level=self._level + 1)
        inner.take(store)
        self.blocks.append(heading(name, self._level, part=name))
        self.blocks += [replace(b, part=f"{name} > {b.part}" if b.part else name) for b in inner.blocks]
        self.warnings += [f"{name}: {warning}" for warning in inner.warnings]
        self.partial |= inner.partial


def _head(store: Store) -> Iterator[tuple[str, str]]:
    """The headers that the message travelled with, else what its properties say."""
    travelled = HeaderParser().parsestr(store.text(_TRANSPORT))
    told = {name: header(travelled, name) for name in HEADERS}
    told["Subject"] = " ".join(store.text(_SUBJECT).split()) or told["Subject"]
    told["From"] = told["From"] or _person(store, _SENDER_SMTP, _SENDER_ADDRESS, named=(_SENDER_NAME, _BEHALF))
    sent = store.time(_SENT) or store.time(_DELIVERED)
    told["Date"] = told["Date"] or (f"{sent:%Y-%m-%d %H:%M:%S} UTC" if sent else "")
    people = [(part.number(_ROLE), part) for part in store.inside("__recip_", _PART)]
    for role, name in _ROLES.items():
        listed = ", ".join(filter(None, (_person(p, _SMTP, _ADDRESS, named=(_NAME,)) for r, p in people if r == role)))
        told[name] = told[name] or listed
    yield from told.items()


def _person(store: Store, *addresses: int, named: tuple[int, ...]) -> str:
    name = store.text(*named)
    address = next((found for found in map(store.text, addresses) if "@" in found), "")
    return f"{name} <{address}>" if name and address and name != address else name or address


def _name(part: Store, number: int) -> str:
    name = part.text(_LONG_NAME, _SHORT_NAME, _NAME)
    return safe_name(name) if name else f"attachment-{number}"
