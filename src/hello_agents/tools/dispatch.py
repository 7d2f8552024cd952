"""From what a program or a model gives to one action of a tool; whatever goes wrong becomes a line that says it."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast, get_type_hints

from hello_agents.tools.result import ToolResult
from ricordo.errors import Invalid, RicordoError

log = logging.getLogger(__name__)

Action = TypeVar("Action", bound=Callable[..., ToolResult])

_YES, _NO = ("true", "1", "yes", "是"), ("false", "0", "no", "否")


def reported(failure: str) -> Callable[[Action], Action]:
    """An action whose errors are told as `❌ {failure}: {cause}`, as is that its tool was not set up."""

    def wrap(action: Action) -> Action:
        @wraps(action)
        def call(self: Any, *args: Any, **kwargs: Any) -> ToolResult:
            if not self.initialized:
                return ToolResult.failed(f"❌ RAG工具未正确初始化，请检查配置: {self.init_error}", self.init_error)
            try:
                return action(self, *args, **kwargs)
            except RicordoError as error:
                cause = str(error)
            except Exception as error:  # an edge: an agent is told what broke, and goes on
                log.exception("%s failed", action.__name__)
                cause = f"{type(error).__name__}: {error}"
            return ToolResult.failed(f"❌ {failure}: {cause}", cause)

        return cast("Action", call)

    return wrap


def dispatch(tool: Any, actions: Mapping[str, str], given: Mapping[str, Any]) -> ToolResult:
    """Runs the method that `actions` names for given["action"]; what it does not take is left out, and told in data."""
    parameters = dict(given)
    action = parameters.pop("action", None)
    if not action:
        return ToolResult.failed("❌ 参数验证失败：缺少必需的参数")
    if not isinstance(action, str) or action not in actions:
        return ToolResult.failed(f"❌ 不支持的操作: {action}。支持的操作: {', '.join(actions)}")
    method = getattr(tool, actions[action])
    known = inspect.signature(method).parameters
    hints = get_type_hints(method)
    try:
        fitted = {name: fitting(name, value, hints[name]) for name, value in parameters.items() if name in known}
    except Invalid as error:
        return ToolResult.failed(f"❌ 参数验证失败：{error}", str(error))
    absent = [n for n, p in known.items() if p.default is p.empty and n not in fitted]
    if absent:
        return ToolResult.failed(f"❌ 参数验证失败：缺少必需的参数 {', '.join(absent)}")
    result: ToolResult = method(**fitted)
    if ignored := sorted(set(parameters) - set(known)):
        log.warning("%s %s does not know %s", tool.name, action, ", ".join(ignored))
        result.data["ignored"] = ignored
    return result


def fitting(name: str, value: Any, hint: Any) -> Any:
    """A text as the number or truth that the hint asks for, as models write them; Invalid when it is none."""
    if not isinstance(value, str) or "str" in str(hint):
        return value
    text = value.strip().lower()
    wanted = str(hint)
    try:
        if "bool" in wanted:
            return {**dict.fromkeys(_YES, True), **dict.fromkeys(_NO, False)}[text]
        if "int" in wanted:
            return int(text)
        if "float" in wanted:
            return float(text)
    except (KeyError, ValueError):
        raise Invalid(f"{name} 的值无法识别: {value!r}") from None
    return value
