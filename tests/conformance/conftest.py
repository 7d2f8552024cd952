"""Stores of every name that the registry knows, with one bank in them."""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ricordo.registry import load, names
from ricordo.stores.opened import Stores
from ricordo.types import Bank, Kind, Memory

NOON = datetime(2024, 5, 17, 12, tzinfo=UTC)


@pytest.fixture(params=names("store"))
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    opened: Stores = load("store", request.param)(tmp_path / "store")
    await opened.banks.put(Bank(id="bank", created=NOON))
    await opened.banks.put(Bank(id="other", created=NOON))
    yield opened
    assert await opened.records.check() == []
    await opened.close()


@pytest.fixture
async def both(tmp_path: Path) -> AsyncIterator[list[Stores]]:
    """One of each name, the plain one last."""
    opened = [
        load("store", name)(tmp_path / name) for name in sorted(names("store"), key=lambda name: name == "memory")
    ]
    yield opened
    for each in opened:
        await each.close()


@pytest.fixture
def make() -> Callable[..., Memory]:
    """Builds a memory; each that is given no time is a minute later than the one before."""
    count = 0

    def build(id: str, text: str = "", **fields: Any) -> Memory:
        nonlocal count
        count += 1
        time = NOON + timedelta(minutes=count)
        filled = {"bank": "bank", "kind": Kind.SEMANTIC, "text": text or id, "at": time, "created": time}
        return Memory(id=id, **{**filled, **fields})

    return build
