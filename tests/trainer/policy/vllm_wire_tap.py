"""Conversations with a real vLLM server: recorded once, and replayed where vLLM is not installed.

``vllm_conversations.json`` holds them by name, each a list of exchanges in the order of their *answers*. :class:`Replay`
answers a request with what the server answered to the same one, and not before it has answered everything that the server
answered earlier; a request that is not in the conversation fails the test.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
from safetensors.torch import load_file
from torch import Tensor

CONVERSATIONS = Path(__file__).with_name("vllm_conversations.json")
WEIGHTS = "<weights>"
PATIENCE_S = 20.0
"""After so long a request that should have come before another will not come any more."""


def asked(request: httpx.Request) -> dict[str, Any]:
    """A request as it is compared: without the place of the weights."""
    body = json.loads(request.content) if request.content else None
    if body and "weights_path" in body.get("kwargs", {}):
        body["kwargs"]["weights_path"] = WEIGHTS
    return {
        "method": request.method,
        "path": request.url.path,
        "query": dict(request.url.params),
        "body": body,
    }


class Recorder(httpx.AsyncBaseTransport):
    """The network, written down."""

    def __init__(self) -> None:
        self._network = httpx.AsyncHTTPTransport()
        self.exchanges: list[dict[str, Any]] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self._network.handle_async_request(request)
        content = await response.aread()
        self.exchanges.append({"asked": asked(request), "status": response.status_code, "answered": content.decode()})
        return httpx.Response(response.status_code, headers=response.headers, content=content)

    async def aclose(self) -> None:
        await self._network.aclose()


class Replay(httpx.AsyncBaseTransport):
    """A server that says again what it said.

    Attributes:
        requests: What was asked, in order.
        weights: What lay in the folder when the server was told to read it.
    """

    def __init__(self, name: str) -> None:
        self.requests: list[dict[str, Any]] = []
        self.weights: list[dict[str, Tensor]] = []
        self._exchanges: list[dict[str, Any]] = json.loads(CONVERSATIONS.read_text())[name]
        self._open = list(range(len(self._exchanges)))
        self._changed = asyncio.Condition()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        question = asked(request)
        self.requests.append(question)
        if request.url.path == "/collective_rpc":
            folder = Path(json.loads(request.content)["kwargs"]["weights_path"])
            self.weights.append(load_file(folder / "model.safetensors"))
        mine = next((i for i in self._open if self._exchanges[i]["asked"] == question), None)
        assert mine is not None, f"the conversation does not go on with {question}"
        async with asyncio.timeout(PATIENCE_S), self._changed:
            await self._changed.wait_for(lambda: min(self._open) == mine)
            self._open.remove(mine)
            self._changed.notify_all()
        exchange = self._exchanges[mine]
        return httpx.Response(exchange["status"], content=exchange["answered"].encode())

    @property
    def paths(self) -> list[str]:
        """The paths that were asked for, with the query that matters."""
        return [each["path"] for each in self.requests]

    @property
    def over(self) -> bool:
        """Whether everything that was said has been said again."""
        return not self._open
