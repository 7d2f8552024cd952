"""One OpenAI-compatible server over HTTP: a client per event loop, retries, and errors that say what to do."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import httpx

from ricordo.errors import Invalid, ModelFailed, RicordoError, TooLarge, Unavailable
from ricordo.secret import Secret
from ricordo.types import Json

T = TypeVar("T")

LONGEST_WAIT = 60.0
_RETRY = {408, 425, 429, 500, 502, 503, 504}
_CANNOT = re.compile(r"requires --|not supported|unsupported|does not support", re.IGNORECASE)
"""A fault of the server's own that no further try would change: it was started without what is asked of it."""
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_PASTED = ("/embeddings", "/chat/completions")
_TOO_LONG = re.compile(
    r"too large to process|context (size|length|window)|maximum (context|model) length|input is too long"
    r"|less than \d+ tokens|too many tokens|maximum (number of )?tokens",
    re.IGNORECASE,
)
_LIMIT = re.compile(r"(?:batch size|context size|context length|model length|less than)\D{0,20}(\d+)", re.IGNORECASE)


class Refused(ModelFailed):
    """The server understood the request and will not serve it; `detail` is what it said."""

    def __init__(self, message: str, detail: str) -> None:
        super().__init__(message)
        self.detail = detail


class TooLong(TooLarge):
    """An input is over what the server takes at once; `limit` is its number of tokens, where the server told it."""

    def __init__(self, message: str, limit: int | None) -> None:
        super().__init__(message)
        self.limit = limit


class _Again(Exception):
    def __init__(self, final: RicordoError, wait: float = 0.0) -> None:
        super().__init__(str(final))
        self.final = final
        self.wait = wait


@dataclass(slots=True)
class _Session:
    client: httpx.AsyncClient
    turns: asyncio.Semaphore
    life: AsyncGenerator[httpx.AsyncClient, None]


_connected: set[Endpoint] = set()
"""Kept from the garbage collector, which would break connections off: each event loop closes its own as it ends."""


