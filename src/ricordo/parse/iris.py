"""Files read by Vectorize Iris: an upload link, the bytes to it, an extraction, and its answer."""

from __future__ import annotations

from typing import Any

from ricordo.parse.remote import RejectedError, Service, blocks_of, media_type, refused, required
from ricordo.secret import Secret
from ricordo.types import File, Parsed, ParseStatus

BASE_URL = "https://api.vectorize.io/v1"


class IrisParser:
    """Sends each file to the vendor; what it takes, its answer says.

    poll_interval and timeout, in seconds, are how long an extraction is waited for.
    """

    name = "iris"

    def __init__(
        self,
        *,
        token: str | Secret = "",
        org_id: str = "",
        base_url: str = BASE_URL,
        poll_interval: float = 2.0,
        timeout: float = 300.0,
        backoff: float = 1.0,
    ) -> None:
        key, _ = required(self.name, token=token, org_id=org_id)
        self._service = Service(self.name, key, rejects=lambda status: status < 500, backoff=backoff)
        self._url = f"{base_url.rstrip('/')}/org/{org_id}"
        self._poll_interval = poll_interval
        self._timeout = timeout

    def supports(self, name: str, media_type: str | None) -> bool:  # noqa: ARG002  the protocol's names
        """Always true: only the service knows."""
        return True

    async def convert(self, file: File) -> Parsed:
        """The text that the service read; Unavailable when it does not answer or is not done in time."""
        try:
            data = await self._extract(file)
        except RejectedError as error:
            return refused(self.name, ParseStatus.UNSUPPORTED, f"{file.name!r}: {error}")
        if not data.get("success"):
            reason = f"{self.name} could not read {file.name!r}: {data.get('error') or 'no reason given'}"
            return refused(self.name, ParseStatus.DAMAGED, reason)
        text = data.get("text")
        if not isinstance(text, str) or not text.strip():
            return refused(self.name, ParseStatus.EMPTY, f"{self.name} found no text in {file.name!r}")
        return Parsed(parser=self.name, blocks=tuple(blocks_of(text)))

    async def _extract(self, file: File) -> dict[str, Any]:
        service, kind = self._service, media_type(file)
        async with service.client() as client:
            asked = {"name": file.name, "contentType": kind}
            upload = await service.json(client, "create file", "POST", f"{self._url}/files", json=asked)
            file_id = service.field(upload, "create file", "fileId")
            link = str(service.field(upload, "create file", "uploadUrl"))
            # the link carries its own right to write, and must not see the key
            await service.call(client, "upload", "PUT", link, content=file.data, headers={"Content-Type": kind})
            started = await service.json(
                client, "start extraction", "POST", f"{self._url}/extraction", json={"fileId": file_id}
            )
            extraction = service.field(started, "start extraction", "extractionId")

            async def ask() -> dict[str, Any] | None:
                state = await service.json(client, "poll", "GET", f"{self._url}/extraction/{extraction}")
                if not state.get("ready"):
                    return None
                data = service.field(state, "poll", "data")
                return data if isinstance(data, dict) else {}

            found: dict[str, Any] = await service.poll(file, ask, interval=self._poll_interval, patience=self._timeout)
            return found
