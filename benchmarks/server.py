"""Compares the server with OpenEnv's and NeMo Gym's.

::

    python -m benchmarks server [--quick]

Measures CPU per message, latency, throughput with several workers, and memory. Both sides serve the same clients
(:mod:`benchmarks.server_clients`) alternately over loopback: raw sockets in a separate process. CPU is that of a server's
processes; our server records a turn in the journal before it answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Final

from benchmarks.harness import Spread, alternate
from benchmarks.hub_process import HubProcess
from benchmarks.report import Section, ratio, table
from benchmarks.server_clients import (
    BATCH,
    ECHO,
    GUESS,
    TURNS,
    by_batch,
    by_gold,
    by_http,
    by_kept_task,
    by_task,
    by_websocket,
    nemo_gym,
    openenv,
    whose,
)
from benchmarks.server_memory import memory
from benchmarks.server_sides import nemo_gym as nemo_gym_server, openenv as openenv_server, ours
from benchmarks.venvs import PEERS
from benchmarks.wire_load import MakeMessages, Measured, load

_MANY: Final = 32
_IN_MEMORY: Final = ("--journal", "memory:")


@dataclass(frozen=True)
class Asked:
    """A load on a server.

    Attributes:
        clients: Number of clients.
        make: Creates a client.
        path: Path of the WebSocket; empty for HTTP.
        items: Items per message.
        together: Whether all clients share one connection.
    """

    clients: int
    make: MakeMessages
    path: str = ""
    items: int = 1
    together: bool = False

    def of(self, hub: HubProcess, seconds: float) -> Measured:
        """Load a server; the result counts items."""
        url = hub.url.replace("http", "ws", 1) + self.path if self.path else hub.url
        shared = {"connections": 1, "whose": whose} if self.together else {}
        found = load(url, self.clients, seconds, self.make, pid=hub.pid, **shared)  # type: ignore[arg-type]
        return Measured(found.messages * self.items, found.seconds, found.cpu, found.p50_ms, found.p99_ms)


@dataclass(frozen=True)
class Pairing:
    """Two loads with equal work; ours should use at most ``aim`` times the peer's CPU."""

    what: str
    ours: Asked
    theirs: Asked
    aim: str


def _steps(clients: int, make: Callable[..., MakeMessages], env_id: str = ECHO, **more: object) -> Asked:
    return Asked(clients, partial(make, env_id), **more)  # type: ignore[arg-type]


_SESSION: Final = {clients: Asked(clients, openenv, "/ws") for clients in (1, _MANY)}
_VERIFY: Final = {clients: Asked(clients, nemo_gym) for clients in (1, _MANY)}


def _by_websocket(clients: int, env_id: str = ECHO, together: bool = False) -> Asked:
    return Asked(clients, partial(by_websocket, env_id), "/v1/ws", together=together)


_STEPS: Final = (
    Pairing("a turn, WebSocket", _by_websocket(1), _SESSION[1], "0.8"),
    Pairing("a turn, WebSocket", _by_websocket(_MANY), _SESSION[_MANY], "0.5"),
    Pairing(f"... of {BATCH} in a batch", Asked(1, partial(by_batch, ECHO), items=BATCH), _SESSION[_MANY], "0.2"),
)
_VERDICTS: Final = (
    Pairing("a verdict, HTTP", Asked(1, partial(by_gold, 1)), _VERIFY[1], "1"),
    Pairing("a verdict, HTTP", Asked(_MANY, partial(by_gold, 1)), _VERIFY[_MANY], "0.5"),
    Pairing(f"... of {BATCH} in a request", Asked(1, partial(by_gold, BATCH), items=BATCH), _VERIFY[_MANY], "0.1"),
    Pairing("... with the task redrawn", Asked(_MANY, partial(by_task, 1)), _VERIFY[_MANY], "-"),
    Pairing("... of eight to each task", Asked(_MANY, by_kept_task), _VERIFY[_MANY], "0.1"),
)
_ALONE: Final = (
    ("WebSocket", (), _by_websocket(1)),
    ("WebSocket", (), _by_websocket(_MANY)),
    (f"WebSocket, {_MANY} clients on one connection", (), _by_websocket(_MANY, together=True)),
    (f"WebSocket, {GUESS}", (), _by_websocket(_MANY, GUESS)),
    ("HTTP", (), Asked(1, partial(by_http, ECHO))),
    ("HTTP", (), Asked(_MANY, partial(by_http, ECHO))),
    ("WebSocket, journal in memory", _IN_MEMORY, _by_websocket(1)),
    ("WebSocket, journal in memory", _IN_MEMORY, _by_websocket(_MANY)),
    ("HTTP, journal in memory", _IN_MEMORY, Asked(_MANY, partial(by_http, ECHO))),
    (f"batch of {BATCH}, journal in memory", _IN_MEMORY, Asked(1, partial(by_batch, ECHO), items=BATCH)),
)


def server(repeats: int) -> Section:
    """Run all comparisons; a single pair is a short test run."""
    seconds = 3.0 if repeats > 1 else 0.5
    parts = [*_against_peers(repeats, seconds), _alone(repeats, seconds), _workers(repeats, seconds), memory()]
    return Section(f"The server against `{PEERS['openenv']}` and `{PEERS['nemo-gym']}`", "\n\n".join(parts), _NOTE)


def turns(
    clients: int, hub: HubProcess, sessions: HubProcess, seconds: float
) -> tuple[Callable[[], float], Callable[[], float]]:
    """CPU of a turn over WebSockets in microseconds, of our server and of OpenEnv's."""
    sides = ((_by_websocket(clients), hub), (_SESSION[clients], sessions))
    mine, theirs = (partial(_cpu_of, asked, side, seconds) for asked, side in sides)
    return mine, theirs


