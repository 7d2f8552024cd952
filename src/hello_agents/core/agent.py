"""What every agent has: a name, a model, a system prompt, settings and a history."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from hello_agents.core.config import Config
from hello_agents.core.llm import HelloAgentsLLM
from hello_agents.core.message import Message


class Agent(ABC):
    def __init__(
        self, name: str, llm: HelloAgentsLLM, system_prompt: str | None = None, config: Config | None = None
    ) -> None:
        self.name = name
        self.llm = llm
        self.system_prompt = system_prompt
        self.config = config or Config()
        self._history: list[Message] = []

    @abstractmethod
    def run(self, input_text: str, **kwargs: Any) -> str: ...

    def add_message(self, message: Message) -> None:
        self._history.append(message)
        del self._history[: max(0, len(self._history) - self.config.max_history_length)]

    def clear_history(self) -> None:
        self._history.clear()

    def get_history(self) -> list[Message]:
        """A copy, oldest first."""
        return self._history.copy()

    def _remember(self, input_text: str, answer: str) -> None:
        self.add_message(Message(input_text, "user"))
        self.add_message(Message(answer, "assistant"))

    def _ask(self, prompt: str, kwargs: dict[str, Any]) -> str:
        """The model's answer to one prompt under the system prompt, without the history."""
        system = [{"role": "system", "content": self.system_prompt}] if self.system_prompt else []
        return self.llm.invoke([*system, {"role": "user", "content": prompt}], **kwargs)

    def __str__(self) -> str:
        return f"Agent(name={self.name}, provider={getattr(self.llm, 'provider', None)})"
