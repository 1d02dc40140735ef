"""Runs a ``lean --server`` in a jail and checks versions of one document.

This source is sent to a live Python session, then ``start(command, search)`` once and ``ask(text)`` for each check,
which prints the diagnostics as one line of JSON. It needs only the standard library.
"""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

URI = "file:///box/work/Submission.lean"


class Server:
    """A server and its one document."""

    def __init__(self, command: list[str], search: str) -> None:
        environment = dict(os.environ, LEAN_PATH=search)
        silent = subprocess.DEVNULL
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=silent, env=environment
        )
        self.asked = 0
        self.version = 0
        self.found: list[Any] = []
        self.request("initialize", {"processId": None, "rootUri": "file:///box/work", "capabilities": {}})
        self.send({"method": "initialized", "params": {}})

    def diagnose(self, text: str) -> list[Any]:
        """Diagnostics of the document with this text."""
        self.version += 1
        self.found = []
        about = {"uri": URI, "version": self.version}
        if self.version == 1:
            document = {**about, "languageId": "lean4", "text": text}
            self.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        else:
            changes = [{"text": text}]
            self.send(
                {"method": "textDocument/didChange", "params": {"textDocument": about, "contentChanges": changes}}
            )
        answer = self.request("textDocument/waitForDiagnostics", about)
        if "result" not in answer:
            raise RuntimeError("the server did not wait for its diagnostics")
        return self.found

    def request(self, method: str, params: Any) -> dict[str, Any]:
        """Send a request and wait for its response, collecting diagnostics meanwhile."""
        self.asked += 1
        self.send({"id": self.asked, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                if message["params"].get("version") == self.version:
                    self.found = message["params"]["diagnostics"]
            elif message.get("id") == self.asked and "method" not in message:
                return message

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        """The next message.

        Raises:
            EOFError: The server has ended.
        """
        assert self.process.stdout is not None
        size = 0
        while line := self.process.stdout.readline():
            if not line.strip():
                message: dict[str, Any] = json.loads(self.process.stdout.read(size))
                return message
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                size = int(value)
        raise EOFError("the server has ended")


_servers: list[Server] = []


def start(command: list[str], search: str) -> None:
    """Start the server of this session."""
    _servers.append(Server(command, search))


def ask(text: str) -> None:
    """Print the server's diagnostics for a text."""
    rows = [
        [each["severity"], each["message"], each["range"]["start"]["line"], each["range"]["start"]["character"]]
        for each in _servers[-1].diagnose(text)
    ]
    print(json.dumps(rows))
