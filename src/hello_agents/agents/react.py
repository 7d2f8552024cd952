"""An agent that thinks, acts and observes, step by step."""

from __future__ import annotations

import re
from typing import Any

from hello_agents.agents.prompts import REACT, describe
from hello_agents.core.agent import Agent
from hello_agents.core.config import Config
from hello_agents.core.llm import HelloAgentsLLM
from hello_agents.tools.registry import ToolRegistry

_BEGIN = re.compile(r"^\s*Action\s*[:：]", re.MULTILINE)
_ACTION = re.compile(r"^\s*Action\s*[:：]\s*([^\s\[]+)\s*\[(.*)\]", re.MULTILINE | re.DOTALL)
_NEXT = re.compile(r"\n\s*(?:Observation|Thought)\s*[:：]")
_BAD_STEP = "❌ 没有看懂这一步，请用 Action: 工具名[输入] 或 Action: Finish[最终答案]"
_NO_ANSWER = "抱歉，我没有在限定的步数内得到答案。"


class ReActAgent(Agent):
    """`custom_prompt` may use {tools}, {question} and {history}."""

    def __init__(
        self,
        name: str,
        llm: HelloAgentsLLM,
        tool_registry: ToolRegistry | None = None,
        system_prompt: str | None = None,
        config: Config | None = None,
        max_steps: int = 5,
        custom_prompt: str | None = None,
    ) -> None:
        super().__init__(name, llm, system_prompt, config)
        self.tool_registry = tool_registry or ToolRegistry()
        self.max_steps = max_steps
        self.prompt_template = custom_prompt or REACT
        self.current_history: list[str] = []

    def run(self, input_text: str, **kwargs: Any) -> str:
        """What the model finished with; a notice when it did not within `max_steps`."""
        self.current_history = []
        answer = None
        for _ in range(self.max_steps):
            step, tool, given = _parsed(self._ask(self._prompt(input_text), kwargs).strip())
            if tool == "Finish":
                answer = given
                break
            observed = self.tool_registry.execute_tool(tool, given) if tool else _BAD_STEP
            self.current_history += [step, f"Observation: {observed}"]
        answer = _NO_ANSWER if answer is None else answer
        self._remember(input_text, answer)
        return answer

    def _prompt(self, question: str) -> str:
        return self.prompt_template.format(
            tools="\n".join(map(describe, self.tool_registry.all_tools())) or "无",
            question=question,
            history="\n".join(self.current_history) or "无",
        )


def _parsed(said: str) -> tuple[str, str, str]:
    """The step, its tool and the tool's input. Observations and further steps that the model invents are cut off."""
    begin = _BEGIN.search(said)
    invented = _NEXT.search(said, begin.end()) if begin else None
    step = said[: invented.start() if invented else None].strip()
    action = _ACTION.search(step)
    return (step, action[1], action[2].strip()) if action else (step, "", "")
