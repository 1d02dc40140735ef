"""What the sandbox is doing, for ``/ready`` and ``/metrics``: slots, sessions, how many wait. Nothing of what runs there.

A broker that nobody has needed yet is not started by looking at it. ::

    programs = Programs(keeping)
    await programs.look()           # {"broker": "running", "ended": 0, "backend": "namespace", "jobs": {...}, ...}, or None
    await programs.exposition()     # the same numbers in Prometheus' format
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Final

from prometheus_client import CollectorRegistry, Gauge, generate_latest

from envhub.core.errors import EnvhubError
from envhub.core.types import JSON
from envhub.sandbox.broker.client import RemoteSandbox
from envhub.sandbox.default import SANDBOX_VARIABLE, default_sandbox
from envhub.server.processes.sandbox_broker import Kept

_PATIENCE_S: Final = 2.0
_GAUGES: Final = (
    ("slots", "jobs", "slots", "Programs that may run at a time, besides sessions"),
    ("busy", "jobs", "busy", "Programs that run"),
    ("waiting", "jobs", "waiting", "Programs that wait for a slot"),
    ("sessions", "sessions", "open", "Sessions that are held"),
    ("sessions_most", "sessions", "most", "Sessions that may be held"),
)


class Programs:
    """Looks at the broker.

    Args:
        kept: Tells how the broker is that this server keeps; None where it keeps none.
    """

    def __init__(self, kept: Callable[[], Kept] | None = None) -> None:
        self._kept = kept

    async def look(self) -> dict[str, JSON] | None:
        """How it is; None where there is no broker but every worker has a sandbox of its own."""
        kept = self._kept() if self._kept is not None else None
        if kept is None and not os.environ.get(SANDBOX_VARIABLE, "").startswith("unix:"):
            return None
        found = (kept or Kept("running")).to_json()
        return found if found["broker"] != "running" else {**found, **await self._asked()}

    async def exposition(self) -> bytes:
        """The numbers, in Prometheus' text format; empty where there are none."""
        found = await self.look()
        if found is None:
            return b""
        registry = CollectorRegistry()
        for name, of, which, about in _GAUGES:
            if of in found:
                Gauge(f"envhub_sandbox_{name}", about, registry=registry).set(found[of][which])
        up = Gauge("envhub_sandbox_up", "Whether the sandbox's broker runs", registry=registry)
        up.set(found["broker"] == "running")
        ended = Gauge("envhub_sandbox_ended", "How often the broker has ended unasked", registry=registry)
        ended.set(found["ended"])
        return generate_latest(registry)

    async def _asked(self) -> dict[str, JSON]:
        try:
            sandbox = default_sandbox()
            if not isinstance(sandbox, RemoteSandbox):  # made before there was a broker
                return {}
            return await asyncio.wait_for(sandbox.adescribe(), _PATIENCE_S)
        except TimeoutError:
            return {"reason": f"It has not answered for {_PATIENCE_S:g} s."}
        except EnvhubError as error:
            return {"reason": str(error)}
