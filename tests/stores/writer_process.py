"""Writes memories to a store until told to stop or killed, one line a memory that was acknowledged."""

import asyncio
import sys
from pathlib import Path

from ricordo.registry import load
from ricordo.types import Changes, Kind, Memory, now


async def main(folder: str, name: str, count: int, batch: int) -> None:
    stores = load("store", "sqlite")(Path(folder))
    for start in range(0, count, batch):
        time = now()
        put = tuple(
            Memory(
                id=f"{name}-{n}",
                bank="bank",
                kind=Kind.SEMANTIC,
                text=f"memory {n} of {name}",
                at=time,
                created=time,
                tags=(name,),
            )
            for n in range(start, min(start + batch, count))
        )
        await stores.records.write(Changes(bank="bank", put=put, spaces=("space",)))
        for memory in put:
            print(memory.id, flush=True)
    await stores.close()


asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
