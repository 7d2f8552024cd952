"""Read, compute and write again, when another writer came in between."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from ricordo.errors import Changed

Result = TypeVar("Result")

TRIES = 20


async def retrying(work: Callable[[], Awaitable[Result]]) -> Result:
    """What the work gives, which reads anew each time that it finds itself overtaken."""
    for _ in range(TRIES - 1):
        try:
            return await work()
        except Changed:
            continue
    return await work()
