"""Tools in a row, each fed from what came before."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from hello_agents.core.exceptions import HelloAgentsException
from hello_agents.tools.registry import ToolRegistry

_PLACEHOLDER = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class _Step:
    tool_name: str
    input_template: str
    output_key: str


@dataclass
class ToolChain:
    name: str
    description: str
    steps: list[_Step] = field(default_factory=list)

    def add_step(self, tool_name: str, input_template: str, output_key: str | None = None) -> None:
        """`{input}` in the template is the chain's input, `{key}` an earlier step's output.

        Without an `output_key` it is `step_{number}_result`, counted from 0.
        """
        self.steps.append(_Step(tool_name, input_template, output_key or f"step_{len(self.steps)}_result"))

    def execute(self, registry: ToolRegistry, input_data: str, context: dict[str, Any] | None = None) -> str:
        """The last step's output, or a `❌` line that names the step that failed; later steps do not run then."""
        if not self.steps:
            return f"❌ 工具链 '{self.name}' 没有步骤"
        known = {**(context or {}), "input": input_data}
        result = ""
        for number, step in enumerate(self.steps, 1):
            try:
                result = registry.call(step.tool_name, _filled(step.input_template, known))
            except HelloAgentsException as error:
                return f"❌ 工具链 '{self.name}' 第 {number} 步失败：{error}"
            known[step.output_key] = result
        return result


class ToolChainManager:
    def __init__(self, registry: ToolRegistry) -> None:
        self.registry = registry
        self.chains: dict[str, ToolChain] = {}

    def register_chain(self, chain: ToolChain) -> None:
        self.chains[chain.name] = chain

    def execute_chain(self, chain_name: str, input_data: str, context: dict[str, Any] | None = None) -> str:
        chain = self.chains.get(chain_name)
        if chain is None:
            return f"❌ 工具链 '{chain_name}' 不存在，可用的有：{'、'.join(self.chains) or '无'}"
        return chain.execute(self.registry, input_data, context)

    def list_chains(self) -> list[str]:
        return list(self.chains)

    def get_chain_info(self, chain_name: str) -> dict[str, Any] | None:
        """Its name, description and steps; None when there is no such chain."""
        chain = self.chains.get(chain_name)
        if chain is None:
            return None
        steps = [
            {"tool_name": s.tool_name, "input_template": s.input_template, "output_key": s.output_key}
            for s in chain.steps
        ]
        return {"name": chain.name, "description": chain.description, "steps": len(steps), "step_details": steps}


def _filled(template: str, known: dict[str, Any]) -> str:
    """Values are put in once: braces inside them stay as they are."""

    def value(found: re.Match[str]) -> str:
        if found[1] not in known:
            raise HelloAgentsException(f"模板变量 {{{found[1]}}} 不存在，可用的有：{'、'.join(known)}")
        return str(known[found[1]])

    return _PLACEHOLDER.sub(value, template)
