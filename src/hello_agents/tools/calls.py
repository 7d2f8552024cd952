"""Tool calls that a model writes as text: `[TOOL_CALL:tool_name:parameters]`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

_OPENING = re.compile(r"\[TOOL_CALL:\s*([^:\[\]\s]+)\s*(?::|(?=\]))")
_CLOSING = re.compile(r"\s*\]")
_ENDS_LINE = re.compile(r"[ \t]*(?:[\r\n]|$)")
_DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class TextCall:
    """`start` and `end` are its place in the text. An unfinished call was cut off before its closing bracket."""

    name: str
    parameters: str
    start: int
    end: int
    finished: bool = True


def find_calls(text: str) -> list[TextCall]:
    """In order. JSON ends where its braces do, whatever it holds; other text ends at a bracket of its own."""
    calls = []
    at = 0
    while opening := _OPENING.search(text, at):
        end = _end_of_json(text, opening.end()) or _end_of_text(text, opening.end())
        finished = end is not None
        stop = end if end is not None else _segment_end(text, opening.end())
        parameters = text[opening.end() : stop - 1 if finished else stop].strip()
        calls.append(TextCall(opening[1], parameters, opening.start(), stop, finished))
        at = stop
    return calls


def without_calls(text: str, calls: list[TextCall]) -> str:
    """The text around the calls."""
    kept, at = [], 0
    for call in calls:
        kept.append(text[at : call.start])
        at = call.end
    return "".join([*kept, text[at:]]).strip()


def _end_of_json(text: str, start: int) -> int | None:
    brace = re.compile(r"\s*(?=\{)").match(text, start)
    if not brace:
        return None
    try:
        _, end = _DECODER.raw_decode(text, brace.end())
    except (ValueError, RecursionError):
        return None
    closing = _CLOSING.match(text, end)
    return closing.end() if closing else None


def _end_of_text(text: str, start: int) -> int | None:
    """After the bracket that closes the call: of those that close none in its content, the first that ends a line."""
    stop = _segment_end(text, start)
    free, depth = [], 0
    for bracket in re.compile(r"[\[\]]").finditer(text, start, stop):
        if bracket[0] == "[":
            depth += 1
        elif depth:
            depth -= 1
        else:
            free.append(bracket.end())
    ending = (end for end in free if _ENDS_LINE.match(text, end, stop))
    return next(ending, free[0] if free else None)


def _segment_end(text: str, start: int) -> int:
    following = _OPENING.search(text, start)
    return following.start() if following else len(text)
