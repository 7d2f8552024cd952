"""A real HTTP server that speaks OpenAI's embeddings and chat, deterministic, and faulty on request."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What becomes of one request: an answer other than the right one, a delay, or a cut after so many events."""

    status: int = 0
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    change: Callable[[Any], Any] | None = None
    delay: float = 0.0
    cut_after: int | None = None
    politely: bool = False


def too_many(retry_after: str) -> Fault:
    return Fault(status=429, body={"error": {"message": "slow down"}}, headers={"Retry-After": retry_after})


def broken(status: int = 500, message: str = "out of order") -> Fault:
    return Fault(status=status, body={"error": {"message": message}})


def malformed() -> Fault:
    return Fault(status=200, body=b"<html>not JSON")


def slow(seconds: float) -> Fault:
    return Fault(delay=seconds)


def changed(change: Callable[[Any], Any]) -> Fault:
    return Fault(change=change)


def cut(after: int, *, politely: bool = False) -> Fault:
    """A stream that breaks off after so many events; politely: as if it had come to its end."""
    return Fault(cut_after=after, politely=politely)


@dataclass(frozen=True)
class Request:
    path: str
    body: Any
    headers: dict[str, str]


class OpenAIServer:
    """`faults` are used up one a request, first in first out; `answers` are what the chat model says, in turn.

    Each text's vector comes from its words, so texts with common words are near. `token_limit` refuses longer inputs as
    llama.cpp does (a token is a word, or a Chinese character). `refuse` names what is answered with HTTP 400 when a
    chat request carries it: a key of the body, or a type of response_format.
    """

    def __init__(self, *, dimension: int = 16, token_limit: int | None = None, encoding: str = "float") -> None:
        self.dimension = dimension
        self.token_limit = token_limit
        self.encoding = encoding
        self.faults: deque[Fault] = deque()
        self.answers: deque[str] = deque()
        self.finish_reason = "stop"
        self.refuse: set[str] = set()
        self.requests: list[Request] = []
        self.most_at_once = 0
        self._now = 0
        self._lock = threading.Lock()
        self._released = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"api": self}))
        self._http.daemon_threads = True
        self.root = f"http://127.0.0.1:{self._http.server_address[1]}"
        self.url = f"{self.root}/v1"

    def __enter__(self) -> OpenAIServer:
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._released.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def bodies(self, ending: str) -> list[Any]:
        """The bodies of the requests to a path, in order."""
        return [r.body for r in self.requests if r.path.endswith(ending)]

    def vector(self, text: str) -> list[float]:
        row = [0.01] * self.dimension
        for word in tokens(text):
            row[int.from_bytes(hashlib.blake2b(word.encode(), digest_size=4).digest()) % self.dimension] += 1.0
        return row

    def enter(self, request: Request) -> Fault:
        with self._lock:
            self.requests.append(request)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
            fault = self.faults.popleft() if self.faults else Fault()
        if fault.delay:
            self._released.wait(fault.delay)
        return fault

    def leave(self) -> None:
        with self._lock:
            self._now -= 1

    def embeddings(self, body: Any) -> tuple[int, Any]:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        for text in texts:
            if not text:
                return 400, {"error": {"code": 400, "message": "Input content cannot be empty"}}
            count = len(tokens(text))
            if self.token_limit is not None and count > self.token_limit:
                message = (
                    f"input ({count} tokens) is too large to process. increase the physical batch size "
                    f"(current batch size: {self.token_limit})"
                )
                return 500, {"error": {"code": 500, "message": message, "type": "server_error"}}
        rows = [self.vector(text)[: body.get("dimensions") or self.dimension] for text in texts]
        data = [{"object": "embedding", "index": i, "embedding": self._encoded(row)} for i, row in enumerate(rows)]
        return 200, {"object": "list", "model": body["model"], "data": data, "usage": {"prompt_tokens": len(texts)}}

    def _encoded(self, row: list[float]) -> Any:
        return base64.b64encode(struct.pack(f"<{len(row)}f", *row)).decode() if self.encoding == "base64" else row

    def refusal(self, body: Any) -> tuple[int, Any] | None:
        form = (body.get("response_format") or {}).get("type")
        for name in self.refuse & {*body, form}:
            what = "response_format" if name == form else name
            return 400, {"error": {"message": f"Unsupported parameter: '{what}' ({name})"}}
        return None

    def say(self, body: Any) -> str:
        with self._lock:
            return self.answers.popleft() if self.answers else f"You said: {body['messages'][-1]['content']}"


def tokens(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+|[^\sa-z0-9]", text.casefold())


class _Handler(BaseHTTPRequestHandler):
    api: OpenAIServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        found = self.path.endswith("/models")
        self.answer(200 if found else 404, {"object": "list", "data": [{"id": "test"}]} if found else {"error": "no"})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        fault = self.api.enter(Request(self.path, body, dict(self.headers)))
        try:
            self.serve(body, fault)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            self.api.leave()

    def serve(self, body: Any, fault: Fault) -> None:
        if fault.status:
            self.answer(fault.status, fault.body, fault.headers)
        elif self.path == "/v1/embeddings":
            status, answer = self.api.embeddings(body)
            self.answer(status, fault.change(answer) if fault.change else answer)
        elif self.path == "/v1/chat/completions":
            self.chat(body, fault)
        else:
            self.answer(404, {"error": {"message": f"no such path {self.path}"}})

    def chat(self, body: Any, fault: Fault) -> None:
        if refused := self.api.refusal(body):
            self.answer(*refused)
            return
        text = self.api.say(body)
        usage = {"prompt_tokens": 7, "completion_tokens": len(tokens(text))}
        if body.get("stream"):
            self.stream(text, usage if "stream_options" in body else None, fault)
            return
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": text},
            "finish_reason": self.api.finish_reason,
        }
        answer = {"object": "chat.completion", "choices": [choice], "usage": usage}
        self.answer(200, fault.change(answer) if fault.change else answer)

    def stream(self, text: str, usage: Any, fault: Fault) -> None:
        pieces = [text[i : i + 3] for i in range(0, len(text), 3)]
        events: list[Any] = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
        events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": self.api.finish_reason}]})
        events += [{"choices": [], "usage": usage}] if usage else []
        if fault.change:
            events = fault.change(events)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        lines = [f"data: {json.dumps(event)}\n\n" for event in events] + ["data: [DONE]\n\n"]
        for line in lines[: fault.cut_after]:
            data = line.encode()
            self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        if fault.cut_after is None or fault.politely:
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)

    def answer(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
