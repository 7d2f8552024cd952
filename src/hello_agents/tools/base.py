"""What a tool is: a name, a description, declared parameters, and `run`."""

from __future__ import annotations

import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import asdict, dataclass
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

F = TypeVar("F", bound=Callable[..., Any])

_JSON_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object"}
_ARGUMENT = re.compile(r"^[ \t]+(\w+)[ \t]*(?:\([^)]*\))?[ \t]*[:：][ \t]*(.+)$", re.MULTILINE)


@dataclass(slots=True)
class ToolParameter:
    """`type` is a JSON type: string, integer, number, boolean, array or object."""

    name: str
    type: str
    description: str
    required: bool = True
    default: Any = None

    def to_schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": self.type, "description": self.description}
        if self.type == "array":
            schema["items"] = {"type": "string"}
        if self.default is not None:
            schema["default"] = self.default
        return schema


class Tool(ABC):
    """An `expandable` tool may be registered as one tool for each of its methods that carry `@tool_action`."""

    def __init__(self, name: str, description: str, expandable: bool = False) -> None:
        self.name = name
        self.description = description
        self.expandable = expandable

    @abstractmethod
    def run(self, parameters: dict[str, Any]) -> str: ...

    @abstractmethod
    def get_parameters(self) -> list[ToolParameter]: ...

    def validate_parameters(self, parameters: dict[str, Any]) -> bool:
        """True when every required parameter is there."""
        return all(p.name in parameters for p in self.get_parameters() if p.required)

    def to_dict(self) -> dict[str, Any]:
        parameters = [asdict(parameter) for parameter in self.get_parameters()]
        return {"name": self.name, "description": self.description, "parameters": parameters}

    def to_openai_schema(self) -> dict[str, Any]:
        """The tool as native function calling declares it."""
        parameters = self.get_parameters()
        schema = {
            "type": "object",
            "properties": {p.name: p.to_schema() for p in parameters},
            "required": [p.name for p in parameters if p.required],
        }
        return {
            "type": "function",
            "function": {"name": self.name, "description": self.description, "parameters": schema},
        }

    def get_expanded_tools(self) -> list[Tool] | None:
        """One tool an action; None when the tool is not expandable or has no actions."""
        if not self.expandable:
            return None
        methods = (method for _, method in inspect.getmembers(self, inspect.ismethod))
        return [_Action(self, method) for method in methods if hasattr(method, "tool_action")] or None

    def __repr__(self) -> str:
        return f"{type(self).__name__}(name={self.name!r})"


def tool_action(name: str | None = None, description: str | None = None) -> Callable[[F], F]:
    """Marks a method as an action; `name` is the expanded tool's, by default tool_method.

    Parameters come from the signature, their descriptions from `Annotated[type, "description"]` or the docstring's
    lines `name: description`.
    """

    def mark(method: F) -> F:
        method.tool_action = (name, description)  # type: ignore[attr-defined]
        return method

    return mark


class _Action(Tool):
    def __init__(self, tool: Tool, method: Any) -> None:
        name, description = method.tool_action
        doc = inspect.getdoc(method) or ""
        super().__init__(name or f"{tool.name}_{method.__name__.lstrip('_')}", description or doc.partition("\n")[0])
        self._method = method
        self._parameters = _parameters(method)
        kinds = [parameter.kind for parameter in inspect.signature(method).parameters.values()]
        self._takes_more = inspect.Parameter.VAR_KEYWORD in kinds

    def run(self, parameters: dict[str, Any]) -> str:
        known = {p.name for p in self._parameters}
        given = {name: value for name, value in parameters.items() if self._takes_more or name in known}
        result = self._method(**given)
        return result if isinstance(result, str) else str(result)

    def get_parameters(self) -> list[ToolParameter]:
        return list(self._parameters)


def _parameters(method: Any) -> list[ToolParameter]:
    hints = get_type_hints(method, include_extras=True)
    described = dict(_ARGUMENT.findall(method.__doc__ or ""))
    found = []
    for name, parameter in inspect.signature(method).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        hint = hints.get(name, str)
        notes = [note for note in get_args(hint)[1:] if isinstance(note, str)] if get_origin(hint) is Annotated else []
        required = parameter.default is parameter.empty
        found.append(
            ToolParameter(
                name=name,
                type=_json_type(hint),
                description=notes[0] if notes else described.get(name, name),
                required=required,
                default=None if required else parameter.default,
            )
        )
    return found


def _json_type(hint: Any) -> str:
    origin = get_origin(hint)
    if origin is Annotated:
        return _json_type(get_args(hint)[0])
    if origin in (Union, UnionType):
        return _json_type(next(arm for arm in get_args(hint) if arm is not type(None)))
    return _JSON_TYPES.get(origin or hint, "string")
