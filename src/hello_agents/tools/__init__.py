"""Tools that an agent may call, and what finds, joins and runs them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hello_agents.lazy import lazily

if TYPE_CHECKING:
    from hello_agents.tools.base import Tool, ToolParameter, tool_action
    from hello_agents.tools.calculator import CalculatorTool, calculate
    from hello_agents.tools.chain import ToolChain, ToolChainManager
    from hello_agents.tools.executor import AsyncToolExecutor
    from hello_agents.tools.memory_tool import MemoryTool
    from hello_agents.tools.rag_tool import RAGTool
    from hello_agents.tools.registry import ToolRegistry, global_registry
    from hello_agents.tools.web_search import SearchTool, search

__all__ = [
    "AsyncToolExecutor",
    "CalculatorTool",
    "MemoryTool",
    "RAGTool",
    "SearchTool",
    "Tool",
    "ToolChain",
    "ToolChainManager",
    "ToolParameter",
    "ToolRegistry",
    "calculate",
    "global_registry",
    "search",
    "tool_action",
]

__getattr__ = lazily(
    __name__,
    {
        "AsyncToolExecutor": "executor",
        "CalculatorTool": "calculator",
        "MemoryTool": "memory_tool",
        "RAGTool": "rag_tool",
        "SearchTool": "web_search",
        "Tool": "base",
        "ToolChain": "chain",
        "ToolChainManager": "chain",
        "ToolParameter": "base",
        "ToolRegistry": "registry",
        "calculate": "calculator",
        "global_registry": "registry",
        "search": "web_search",
        "tool_action": "base",
    },
)
