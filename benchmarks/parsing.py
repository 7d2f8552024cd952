"""Pages per CPU second and checks of the manifest met, for our readers and others, all in one run.

    python benchmarks/parsing.py [--peer-python /path/to/venv/bin/python ...] [--rounds 3]

A peer that no given interpreter can import is left out, and said so. Files that need OCR or speech are left out, and
no reader finds tesseract. CPU seconds are the least of the rounds, each round a fresh process, after its imports.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1] / "tests"
sys.path.insert(0, str(TESTS))

from manifest_checks import FOLDER, checks, entries, failures  # noqa: E402  tests/ is on the path only now

PEER = Path(__file__).with_name("parsing_peer.py")
TOOLS = ("ricordo", "pypdfium2", "markitdown", "kreuzberg")


def run(python: str, tool: str, rows: list[dict[str, Any]]) -> tuple[float, list[dict[str, Any]]] | None:
    """CPU seconds of its imports, and its result for each file; None when this interpreter lacks it."""
    files = [(str((FOLDER / row["path"]).resolve()), row["media_type"]) for row in rows]
    environment = {**os.environ, "PATH": "", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [python, str(PEER), tool], input=json.dumps(files), capture_output=True, text=True, env=environment, check=False
    )
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return (lines[0]["import"], lines[1:]) if len(lines) == len(files) + 1 else None


def best(python: str, tool: str, rows: list[dict[str, Any]], rounds: int) -> tuple[float, list[dict[str, Any]]] | None:
    """The same, each file's CPU seconds the least of the rounds."""
    made = [one for one in (run(python, tool, rows) for _ in range(rounds)) if one]
    if not made:
        return None
    results = made[0][1]
    for index, result in enumerate(results):
        result["cpu"] = min(one[1][index]["cpu"] for one in made)
    return min(one[0] for one in made), results


def line(tool: str, started: float, rows: list[dict[str, Any]], results: list[dict[str, Any]]) -> str:
    """One row of the table."""
    pdf = [(row, res) for row, res in zip(rows, results, strict=True) if row["path"].startswith("pdf/")]
    rest = [(row, res) for row, res in zip(rows, results, strict=True) if not row["path"].startswith("pdf/")]
    pages = sum(row.get("pages", 0) for row, _ in pdf)
    speed = pages / sum(res["cpu"] for _, res in pdf)
    seconds = sum(res["cpu"] for _, res in rest)
    only_pdf = all(res.get("error", "").startswith("NotImplemented") for _, res in rest)
    other = "PDF only" if only_pdf else f"{seconds:.2f} | {_met(rest)} | {_failed(rest)}"
    memory = max(res["memory"] for res in results) / 1e6
    return (
        f"| {tool} | {speed:.1f} | {_met(pdf)} | {other}{' | |' if only_pdf else ''} | {started:.2f} | {memory:.0f} |"
    )


def _met(pairs: list[tuple[dict[str, Any], dict[str, Any]]]) -> str:
    total = sum(checks(row) for row, _ in pairs)
    missed = sum(_missed(row, result) for row, result in pairs)
    return f"{total - missed}/{total}"


def _missed(row: dict[str, Any], result: dict[str, Any]) -> int:
    if not result["text"].strip():
        return checks(row)
    pages = {int(number): text for number, text in result.get("pages", {}).items() if number not in ("null", None)}
    return min(len(failures(row, result["text"], pages, result.get("titles"))), checks(row))


def _failed(pairs: list[tuple[dict[str, Any], dict[str, Any]]]) -> int:
    return sum(not result["text"].strip() for _, result in pairs)


def isolation(rows: list[dict[str, Any]]) -> str:
    """What the worker adds: CPU seconds of this process and its workers for the same files."""
    from ricordo.parse.native import NativeParser
    from ricordo.types import File

    files = [
        File(name=Path(row["path"]).name, data=(FOLDER / row["path"]).read_bytes(), media_type=row["media_type"])
        for row in rows
    ]

    async def read(*, isolate: bool) -> float:
        before = _spent()
        parser = NativeParser(workers=1, isolate=isolate)
        for file in files:
            await parser.convert(file)
        await parser.close()
        return _spent() - before

    plain, walled = asyncio.run(read(isolate=False)), asyncio.run(read(isolate=True))
    return f"{len(files)} files in this process {plain:.2f} CPU s, in a worker with its start {walled:.2f} CPU s"


def _spent() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--peer-python", action="append", default=[])
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    rows = [row for row in entries() if row["expect"] == "text" and not row.get("needs")]
    if not rows:
        sys.exit(f"the manifest is not at {FOLDER}")
    print("| reader | PDF pages / CPU s | PDF checks | others: CPU s | checks | without text | import s | MB |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for tool in TOOLS:
        tries = (best(python, tool, rows, given.rounds) for python in (sys.executable, *given.peer_python))
        found = next(filter(None, tries), None)
        print(line(tool, found[0], rows, found[1]) if found else f"| {tool} | not installed |")
    print(f"\n{isolation(rows)}")


if __name__ == "__main__":
    main()
