"""Retrieval quality through the public API, on the sets of ../shared/eval.

    python benchmarks/quality.py [SET ...] [--data DIR] [--embedder NAME] [--runs DIR]

Every corpus goes in as a user would give it (text, time, speaker and session), every query is asked in its
group's bank. The vectors stay in --data, so that a second run only asks. Scores come from ../shared/eval/score.py.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ricordo import Item, Ricordo

EVAL = Path(__file__).resolve().parents[2] / "shared" / "eval"
BATCH = 500


def read(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def item_of(row: dict[str, Any]) -> Item:
    meta = row["meta"]
    at = datetime.fromisoformat(meta["time"]).replace(tzinfo=UTC) if meta.get("time") else None
    data = {name: meta[name] for name in ("speaker", "doc", "pos") if name in meta}
    return Item(content=row["text"], context=row.get("title", ""), session=meta.get("session"), at=at, data=data)


async def run_set(ricordo: Ricordo, name: str) -> tuple[dict[str, list[str]], list[float], list[float]]:
    corpus, queries = read(EVAL / name / "corpus.jsonl"), read(EVAL / name / "queries.jsonl")
    groups = defaultdict(list)
    for row in corpus:
        groups[row["meta"].get("group", "all")].append(row)
    origin: dict[str, dict[str, list[str]]] = {}
    adds = []
    for group, rows in groups.items():
        bank = ricordo.bank(f"{name} {group}")
        named = origin[group] = defaultdict(list)
        for start in range(0, len(rows), BATCH):
            batch = rows[start : start + BATCH]
            began = time.process_time()
            stored = await bank.add([item_of(row) for row in batch], wait=None)
            adds.append((time.process_time() - began) / len(batch))
            for row, outcome in zip(batch, stored.outcomes, strict=True):
                named[outcome.memories[0]].append(row["id"])
            await bank.wait()
        print(f"{name} {group}: {len(rows)} items", file=sys.stderr)
    runs, asks = {}, []
    for query in queries:
        group = query["meta"].get("group", "all")
        began = time.process_time()
        found = await ricordo.bank(f"{name} {group}").search(query["text"], limit=10, expand=False)
        asks.append(time.process_time() - began)
        ids = [id for hit in found.hits for memory in (hit.memory.id, *hit.also) for id in origin[group][memory]]
        runs[query["id"]] = ids[:10]
    return runs, adds, asks


async def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("sets", nargs="*")
    options.add_argument("--data", type=Path, default=Path(".benchmarks/quality"))
    options.add_argument("--embedder", default="default")
    options.add_argument("--runs", type=Path, default=Path(".benchmarks/runs"))
    given = options.parse_args()
    if not EVAL.is_dir():
        sys.exit(f"the sets are not there: {EVAL}")
    given.runs.mkdir(parents=True, exist_ok=True)
    async with Ricordo(given.data / given.embedder, embedder=given.embedder) as ricordo:
        for name in given.sets or sorted(p.parent.name for p in EVAL.glob("*/corpus.jsonl")):
            runs, adds, asks = await run_set(ricordo, name)
            (given.runs / f"{name}.json").write_text(json.dumps(runs), "utf-8")
            cost = f"{statistics.median(adds) * 1000:.2f} CPU ms an item, {statistics.median(asks) * 1000:.1f} a query"
            print(f"{name}: {cost} (embedding of the query included)", flush=True)
    subprocess.run([sys.executable, EVAL / "score.py", given.runs, "--by-kind"], check=True)
    print("\nby session:")
    subprocess.run([sys.executable, EVAL / "score.py", given.runs, "--by-session"], check=True)


if __name__ == "__main__":
    asyncio.run(main())
