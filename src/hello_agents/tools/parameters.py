"""What a model wrote for a tool's parameters, JSON or `key=value` text, as values of the declared types."""

from __future__ import annotations

import json
import re
from ast import literal_eval
from collections.abc import Iterable, Mapping
from typing import Any

from hello_agents.core.exceptions import HelloAgentsException
from hello_agents.tools.base import Tool, ToolParameter

_IMPLIED: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "memory": {
        "recall": ("search", "query"),
        "store": ("add", "content"),
        "query": ("search", "query"),
        "content": ("add", "content"),
    },
    "rag": {"search": ("search", "query"), "query": ("search", "query"), "text": ("add_text", "text")},
}
"""Where no action is given: tool → parameter → the action that it means, and its name there."""

_TRUE, _FALSE = {"true", "1", "yes", "是"}, {"false", "0", "no", "否"}


def parse_parameters(tool: Tool, given: str | Mapping[str, Any]) -> dict[str, Any]:
    """HelloAgentsException names a parameter that is not of its declared type.

    Text is cut only where a declared name and `=` follow a comma, so that commas and equals signs in a value stay.
    """
    declared = {parameter.name: parameter for parameter in tool.get_parameters()}
    found = dict(given) if isinstance(given, Mapping) else _read(tool, declared, given.strip())
    found = {name: value for name, value in found.items() if not _absent(declared.get(name), value)}
    return {name: _typed(declared.get(name), value) for name, value in _with_action(tool.name, found).items()}


def _read(tool: Tool, declared: Mapping[str, ToolParameter], text: str) -> dict[str, Any]:
    if text.startswith("{"):
        return _object(text)
    if pairs := _pairs(text, {"action", *declared, *_IMPLIED.get(tool.name, ())}):
        return pairs
    if tool.name in _IMPLIED:
        return {"action": "search", "query": text}
    required = [name for name, parameter in declared.items() if parameter.required]
    return {required[0] if len(required) == 1 and "input" not in declared else "input": text}


def _object(text: str) -> dict[str, Any]:
    """JSON, or what models trained on Python write instead."""
    try:
        found = json.loads(text, strict=False)
    except ValueError as error:
        try:
            found = literal_eval(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            raise HelloAgentsException(f"参数不是合法的 JSON（{error}）：{text[:100]!r}") from error
    if not isinstance(found, dict):
        raise HelloAgentsException(f"参数应为一个 JSON 对象，收到的是 {text[:100]!r}")
    return {str(name): value for name, value in found.items()}


def _pairs(text: str, names: Iterable[str]) -> dict[str, Any]:
    """Nothing when the text does not begin with one of the names and `=`."""
    name = rf"({'|'.join(sorted(map(re.escape, names), key=len, reverse=True))})\s*="
    following = re.compile(rf"\s*[,，]\s*(?={name})")
    quoted = re.compile(rf'\s*(?:"((?:[^"\\]|\\.)*)"|\'([^\']*)\')\s*(?=$|[,，]\s*{name})', re.DOTALL)
    found: dict[str, Any] = {}
    key = re.match(name, text)
    while key:
        value = quoted.match(text, key.end())
        if value:
            found[key[1]] = value[2] if value[1] is None else re.sub(r'\\(["\\])', r"\1", value[1])
            comma = following.match(text, value.end())
        else:
            comma = following.search(text, key.end())
            found[key[1]] = text[key.end() : comma.start() if comma else None].strip()
        key = re.compile(name).match(text, comma.end()) if comma else None
    return found


def _with_action(tool: str, found: dict[str, Any]) -> dict[str, Any]:
    if found.get("action"):
        return found
    for name, (action, meant) in _IMPLIED.get(tool, {}).items():
        if name in found:
            return {"action": action, meant: found.pop(name), **found}
    return found


def _absent(parameter: ToolParameter | None, value: Any) -> bool:
    """Models that must name every parameter leave null, or an empty text where a number should be."""
    return value is None or (value == "" and parameter is not None and parameter.type != "string")


def _typed(parameter: ToolParameter | None, value: Any) -> Any:
    if parameter is None:
        return value
    try:
        return _convert(parameter.type, value)
    except (ValueError, TypeError, OverflowError):
        raise HelloAgentsException(
            f"参数 {parameter.name} 应为 {parameter.type} 类型，收到的是 {str(value)[:100]!r}"
        ) from None


def _convert(type: str, value: Any) -> Any:
    """ValueError, TypeError or OverflowError when the value cannot be of this JSON type."""
    text = value.strip() if isinstance(value, str) else ""
    match type:
        case "integer":
            return _whole(text or value)
        case "number":
            return float(text or value)
        case "boolean":
            return _truth(text.lower() if text else value)
        case "array":
            return _array(text, value)
        case "object":
            found = json.loads(text) if text else value
            return found if isinstance(found, dict) else _refuse(found)
        case _:
            return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _whole(value: Any) -> int:
    number = float(value)
    return int(number) if number.is_integer() else _refuse(value)


def _truth(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value)
    return word in _TRUE if word in _TRUE | _FALSE else _refuse(value)


def _array(text: str, value: Any) -> list[Any]:
    if text.startswith("["):
        value = json.loads(text)
    elif text:
        value = [part.strip() for part in re.split("[,，]", text) if part.strip()]
    return list(value) if isinstance(value, (list, tuple)) else _refuse(value)


def _refuse(value: Any) -> Any:
    raise ValueError(value)
