"""Agents that answer, use tools, check themselves, or plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hello_agents.lazy import lazily

if TYPE_CHECKING:
    from hello_agents.agents.plan_solve import PlanAndSolveAgent
    from hello_agents.agents.react import ReActAgent
    from hello_agents.agents.reflection import ReflectionAgent
    from hello_agents.agents.simple import SimpleAgent

__all__ = ["PlanAndSolveAgent", "ReActAgent", "ReflectionAgent", "SimpleAgent"]

__getattr__ = lazily(
    __name__,
    {
        "PlanAndSolveAgent": "plan_solve",
        "ReActAgent": "react",
        "ReflectionAgent": "reflection",
        "SimpleAgent": "simple",
    },
)
