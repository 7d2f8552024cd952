"""Microsoft's markitdown as a parser: in a worker with limits, since it sets itself none."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from importlib.util import find_spec

from ricordo.errors import MissingExtra
from ricordo.parse.isolate import Workers
from ricordo.parse.opening import Order
from ricordo.parse.readers import extension
from ricordo.parse.reading import Limits
from ricordo.parse.vision import PROMPT, Transcriber
from ricordo.secret import Secret
from ricordo.types import File, Parsed, ParseStatus

_READER = "ricordo.parse.markitdown_reader:read"
_PICTURES = frozenset(("jpg", "jpeg", "png"))
_READS = _PICTURES | {
    *("pdf", "docx", "pptx", "xlsx", "xls", "html", "htm", "txt", "text", "md", "markdown", "csv"),
    *("json", "jsonl", "ipynb", "epub", "msg", "zip"),
}


class MarkItDownParser:
    """Markdown as markitdown makes it, without pages. Pictures go to the OCR model, where that is enabled."""

    name = "markitdown"

    def __init__(
        self,
        *,
        ocr_enabled: bool = False,
        ocr_model: str = "",
        ocr_api_key: str | Secret = "",
        ocr_base_url: str = "",
        ocr_prompt: str = PROMPT,
        ocr_default_headers: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        workers: int | None = None,
    ) -> None:
        if find_spec("markitdown") is None:
            raise MissingExtra("the parser 'markitdown' needs its library: pip install 'ricordo[markitdown]'")
        self._ocr = (
            Transcriber(
                self.name,
                model=ocr_model,
                api_key=ocr_api_key,
                base_url=ocr_base_url,
                prompt=ocr_prompt,
                headers=ocr_default_headers,
            )
            if ocr_enabled
            else None
        )
        self._limits = limits or Limits()
        self._workers = Workers(workers)

    def supports(self, name: str, media_type: str | None) -> bool:  # noqa: ARG002  it goes by the name only
        return extension(name) in _READS

    async def convert(self, file: File) -> Parsed:
        """The file's Markdown, cut at its headings; a picture's text, where OCR is enabled."""
        if extension(file.name) in _PICTURES:
            return await self._picture(file)
        order = Order(name=file.name, media_type=file.media_type, limits=self._limits, reader=_READER)
        return await self._workers.read(file.data, order)

    async def _picture(self, file: File) -> Parsed:
        if self._ocr is not None:
            return await self._ocr.read(file)
        reason = f"{file.name!r} is a picture: set ocr_enabled, ocr_model, ocr_api_key and ocr_base_url to read it"
        return Parsed(parser=self.name, status=ParseStatus.NEEDS_OCR, warnings=(reason,))

    async def close(self) -> None:
        """Ends the workers; the next file starts new ones."""
        await asyncio.to_thread(self._workers.close)
