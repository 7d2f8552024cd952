"""JSON in a model's answer, and where it breaks a JSON schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ricordo.types import Json

_START = re.compile(r"[\[{]")
_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


def find_json(text: str) -> Any:
    """The first JSON object or array in the text, whatever stands around it; ValueError when there is none."""
    decoder = json.JSONDecoder()
    for start in _START.finditer(text):
        try:
            return decoder.raw_decode(text, start.start())[0]
        except ValueError:
            continue
    return json.loads(text)


def violations(value: Any, schema: Json, root: Json | None = None, path: str = "$") -> Iterator[str]:
    """What is wrong with the value, one line each.

    Knows type, enum, const, properties, required, additionalProperties, items, lengths, bounds, pattern, anyOf, oneOf,
    allOf and local $ref; a keyword that it does not know allows everything.
    """
    root = schema if root is None else root
    if "$ref" in schema:
        schema = {**_resolve(str(schema["$ref"]), root), **{k: v for k, v in schema.items() if k != "$ref"}}
    if "type" in schema and not _is_any(value, schema["type"]):
        yield f"{path} must be {schema['type']}, not {type(value).__name__}"
        return
    yield from _bounds(value, schema, path)
    for part in schema.get("allOf", ()):
        yield from violations(value, part, root, path)
    for name in ("anyOf", "oneOf"):
        options = [list(violations(value, option, root, path)) for option in schema.get(name, ())]
        if options and all(options):
            yield from min(options, key=len)
    if isinstance(value, dict):
        yield from _members(value, schema, root, path)
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        for number, item in enumerate(value):
            yield from violations(item, schema["items"], root, f"{path}[{number}]")


def _members(value: dict[str, Any], schema: Json, root: Json, path: str) -> Iterator[str]:
    known = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    yield from (f"{path}.{name} is missing" for name in schema.get("required", ()) if name not in value)
    for name, member in value.items():
        if name in known:
            yield from violations(member, known[name], root, f"{path}.{name}")
        elif others is False:
            yield f"{path}.{name} is not in the schema"
        elif isinstance(others, dict):
            yield from violations(member, others, root, f"{path}.{name}")


def _bounds(value: Any, schema: Json, path: str) -> Iterator[str]:
    allowed = [schema["const"]] if "const" in schema else schema.get("enum", [value])
    if value not in allowed:
        yield f"{path} must be one of {allowed}, not {value!r}"
    if isinstance(value, str | list):
        least, most = ("minLength", "maxLength") if isinstance(value, str) else ("minItems", "maxItems")
        if not schema.get(least, 0) <= len(value) <= schema.get(most, len(value)):
            yield f"{path} has {len(value)} items or characters, out of bounds"
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{path} does not match {schema['pattern']!r}"
    if _is_any(value, "number") and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        yield f"{path} is {value}, out of bounds"


def _is_any(value: Any, types: str | list[str]) -> bool:
    for name in [types] if isinstance(types, str) else types:
        if isinstance(value, bool) and name in ("integer", "number"):
            continue
        if isinstance(value, _TYPES.get(name, object)):
            return True
    return False


def _resolve(reference: str, root: Json) -> Json:
    found: Any = root
    for step in reference.removeprefix("#/").split("/"):
        found = found.get(step.replace("~1", "/").replace("~0", "~"), {}) if isinstance(found, dict) else {}
    return found if isinstance(found, dict) else {}