class Endpoint:
    """`retries` counts further tries after the first; `backoff` is the seconds before the first of them, at most."""

    def __init__(
        self,
        url: str,
        key: Secret | str | None,
        *,
        timeout: float,
        retries: int = 3,
        concurrency: int = 4,
        backoff: float = 0.5,
    ) -> None:
        self._url = _base(url)
        self._key = key if isinstance(key, Secret) else Secret(key or "")
        self._timeout = timeout
        self._retries = retries
        self._concurrency = concurrency
        self._backoff = backoff
        self._sessions: dict[asyncio.AbstractEventLoop, _Session] = {}
        self.shown = str(self._url.copy_with(username=None, password=None, query=None))

    async def post(self, path: str, body: Json) -> Any:
        """The parsed JSON of the answer."""

        async def attempt() -> Any:
            session = await self._session()
            async with session.turns:
                response = await self._send(session, path, body)
            try:
                return response.json()
            except ValueError as error:
                raise _Again(ModelFailed(f"{self.shown} answered with something that is not JSON: {error}")) from error

        return await self._try(attempt)

    @asynccontextmanager
    async def lines(self, path: str, body: Json) -> AsyncIterator[AsyncIterator[str]]:
        """The lines of an answer as they arrive; Unavailable when the connection breaks."""
        session = await self._session()
        async with session.turns:
            response = await self._try(lambda: self._send(session, path, body, stream=True))
            try:
                yield response.aiter_lines()
            except httpx.TransportError as error:
                raise self._broken(error) from error
            finally:
                await response.aclose()

    async def close(self) -> None:
        """Closes this event loop's connections; asyncio.run closes them too when it ends."""
        session = self._sessions.get(asyncio.get_running_loop())
        if session:
            await session.life.aclose()

    async def _session(self) -> _Session:
        loop = asyncio.get_running_loop()
        if loop not in self._sessions:
            for closed in [known for known in self._sessions if known.is_closed()]:
                del self._sessions[closed]
            life = self._life(loop)
            self._sessions[loop] = _Session(await anext(life), asyncio.Semaphore(self._concurrency), life)
            _connected.add(self)
        return self._sessions[loop]

    async def _life(self, loop: asyncio.AbstractEventLoop) -> AsyncGenerator[httpx.AsyncClient, None]:
        """A client that lives as long as this generator, which the loop closes when it shuts down."""
        try:
            async with httpx.AsyncClient(
                timeout=httpx.Timeout(self._timeout, connect=min(self._timeout, 10.0)),
                headers={"Authorization": f"Bearer {self._key.reveal()}"} if self._key else {},
                trust_env=self._url.host not in _LOOPBACK,
                verify=self._url.scheme == "https",
            ) as client:
                yield client
        finally:
            self._sessions.pop(loop, None)
            if not self._sessions:
                _connected.discard(self)

    async def _send(self, session: _Session, path: str, body: Json, *, stream: bool = False) -> httpx.Response:
        url = self._url.copy_with(path=f"{self._url.path}/{path}")
        request = session.client.build_request("POST", url, json=body)
        try:
            response = await session.client.send(request, stream=stream)
            if response.is_success:
                return response
            await response.aread()
        except httpx.TransportError as error:
            raise _Again(self._broken(error)) from error
        await response.aclose()
        raise self._refusal(response)

    async def _try(self, attempt: Callable[[], Awaitable[T]]) -> T:
        tries = 0
        while True:
            try:
                return await attempt()
            except _Again as again:
                tries += 1
                if tries > self._retries or again.wait > LONGEST_WAIT:
                    raise again.final from again.__cause__
                jitter = random.uniform(0.5, 1.0)  # noqa: S311 - only spreads the load
                await asyncio.sleep(max(again.wait, min(LONGEST_WAIT, self._backoff * 2 ** (tries - 1) * jitter)))

    def _broken(self, error: httpx.TransportError) -> Unavailable:
        what = f"{type(error).__name__}: {self._hide(str(error))}".rstrip(": ")
        return Unavailable(f"{self.shown} does not answer ({what}): is the server running, and is the URL right?")

    def _refusal(self, response: httpx.Response) -> RicordoError | _Again:
        detail = self._hide(_said(response))
        what = f"{self.shown} refused the request (HTTP {response.status_code}: {detail})"
        if _TOO_LONG.search(detail):
            limit = _LIMIT.search(detail)
            return TooLong(what, int(limit[1]) if limit else None)
        if response.status_code in _RETRY and not (response.status_code == 500 and _CANNOT.search(detail)):
            return _Again(Unavailable(f"{what}; tried {self._retries + 1} times, try again later"), _wait(response))
        advice = {401: "check the key", 403: "check the key's rights", 404: "check the URL and the model's name"}
        return Refused(f"{what}; {advice.get(response.status_code, 'check the model and the settings')}", detail)

    def _hide(self, text: str) -> str:
        return text.replace(self._key.reveal(), "***") if self._key else text


def _base(url: str) -> httpx.URL:
    try:
        base = httpx.URL(url.strip())
    except httpx.InvalidURL as error:
        raise Invalid(f"the model's URL cannot be read ({error}); give one such as http://127.0.0.1:8080/v1") from error
    if base.scheme not in ("http", "https") or not base.host:
        raise Invalid("the model's URL must begin with http:// or https:// and a host, as in http://127.0.0.1:8080/v1")
    path = base.path.rstrip("/")
    for ending in _PASTED:
        path = path.removesuffix(ending)
    return base.copy_with(path=path or "/v1")


def _said(response: httpx.Response) -> str:
    try:
        body = response.json()
    except ValueError:
        return response.text[:300].strip() or "no explanation"
    for name in ("error", "message", "detail"):
        found = body.get(name) if isinstance(body, dict) else None
        if found:
            return str(found.get("message", found) if isinstance(found, dict) else found)[:300]
    return str(body)[:300]


def _wait(response: httpx.Response) -> float:
    """Seconds that the server asks to wait, as a number or as a date."""
    asked = response.headers.get("retry-after", "").strip()
    try:
        return max(0.0, float(asked))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(asked) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return 0.0
