"""A small real HTTP server whose faults a test can order: the next answers of a route, then the honest ones."""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Scripted:
    """Subclasses give `answer(method, path, headers, body)` → (status, body); `orders` come before it, one a call.

    An order is (status, body) or (status, body, headers), or "hang up" to close the connection without an answer.
    """

    def __init__(self):
        self.orders = defaultdict(list)
        self.calls = []
        served = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def handle_any(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                path = self.path.partition("?")[0]
                step = served.step(self.command, path)
                served.calls.append((step, dict(self.headers), body, self.path))
                order = served.orders[step].pop(0) if served.orders[step] else None
                if order == "hang up":
                    self.close_connection = True
                    return
                status, answer, *more = order or served.answer(self.command, path, self.headers, body)
                raw = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
                self.send_response(status)
                for name, value in (more[0] if more else {}).items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            do_GET = do_POST = do_PUT = handle_any  # noqa: N815  http.server asks for these names

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def step(self, method, path):
        return f"{method} {path}"

    def steps(self):
        return [step for step, *_ in self.calls]

    def sent(self, step):
        return [(headers, body, path) for at, headers, body, path in self.calls if at == step]

    def close(self):
        self._server.shutdown()
        self._server.server_close()
