"""The parts that every agent is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hello_agents.lazy import lazily

if TYPE_CHECKING:
    from hello_agents.core.agent import Agent
    from hello_agents.core.config import Config
    from hello_agents.core.exceptions import HelloAgentsException
    from hello_agents.core.llm import HelloAgentsLLM
    from hello_agents.core.message import Message

__all__ = ["Agent", "Config", "HelloAgentsException", "HelloAgentsLLM", "Message"]

__getattr__ = lazily(
    __name__,
    {
        "Agent": "agent",
        "Config": "config",
        "HelloAgentsException": "exceptions",
        "HelloAgentsLLM": "llm",
        "Message": "message",
    },
)
