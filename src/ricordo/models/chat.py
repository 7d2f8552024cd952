"""Chat with any OpenAI-compatible server, with answers that fit a JSON schema whatever the server can do itself."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, TypeAlias

from ricordo.errors import Invalid, ModelFailed, Unavailable
from ricordo.models.endpoint import Endpoint, Refused
from ricordo.models.schema import find_json, violations
from ricordo.models.thinking import Thinking, without_thinking
from ricordo.secret import Secret
from ricordo.types import Json

Messages: TypeAlias = Sequence[Mapping[str, Any]]

_PATH = "chat/completions"
FORMATS = ("json_schema", "json_object", "text")
"""What a server may be asked to hold its answer to, the strictest first."""
_FORMAT_REFUSED = re.compile(r"response_format|schema|grammar|json", re.IGNORECASE)
_OPTIONAL = {
    "max_tokens": "max_tokens",
    "temperature": "temperature",
    "stream_options": "stream_options",
    "tools": "tool",
}
"""What a request may do without, and the word by which a server names it when it refuses it."""


@dataclass(slots=True)
class Usage:
    """What a model has been asked for so far, as its server counts it."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def add(self, counted: Any) -> None:
        self.requests += 1
        if isinstance(counted, dict):
            self.prompt_tokens += counted.get("prompt_tokens") or 0
            self.completion_tokens += counted.get("completion_tokens") or 0


