"""Calls to a parsing service over HTTP: tried again where that may help, and never with the key in an error."""

from __future__ import annotations

import asyncio
import logging
import mimetypes
import time
from collections.abc import Awaitable, Callable
from typing import Any

import httpx

from ricordo.errors import Invalid, ModelFailed, Unavailable, Unreadable
from ricordo.parse.markdown import cut
from ricordo.secret import Secret
from ricordo.types import Block, File, Parsed, ParseStatus

log = logging.getLogger(__name__)

_QUOTED = 300
_LONGEST_WAIT = 60.0


class RejectedError(Exception):
    """The service does not take this file; the message is for the file's status."""


def required(parser: str, **settings: str | Secret) -> list[Secret]:
    """The settings as secrets; Invalid names the first that is missing."""
    for name, value in settings.items():
        if not value:
            raise Invalid(f"the parser {parser!r} needs the setting {name!r}")
    return [value if isinstance(value, Secret) else Secret(value) for value in settings.values()]


def media_type(file: File) -> str:
    return file.media_type or mimetypes.guess_type(file.name)[0] or "application/octet-stream"


def blocks_of(markdown: str, page: int | None = None) -> list[Block]:
    """The blocks of a Markdown text that a service returned, all on one page."""
    return [
        Block(kind=block.kind, text=block.text, level=block.level, page=page)
        for block in cut(f"{markdown.strip()}\n\n")[0]
    ]


def refused(parser: str, status: ParseStatus, reason: str) -> Parsed:
    return Parsed(parser=parser, status=status, warnings=(reason,))


class Service:
    """One service: its key, its patience, and which answers mean that it does not take the file.

    rejects: whether a status of 400..499 is about the file; 401, 403 and 429 never are.
    """

    def __init__(
        self, name: str, key: Secret, *, rejects: Callable[[int], bool], tries: int = 3, backoff: float = 1.0
    ) -> None:
        self.name = name
        self._key = key
        self._rejects = rejects
        self._tries = tries
        self._backoff = backoff

    @property
    def auth(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._key.reveal()}"}

    @staticmethod
    def client() -> httpx.AsyncClient:
        return httpx.AsyncClient(timeout=httpx.Timeout(120.0, connect=30.0), trust_env=False)

    async def json(self, client: httpx.AsyncClient, step: str, method: str, url: str, **body: Any) -> dict[str, Any]:
        """The answer's JSON object; ModelFailed when it is none."""
        response = await self.call(client, step, method, url, headers=self.auth, **body)
        try:
            value = response.json()
        except ValueError as error:
            raise self.malformed(step, response.text) from error
        if not isinstance(value, dict):
            raise self.malformed(step, response.text)
        return value

    async def call(self, client: httpx.AsyncClient, step: str, method: str, url: str, **body: Any) -> httpx.Response:
        """The answer when it is a success; sent again after 429, 5xx and broken connections, then Unavailable."""
        trouble = ""
        for attempt in range(1, self._tries + 1):
            wait = self._backoff * 2 ** (attempt - 1)
            try:
                response = await client.request(method, url, **body)
            except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
                raise ModelFailed(f"{self.name} has an address that cannot be used, at {step}") from error
            except httpx.TransportError as error:
                trouble = type(error).__name__
            else:
                if response.is_success:
                    return response
                trouble = self._judge(step, response)
                wait = _asked_wait(response, wait)
            if attempt < self._tries:
                log.info("%s: %s at %s, try %d of %d", self.name, trouble, step, attempt, self._tries)
                await asyncio.sleep(wait)
        raise Unavailable(f"{self.name} does not answer at {step}: {trouble}, {self._tries} tries")

    def _judge(self, step: str, response: httpx.Response) -> str:
        """What was wrong, where another try may help; raises where it will not."""
        status = response.status_code
        said = f"{status} at {step}: {self._quoted(response.text)}"
        if status == 429 or status >= 500:
            return said
        if status in (401, 403):
            raise Unreadable(f"{self.name} refused the key, check it: {said}")
        if self._rejects(status):
            raise RejectedError(f"{self.name} does not take the file: {said}")
        raise Unreadable(f"{self.name} refused the request: {said}")

    def field(self, answer: Any, step: str, *path: str) -> Any:
        """A value inside an answer; ModelFailed where it is missing."""
        value = answer
        for name in path:
            if not isinstance(value, dict) or value.get(name) is None:
                raise self.malformed(step, f"no {'.'.join(path)} in {answer!r}")
            value = value[name]
        return value

    async def poll(self, file: File, ask: Callable[[], Awaitable[Any]], *, interval: float, patience: float) -> Any:
        """The first answer of `ask` that is not None; Unavailable when there is none in time."""
        deadline = time.monotonic() + patience
        while (answer := await ask()) is None:
            if time.monotonic() >= deadline:
                raise Unavailable(f"{self.name} was not done with {file.name!r} after {patience:g} s")
            await asyncio.sleep(interval)
        return answer

    def malformed(self, step: str, text: str) -> ModelFailed:
        """The error for an answer of another shape than the protocol's."""
        return ModelFailed(f"{self.name} gave an answer that cannot be used at {step}: {self._quoted(text)}")

    def _quoted(self, text: str) -> str:
        return text.replace(self._key.reveal(), "***")[:_QUOTED] or "<empty>"


def _asked_wait(response: httpx.Response, otherwise: float) -> float:
    try:
        return min(max(float(response.headers["Retry-After"]), 0.0), _LONGEST_WAIT)
    except (KeyError, ValueError):
        return otherwise
