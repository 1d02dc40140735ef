"""The doctor: which walls stand here, which do not and why, and whether the attacks of the suite are stopped.

A layer that is missing is never silent: it has a sentence. Those of :data:`NEEDED` must stand for programs of a policy; of the
others one can do without, and the sentence says what takes their place::

    health = examine("namespace")
    health.well, health.layers
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from envhub.core.errors import EnvhubError
from envhub.sandbox.backend import Backend, SlotFailed
from envhub.sandbox.backends import named
from envhub.sandbox.broker.client import RemoteSandbox
from envhub.sandbox.default import WHERE
from envhub.sandbox.languages import DIRECTORIES, LANGUAGES
from envhub.sandbox.linux import cgroups
from envhub.sandbox.slots.pool import PROBE, PROBED

NEEDED: Final = ("namespaces", "filesystem", "network", "seccomp", "capabilities", "rlimits")
"""The layers without which nothing that a policy wrote should be run."""
INSTEAD: Final = {
    "user": "process namespace, seccomp and the lack of all rights stand alone between programs and this user's processes",
    "cgroup": "memory is watched instead, every 50 ms, and processes are counted by user",
}
"""What takes the place of a layer that one can do without."""
_SLOT: Final = 0x1F0


@dataclass(frozen=True, slots=True)
class Health:
    """What was found.

    Attributes:
        backend: Which one was looked at.
        problem: Why no program can be run; empty if one was.
        layers: Each layer: ``active``, or a sentence saying why not.
        languages: Each language: ``installed``, or what is missing and how to get it.
        system: The kernel, the machine, the user, the control groups.
        broker: Whether the broker answers, and what it says of itself.
        milliseconds: How long a slot takes to start, and a job to run.
    """

    backend: str
    problem: str = ""
    layers: Mapping[str, str] = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)
    system: Mapping[str, str] = field(default_factory=dict)
    broker: str = ""
    milliseconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def missing(self) -> list[str]:
        """The layers that must stand and do not."""
        return [name for name in NEEDED if self.layers.get(name) != "active"]

    @property
    def well(self) -> bool:
        """Whether programs run, behind every wall that is needed."""
        return not self.problem and not self.missing

    @property
    def whole(self) -> bool:
        """Whether there is no layer that is missing at all."""
        return self.well and all(said == "active" for said in self.layers.values())

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "backend": self.backend,
            "well": self.well,
            "whole": self.whole,
            "problem": self.problem or None,
            "layers": dict(self.layers),
            "missing": self.missing,
            "languages": dict(self.languages),
            "system": dict(self.system),
            "broker": self.broker,
            "milliseconds": dict(self.milliseconds),
        }


def chosen(environment: Mapping[str, str] = os.environ) -> tuple[str, str]:
    """The backend and the broker's socket that ``ENVHUB_SANDBOX`` names; the second is empty if it names a backend."""
    where = environment.get(WHERE, "namespace")
    return ("namespace", where.removeprefix("unix:")) if where.startswith("unix:") else (where, "")


def examine(backend: str, socket: str = "") -> Health:
    """Look at a backend: its layers and languages, and whether a program runs.

    Args:
        backend: Its name.
        socket: The path of the broker's socket, if there is to be one.

    Raises:
        InvalidParameters: No backend has this name.
    """
    system, broker = _system(), _broker(socket)
    try:
        found = named(backend)
    except ImportError as error:  # MissingExtra: it cannot work here, which is what was asked
        return Health(backend, problem=str(error), system=system, broker=broker)
    try:
        problem, milliseconds = _probe(found)
        return Health(backend, problem, dict(found.layers()), _languages(found), system, broker, milliseconds)
    finally:
        found.close()


def _probe(backend: Backend) -> tuple[str, dict[str, float]]:
    """Why a program cannot be run, and how long it took."""
    began = time.perf_counter()
    try:
        slot = backend.slot(_SLOT)
        try:
            slot.start()
            started = time.perf_counter()
            slot.run(PROBE)
            warm = time.perf_counter()
            (result,) = slot.run(PROBE)
            ended = time.perf_counter()
        finally:
            slot.close()
    except (SlotFailed, EnvhubError) as error:
        return str(error), {}
    if result.values != PROBED:
        return f"a program that multiplies two numbers did not: exit {result.exit}, limit {result.limit}", {}
    return "", {"start": 1000 * (started - began), "job": 1000 * (ended - warm)}


def _languages(backend: Backend) -> dict[str, str]:
    have = backend.languages()
    return {
        name: "installed"
        if name in have
        else f"no {row.needs} in {', '.join(DIRECTORIES)}; install it with: apt-get install {row.install}"
        for name, row in LANGUAGES.items()
    }


def _system() -> dict[str, str]:
    groups = cgroups.find() if platform.system() == "Linux" else "this is not Linux"
    return {
        "kernel": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
        "user": "root" if os.geteuid() == 0 else f"{os.geteuid()}, unprivileged",
        "control groups": f"version {groups.version}" if isinstance(groups, cgroups.Tree) else groups,
    }


def _broker(socket: str) -> str:
    if not socket:
        return f"none is named; {WHERE}=unix:/path names one"
    if not Path(socket).exists():
        return f"not running: there is no socket at {socket}"
    try:
        with RemoteSandbox(socket, start=False) as remote:
            said = remote.describe()
    except EnvhubError as error:
        return f"not running: {error}"
    return f"running at {socket}: {said['backend']}, {said['jobs']['slots']} slots, {said['sessions']['open']} sessions"
