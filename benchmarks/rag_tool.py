"""Recall through RAGTool beside the engine's own, and what its actions cost, on zh-cmrc of ../shared/eval.

    python benchmarks/rag_tool.py [--embedder NAME] [--limit N]

Both sides hold the same texts, whole, and are asked the same questions. Times are CPU seconds of this process.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

EVAL = Path(__file__).resolve().parents[2] / "shared" / "eval" / "zh-cmrc"
K = 5


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (EVAL / f"{name}.jsonl").read_text("utf-8").splitlines()]


def recall_of(search: Callable[[str], list[str]], queries: list[dict[str, Any]]) -> tuple[float, float]:
    """recall@5 and the median CPU milliseconds of a search."""
    found, costs = [], []
    for query in queries:
        began = time.process_time()
        ids = search(query["text"])[:K]
        costs.append(time.process_time() - began)
        found.append(len(set(ids) & set(query["relevant"])) / len(query["relevant"]))
    return statistics.fmean(found), statistics.median(costs) * 1000


def through_engine(folder: Path, corpus: list[dict[str, Any]], *, whole: bool) -> Callable[[str], list[str]]:
    """The engine's own search; whole: with the chunks that RAGTool asks for, else with the engine's."""
    from hello_agents.memory.rag.library import cutting
    from ricordo import Item, Ricordo

    strategy = cutting(800, 100) if whole else None
    bank = Ricordo(folder).bank("corpus").sync
    items = [Item(content=row["text"], document=row["id"], strategy=strategy) for row in corpus]
    stored = bank.add(items, wait="vectors")
    names = {id: row["id"] for row, outcome in zip(corpus, stored.outcomes, strict=True) for id in outcome.memories}
    return lambda text: [names[hit.memory.id] for hit in bank.search(text, limit=K).hits]


def through_tool(folder: Path, corpus: list[dict[str, Any]]) -> Callable[[str], list[str]]:
    from hello_agents.tools import RAGTool

    rag = RAGTool(str(folder))
    rag.add_texts_batch([row["text"] for row in corpus], document_ids=[row["id"] for row in corpus])
    return lambda text: [hit["metadata"]["document_id"] for hit in rag.search(text, limit=K, min_score=0.0)["results"]]


SIDES = {
    "engine, chunks of 200 characters in sections": partial(through_engine, whole=False),
    "engine, chunks of 800 tokens": partial(through_engine, whole=True),
    "RAGTool": through_tool,
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--embedder", default="hash")
    options.add_argument("--limit", type=int, help="ask only so many questions")
    given = options.parse_args()
    if not EVAL.is_dir():
        sys.exit(f"the set is not there: {EVAL}")
    os.environ["RICORDO_EMBEDDER"] = given.embedder
    corpus, queries = read("corpus"), read("queries")[: given.limit]
    with tempfile.TemporaryDirectory() as folder:
        for name, opened in SIDES.items():
            began = time.process_time()
            with contextlib.redirect_stdout(sys.stderr):
                search = opened(Path(folder) / name, corpus)
            each = (time.process_time() - began) / len(corpus) * 1000
            recall, cost = recall_of(search, queries)
            print(f"{name}: recall@{K} {recall:.4f}, {each:.2f} CPU ms a text, {cost:.1f} a search", flush=True)


if __name__ == "__main__":
    main()
