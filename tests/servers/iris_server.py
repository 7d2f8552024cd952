"""The protocol of Vectorize Iris: create file, upload without a key, start an extraction, poll it."""

from __future__ import annotations

import json

from servers.scripted import Scripted

TOKEN = "iris-token-8a61"


class IrisServer(Scripted):
    """Keeps files of organisation `org-1`; an extraction is ready at the second poll and says what `result` says."""

    def __init__(self):
        super().__init__()
        self.files = {}
        self.polls = 0
        self.result = {"success": True, "text": "# 报告\n\nRevenue rose."}

    def step(self, method, path):
        if method == "PUT":
            return "upload"
        if method == "GET":
            return "poll"
        return "create" if path.endswith("/files") else "extract"

    def answer(self, method, path, headers, body):
        if method == "PUT":
            if "Authorization" in headers:
                return 400, {"error": "a signed link takes no key"}
            self.files[path] = (headers["Content-Type"], body)
            return 200, ""
        if headers.get("Authorization") != f"Bearer {TOKEN}":
            return 401, {"error": f"bad token {headers.get('Authorization')}"}
        if not path.startswith("/v1/org/org-1/"):
            return 404, {"error": "no such organisation"}
        if path.endswith("/files"):
            asked = json.loads(body)
            return 200, {"fileId": f"f:{asked['name']}", "uploadUrl": f"{self.url}/up/f1?sig=a%2Fb"}
        if path.endswith("/extraction"):
            return 200, {"extractionId": "x1"} if json.loads(body)["fileId"] else {}
        self.polls += 1
        return 200, {"ready": True, "data": self.result} if self.polls > 1 else {"ready": False}