@dataclass(frozen=True, slots=True)
class Call:
    """A function that a model wants called; `arguments` is its text, which should be JSON and may not be."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Turn:
    text: str
    calls: tuple[Call, ...] = ()


class OpenAILLM:
    """`usage` counts what was spent. What a server does not know (a format, a parameter) is left out from then on."""

    def __init__(
        self,
        url: str,
        *,
        model: str,
        key: Secret | str | None = None,
        temperature: float | None = 0.0,
        concurrency: int = 4,
        timeout: float = 60.0,
        retries: int = 3,
        backoff: float = 0.5,
    ) -> None:
        if not model:
            raise Invalid("the openai language model needs the name of a model, as the server lists it at /v1/models")
        self.name = f"openai:{model}"
        self.usage = Usage()
        self._endpoint = Endpoint(url, key, timeout=timeout, retries=retries, concurrency=concurrency, backoff=backoff)
        self._model = model
        self._temperature = temperature
        self._unknown: set[str] = set()
        self._formats: dict[str, int] = {}

    def __repr__(self) -> str:
        return f"OpenAILLM({self._endpoint.shown!r}, model={self._model!r})"

    async def complete(self, messages: Messages, *, schema: Json | None = None, max_tokens: int | None = None) -> str:
        """The answer without its reasoning; JSON that fits `schema` where one is given, after one repair at most."""
        if schema is None:
            return await self._say(messages, max_tokens)
        said = await self._say(messages, max_tokens, schema)
        found, wrong = _check(said, schema)
        if wrong:
            repair = f"That was wrong: {'; '.join(wrong[:5])}. {_instruction(schema)}"
            again = [*messages, {"role": "assistant", "content": said}, {"role": "user", "content": repair}]
            said = await self._say(again, max_tokens, schema)
            found, wrong = _check(said, schema)
        if wrong:
            raise ModelFailed(
                f"{self.name} gave no JSON that fits the schema, asked twice: {'; '.join(wrong[:5])}; "
                f"it answered {said[:100]!r}"
            )
        return json.dumps(found, ensure_ascii=False)

    async def converse(
        self,
        messages: Messages,
        *,
        tools: Sequence[Json] = (),
        max_tokens: int | None = None,
        options: Json | None = None,
    ) -> Turn:
        """What the model says, or which of the tools it calls; a server without tools answers as if there were none.

        `options` are further fields of the request.
        """
        extra = {**(options or {}), **({"tools": list(tools)} if tools else {})}
        choice = await self._choice(messages, max_tokens, extra=extra)
        calls = tuple(self._calls(choice["message"].get("tool_calls") or ()))
        text = without_thinking(choice["message"].get("content") or "")
        if not calls:
            self._check_end(choice.get("finish_reason"), text, cut_is_fine=max_tokens is not None)
        return Turn(text, calls)

    async def stream(
        self, messages: Messages, *, max_tokens: int | None = None, options: Json | None = None
    ) -> AsyncIterator[str]:
        """The answer piece by piece, without its reasoning; Unavailable when it is cut off."""
        thinking = Thinking()
        ended = shown = ""
        counted: Any = None
        async with aclosing(self._events(messages, max_tokens, options)) as events:
            async for event in events:
                counted = event.get("usage") or counted
                for choice in event.get("choices") or ():
                    ended = ended or choice.get("finish_reason") or ""
                    piece = thinking.feed((choice.get("delta") or {}).get("content") or "")
                    shown = shown or piece
                    if piece:
                        yield piece
        if rest := thinking.rest():
            yield rest
        self.usage.add(counted)
        if not ended:
            raise Unavailable(f"{self._endpoint.shown} cut its answer off; ask again")
        self._check_end(ended, shown or rest, cut_is_fine=max_tokens is not None)

    async def close(self) -> None:
        await self._endpoint.close()

    async def _say(self, messages: Messages, max_tokens: int | None, schema: Json | None = None) -> str:
        choice = await self._choice(messages, max_tokens, schema)
        text = without_thinking(choice["message"].get("content") or "")
        self._check_end(choice.get("finish_reason"), text, cut_is_fine=max_tokens is not None and schema is None)
        return text

    async def _choice(
        self, messages: Messages, max_tokens: int | None, schema: Json | None = None, extra: Json | None = None
    ) -> dict[str, Any]:
        """The server's first choice, whose message is a dict with text, or nothing, for its content."""
        while True:
            body = self._body(messages, max_tokens, schema, extra)
            try:
                answer = await self._endpoint.post(_PATH, body)
                break
            except Refused as error:
                if not self._gives_way(error.detail, body, schema):
                    raise
        try:
            choice = answer["choices"][0]
            sound = isinstance(choice["message"].get("content") or "", str)
        except (KeyError, IndexError, TypeError, AttributeError):
            sound = False
        if not sound:
            raise ModelFailed(f"{self._endpoint.shown} answered without a message: {str(answer)[:100]}")
        self.usage.add(answer.get("usage"))
        found: dict[str, Any] = choice
        return found

    def _calls(self, given: Any) -> Iterator[Call]:
        for number, call in enumerate(given):
            try:
                name, arguments = call["function"]["name"], call["function"].get("arguments") or "{}"
            except (KeyError, TypeError, AttributeError) as error:
                raise ModelFailed(f"{self.name} called a tool without its name: {str(call)[:100]}") from error
            text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
            yield Call(call.get("id") or f"call_{number}", str(name), text)

    async def _events(
        self, messages: Messages, max_tokens: int | None, options: Json | None
    ) -> AsyncGenerator[dict[str, Any], None]:
        while True:
            body = self._body(messages, max_tokens, extra=options) | {"stream": True}
            if "stream_options" not in self._unknown:
                body["stream_options"] = {"include_usage": True}
            try:
                async with self._endpoint.lines(_PATH, body) as lines:
                    async for line in lines:
                        name, _, value = line.partition(":")
                        if name == "data":
                            yield self._event(value.strip())
            except Refused as error:
                if not self._gives_way(error.detail, body, None):
                    raise
            else:
                return

    def _event(self, data: str) -> dict[str, Any]:
        if data == "[DONE]":
            return {"choices": [{"finish_reason": "stop"}]}
        try:
            event = json.loads(data)
        except ValueError as error:
            raise ModelFailed(f"{self._endpoint.shown} streamed something that is not JSON: {data[:100]!r}") from error
        if not isinstance(event, dict) or event.get("error"):
            raise ModelFailed(f"{self._endpoint.shown} failed in the middle of its answer: {data[:300]}")
        return event

    def _body(
        self, messages: Messages, max_tokens: int | None, schema: Json | None = None, extra: Json | None = None
    ) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self._model, "messages": list(messages)}
        wanted = {"temperature": self._temperature, **(extra or {})}
        body |= {name: value for name, value in wanted.items() if value is not None and name not in self._unknown}
        if max_tokens is not None:
            body["max_completion_tokens" if "max_tokens" in self._unknown else "max_tokens"] = max_tokens
        if schema is not None:
            form = FORMATS[self._formats.get(_key(schema), 0)]
            if form == "json_schema":
                body["response_format"] = {"type": form, form: {"name": "answer", "schema": schema}}
            else:
                *before, last = messages
                body["messages"] = [*before, {**last, "content": f"{last['content']}\n\n{_instruction(schema)}"}]
            if form == "json_object":
                body["response_format"] = {"type": form}
        return body

    def _gives_way(self, detail: str, body: Json, schema: Json | None) -> bool:
        """True when leaving out what the server refused may help; it stays left out."""
        if schema is not None and "response_format" in body and _FORMAT_REFUSED.search(detail):
            self._formats[_key(schema)] = self._formats.get(_key(schema), 0) + 1
            return True
        refused = {name for name, word in _OPTIONAL.items() if name in body and word in detail}
        self._unknown |= refused
        return bool(refused)

    def _check_end(self, reason: str | None, text: str, *, cut_is_fine: bool) -> None:
        if reason == "content_filter":
            raise ModelFailed(f"the content filter of {self._endpoint.shown} stopped the answer; ask differently")
        if reason == "length" and not (cut_is_fine and text):
            raise ModelFailed(
                f"{self.name} ran out of tokens in the middle of its answer; raise max_tokens, or the server's context"
            )
        if not text:
            raise ModelFailed(f"{self.name} gave an empty answer; ask again, or use another model")


def _key(schema: Json) -> str:
    return json.dumps(schema, sort_keys=True)


def _instruction(schema: Json) -> str:
    return f"Answer with JSON only, that fits this JSON schema: {json.dumps(schema, ensure_ascii=False)}"


def _check(said: str, schema: Json) -> tuple[Any, list[str]]:
    """The JSON in the answer, and what is wrong with it."""
    try:
        found = find_json(said)
    except ValueError:
        return None, ["it holds no JSON"]
    return found, list(violations(found, schema))
