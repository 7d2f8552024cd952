"""Text in pictures, read by a model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import base64
from collections.abc import Mapping

from ricordo.parse.remote import RejectedError, Service, blocks_of, media_type, refused, required
from ricordo.secret import Secret
from ricordo.types import File, Parsed, ParseStatus

PROMPT = (
    "Write down the text that is visible in this picture, and nothing else. Keep its language, its reading order and "
    "its line breaks; write tables as Markdown tables. Put [unreadable] where a part cannot be read."
)


class Transcriber:
    """Asks the endpoint for the text of one picture at a time."""

    def __init__(
        self,
        parser: str,
        *,
        model: str,
        api_key: str | Secret,
        base_url: str,
        prompt: str = PROMPT,
        headers: Mapping[str, str] | None = None,
        backoff: float = 1.0,
    ) -> None:
        _, key, _ = required(parser, ocr_model=model, ocr_api_key=api_key, ocr_base_url=base_url)
        self._parser = parser
        self._model = model
        self._url = f"{base_url.rstrip('/')}/chat/completions"
        self._prompt = prompt
        self._headers = dict(headers or {})
        self._service = Service(
            f"{parser}'s OCR model", key, rejects=(400, 413, 415, 422).__contains__, backoff=backoff
        )

    async def read(self, file: File) -> Parsed:
        """The picture's text as blocks, EMPTY where the model sees none."""
        picture = f"data:{media_type(file)};base64,{base64.b64encode(file.data).decode('ascii')}"
        parts = [{"type": "text", "text": self._prompt}, {"type": "image_url", "image_url": {"url": picture}}]
        body = {"model": self._model, "messages": [{"role": "user", "content": parts}]}
        service = self._service
        try:
            async with service.client() as client:
                client.headers.update(self._headers)
                answer = await service.json(client, "OCR", "POST", self._url, json=body)
        except RejectedError as error:
            return refused(self._parser, ParseStatus.UNSUPPORTED, f"{file.name!r}: {error}")
        choices = service.field(answer, "OCR", "choices")
        first = choices[0] if isinstance(choices, list) and choices else None
        text = service.field(first, "OCR", "message", "content")
        if not isinstance(text, str) or not text.strip():
            return refused(self._parser, ParseStatus.EMPTY, f"the OCR model saw no text in {file.name!r}")
        return Parsed(parser=self._parser, blocks=tuple(blocks_of(text)))
