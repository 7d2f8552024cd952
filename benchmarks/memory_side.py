"""One side of memory_tool.py, run by its own Python: the same calls to whichever `hello_agents` that has.

    python benchmarks/memory_side.py ours|peer FOLDER import|fill|again KIND COUNT

The peer gets what it cannot start without: an in-process Qdrant on disk, and an embedder that costs nothing. Ours runs
as it is installed, with its hash embedder. Prints one JSON line.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

DIMENSION = 384
SEARCHES = 30
PLACES = ["北京", "上海", "杭州", "成都", "广州", "西安", "南京", "武汉", "苏州", "厦门"]
THINGS = ["绿茶", "红茶", "数据库", "前端框架", "会议纪要", "差旅报销", "产品发布", "用户访谈", "服务器", "机器学习"]
DOINGS = ["采购了", "讨论了", "测试了", "整理了", "评审了", "交付了", "学习了", "更新了", "展示了", "计划了"]


def record(n: int) -> str:
    return (
        f"第{n}号记录：同事在{PLACES[n % 10]}{DOINGS[n // 10 % 10]}{THINGS[n // 100 % 10]}，编号 R{n * 7919 % 100_003}"
    )


def question(n: int) -> str:
    return f"{PLACES[n % 10]}{DOINGS[n // 10 % 10]}{THINGS[n // 100 % 10]}的是编号 R{n * 7919 % 100_003} 吗"


class FreeEmbedder:
    """Hashed pairs of characters: nearly no time, so that the stores are what is measured."""

    dimension = DIMENSION

    def encode(self, texts: Any) -> Any:
        import numpy as np

        rows = np.zeros((1 if isinstance(texts, str) else len(texts), DIMENSION), np.float32)
        for n, text in enumerate([texts] if isinstance(texts, str) else texts):
            codes = np.frombuffer(f" {text} ".encode("utf-32-le"), "<u4").astype(np.int64)
            np.add.at(rows[n], (codes[:-1] * 31 + codes[1:]) % DIMENSION, 1.0)
            rows[n] /= np.linalg.norm(rows[n])
        return rows[0] if isinstance(texts, str) else list(rows)


def prepare_peer(folder: Path) -> None:
    from qdrant_client import QdrantClient

    from hello_agents.memory import embedding
    from hello_agents.memory.storage import qdrant_store

    embedding._embedder = FreeEmbedder()
    qdrant_store.QdrantClient = lambda **_: QdrantClient(path=str(folder / "qdrant"))


def open_tool(side: str, folder: Path, kind: str) -> Any:
    os.environ["RICORDO_EMBEDDER"] = "hash"
    if side == "peer":
        prepare_peer(folder)
    from hello_agents.memory import MemoryConfig
    from hello_agents.tools import MemoryTool

    endless = 10**9 if side == "peer" else None
    config = MemoryConfig(
        storage_path=str(folder),
        working_memory_capacity=endless,
        working_memory_tokens=endless,
        working_memory_ttl_minutes=100_000,
    )
    return MemoryTool(user_id="bench", memory_config=config, memory_types=[kind])


def settle(side: str, tool: Any) -> None:
    """Waits for what goes on in the background, so that its cost is counted."""
    if side == "ours":
        tool.memory_manager.storage.handle.sync.wait()


def searches(tool: Any, count: int) -> dict[str, float]:
    costs, walls, first = [], [], 0
    for n in range(SEARCHES):
        target = n * (count // SEARCHES)
        began, wall = time.process_time(), time.perf_counter()
        answer = tool.execute("search", query=question(target), limit=5)
        costs.append(time.process_time() - began)
        walls.append(time.perf_counter() - wall)
        first += f"第{target}号记录：" in answer
    return {
        "search_ms": statistics.median(costs[1:]) * 1000,
        "search_wall_ms": statistics.median(walls[1:]) * 1000,
        "found": first / SEARCHES,
    }


def main() -> None:
    side, folder, phase, kind, count = sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4], int(sys.argv[5])
    began = time.process_time()
    if phase == "import":
        import hello_agents

        package = time.process_time() - began
        from hello_agents.tools import MemoryTool

        print(
            json.dumps({"import_s": package, "tool_import_s": time.process_time() - began, "of": MemoryTool.__name__})
        )
        print(hello_agents.__version__, file=sys.stderr)
        return
    folder.mkdir(parents=True, exist_ok=True)
    tool = open_tool(side, folder, kind)
    result: dict[str, float] = {}
    if phase == "fill":
        began, wall = time.process_time(), time.perf_counter()
        for n in range(count):
            tool.execute("add", content=record(n), memory_type=kind, importance=0.5)
        settle(side, tool)
        result = {
            "add_ms": (time.process_time() - began) / count * 1000,
            "add_wall_ms": (time.perf_counter() - wall) / count * 1000,
        }
    stats = tool.execute("stats")
    result["counted"] = next(int(line.split(":")[1]) for line in stats.splitlines() if line.startswith("总记忆数"))
    print(json.dumps({**result, **searches(tool, count)}))


if __name__ == "__main__":
    main()
