"""An agent that converses, and calls tools when it has some."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from hello_agents.agents.prompts import SIMPLE_SYSTEM, tool_section
from hello_agents.core.agent import Agent
from hello_agents.core.config import Config
from hello_agents.core.exceptions import HelloAgentsException
from hello_agents.core.llm import HelloAgentsLLM
from hello_agents.tools.base import Tool
from hello_agents.tools.calls import find_calls, without_calls
from hello_agents.tools.registry import ToolRegistry

_UNFINISHED = "❌ 工具调用不完整：缺少结尾的 ]，没有执行，请重新写出完整的调用"
_OUT_OF_ROUNDS = "⚠️ 工具调用已达到上限，模型没有给出最终回答。"

ChatMessage = dict[str, Any]


class _Asked(NamedTuple):
    """What the model said, and the messages that follow when it called tools: its own, and their results."""

    text: str
    following: list[ChatMessage]


class SimpleAgent(Agent):
    """Tools are used whenever `enable_tool_calling` is set and `tool_registry` holds some, whenever they came there.

    The model may call them natively, where its server can, or as text, `[TOOL_CALL:tool_name:parameters]`.
    """

    def __init__(
        self,
        name: str,
        llm: HelloAgentsLLM,
        system_prompt: str | None = None,
        config: Config | None = None,
        tool_registry: ToolRegistry | None = None,
        enable_tool_calling: bool = True,
    ) -> None:
        super().__init__(name, llm, system_prompt, config)
        self.tool_registry = tool_registry
        self.enable_tool_calling = enable_tool_calling

    def run(self, input_text: str, max_tool_iterations: int = 3, **kwargs: Any) -> str:
        """The final answer; it and the user's text alone go into the history."""
        messages = self._messages(input_text, with_tools=self.has_tools())
        answer = None
        for _ in range(max_tool_iterations if self.has_tools() else 0):
            asked = self._next(messages, kwargs)
            if not asked.following:
                answer = asked.text
                break
            messages += asked.following
        if answer is None:
            said = self.llm.invoke(messages, **kwargs)
            answer = without_calls(said, find_calls(said)) or _OUT_OF_ROUNDS if self.has_tools() else said
        self._remember(input_text, answer)
        return answer

    def stream_run(self, input_text: str, **kwargs: Any) -> Iterator[str]:
        """The answer piece by piece, without tools; a stream that was broken off leaves no trace in the history."""
        pieces = []
        for piece in self.llm.stream_invoke(self._messages(input_text, with_tools=False), **kwargs):
            pieces.append(piece)
            yield piece
        self._remember(input_text, "".join(pieces))

    def add_tool(self, tool: Tool, auto_expand: bool = True) -> None:
        self.tool_registry = self.tool_registry or ToolRegistry()
        self.enable_tool_calling = True
        self.tool_registry.register_tool(tool, auto_expand)

    def remove_tool(self, tool_name: str) -> bool:
        """False when there is no tool of this name."""
        return self.tool_registry.unregister(tool_name) if self.tool_registry else False

    def list_tools(self) -> list[str]:
        return self.tool_registry.list_tools() if self.tool_registry else []

    def has_tools(self) -> bool:
        return self.enable_tool_calling and bool(self.list_tools())

    def _messages(self, input_text: str, *, with_tools: bool) -> list[ChatMessage]:
        system = self.system_prompt or SIMPLE_SYSTEM
        if with_tools and self.tool_registry:
            system += tool_section(self.tool_registry)
        history = [message.to_dict() for message in self._history]
        return [{"role": "system", "content": system}, *history, {"role": "user", "content": input_text}]

    def _next(self, messages: list[ChatMessage], kwargs: dict[str, Any]) -> _Asked:
        if isinstance(self.llm, HelloAgentsLLM) and self.tool_registry:
            turn = self.llm.converse(messages, self.tool_registry.to_openai_schemas(), **kwargs)
            if turn.calls:
                return self._native(turn)
            said = turn.text
        else:
            said = self.llm.invoke(messages, **kwargs)
        return self._as_text(said)

    def _as_text(self, said: str) -> _Asked:
        calls = find_calls(said)
        if not calls:
            return _Asked(said, [])
        text = without_calls(said, calls) or said  # some servers refuse an empty message
        results = [self._result(call.name, call.parameters) if call.finished else _UNFINISHED for call in calls]
        following = [
            {"role": "assistant", "content": text},
            {"role": "user", "content": "\n\n".join([*results, "请根据以上工具结果继续回答。"])},
        ]
        return _Asked(text, following)

    def _native(self, turn: Any) -> _Asked:
        called = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in turn.calls
        ]
        results = [
            {"role": "tool", "tool_call_id": call.id, "content": self._result(call.name, call.arguments, native=True)}
            for call in turn.calls
        ]
        return _Asked(turn.text, [{"role": "assistant", "content": turn.text, "tool_calls": called}, *results])

    def _result(self, name: str, parameters: str, *, native: bool = False) -> str:
        """What the model is told; a failure is told like a result."""
        try:
            given = _arguments(parameters) if native else parameters
            result = self.tool_registry.call(name, given) if self.tool_registry else ""
        except HelloAgentsException as error:
            return f"❌ {error}"
        return f"🔧 工具 {name} 执行结果：\n{result}"


def _arguments(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text, strict=False)
    except ValueError as error:
        raise HelloAgentsException(f"工具参数不是合法的 JSON（{error}）：{text[:100]!r}") from error
    if not isinstance(found, dict):
        raise HelloAgentsException(f"工具参数应为一个 JSON 对象，收到的是 {text[:100]!r}")
    return found
