"""Measures server CPU per message, compared with an empty server.

::

    python -m benchmarks.wire_hub [--rounds 3] [--seconds 3] [--ways ws,http] [--journals memory,sqlite] [--clients 1,32]

Varies the way of access, the journal and the number of clients. The empty server is the same uvicorn with the same protocols
and an application that echoes its input: any cost above it is ours. A step is one of 63 guesses at a number per episode;
``shared`` has all clients on one WebSocket, ``batch`` has 64 episodes per client with their turns in one request.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from benchmarks.wire_load import Client, MakeMessages, Measured, Post, load

TURNS: Final = 63
BATCH: Final = 64
CREATE: Final = {
    "env_id": "guess-number-v0",
    "params": {"low": 1, "high": 1_000_000, "guesses": TURNS},
    "difficulty": None,
    "seed": 7,
}
GUESS: Final = "<answer>1</answer>"


def _dumps(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def ws_steps(number: int) -> Client:
    """An episode as WebSocket messages; the id of each is the client's number."""
    episode_id = secrets.token_hex(8)
    create = {"id": number, "op": "create", "body": {**CREATE, "episode_id": episode_id}}
    _check((yield _dumps(create)), b"201")
    for turn in range(TURNS):
        step = {"id": number, "op": "step", "episode_id": episode_id, "body": {"turn": turn, "action": GUESS}}
        _check((yield _dumps(step)), b"200")


def ws_whose(answer: bytes) -> int:
    """The number of the client that an answer is for."""
    return int(answer[len(b'{"id":') : answer.index(b",")])


def http_steps(number: int) -> Client:
    """An episode as HTTP requests."""
    episode_id = secrets.token_hex(8)
    yield Post("/v1/episodes", _dumps({**CREATE, "episode_id": episode_id}))
    for turn in range(TURNS):
        yield Post(f"/v1/episodes/{episode_id}/step", _dumps({"turn": turn, "action": GUESS}))


def batch_steps(number: int) -> Client:
    """64 episodes, with their turns in one request."""
    ids = [secrets.token_hex(8) for _ in range(BATCH)]
    for some in range(0, BATCH, 8):  # few enough that all clients at once do not overflow a new server's queue
        created = [{"op": "create", "body": {**CREATE, "episode_id": one}} for one in ids[some : some + 8]]
        _check_all((yield Post("/v1/batch", _dumps({"items": created}))), b"201", 8)
    for turn in range(TURNS):
        body = {"turn": turn, "action": GUESS}
        steps = [{"op": "step", "episode_id": one, "body": body} for one in ids]
        _check_all((yield Post("/v1/batch", _dumps({"items": steps}))), b"200", BATCH)


def ws_echo(number: int) -> Client:
    """A message as long as a step, for the empty server."""
    step = {"id": number, "op": "step", "episode_id": "0" * 16, "body": {"turn": 0, "action": GUESS}}
    message = _dumps(step)
    while True:
        yield message


def http_echo(number: int) -> Client:
    """A request as long as a step, for the empty server."""
    message = Post("/v1/episodes/0123456789abcdef/step", _dumps({"turn": 0, "action": GUESS}))
    while True:
        yield message


def _check(answer: bytes, status: bytes) -> None:
    if b'"status":' + status not in answer:
        raise RuntimeError(f"answered {answer[:500]!r}")


def _check_all(answer: bytes, status: bytes, items: int) -> None:
    if answer.count(b'"status":' + status) != items:
        raise RuntimeError(f"answered {answer[:500]!r}")


@contextmanager
def hub(journal: str, *more: str, python: str = sys.executable, cwd: str | None = None) -> Iterator[tuple[str, int]]:
    """Start our server; yields its address, ``host:port``, and process id.

    Args:
        journal: ``memory`` or ``sqlite``.
        more: More options of ``envhub serve``.
        python: The interpreter with envhub.
        cwd: Folder that is first on the module path, for another version of the sources.
    """
    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder) / "url"
        command = [python, "-m", "envhub", "serve", "--port", "0", "--stop-on-eof", "--ready-file", str(ready)]
        command += ["--journal", "memory:" if journal == "memory" else f"sqlite:///{folder}/journal.sqlite"]
        with _running([*command, "--max-episodes", "100000", *more], ready, cwd) as found:
            yield found


