"""Ricordo's own parser: every kind of file in one table, read in worker processes that a bad file cannot harm."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from ricordo.parse.detect import detect, is_plain
from ricordo.parse.isolate import Workers
from ricordo.parse.opening import Order, open_file
from ricordo.parse.outcome import PARSER
from ricordo.parse.readers import extension, kind_by_media_type, kind_by_name
from ricordo.parse.reading import Limits
from ricordo.types import File, Parsed

PLAIN_BYTES = 262_144
"""Up to this size, UTF-8 text, Markdown and code are read in a thread: decoding and cutting need no walls."""


class NativeParser:
    """Reads every kind of `readers.FORMATS`.

    isolate: read in worker processes with limits on time and memory, no socket and no fork; without it a bad file can
    take the process down. workers: how many files are read at once; none means one a core, four at most.
    """

    name = PARSER

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        isolate: bool = True,
        workers: int | None = None,
        ocr_languages: str = "chi_sim+eng",
        speech_model: str | None = None,
        password: str | None = None,
    ) -> None:
        self._order = Order(
            name="",
            password=password,
            limits=limits or Limits(),
            ocr_languages=ocr_languages,
            speech_model=str(Path(speech_model).resolve()) if speech_model else None,
        )
        self._workers = Workers(workers) if isolate else None

    def supports(self, name: str, media_type: str | None) -> bool:
        """True when the name or the media type is in the table, or the name has no extension to tell by."""
        known = kind_by_name(name) or kind_by_media_type(media_type)
        return known is not None or not extension(name) or (media_type or "").startswith("text/")

    async def convert(self, file: File) -> Parsed:
        """The file's blocks, or the status that says why there are none; never raises for what is wrong with it."""
        password = file.password or self._order.password
        order = replace(self._order, name=file.name, media_type=file.media_type, password=password)
        if len(file.data) > order.limits.file_bytes:
            return open_file(file.data, order)
        if self._workers is None or await asyncio.to_thread(_is_trivial, file):
            return await asyncio.to_thread(open_file, file.data, order)
        return await self._workers.read(file.data, order)

    async def close(self) -> None:
        """Ends the workers; the next file starts new ones."""
        if self._workers is not None:
            await asyncio.to_thread(self._workers.close)


def _is_trivial(file: File) -> bool:
    if len(file.data) > PLAIN_BYTES:
        return False
    try:
        file.data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return is_plain(detect(file.name, file.data, file.media_type))
