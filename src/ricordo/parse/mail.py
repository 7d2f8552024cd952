"""Mails and mailboxes: headers, one body, attachments read as files of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from email.message import Message
from email.parser import BytesParser

from ricordo.parse.blocks import heading
from ricordo.parse.decode import clean
from ricordo.parse.html import decoded_page, page
from ricordo.parse.mail_words import HEADERS, body, charset, filename, header, header_block, payload, unflowed
from ricordo.parse.nested import Children, safe_name
from ricordo.parse.outcome import finish, reader
from ricordo.parse.reading import Exceeded, Job
from ricordo.parse.text import source
from ricordo.types import Block, BlockKind, Parsed, ParseStatus

_BOX = re.compile(rb"^From [^\r\n]*\r?\n(?=[\w-]+:)", re.MULTILINE)
_STUB = 200
_UNSAID = (ParseStatus.OK, ParseStatus.EMPTY)


@reader
def read(data: bytes, job: Job) -> Parsed:
    """One mail, or every mail of a mailbox as a part of its own."""
    if job.kind == "mbox":
        return _mailbox(data, job)
    message = BytesParser().parsebytes(data.removeprefix(b"\xef\xbb\xbf"))
    reading = _Reading(job, level=1)
    reading.take(message)
    return finish(
        reading.blocks, job, title=header(message, "Subject"), warnings=reading.warnings, partial=reading.partial
    )


def _mailbox(data: bytes, job: Job) -> Parsed:
    starts = [found.start() for found in _BOX.finditer(data)]
    if len(starts) > job.limits.entries:
        raise Exceeded(f"{job.name!r} holds more than {job.limits.entries} mails")
    blocks: list[Block] = []
    warnings: list[str] = []
    partial = False
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(data)], strict=True), 1):
        raw = data[start:end].partition(b"\n")[2]
        message = BytesParser().parsebytes(re.sub(rb"^>(>*From )", rb"\1", raw, flags=re.MULTILINE))
        reading = _Reading(job, level=2)
        reading.take(message)
        part = f"message {number}"
        blocks.append(heading(header(message, "Subject") or part, 1, part=part))
        blocks += [replace(block, part=f"{part} > {block.part}" if block.part else part) for block in reading.blocks]
        warnings += [f"{part}: {warning}" for warning in reading.warnings]
        partial |= reading.partial
    return finish(blocks, job, warnings=warnings, partial=partial)


class _Reading:
    """One mail being taken apart."""

    def __init__(self, job: Job, *, level: int) -> None:
        self.blocks: list[Block] = []
        self.warnings: list[str] = []
        self.partial = False
        self._children = Children(job=job, level=level)
        self._bodies: list[Message] = []
        self._files: list[tuple[str, Message]] = []

    def take(self, message: Message) -> None:
        for part in _shown(message):
            name = filename(part)
            attached = part.get_content_disposition() == "attachment"
            if part.get_content_type() == "message/rfc822" or name or attached or part.get_content_maintype() != "text":
                self._files.append((safe_name(name) if name else _made_up_name(part, len(self._files) + 1), part))
            else:
                self._bodies.append(part)
        fields = [(name, header(message, name)) for name in HEADERS]
        fields.append(("Attachments", ", ".join(name for name, _ in self._files)))
        self.blocks.append(header_block(fields))
        for part in self._bodies:
            self._body(part)
        for name, part in self._files:
            self._file(name, part)
        self.blocks += self._children.blocks
        self.warnings += self._children.warnings

    def _body(self, part: Message) -> None:
        if part.get_content_subtype() == "html":
            decoded = decoded_page(payload(part), charset(part))
            blocks, _, warnings = page(decoded.text)
            self.warnings += warnings
        else:
            decoded = body(part)
            blocks = source(unflowed(part, clean(decoded.text)).strip("\n") + "\n\n")
        self.blocks += blocks
        self.warnings += decoded.warnings
        self.partial |= bool(decoded.damaged)

    def _file(self, name: str, part: Message) -> None:
        if self._children.full:
            return
        inner = part.get_payload()
        if part.get_content_type() == "message/rfc822" and isinstance(inner, list) and inner:
            data = bytes(inner[0]) if isinstance(inner[0], Message) else b""
        else:
            data = payload(part)
        before = len(self._children.warnings)
        status = self._children.add(name, data)
        if (
            status is ParseStatus.NEEDS_OCR
            and part.get("content-id")
            and part.get_content_disposition() != "attachment"
        ):
            del self._children.warnings[before:]  # a picture inside the body, most often a logo
            self.blocks.append(Block(kind=BlockKind.PICTURE, text=name, part=name))
        else:
            self.partial |= status not in _UNSAID


def _shown(message: Message) -> Iterator[Message]:
    """The leaf parts that count: of alternatives one, plain text if it says as much as the others."""
    waiting = [message]
    while waiting:
        part = waiting.pop()
        inner = part.get_payload()
        if part.get_content_type() == "message/rfc822" or not isinstance(inner, list):
            yield part
            continue
        parts = [each for each in inner if isinstance(each, Message)]
        if part.get_content_type() == "multipart/alternative" and parts:
            parts = _alternative(parts)
        waiting += reversed(parts)


def _alternative(parts: list[Message]) -> list[Message]:
    """The best text, and whatever is attached to one of the others."""
    plain = next((part for part in parts if part.get_content_type() == "text/plain"), None)
    rich = next((part for part in parts if _holds_html(part)), None)
    chosen = plain or rich or parts[0]
    if plain is not None and rich is not None and _is_stub(payload(plain), rich):
        chosen = rich
    if chosen is plain and rich is not None and rich.is_multipart():
        return [
            plain,
            *(each for each in rich.walk() if not each.is_multipart() and each.get_content_maintype() != "text"),
        ]
    return [chosen]


def _holds_html(part: Message) -> bool:
    return any(inner.get_content_type() == "text/html" for inner in part.walk())


def _is_stub(plain: bytes, rich: Message) -> bool:
    """A plain part that only says: this is an HTML mail."""
    if len(plain.strip()) >= _STUB:
        return False
    html = next(inner for inner in rich.walk() if inner.get_content_type() == "text/html")
    blocks, _, _ = page(decoded_page(payload(html), charset(html)).text)
    return sum(len(block.text) for block in blocks) > 5 * len(plain.strip())


def _made_up_name(part: Message, number: int) -> str:
    if part.get_content_type() == "message/rfc822":
        inner = part.get_payload()
        subject = header(inner[0], "Subject") if isinstance(inner, list) and isinstance(inner[0], Message) else ""
        return f"{safe_name(subject)[:80]}.eml" if subject else f"message-{number}.eml"
    return f"part-{number}.{part.get_content_subtype().rpartition('-')[2]}"
