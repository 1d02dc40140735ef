"""A dataset hub on loopback that speaks the requests of one commit: create, ask what to upload, commit."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class FakeHub:
    """Repositories as they were committed.

    Attributes:
        created: What the requests to create a repository held.
        commits: The files of each commit, by name.
        tokens: The tokens that came with the requests.
        status: What a commit is answered with.
    """

    def __init__(self) -> None:
        self.created: list[Any] = []
        self.commits: list[dict[str, bytes]] = []
        self.tokens: set[str] = set()
        self.status = 200

    def answer(self, url: str, path: str, body: bytes) -> tuple[int, Any]:
        """A status and the body of the answer."""
        if path == "/api/repos/create":
            self.created.append(json.loads(body))
            return 200, {"url": f"{url}/datasets/me/sums"}
        if path == "/api/datasets/me/sums/preupload/main":
            files = json.loads(body)["files"]
            return 200, {
                "files": [{"path": file["path"], "uploadMode": "regular", "shouldIgnore": False} for file in files]
            }
        if path == "/api/datasets/me/sums/commit/main":
            if self.status != 200:
                return self.status, {"error": "You may not write here."}
            lines = [json.loads(line) for line in body.splitlines()]
            files = [line["value"] for line in lines if line["key"] == "file"]
            self.commits.append({file["path"]: base64.b64decode(file["content"]) for file in files})
            return 200, {"commitUrl": f"{url}/datasets/me/sums/commit/{len(self.commits)}", "commitOid": "0"}
        return 200, {}


@contextmanager
def serving(hub: FakeHub) -> Iterator[str]:
    """The hub's address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            hub.tokens.add(self.headers.get("authorization", "").removeprefix("Bearer "))
            status, told = hub.answer(
                f"http://{self.headers['host']}", self.path, self.rfile.read(int(self.headers["content-length"]))
            )
            body = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            self.send_error(404)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
