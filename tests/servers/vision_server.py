"""The chat protocol of OpenAI, as far as a picture goes in and its text comes out."""

from __future__ import annotations

from servers.scripted import Scripted

KEY = "sk-vision-5c2d"


class VisionServer(Scripted):
    def __init__(self):
        super().__init__()
        self.text = "收货确认单\nSH-20231107-42"

    def step(self, method, path):
        return "chat"

    def answer(self, method, path, headers, body):
        if path != "/v1/chat/completions":
            return 404, {"error": {"message": "no such route"}}
        if headers.get("Authorization") != f"Bearer {KEY}":
            return 401, {"error": {"message": f"Incorrect key {headers.get('Authorization')}"}}
        return 200, {"choices": [{"message": {"role": "assistant", "content": self.text}}]}
