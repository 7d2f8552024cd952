"""The memory tool beside the PyPI package hello-agents 0.2.0, and its recall beside the engine's own.

    python benchmarks/memory_tool.py [--peer-python PYTHON] [--sizes N ...] [--kinds KIND ...]
                                     [--sets SET ...] [--embedder NAME]

The peer lives in a virtual environment of its own, made by `pip install hello-agents==0.2.0 qdrant-client==1.15.1`;
without --peer-python only ours is measured. Costs are CPU time. Sets are those of ../shared/eval.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

EVAL = Path(__file__).resolve().parents[2] / "shared" / "eval"
SIDE = Path(__file__).with_name("memory_side.py")


def side(python: str, *arguments: object) -> dict[str, float]:
    command = [python, str(SIDE), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    found: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def compare(pythons: dict[str, str], sizes: list[int], kinds: list[str], folder: Path) -> None:
    table: dict[str, dict[str, float]] = defaultdict(dict)
    for name, python in pythons.items():
        runs = [side(python, name, folder, "import", "-", 0) for _ in range(3)]
        for figure in ("import_s", "tool_import_s"):
            table[figure][name] = min(run[figure] for run in runs)
        for kind in kinds:
            for size in sizes:
                place = folder / f"{name}-{kind}-{size}"
                for phase in ("fill", "again"):
                    for figure, value in side(python, name, place, phase, kind, size).items():
                        table[f"{kind} {size} {'after restart ' if phase == 'again' else ''}{figure}"][name] = value
                print(f"{name} {kind} {size} done", file=sys.stderr, flush=True)
    print(f"{'':44}" + "".join(f"{name:>12}" for name in pythons) + ("       ratio" if len(pythons) > 1 else ""))
    for figure, values in table.items():
        line = f"{figure:44}" + "".join(f"{values.get(name, float('nan')):12.3f}" for name in pythons)
        if len(values) > 1 and figure.endswith(("_ms", "_s")):
            line += f"{values['peer'] / values['ours']:11.1f}x"
        print(line)


def read(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def recall_of(name: str, fill: Callable[..., dict[str, str]], ask: Callable[[str, str], list[str]]) -> float:
    """Recall at 5 over a set; `fill` gives the ids of the corpus by what the store calls them."""
    groups = defaultdict(list)
    for row in read(EVAL / name / "corpus.jsonl"):
        groups[row["meta"].get("group", "all")].append(row)
    named = {group: fill(group, rows) for group, rows in groups.items()}
    recalls = []
    for query in read(EVAL / name / "queries.jsonl"):
        relevant = set(query["relevant"])
        if not relevant:
            continue
        group = query["meta"].get("group", "all")
        found = {named[group][id] for id in ask(group, query["text"])}
        recalls.append(len(found & relevant) / len(relevant))
    return sum(recalls) / len(recalls)


def moment(row: dict[str, Any]) -> datetime | None:
    told = row["meta"].get("time")
    return datetime.fromisoformat(told).replace(tzinfo=UTC) if told else None


def recalls(name: str, embedder: str, folder: Path) -> None:
    os.environ["RICORDO_EMBEDDER"] = embedder
    from hello_agents.memory import MemoryConfig
    from hello_agents.tools import MemoryTool
    from ricordo import Item, Ricordo

    engine = Ricordo(folder / f"engine-{name}", embedder=embedder)
    config = MemoryConfig(storage_path=str(folder / f"tool-{name}"))
    tools: dict[str, Any] = {}

    def fill_engine(group: str, rows: list[dict[str, Any]]) -> dict[str, str]:
        bank = engine.bank(group).sync
        items = [Item(content=r["text"], session=r["meta"].get("session"), at=moment(r)) for r in rows]
        outcomes = bank.add(items).outcomes
        bank.wait()
        return {outcome.memories[0]: row["id"] for outcome, row in zip(outcomes, rows, strict=True)}

    def ask_engine(group: str, text: str) -> list[str]:
        return [hit.memory.id for hit in engine.bank(group).sync.search(text, limit=5).hits]

    def fill_tool(group: str, rows: list[dict[str, Any]]) -> dict[str, str]:
        tool = tools[group] = MemoryTool(user_id=group, memory_config=config)
        ids = {}
        for row in rows:
            told = {"timestamp": at} if (at := moment(row)) else {}
            if row["meta"].get("session"):
                told["session_id"] = row["meta"]["session"]
            ids[tool.run("add", content=row["text"], memory_type="semantic", **told)["id"]] = row["id"]
        tool.memory_manager.storage.handle.sync.wait()
        return ids

    def ask_tool(group: str, text: str) -> list[str]:
        found: list[str] = tools[group].run("search", query=text, limit=5).get("ids", [])
        return found

    began = time.process_time()
    by_engine = recall_of(name, fill_engine, ask_engine)
    by_tool = recall_of(name, fill_tool, ask_tool)
    engine.sync.close()
    cost = time.process_time() - began
    print(f"{name}: recall@5 {by_engine:.4f} by the engine, {by_tool:.4f} by MemoryTool ({embedder}, {cost:.0f} CPU s)")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--peer-python", default="")
    options.add_argument("--sizes", type=int, nargs="*", default=[1000, 10_000])
    options.add_argument("--kinds", nargs="*", default=["working", "episodic"])
    options.add_argument("--sets", nargs="*", default=["mem-locomo", "zh-cmrc"])
    options.add_argument("--embedder", default="hash")
    given = options.parse_args()
    pythons = {"ours": sys.executable, **({"peer": given.peer_python} if given.peer_python else {})}
    folder = Path(tempfile.mkdtemp(prefix="memory-tool-"))
    try:
        compare(pythons, given.sizes, given.kinds, folder)
        for name in given.sets:
            if (EVAL / name).is_dir():
                recalls(name, given.embedder, folder)
            else:
                print(f"{name}: not there", file=sys.stderr)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
