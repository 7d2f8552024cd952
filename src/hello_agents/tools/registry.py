"""The tools and functions that an agent may call, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hello_agents.core.console import say
from hello_agents.core.exceptions import HelloAgentsException
from hello_agents.tools.base import Tool, ToolParameter
from hello_agents.tools.parameters import parse_parameters


class _Function(Tool):
    """A function of one text, described as the tools are."""

    def __init__(self, name: str, description: str, func: Callable[[str], Any]) -> None:
        super().__init__(name, description)
        self.func = func

    def run(self, parameters: dict[str, Any]) -> str:
        return str(self.func(parameters["input"]))

    def get_parameters(self) -> list[ToolParameter]:
        return [ToolParameter("input", "string", "the text that the function is given")]


class ToolRegistry:
    def __init__(self) -> None:
        self._tools: dict[str, Tool] = {}
        self._functions: dict[str, _Function] = {}

    def register_tool(self, tool: Tool, auto_expand: bool = True) -> None:
        """An expandable tool is registered as one tool for each of its actions, unless `auto_expand` is False."""
        for each in (auto_expand and tool.get_expanded_tools()) or [tool]:
            self._announce(each.name)
            self._functions.pop(each.name, None)
            self._tools[each.name] = each

    def register_function(self, name: str, description: str, func: Callable[[str], Any]) -> None:
        self._announce(name)
        self._tools.pop(name, None)
        self._functions[name] = _Function(name, description, func)

    def unregister(self, name: str) -> bool:
        """False when there is no tool of this name."""
        found = self._tools.pop(name, None) or self._functions.pop(name, None)
        say(f"🗑️ 工具 '{name}' 已移除。" if found else f"⚠️ 工具 '{name}' 不存在。")
        return found is not None

    def get_tool(self, name: str) -> Tool | None:
        return self._tools.get(name)

    def get_function(self, name: str) -> Callable[[str], Any] | None:
        found = self._functions.get(name)
        return found.func if found else None

    def execute_tool(self, name: str, input_text: str | Mapping[str, Any]) -> str:
        """The tool's answer to a text or to parameters, or a `❌` line that says what went wrong."""
        try:
            return self.call(name, input_text)
        except HelloAgentsException as error:
            return f"❌ {error}"

    def call(self, name: str, given: str | Mapping[str, Any]) -> str:
        """As `execute_tool`, but HelloAgentsException says what went wrong."""
        tool = self._tools.get(name) or self._functions.get(name)
        if tool is None:
            known = "、".join(self.list_tools()) or "无"
            raise HelloAgentsException(f"未找到工具 '{name}'，可用的工具：{known}")
        if isinstance(tool, _Function) and isinstance(given, str):
            given = {"input": given}
        try:
            result = tool.run(parse_parameters(tool, given))
        except Exception as error:
            cause = str(error) if isinstance(error, HelloAgentsException) else f"{type(error).__name__}: {error}"
            raise HelloAgentsException(f"工具 '{name}' 执行失败：{cause}") from error
        return result if isinstance(result, str) else str(result)

    def get_tools_description(self) -> str:
        """One line `- name: description` a tool."""
        lines = [f"- {tool.name}: {tool.description}" for tool in self.all_tools()]
        return "\n".join(lines) or "暂无可用工具"

    def to_openai_schemas(self) -> list[dict[str, Any]]:
        """Tools and functions as native function calling declares them."""
        return [tool.to_openai_schema() for tool in self.all_tools()]

    def list_tools(self) -> list[str]:
        return [tool.name for tool in self.all_tools()]

    def get_all_tools(self) -> list[Tool]:
        """Without the functions."""
        return list(self._tools.values())

    def all_tools(self) -> list[Tool]:
        """With the functions, each as a tool of one text."""
        return [*self._tools.values(), *self._functions.values()]

    def clear(self) -> None:
        self._tools.clear()
        self._functions.clear()

    def _announce(self, name: str) -> None:
        if name in self._tools or name in self._functions:
            say(f"⚠️ 工具 '{name}' 已存在，将被覆盖。")
        say(f"✅ 工具 '{name}' 已注册。")


global_registry = ToolRegistry()
