"""Tools run side by side, on threads."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any

from hello_agents.tools.registry import ToolRegistry


class AsyncToolExecutor:
    """Answers are as of `ToolRegistry.execute_tool`: one tool's failure is its own line and stops no other."""

    def __init__(self, registry: ToolRegistry, max_workers: int = 4) -> None:
        self.registry = registry
        self.executor = ThreadPoolExecutor(max_workers, thread_name_prefix="tool")

    async def execute_tool_async(self, tool_name: str, input_data: str | Mapping[str, Any]) -> str:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.executor, self.registry.execute_tool, tool_name, input_data)

    async def execute_tools_parallel(self, tasks: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Each task, a `tool_name` and its `input_data`, with its `result`, in the order of the tasks."""
        waiting = (self.execute_tool_async(task["tool_name"], task.get("input_data", "")) for task in tasks)
        results = await asyncio.gather(*waiting)
        return [{**task, "result": result} for task, result in zip(tasks, results, strict=True)]

    async def execute_tools_batch(
        self, tool_name: str, input_list: Sequence[str | Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """One tool, many inputs."""
        return await self.execute_tools_parallel([{"tool_name": tool_name, "input_data": each} for each in input_list])

    def close(self) -> None:
        """Waits for what still runs."""
        self.executor.shutdown()

    def __enter__(self) -> AsyncToolExecutor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
