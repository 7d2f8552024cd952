"""Files read by LlamaParse, version 2 of its API: one upload that starts a job, and the job's Markdown by page."""

from __future__ import annotations

import json
from typing import Any

from ricordo.parse.remote import RejectedError, Service, blocks_of, media_type, refused, required
from ricordo.secret import Secret
from ricordo.types import Block, File, Parsed, ParseStatus

BASE_URL = "https://api.cloud.llamaindex.ai/api/v2"

_DONE, _FAILED = "COMPLETED", ("FAILED", "CANCELLED")


class LlamaParseParser:
    """Sends each file to the vendor; only 400, 415 and 422 mean that it does not take the file.

    poll_interval and timeout, in seconds, are how long a job is waited for.
    """

    name = "llama_parse"

    def __init__(
        self,
        *,
        api_key: str | Secret = "",
        base_url: str = BASE_URL,
        tier: str = "cost_effective",
        version: str = "latest",
        poll_interval: float = 2.0,
        timeout: float = 300.0,
        backoff: float = 1.0,
    ) -> None:
        (key,) = required(self.name, api_key=api_key)
        self._service = Service(self.name, key, rejects=(400, 415, 422).__contains__, backoff=backoff)
        self._url = f"{base_url.rstrip('/')}/parse"
        self._configuration = json.dumps({"tier": tier, "version": version})
        self._poll_interval = poll_interval
        self._timeout = timeout

    def supports(self, name: str, media_type: str | None) -> bool:  # noqa: ARG002  the protocol's names
        """Always true: only the service knows."""
        return True

    async def convert(self, file: File) -> Parsed:
        """The pages that the service read; Unavailable when it does not answer or is not done in time."""
        try:
            answer = await self._run(file)
        except RejectedError as error:
            return refused(self.name, ParseStatus.UNSUPPORTED, f"{file.name!r}: {error}")
        job = answer["job"]
        if job["status"] != _DONE:
            reason = (
                f"{self.name} could not read {file.name!r}: {job['status']}, {job.get('error_message') or 'no reason'}"
            )
            return refused(self.name, ParseStatus.DAMAGED, reason)
        return self._parsed(file, answer)

    async def _run(self, file: File) -> dict[str, Any]:
        service = self._service
        async with service.client() as client:
            upload = {"file": (file.name, file.data, media_type(file))}
            started = await service.json(
                client,
                "upload",
                "POST",
                f"{self._url}/upload",
                files=upload,
                data={"configuration": self._configuration},
            )
            job_id = service.field(started, "upload", "id")

            async def ask() -> dict[str, Any] | None:
                state = await service.json(
                    client, "poll", "GET", f"{self._url}/{job_id}", params={"expand": "markdown"}
                )
                ended = service.field(state, "poll", "job", "status") in (_DONE, *_FAILED)
                return state if ended else None

            found: dict[str, Any] = await service.poll(file, ask, interval=self._poll_interval, patience=self._timeout)
            return found

    def _parsed(self, file: File, answer: dict[str, Any]) -> Parsed:
        pages = self._service.field(answer, "result", "markdown", "pages")
        if not isinstance(pages, list) or not all(isinstance(page, dict) for page in pages):
            raise self._service.malformed("result", repr(pages))
        blocks: list[Block] = []
        lost: list[str] = []
        for number, page in enumerate(pages, 1):
            told, text = page.get("page_number"), page.get("markdown")
            at = told if isinstance(told, int) else number
            if page.get("success") is False or not isinstance(text, str):
                lost.append(f"page {at} could not be read: {page.get('error') or 'no reason given'}")
            elif text.strip():
                blocks += blocks_of(text, at)
        if not blocks:
            status = ParseStatus.DAMAGED if lost else ParseStatus.EMPTY
            return refused(self.name, status, "; ".join(lost) or f"{self.name} found no text in {file.name!r}")
        status = ParseStatus.PARTIAL if lost else ParseStatus.OK
        return Parsed(parser=self.name, blocks=tuple(blocks), status=status, warnings=tuple(lost))
