"""Recall at 1,000, 10,000 and 100,000 memories, all arms, with and without filters, beside other stores in one run.

    python benchmarks/recall.py [--sizes 1000 10000 100000] [--peer-python PYTHON]

PYTHON is that of an environment with qdrant-client and chromadb; without it only Ricordo is measured. Texts are
sentences recombined from ../shared/eval, the embedder is the free one. CPU milliseconds of the whole process: p50 over
the queries, beside the embedder and with it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]

from corpus import CHINESE_PARTS, ENGLISH, EVAL, paragraphs  # noqa: E402 - the folder is put on the path above
from ricordo.models.hashing import HashEmbedder  # noqa: E402

QUERIES = 60
START = datetime(2025, 1, 1, tzinfo=UTC)


def sentences(count: int) -> list[str]:
    dice = random.Random(count)
    pool = [p for name in ENGLISH for p in paragraphs(name)] + paragraphs("zh-cmrc") * CHINESE_PARTS
    parts = [s.strip() for p in pool for s in p.replace("。", "。\n").replace(". ", ".\n").split("\n") if len(s) > 15]
    return [f"{dice.choice(parts)} {dice.choice(parts)} ({n})"[:300] for n in range(count)]


def questions(texts: list[str]) -> list[str]:
    dice = random.Random(7)
    return [dice.choice(texts)[:40] for _ in range(QUERIES)]


def milliseconds(took: list[float]) -> float:
    return round(statistics.median(took) * 1000, 2)


def memory_mb() -> float:
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


async def timed(ask: Callable[[str], Awaitable[Any]], asked: list[str]) -> float:
    await ask(asked[0])
    took = []
    for question in asked:
        began = time.process_time()
        await ask(question)
        took.append(time.process_time() - began)
    return milliseconds(took)


async def ricordo_side(size: int, data: Path) -> dict[str, Any]:
    from ricordo import Item, Ricordo

    texts = sentences(size)
    asked = questions(texts)
    items = [
        Item(content=t, tags=(f"user{n % 50}",), at=START + timedelta(minutes=n), data={"n": n % 10})
        for n, t in enumerate(texts)
    ]
    hashing = HashEmbedder()
    embedding = await timed(lambda q: hashing.embed([q], query=True), asked)
    async with Ricordo(data, embedder="hash") as ricordo:
        bank = ricordo.bank("b")
        began = time.process_time()
        for start in range(0, size, 1000):
            await bank.add(items[start : start + 1000])
            await bank.wait()
        added = (time.process_time() - began) / size * 1000
        one = []
        for n in range(50):
            began = time.process_time()
            await bank.add(f"one more remark, number {n}, added by itself")
            one.append(time.process_time() - began)
        await bank.wait()
    async with Ricordo(data, embedder="hash") as ricordo:
        bank = ricordo.bank("b")
        began = time.process_time()
        await bank.search(asked[0])
        cold = time.process_time() - began
        wide = {"since": START, "until": START + timedelta(minutes=size // 5)}
        rows = {
            "all arms": await timed(bank.search, asked),
            "a fifth of the time": await timed(lambda q: bank.search(q, **wide), asked),
            "one tag of fifty": await timed(lambda q: bank.search(q, tags=["user7"]), asked),
            "a value in the data": await timed(lambda q: bank.search(q, where={"n": 3}), asked),
        }
        with_embedder = rows["all arms"]
        rows = {name: round(value - embedding, 2) for name, value in rows.items()}
    return {
        **rows,
        "all arms, embedder included": with_embedder,
        "add in batches, a memory": round(added, 3),
        "add one": milliseconds(one),
        "first search after opening": round(cold * 1000, 1),
        "peak MB": memory_mb(),
    }


async def qdrant_side(size: int, _: Path) -> dict[str, Any]:
    from qdrant_client import QdrantClient, models

    texts, hashing = sentences(size), HashEmbedder()
    asked = questions(texts)
    client = QdrantClient(":memory:")
    client.create_collection("c", models.VectorParams(size=384, distance=models.Distance.COSINE))
    for start in range(0, size, 1000):
        vectors = await hashing.embed(texts[start : start + 1000])
        points = [
            models.PointStruct(id=start + n, vector=v.tolist(), payload={"user": f"user{(start + n) % 50}"})
            for n, v in enumerate(vectors)
        ]
        client.upsert("c", points)
    queries = dict(zip(asked, (await hashing.embed(asked)).tolist(), strict=True))
    only = models.Filter(must=[models.FieldCondition(key="user", match=models.MatchValue(value="user7"))])

    async def plain(question: str) -> Any:
        return client.query_points("c", query=queries[question], limit=10)

    async def filtered(question: str) -> Any:
        return client.query_points("c", query=queries[question], limit=10, query_filter=only)

    return {
        "all arms": await timed(plain, asked),
        "one tag of fifty": await timed(filtered, asked),
        "peak MB": memory_mb(),
    }


async def chroma_side(size: int, data: Path) -> dict[str, Any]:
    import chromadb

    texts, hashing = sentences(size), HashEmbedder()
    asked = questions(texts)
    collection = chromadb.PersistentClient(str(data)).create_collection("memories", metadata={"hnsw:space": "cosine"})
    for start in range(0, size, 1000):
        part = texts[start : start + 1000]
        collection.add(
            ids=[str(start + n) for n in range(len(part))],
            documents=part,
            embeddings=await hashing.embed(part),
            metadatas=[{"user": f"user{(start + n) % 50}"} for n in range(len(part))],
        )
    queries = dict(zip(asked, (await hashing.embed(asked)).tolist(), strict=True))

    async def plain(question: str) -> Any:
        return collection.query(query_embeddings=[queries[question]], n_results=10)

    async def filtered(question: str) -> Any:
        return collection.query(query_embeddings=[queries[question]], n_results=10, where={"user": "user7"})

    return {
        "all arms": await timed(plain, asked),
        "one tag of fifty": await timed(filtered, asked),
        "peak MB": memory_mb(),
    }


SIDES = {"ricordo": ricordo_side, "qdrant-client local": qdrant_side, "chroma": chroma_side}
LARGEST = {"qdrant-client local": 10_000}
"""Where a peer would need many minutes."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    options.add_argument("--peer-python")
    options.add_argument("--side", choices=SIDES, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.side:
        with tempfile.TemporaryDirectory() as data:
            print(json.dumps(asyncio.run(SIDES[given.side](given.sizes[0], Path(data)))))
        return
    if not EVAL.is_dir():
        sys.exit(f"the texts are made from sets that are not there: {EVAL}")
    print("CPU ms, p50; qdrant-client and chroma answer by vectors alone\n")
    for size in given.sizes:
        sides = [s for s in SIDES if s == "ricordo" or (given.peer_python and size <= LARGEST.get(s, size))]
        results = {}
        for side in sides:
            python = sys.executable if side == "ricordo" else given.peer_python
            command = [python, __file__, "--side", side, "--sizes", str(size)]
            results[side] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        print(f"| {size:,} memories | {' | '.join(sides)} |\n|---|{'---|' * len(sides)}")
        for row in results["ricordo"]:
            print(f"| {row} | {' | '.join(str(results[side].get(row, '')) for side in sides)} |")
        print(flush=True)


if __name__ == "__main__":
    main()
