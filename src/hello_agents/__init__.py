"""Agents with memory and retrieval: the interface of HelloAgents over the engine of Ricordo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hello_agents.lazy import lazily

if TYPE_CHECKING:
    from hello_agents.agents.plan_solve import PlanAndSolveAgent
    from hello_agents.agents.react import ReActAgent
    from hello_agents.agents.reflection import ReflectionAgent
    from hello_agents.agents.simple import SimpleAgent
    from hello_agents.core.agent import Agent
    from hello_agents.core.config import Config
    from hello_agents.core.exceptions import HelloAgentsException
    from hello_agents.core.llm import HelloAgentsLLM
    from hello_agents.core.message import Message
    from hello_agents.tools.base import Tool, ToolParameter
    from hello_agents.tools.calculator import CalculatorTool, calculate
    from hello_agents.tools.chain import ToolChain, ToolChainManager
    from hello_agents.tools.executor import AsyncToolExecutor
    from hello_agents.tools.registry import ToolRegistry, global_registry
    from hello_agents.tools.web_search import SearchTool, search

__version__ = "0.2.0"

__all__ = [
    "Agent",
    "AsyncToolExecutor",
    "CalculatorTool",
    "Config",
    "HelloAgentsException",
    "HelloAgentsLLM",
    "Message",
    "PlanAndSolveAgent",
    "ReActAgent",
    "ReflectionAgent",
    "SearchTool",
    "SimpleAgent",
    "Tool",
    "ToolChain",
    "ToolChainManager",
    "ToolParameter",
    "ToolRegistry",
    "calculate",
    "global_registry",
    "search",
]

__getattr__ = lazily(
    __name__,
    {
        "Agent": "core.agent",
        "AsyncToolExecutor": "tools.executor",
        "CalculatorTool": "tools.calculator",
        "Config": "core.config",
        "HelloAgentsException": "core.exceptions",
        "HelloAgentsLLM": "core.llm",
        "Message": "core.message",
        "PlanAndSolveAgent": "agents.plan_solve",
        "ReActAgent": "agents.react",
        "ReflectionAgent": "agents.reflection",
        "SearchTool": "tools.web_search",
        "SimpleAgent": "agents.simple",
        "Tool": "tools.base",
        "ToolChain": "tools.chain",
        "ToolChainManager": "tools.chain",
        "ToolParameter": "tools.base",
        "ToolRegistry": "tools.registry",
        "calculate": "tools.calculator",
        "global_registry": "tools.registry",
        "search": "tools.web_search",
    },
)
