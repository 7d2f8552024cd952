"""An agent that makes a plan first and then follows it."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Mapping
from typing import Any

from hello_agents.agents.prompts import PLAN
from hello_agents.core.agent import Agent
from hello_agents.core.config import Config
from hello_agents.core.llm import HelloAgentsLLM

_LIST = re.compile(r"\[.*\]", re.DOTALL)
_NUMBERED = re.compile(r"^\s*(?:\d+[.、)）]|[-*•])\s*(.+)$", re.MULTILINE)
_MOST_STEPS = 12
_NO_PLAN = "抱歉，我没有能为这个问题制定出计划。"


class PlanAndSolveAgent(Agent):
    """`custom_prompts` may replace planner ({question}) and executor (also {plan}, {history}, {current_step})."""

    def __init__(
        self,
        name: str,
        llm: HelloAgentsLLM,
        system_prompt: str | None = None,
        config: Config | None = None,
        custom_prompts: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(name, llm, system_prompt, config)
        self.prompts = {**PLAN, **(custom_prompts or {})}

    def run(self, input_text: str, **kwargs: Any) -> str:
        """The result of the plan's last step; a notice when the model made no plan."""
        plan = steps_of(self._ask(self.prompts["planner"].format(question=input_text), kwargs))
        answer = _NO_PLAN
        done: list[str] = []
        for number, step in enumerate(plan, 1):
            prompt = self.prompts["executor"].format(
                question=input_text,
                plan="\n".join(f"{i}. {each}" for i, each in enumerate(plan, 1)),
                history="\n\n".join(done) or "无",
                current_step=step,
            )
            answer = self._ask(prompt, kwargs)
            done.append(f"步骤 {number}: {step}\n结果: {answer}")
        self._remember(input_text, answer)
        return answer


def steps_of(said: str) -> list[str]:
    """The steps of a plan that a model wrote as a list of texts, or line by line."""
    written = _LIST.search(said)
    try:
        found = literal_eval(written[0]) if written else None
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        found = None
    steps = [str(step) for step in found] if isinstance(found, list) else _NUMBERED.findall(said)
    return [step.strip() for step in steps if step.strip()][:_MOST_STEPS]
