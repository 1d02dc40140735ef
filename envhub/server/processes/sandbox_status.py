"""The sandbox's state for ``/ready`` and ``/metrics``.

Slots, sessions and waiting jobs, but nothing of what runs there. Reading the status does not start a broker that nobody
has used yet. ::

    sandbox = SandboxStatus(broker_status)
    await sandbox.read()           # {"broker": "running", "ended": 0, "backend": "namespace", "jobs": {...}, ...}, or None
    await sandbox.exposition()     # the same numbers in Prometheus' text format
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
from envhub.server.processes.sandbox_broker import BrokerStatus

_PATIENCE_S: Final = 2.0
_GAUGES: Final = (
    ("slots", "jobs", "slots", "Programs that may run at a time, besides sessions"),
    ("busy", "jobs", "busy", "Programs that run"),
    ("waiting", "jobs", "waiting", "Programs that wait for a slot"),
    ("sessions", "sessions", "open", "Sessions that are held"),
    ("sessions_most", "sessions", "most", "Sessions that may be held"),
)


class SandboxStatus:
    """Reads the state of the sandbox.

    Args:
        broker: Reads the status of the broker that this server supervises; None if it supervises none.
    """

    def __init__(self, broker: Callable[[], BrokerStatus] | None = None) -> None:
        self._broker = broker

    async def read(self) -> dict[str, JSON] | None:
        """The state as JSON.

        None without a broker, when each worker has its own sandbox.
        """
        broker = self._broker() if self._broker is not None else None
        if broker is None and not os.environ.get(SANDBOX_VARIABLE, "").startswith("unix:"):
            return None
        status = (broker or BrokerStatus("running")).to_json()
        return status if status["broker"] != "running" else {**status, **await self._query()}

    async def exposition(self) -> bytes:
        """The numbers in Prometheus' text format; empty without a broker."""
        status = await self.read()
        if status is None:
            return b""
        registry = CollectorRegistry()
        for name, group, field, about in _GAUGES:
            if group in status:
                Gauge(f"envhub_sandbox_{name}", about, registry=registry).set(status[group][field])
        up = Gauge("envhub_sandbox_up", "Whether the sandbox's broker runs", registry=registry)
        up.set(status["broker"] == "running")
        ended = Gauge("envhub_sandbox_ended", "How often the broker has ended unasked", registry=registry)
        ended.set(status["ended"])
        return generate_latest(registry)

    async def _query(self) -> dict[str, JSON]:
        try:
            sandbox = default_sandbox()
            if not isinstance(sandbox, RemoteSandbox):  # created before there was a broker
                return {}
            return await asyncio.wait_for(sandbox.adescribe(), _PATIENCE_S)
        except TimeoutError:
            return {"reason": f"It has not answered for {_PATIENCE_S:g} s."}
        except EnvhubError as error:
            return {"reason": str(error)}
