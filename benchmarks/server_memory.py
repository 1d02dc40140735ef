"""Measures the server's memory and journal size per open episode."""

from __future__ import annotations

import json
import resource
import secrets
import threading
from functools import partial
from typing import Any, Final
from urllib.request import Request, urlopen

from benchmarks.hub_process import HubProcess
from benchmarks.report import table
from benchmarks.server_clients import ECHO, GUESS, by_websocket, creation, openenv, said
from benchmarks.server_sides import openenv as openenv_server, ours
from benchmarks.wire_load import MakeMessages, load

EPISODES: Final = 10_000
_SESSIONS: Final = 1_000
_AT_ONCE: Final = 500
_MB: Final = 1e6


def memory(episodes: int = EPISODES) -> str:
    """A table of memory and journal size before and after episodes were started."""
    _allow_files()
    rows = [_opened(episodes), _opened(episodes, "--max-live", str(episodes)), _opened(episodes, "--workers", "2")]
    rows.append(_connected("a WebSocket and an episode each", episodes))
    with openenv_server() as theirs:
        rows.append(_loaded("OpenEnv: a WebSocket and a session each", theirs, "/ws", _SESSIONS, openenv))
    return f"{_ABOUT}\n\n" + table(["what is open", "how many", "before, MB", "after, MB", "each, kB"], rows)


def _opened(episodes: int, *options: str) -> list[str]:
    """Start episodes in batches: half single-turn, half multi-turn with one turn taken."""
    with ours(*options) as hub:
        _batch(hub, [{"op": "create", "body": creation(ECHO, "first")}])
        before = hub.memory()
        for begin in range(0, episodes, _AT_ONCE):
            ids = [f"{number}-{secrets.token_hex(4)}" for number in range(begin, begin + _AT_ONCE)]
            bodies = [_puzzle(id, number) if number % 2 else creation(GUESS, id) for number, id in enumerate(ids)]
            _batch(hub, [{"op": "create", "body": body} for body in bodies])
            step = {"turn": 0, "action": said(GUESS, 0)[0]}
            _batch(hub, [{"op": "step", "episode_id": id, "body": step} for id in ids[::2]])
        how = " ".join(options)
        return _row(f"episodes{f', `{how}`' if how else ''}", episodes, before, hub.memory())


def _connected(what: str, episodes: int) -> list[str]:
    with ours("--draw-queue", str(episodes)) as hub:  # they all start at once
        return _loaded(what, hub, "/v1/ws", episodes, partial(by_websocket, ECHO))


def _loaded(what: str, hub: HubProcess, path: str, clients: int, make: MakeMessages) -> list[str]:
    """Peak memory while many clients play concurrently."""
    url = hub.url.replace("http", "ws", 1) + path
    load(url, 1, 0.2, make, pid=hub.pid, warm_up=0.2)  # allocations of the first message
    before = hub.memory()
    with _watching(hub) as seen:
        load(url, clients, 3.0, make, pid=hub.pid, warm_up=3.0)
    return _row(what, clients, before, max(seen))


class _watching:
    """Samples the memory of a server in the background."""

    def __init__(self, hub: HubProcess) -> None:
        self._hub, self._done, self._seen = hub, threading.Event(), [0]
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> list[int]:
        self._thread.start()
        return self._seen

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(0.3):
            self._seen.append(self._hub.memory())


def _puzzle(id: str, number: int) -> dict[str, Any]:
    return {"episode_id": id, "env_id": "arithmetic-v0", "difficulty": 3, "seed": number}


def _batch(hub: HubProcess, items: list[dict[str, Any]]) -> None:
    data = json.dumps({"items": items}).encode()
    asked = Request(f"{hub.url}/v1/batch", data, {"content-type": "application/json"})
    with urlopen(asked, timeout=120) as answer:
        results = json.load(answer)["results"]
    for result in results:
        if result["status"] >= 300:
            raise RuntimeError(f"an item of a batch failed: {result}")


def _row(what: str, number: int, before: int, after: int) -> list[str]:
    each = (after - before) / number / 1e3
    return [what, f"{number:,}", f"{before / _MB:.0f}", f"{after / _MB:.0f}", f"{each:.1f}"]


def _allow_files() -> None:
    """Raise the open file limit to its maximum, for this process and its children."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


_ABOUT: Final = """\
Memory of all processes of the server; shared memory is counted once. Half of the episodes are `guess-number-v0` with one
turn taken and half are `arithmetic-v0`. By default 4,096 are kept folded in memory (`--max-live`); the rest are only in the
journal. OpenEnv keeps a thread for each session:"""
