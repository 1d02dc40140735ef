"""Compares the trainer's hub on a server with the one in this process.

::

    python -m benchmarks hub [--quick]

Plays groups of episodes without a model (:mod:`benchmarks.ours.hub_episodes`), so that all time is the hub's. Each
side is a process of its own; the two sides of a pair run in direct succession, and their order alternates.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import Final

from benchmarks.harness import OURS, Spread, alternate, workload
from benchmarks.hub_process import HubProcess, serving
from benchmarks.report import Section, number, ratio, table

_PLAYED: Final = (("arithmetic-v0", 3, 1), ("guess-number-v0", 3, 4), ("mastermind-v0", 5, 4))
"""Environment, difficulty and greatest number of turns."""
_MEMBERS: Final = 8
_LOCAL: Final = "-"


@dataclass(frozen=True)
class Played:
    """Result of a run.

    Attributes:
        rate: Episodes per second.
        client_us: CPU of the playing process, microseconds per episode.
        hub_us: CPU of the server, microseconds per episode.
    """

    rate: float
    client_us: float
    hub_us: float


def hub(repeats: int) -> Section:
    """Play in process and over the WebSocket; a single pair is a short test run."""
    groups, rows = 200 if repeats > 1 else 20, []
    with serving() as server:
        for env_id, level, turns in _PLAYED:
            arguments = (env_id, level, groups, _MEMBERS, turns)
            sides = alternate(
                partial(_play, server, _LOCAL, *arguments), partial(_play, server, server.url, *arguments), repeats
            )
            rates = [number(Spread.of([run.rate for run in side])) for side in sides]
            gain = ratio(Spread.of([remote.rate / local.rate for local, remote in zip(*sides, strict=True)]))
            local, remote = sides
            cpu = [
                f"{Spread.of(values).median:.0f}"
                for values in (
                    [run.client_us for run in local],
                    [run.client_us for run in remote],
                    [run.hub_us for run in remote],
                )
            ]
            rows.append([f"{env_id}, turns: {turns}", *rates, gain, *cpu])
    head = ["episodes", "in process, per second", "WebSocket", "WebSocket / in process"]
    head += ["CPU in process, us", "client's CPU, us", "hub's CPU, us"]
    return Section("The trainer's hub in process and over its WebSocket", table(head, rows), _NOTE)


def _play(server: HubProcess, url: str, *arguments: object) -> Played:
    spent = server.cpu()
    told = json.loads(workload(OURS, "ours.hub_episodes", url, *arguments).output())
    items = told["items"]
    return Played(items / told["seconds"], told["cpu_s"] / items * 1e6, (server.cpu() - spent) / items * 1e6)


_NOTE: Final = f"""\
Without a model: the oracle's actions are prepared in advance, so all time is the hub's. Groups of {_MEMBERS} episodes of
one task, 16 groups at a time; the server is `envhub serve` with its default journal. In process, the members of a group
share one drawn task and nothing is recorded. Rates are wall-clock: client and server share the cores named below with
other work. `python -m benchmarks.trainer http` measures the same with a model."""
