"""A model that finds numbers by halving, over OpenAI's chat protocol on loopback; prints its port, ends with its input.

Known to solve ``guess-number-v0`` always, so what an evaluation says of it must be 1. With an argument it refuses conversations
in which it has said so much already: an endpoint that dies in the middle of each.
"""

from __future__ import annotations

import json
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def reply(messages: list[dict[str, Any]]) -> str:
    """The middle of what is left."""
    low = high = guess = 0
    for message in messages:
        content = message["content"]
        text = content if isinstance(content, str) else "".join(part.get("text", "") for part in content or [])
        stated = re.search(r"between (\d+) and (\d+)", text)
        if message["role"] == "assistant":
            guess = int(re.findall(r"<answer>(\d+)</answer>", text)[-1])
        elif stated and not high:
            low, high = int(stated[1]), int(stated[2])
        elif "higher" in text:
            low = guess + 1
        elif "lower" in text:
            high = guess - 1
    return f"<answer>{(low + high) // 2}</answer>"


PATIENCE = int(sys.argv[1]) if len(sys.argv) > 1 else 1000


class Handler(BaseHTTPRequestHandler):
    """Answers a chat completion, whole or as a stream of one piece."""

    def do_POST(self) -> None:
        """Reply."""
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if sum(message["role"] == "assistant" for message in asked["messages"]) >= PATIENCE:
            self.send_error(418)  # which clients do not try again
            return
        said = {"role": "assistant", "content": reply(asked["messages"])}
        choice = {"index": 0, "finish_reason": "stop"}
        told = {"id": "1", "created": 0, "model": asked["model"]}
        if asked.get("stream"):
            piece = {**told, "object": "chat.completion.chunk", "choices": [{**choice, "delta": said}]}
            body, kind = f"data: {json.dumps(piece)}\n\ndata: [DONE]\n\n".encode(), "text/event-stream"
        else:
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            whole = {**told, "object": "chat.completion", "choices": [{**choice, "message": said}], "usage": usage}
            body, kind = json.dumps(whole).encode(), "application/json"
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        print(server.server_port, flush=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.read()
        server.shutdown()
