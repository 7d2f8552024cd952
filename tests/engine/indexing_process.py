"""Indexes a folder, waits for the vectors, and prints what is there; a test kills it on the way."""

import asyncio
import json
import sys
from collections import Counter
from pathlib import Path

from ricordo import Ricordo
from ricordo.types import Kind


async def main(data: str, folder: str) -> None:
    async with Ricordo(data, embedder="hash") as ricordo:
        bank = ricordo.bank("killed")
        print("ready", flush=True)
        report = await bank.index(folder, wait="vectors")
        assert not report.failed, report.failed
        rows = await bank.list(kinds=list(Kind), limit=100_000, order="position", descending=False)
        texts = {}
        for row in rows:
            if row.kind is Kind.CHUNK:
                texts[row.document] = texts.get(row.document, "") + row.text
        documents = {r.id: r for r in rows if r.kind is Kind.DOCUMENT}
        found = {}
        for row in documents.values():
            name = Path(row.data["source"]["path"]).name
            hits = (await bank.search(name.split(".")[0], arms=["words"], limit=50, expand=False)).hits
            found[name] = Counter(documents[h.memory.document].data["source"]["path"] for h in hits)
        stats = await bank.stats()
        print(
            json.dumps(
                {
                    "texts": {Path(documents[d].data["source"]["path"]).name: t for d, t in texts.items()},
                    "ids": len(rows) == len({r.id for r in rows}),
                    "words": {name: dict(counts) for name, counts in found.items()},
                    "covered": [stats.coverage.done, stats.coverage.total, stats.waiting],
                    "wrong": await ricordo.parts.records.check(),
                }
            ),
            flush=True,
        )


asyncio.run(main(*sys.argv[1:]))
