"""The library unstructured as a parser, in a worker with limits."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec

from ricordo.errors import MissingExtra
from ricordo.parse.isolate import Workers
from ricordo.parse.opening import Order
from ricordo.parse.readers import kind_by_name
from ricordo.parse.reading import Limits
from ricordo.types import File, Parsed

_READER = "ricordo.parse.unstructured_reader:read"


class UnstructuredParser:
    """Elements as unstructured finds them. The models that it would fetch must be in place: a worker has no network."""

    name = "unstructured"

    def __init__(self, *, limits: Limits | None = None, workers: int | None = None) -> None:
        if find_spec("unstructured") is None:
            raise MissingExtra("the parser 'unstructured' needs its library: pip install 'ricordo[unstructured]'")
        self._limits = limits or Limits()
        self._workers = Workers(workers)

    def supports(self, name: str, media_type: str | None) -> bool:  # noqa: ARG002  it goes by the name only
        return kind_by_name(name) not in (None, "audio", "encrypted", "mbox")

    async def convert(self, file: File) -> Parsed:
        order = Order(name=file.name, media_type=file.media_type, limits=self._limits, reader=_READER)
        return await self._workers.read(file.data, order)

    async def close(self) -> None:
        """Ends the workers; the next file starts new ones."""
        await asyncio.to_thread(self._workers.close)
