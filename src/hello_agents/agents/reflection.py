"""An agent that reviews its own answer and improves it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hello_agents.agents.prompts import REFLECTION
from hello_agents.core.agent import Agent
from hello_agents.core.config import Config
from hello_agents.core.llm import HelloAgentsLLM

_SATISFIED = ("无需改进", "no need for improvement")


class ReflectionAgent(Agent):
    """`custom_prompts` may replace initial, reflect and refine, which may use {task}; reflect also {content}, refine
    {last_attempt} and {feedback}.

    It stops early when the review finds nothing to improve.
    """

    def __init__(
        self,
        name: str,
        llm: HelloAgentsLLM,
        system_prompt: str | None = None,
        config: Config | None = None,
        max_iterations: int = 3,
        custom_prompts: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(name, llm, system_prompt, config)
        self.max_iterations = max_iterations
        self.prompts = {**REFLECTION, **(custom_prompts or {})}

    def run(self, input_text: str, **kwargs: Any) -> str:
        answer = self._ask(self.prompts["initial"].format(task=input_text), kwargs)
        for _ in range(self.max_iterations):
            feedback = self._ask(self.prompts["reflect"].format(task=input_text, content=answer), kwargs)
            if any(word in feedback.lower() for word in _SATISFIED):
                break
            refine = self.prompts["refine"].format(task=input_text, last_attempt=answer, feedback=feedback)
            answer = self._ask(refine, kwargs)
        self._remember(input_text, answer)
        return answer
