"""Health report of the sandbox: isolation layers, languages, control groups, broker.

Every layer that is not active comes with the reason. The layers in :data:`REQUIRED` must be active to run anything that a
policy wrote. For the others, :data:`FALLBACKS` names what replaces them::

    health = examine("namespace")
    health.healthy, health.layers
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
from envhub.sandbox.backends import backend_named
from envhub.sandbox.broker.client import RemoteSandbox
from envhub.sandbox.default import SANDBOX_VARIABLE
from envhub.sandbox.languages import DIRECTORIES, LANGUAGES
from envhub.sandbox.linux import cgroups
from envhub.sandbox.slots.pool import PROBE, PROBED
from envhub.sandbox.toolchains import TOOLCHAINS, not_set_up

REQUIRED: Final = ("namespaces", "filesystem", "network", "seccomp", "capabilities", "rlimits")
"""Layers that must be active to run anything that a policy wrote."""
FALLBACKS: Final = {
    "user": "only the process namespace, seccomp and dropped capabilities separate programs from this user's processes",
    "cgroup": "memory is checked every 50 ms instead, and processes are counted per user",
}
"""What replaces an optional layer that is not active."""
_SLOT: Final = 0x1F0


@dataclass(frozen=True, slots=True)
class Health:
    """The state of one backend on this machine.

    Attributes:
        backend: Name of the backend.
        problem: Why no program can be run; empty if one ran.
        layers: For each layer ``active`` or the reason why it is not.
        languages: For each language ``installed`` or what is missing and how to install it.
        toolchains: For each toolchain ``installed`` or how to set it up.
        system: The kernel, the machine, the user and the control groups.
        broker: Whether the broker answers, with its backend, slots and sessions.
        milliseconds: Time to start a slot and to run a job.
    """

    backend: str
    problem: str = ""
    layers: Mapping[str, str] = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)
    toolchains: Mapping[str, str] = field(default_factory=dict)
    system: Mapping[str, str] = field(default_factory=dict)
    broker: str = ""
    milliseconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def missing(self) -> list[str]:
        """The required layers that are not active."""
        return [name for name in REQUIRED if self.layers.get(name) != "active"]

    @property
    def healthy(self) -> bool:
        """Whether programs run and every required layer is active."""
        return not self.problem and not self.missing

    @property
    def complete(self) -> bool:
        """Whether every layer is active, including the optional ones."""
        return self.healthy and all(said == "active" for said in self.layers.values())

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "backend": self.backend,
            "healthy": self.healthy,
            "complete": self.complete,
            "problem": self.problem or None,
            "layers": dict(self.layers),
            "missing": self.missing,
            "languages": dict(self.languages),
            "toolchains": dict(self.toolchains),
            "system": dict(self.system),
            "broker": self.broker,
            "milliseconds": dict(self.milliseconds),
        }


def configured_backend(environment: Mapping[str, str] = os.environ) -> tuple[str, str]:
    """The backend and the broker's socket that ``ENVHUB_SANDBOX`` selects.

    The socket is empty without a broker.
    """
    where = environment.get(SANDBOX_VARIABLE, "namespace")
    return ("namespace", where.removeprefix("unix:")) if where.startswith("unix:") else (where, "")


def examine(backend: str, socket: str = "") -> Health:
    """Check a backend: its layers, its languages, and whether a program runs.

    Args:
        backend: Name of the backend.
        socket: Path of the broker's socket; empty if no broker is expected.

    Raises:
        InvalidParameters: No backend has this name.
    """
    system, broker = _system(), _broker(socket)
    try:
        found = backend_named(backend)
    except ImportError as error:  # MissingExtra: the backend cannot work here, which is a result
        return Health(backend, problem=str(error), system=system, broker=broker)
    try:
        problem, milliseconds = _probe(found)
        languages, lent = _languages(found), _toolchains(found)
        return Health(backend, problem, dict(found.layers()), languages, lent, system, broker, milliseconds)
    finally:
        found.close()


def _probe(backend: Backend) -> tuple[str, dict[str, float]]:
    """Why a program cannot be run, and its times.

    The reason is empty if it can; the times are of starting and running.
    """
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
        return f"a test program that multiplies two numbers failed: exit {result.exit}, limit {result.limit}", {}
    return "", {"start": 1000 * (started - began), "job": 1000 * (ended - warm)}


def _languages(backend: Backend) -> dict[str, str]:
    have = backend.languages()
    return {
        name: "installed"
        if name in have
        else f"no {row.needs} in {', '.join(DIRECTORIES)}; install it with: apt-get install {row.install}"
        for name, row in LANGUAGES.items()
    }


def _toolchains(backend: Backend) -> dict[str, str]:
    have = backend.toolchains()
    return {name: "installed" if name in have else str(not_set_up(name, backend.name)) for name in TOOLCHAINS}


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
        return f"not configured; set {SANDBOX_VARIABLE}=unix:/path to use one"
    if not Path(socket).exists():
        return f"not running: no socket at {socket}"
    try:
        with RemoteSandbox(socket, start=False) as remote:
            said = remote.describe()
    except EnvhubError as error:
        return f"not running: {error}"
    return f"running at {socket}: {said['backend']}, {said['jobs']['slots']} slots, {said['sessions']['open']} sessions"
