"""A stand-in for vLLM's server, for what no recorded conversation holds: failures at any step, and many requests at once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx

from tests.trainer.policy.vllm_models import CONTEXT

URL = "http://127.0.0.1:1"  # where nothing listens
CONNECTING = ["/v1/models", "/resume", "/server_info", "/update_weight_version", "/inference/v1/generate"]
SYNCING = [
    "/pause",
    "/update_weight_version",
    "/collective_rpc",
    "/reset_prefix_cache",
    "/update_weight_version",
    "/resume",
]


class Answers:
    """A server that does as it is told, except that it answers the path ``fails`` with an error and ``silent`` never."""

    def __init__(self) -> None:
        self.fails: str | None = None
        self.silent: str | None = None
        self.resets = True
        self.paths: list[str] = []
        self.bodies: list[Any] = []
        self.label = "default"

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        path, body = request.url.path, json.loads(request.content) if request.content else None
        self.paths.append(path)
        self.bodies.append(body)
        await asyncio.sleep(0)  # a network lets others run
        if path == self.silent:
            await asyncio.Event().wait()
        if path == self.fails:
            return httpx.Response(500, json={"error": {"message": "out of luck"}})
        if path == "/update_weight_version":
            self.label = body["new_version"]
        return httpx.Response(200, json=self._answer(path, body))

    def _answer(self, path: str, body: Any) -> Any:
        return {
            "/v1/models": {"data": [{"id": "policy", "max_model_len": CONTEXT}]},
            "/server_info": {"vllm_config": {"model_config": {"logprobs_mode": "processed_logprobs"}}},
            "/reset_prefix_cache": {"success": self.resets},
            "/weight_info": {"weight_version": self.label},
            "/is_sleeping": {"is_sleeping": False},
            "/inference/v1/generate": {
                "usage": {"prompt_tokens": len(body["token_ids"]) if body and "token_ids" in body else 0},
                "choices": [
                    {
                        "finish_reason": "length",
                        "token_ids": [5],
                        "logprobs": {"content": [{"token_id": 5, "logprob": -1.5}]},
                        "weight_versions": [{"version": self.label, "start": 0, "end": 1}],
                    }
                ],
            },
        }.get(path, {})


@asynccontextmanager
async def listening(crowd: int) -> AsyncIterator[tuple[str, asyncio.Queue[int]]]:
    """A server on loopback whose completions all come when ``crowd`` of them are under way; the queue tells of each."""
    answers, together, arrivals = Answers(), asyncio.Event(), asyncio.Queue[int]()
    connections: dict[asyncio.StreamWriter, asyncio.Task[Any] | None] = {}

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first, *fields = (await reader.readuntil(b"\r\n\r\n")).decode().lower().splitlines()
        method, path, _ = first.split(" ")
        length = next((int(each.partition(":")[2]) for each in fields if each.startswith("content-length")), 0)
        content = await reader.readexactly(length)
        if path.startswith("/inference/") and len(json.loads(content)["token_ids"]) > 1:
            arrivals.put_nowait(0)
            if arrivals.qsize() == crowd:
                together.set()
            await together.wait()
        response = await answers(httpx.Request(method, f"http://x{path}", content=content))
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % len(response.content) + response.content)
        await writer.drain()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections[writer] = asyncio.current_task()
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                await answer(reader, writer)
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=1024)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", arrivals
        together.set()
        for writer in connections:
            writer.transport.abort()
        await asyncio.gather(*filter(None, connections.values()))
