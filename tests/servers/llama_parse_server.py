"""The protocol of LlamaParse, version 2: a multipart upload starts a job, the job is polled with its Markdown."""

from __future__ import annotations

from servers.scripted import Scripted

KEY = "llx-key-77b0"


class LlamaParseServer(Scripted):
    """A job runs for one poll and then ends as `job` and `pages` say."""

    def __init__(self):
        super().__init__()
        self.polls = 0
        self.job = {"id": "job-1", "status": "COMPLETED", "error_message": None}
        self.pages = [
            {"page_number": 1, "markdown": "# Contract\n\nFirst page.", "success": True},
            {"page_number": 2, "markdown": "第二页", "success": True},
        ]

    def step(self, method, path):
        return "upload" if method == "POST" else "poll"

    def answer(self, method, path, headers, body):
        if headers.get("Authorization") != f"Bearer {KEY}":
            return 401, {"detail": f"bad key {headers.get('Authorization')}"}
        if path == "/api/v2/parse/upload" and method == "POST":
            return 200, {"id": "job-1", "status": "PENDING", "error_message": None}
        if path == "/api/v2/parse/job-1" and method == "GET":
            self.polls += 1
            if self.polls == 1:
                return 200, {"job": {"id": "job-1", "status": "RUNNING"}}
            return 200, {"job": self.job, "markdown": {"pages": self.pages}}
        return 410, {"detail": "gone"}
