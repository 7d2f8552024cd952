"""Words, vectors and their fusion on the sets of ../shared/eval, without store or model; the cost of the words index.

    python benchmarks/ranking.py [--cost] [SET ...]

Vectors are the packed ones of the sets. Every query sees the items of its own group, as one bank. "bar" is what plain
BM25, a dense arm and an even mix of both were measured at. `--cost` measures CPU time instead: building a segment of
4 MB, questions to 100,000 texts, and texts added one by one.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

EVAL = Path(__file__).resolve().parents[2] / "shared" / "eval"
if not EVAL.is_dir():
    sys.exit(f"nothing to measure: the evaluation sets are not at {EVAL}")
sys.path[:0] = [str(Path(__file__).resolve().parent), str(EVAL)]

import pack_vectors  # noqa: E402 - found by the path above

from corpus import documents  # noqa: E402 - likewise
from quality import read  # noqa: E402 - likewise
from ricordo.rank.fusion import fuse  # noqa: E402 - after the paths
from ricordo.stores.words import Segment, bm25, merge_plan  # noqa: E402 - likewise

SETS = ("zh-cmrc", "en-hotpot", "en-2wiki", "en-musique", "mem-locomo", "mem-beam")
LEFT_OUT = {"adversarial", "summarization", "event-ordering", "instruction-following"}
POOL = 60
BARS = {
    "zh-cmrc": (".984/.902", ".994/.923", ".998/.945"),
    "en-hotpot": (".792/.819", ".800/.821", ".829/.867"),
    "en-2wiki": (".692/.740", ".717/.751", ".730/.784"),
    "en-musique": (".453/.502", ".572/.593", ".531/.580"),
    "mem-locomo": (".480/.422", ".351/.303", ".538/.472"),
    "mem-beam": (".618/.620", "", ""),
}
Scored = list[tuple[str, float]]


def best(scores: Sequence[float], ids: Sequence[str], least: float) -> Scored:
    order = np.argsort(-np.asarray(scores), kind="stable")[:POOL]
    return [(ids[place], float(scores[place])) for place in order if scores[place] > least]


def questions(name: str) -> Iterator[tuple[dict[str, Any], dict[str, Scored]]]:
    """Each question of a set, with what each arm finds for it."""
    items, queries = read(EVAL / name / "corpus.jsonl"), read(EVAL / name / "queries.jsonl")
    packed = pack_vectors.load(EVAL / name) if (EVAL / name / "vectors.npz").exists() else None
    groups: dict[str, list[int]] = defaultdict(list)
    for row, item in enumerate(items):
        groups[item["meta"].get("group", "")].append(row)
    texts = [f"{item['title']}\n{item['text']}" if item.get("title") else item["text"] for item in items]
    segments = {group: Segment.build((row, texts[row]) for row in rows) for group, rows in groups.items()}
    for number, query in enumerate(queries):
        if query["kind"] in LEFT_OUT:
            continue
        group = query["meta"].get("group", "")
        rows = groups[group]
        ids = [items[row]["id"] for row in rows]
        arms = {"words": best(bm25([(segments[group], np.arange(len(rows)))], query["text"], len(rows)), ids, 0.0)}
        if packed:
            arms["vectors"] = best(packed[0][rows] @ packed[1][number], ids, -1.0)
        yield query, arms


def measured(ranked: Sequence[str], relevant: Sequence[str]) -> tuple[float, float, float]:
    """recall@1, recall@5 and nDCG@10, as score.py defines them."""
    gains = [id in relevant for id in ranked[:10]]
    discounts = 1 / np.log2(np.arange(2, 12))
    ideal = discounts[: min(len(relevant), 10)].sum()
    return (
        sum(gains[:1]) / len(relevant),
        sum(gains[:5]) / len(relevant),
        float(discounts[: len(gains)][gains].sum() / ideal),
    )


def quality(names: Sequence[str]) -> None:
    print(f"{'set':12}{'arm':10}{'recall@1':>10}{'recall@5':>10}{'nDCG@10':>10}   bar (recall@5/nDCG@10)")
    for name in names:
        rows: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
        for query, arms in questions(name):
            for arm, found in arms.items():
                rows[arm].append(measured([id for id, _ in found], query["relevant"]))
            if len(arms) > 1:
                rows["fused"].append(measured([one.id for one in fuse(arms)], query["relevant"]))
        for (arm, values), bar in zip(rows.items(), BARS[name], strict=False):
            print(f"{name:12}{arm:10}" + "".join(f"{mean:10.3f}" for mean in np.mean(values, axis=0)) + f"   {bar}")


def cpu(work: Callable[[], object]) -> tuple[float, Any]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def cost() -> None:
    chunks = [text[at : at + 200] for _, text in documents() for at in range(0, len(text), 200)]
    took, segment = cpu(lambda: Segment.build(enumerate(chunks)))
    print(f"build {len(chunks):,} chunks of 4 MB: {took:.2f} s; dumped {len(segment.dump()) / 1e6:.1f} MB")

    many = [f"{chunks[n % len(chunks)]} {n}" for n in range(100_000)]
    large = Segment.build(enumerate(many))
    asked = [query["text"] for name in SETS for query in read(EVAL / name / "queries.jsonl")[:50]]
    times = [cpu(lambda text=text: bm25([(large, large.docs)], text, len(large)))[0] * 1e3 for text in asked]
    print(f"ask 100,000 texts: mean {np.mean(times):.2f} ms, 95th percentile {np.quantile(times, 0.95):.2f} ms")

    segments: list[Segment] = []

    def add_one_by_one() -> int:
        most = 0
        for row, text in enumerate(chunks[:10_000]):
            segments.append(Segment.build([(row, text)]))
            while plan := merge_plan(list(map(len, segments))):
                segments[plan.start :] = [Segment.merge(segments[plan.start :], np.arange(row + 1))]
            most = max(most, len(segments))
        return most

    took, most = cpu(add_one_by_one)
    print(f"add 10,000 one by one: {took / 10:.2f} ms each with merging, never more than {most} segments")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sets", nargs="*", default=SETS, metavar="SET", help=f"of {', '.join(SETS)}")
    parser.add_argument("--cost", action="store_true", help="measure CPU time instead")
    options = parser.parse_args()
    cost() if options.cost else quality(options.sets)