def _cpu_of(asked: Asked, hub: HubProcess, seconds: float) -> float:
    return asked.of(hub, seconds).cpu_us


def _against_peers(repeats: int, seconds: float) -> list[str]:
    cpu, times = [], []
    with ExitStack() as stack:
        hub, sessions, verify = (stack.enter_context(made()) for made in (ours, openenv_server, nemo_gym_server))
        for pairing in (*_STEPS, *_VERDICTS):
            other = sessions if pairing in _STEPS else verify
            mine, theirs = alternate(
                partial(pairing.ours.of, hub, seconds), partial(pairing.theirs.of, other, seconds), repeats
            )
            who = [pairing.what, _number(pairing)]
            cpu.append([*who, *_both(mine, theirs, _cpu, "{:.0f}"), pairing.aim])
            times.append([*who, *_both(mine, theirs, _p99, "{:.1f}"), *_each(mine, theirs, _p50, "{:.2f}")])
            times[-1] += _each(mine, theirs, _rate, "{:,.0f}")
    head = ["what", "clients: ours, theirs", "ours", "theirs", "ours / theirs"]
    return [
        "CPU of the server, microseconds per item:\n\n" + table([*head, "aim"], cpu),
        "Latency per message in milliseconds, 99th percentile and median, and items per second:\n\n"
        + table([*head, "median: ours", "theirs", "per second: ours", "theirs"], times),
    ]


def _alone(repeats: int, seconds: float) -> str:
    found: dict[int, list[Measured]] = {number: [] for number in range(len(_ALONE))}
    with ours() as durable, ours(*_IN_MEMORY) as passing:
        for _ in range(repeats):
            for number, (_, options, asked) in enumerate(_ALONE):
                found[number].append(asked.of(passing if options else durable, seconds))
    rows = [[what, str(asked.clients), *_told(found[n])] for n, (what, _, asked) in enumerate(_ALONE)]
    return "Other ways to take a turn:\n\n" + table(["how", "clients", *_TOLD], rows)


def _workers(repeats: int, seconds: float) -> str:
    rows = []
    ways = (("WebSocket", _by_websocket(2 * _MANY)), ("HTTP", Asked(2 * _MANY, partial(by_http, ECHO))))
    with ours() as one, ours("--workers", "2") as two:
        for what, asked in ways:
            sides = alternate(partial(asked.of, one, seconds), partial(asked.of, two, seconds), repeats)
            gain = ratio(Spread.of([b.rate / a.rate for a, b in zip(*sides, strict=True)]))
            for workers, side, shown in zip("12", sides, ("-", gain), strict=True):
                rows.append([what, workers, str(asked.clients), *_told(side), shown])
    return "Workers:\n\n" + table(["how", "workers", "clients", *_TOLD, "per second, 2 / 1"], rows)


_TOLD: Final = ("CPU, us", "per second", "median, ms", "99th percentile, ms")


def _told(found: Sequence[Measured]) -> list[str]:
    spreads = [Spread.of([read(one) for one in found]) for read in (_cpu, _rate, _p50, _p99)]
    forms = ("{:.0f}", "{:,.0f}", "{:.2f}", "{:.1f}")
    return [form.format(spread.median) for form, spread in zip(forms, spreads, strict=True)]


def _number(pairing: Pairing) -> str:
    return f"{pairing.ours.clients}, {pairing.theirs.clients}"


def _both(mine: list[Measured], theirs: list[Measured], read: Callable[[Measured], float], form: str) -> list[str]:
    """Medians of both and the spread of their ratios."""
    ratios = Spread.of([read(a) / read(b) for a, b in zip(mine, theirs, strict=True)])
    return [*_each(mine, theirs, read, form), ratio(ratios)]


def _each(mine: list[Measured], theirs: list[Measured], read: Callable[[Measured], float], form: str) -> list[str]:
    return [form.format(median(map(read, side))) for side in (mine, theirs)]


def _cpu(found: Measured) -> float:
    return found.cpu_us


def _rate(found: Measured) -> float:
    return found.rate


def _p50(found: Measured) -> float:
    return found.p50_ms


def _p99(found: Measured) -> float:
    return found.p99_ms


_NOTE: Final = f"""\
Clients are raw sockets in one process on the same cores, with one connection and one message in flight each. Clients,
servers and the rest of the machine share the cores, so only ratios of times and rates are meaningful. Values are medians;
ratios also have their quartiles.

- **Turns.** Both sides have an environment that echoes the action, with the same texts. An episode is started, or a
  session reset, after every {TURNS} turns; these messages are counted too. Ours has the default journal, a SQLite file:
  each turn is recorded before it is answered. OpenEnv records nothing. Its server is created by its `create_fastapi_app`
  and run by the uvicorn that it depends on; its environment is synchronous, like that of its template, so it is stepped
  in a thread. It has no batch: ours is compared with its turn at {_MANY} clients.
- **Verdicts.** An integer is compared with the right answer, which is part of the request. NeMo Gym's server runs without
  Ray, by its own `run_webserver`, under the Python 3.13 that it requires; ours under the Python named below. It receives
  the response in OpenAI's form and returns the request with the reward; ours returns the verdict. The last row does more
  than its counterpart: the task, two numbers to add, is redrawn from its seed.
- **Workers.** The clients use up to a whole core, so two workers do not have two cores here."""