@contextmanager
def empty() -> Iterator[tuple[str, int]]:
    """Start a server that echoes its input."""
    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder) / "url"
        with _running([sys.executable, "-m", "benchmarks.wire_hub", "--empty", str(ready)], ready, None) as found:
            yield found


@contextmanager
def _running(command: list[str], ready: Path, cwd: str | None) -> Iterator[tuple[str, int]]:
    env = {**os.environ, "PYTHONPATH": cwd} if cwd else None
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=env)
    try:
        until = time.monotonic() + 60.0
        while not (ready.exists() and ready.read_text().strip()):
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"did not start: {' '.join(command)}")
            time.sleep(0.05)
        yield ready.read_text().strip().removeprefix("http://"), process.pid
    finally:
        process.terminate()
        process.wait()


def _serve_empty(ready: Path) -> None:
    import uvicorn

    from envhub.server.http.protocol import options

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            while (message := await receive())["type"] == "websocket.receive":
                await send({"type": "websocket.send", "text": message["text"]})
        else:
            body = (await receive())["body"]
            head = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
            await send({"type": "http.response.start", "status": 200, "headers": head})
            await send({"type": "http.response.body", "body": body})

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            ready.write_text(f"127.0.0.1:{self.servers[0].sockets[0].getsockname()[1]}")

    config = {**options(2**20), "ws": "websockets-sansio"}
    Server(uvicorn.Config(app, port=0, lifespan="off", access_log=False, log_level="warning", **config)).run()


def ways(name: str) -> tuple[str, MakeMessages, dict[str, Any]]:
    """URL format, messages and options of a way of access."""
    return {
        "ws": ("ws://{}/v1/ws", ws_steps, {}),
        "shared": ("ws://{}/v1/ws", ws_steps, {"connections": 1, "whose": ws_whose}),
        "http": ("http://{}", http_steps, {}),
        "batch": ("http://{}", batch_steps, {}),
        "empty-ws": ("ws://{}/", ws_echo, {}),
        "empty-http": ("http://{}", http_echo, {}),
    }[name]


def measured(way: str, journal: str, clients: int, seconds: float, cwd: str | None = None) -> Measured:
    """Measure one run with a new server."""
    url, messages, more = ways(way)
    with empty() if way.startswith("empty") else hub(journal, cwd=cwd) as (address, pid):
        return load(url.format(address), clients, seconds, messages, pid=pid, **more)


def _rows(given: argparse.Namespace) -> Generator[tuple[str, str, int, str | None]]:
    for clients in map(int, given.clients.split(",")):
        for way in given.ways.split(","):
            for journal in ["-"] if way.startswith("empty") else given.journals.split(","):
                yield way, journal, clients, None
                if given.before and journal != "-":
                    yield way, journal, clients, given.before


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.wire_hub", description="What a message costs our server."
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--ways", default="empty-ws,ws,shared,empty-http,http,batch")
    parser.add_argument("--journals", default="memory,sqlite")
    parser.add_argument("--clients", default="1,32")
    parser.add_argument("--before", help="a folder with another state of the sources, measured in turn with this one")
    parser.add_argument("--empty", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.empty:
        _serve_empty(given.empty)
        return
    found: dict[tuple[str, str, int, str | None], list[Measured]] = {}
    for _ in range(given.rounds):
        for row in _rows(given):
            found.setdefault(row, []).append(measured(*row[:3], given.seconds, row[3]))
    print("| way | journal | clients | state | CPU us a message | range | messages/s | p50 ms | p99 ms |")
    print("|---|---|--:|---|--:|---|--:|--:|--:|")
    for (way, journal, clients, before), runs in found.items():
        size = BATCH if way == "batch" else 1
        costs = [run.cpu_us / size for run in runs]
        rate, p50, p99 = (
            statistics.median(values)
            for values in ([r.rate * size for r in runs], [r.p50_ms for r in runs], [r.p99_ms for r in runs])
        )
        print(
            f"| {way} | {journal} | {clients} | {'before' if before else 'now'} | {statistics.median(costs):.1f} "
            f"| {min(costs):.1f}-{max(costs):.1f} | {rate:.0f} | {p50:.2f} | {p99:.2f} |"
        )


if __name__ == "__main__":
    main()
