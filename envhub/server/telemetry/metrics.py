"""Metrics of the server in Prometheus' format: durations, counts, errors and verdicts.

Labels have few values: templates of routes, registered environments and error codes, never text of a client. To add up several
workers, set ``PROMETHEUS_MULTIPROC_DIR`` to an empty folder before they start, and call :func:`forget_worker` for each that
ends. ::

    metrics = Metrics()
    metrics.gauge("queue_length", "Turns that wait", lambda: len(queue))
    metrics.record_request("POST", "/v1/verify", 200, 0.002, "sudoku-v0", "", [("sudoku-v0", "graded")])
    text, content_type = metrics.exposition()

The share of masked verdicts is ``envhub_verdicts_total{status="error"}`` divided by all verdicts. It is not exported as a
ratio, because ratios do not add up over workers and time.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable
from typing import Any, Final, Literal

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_JOURNAL_BUCKETS: Final = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5)
_REFRESH_S: Final = 1.0


def forget_worker(pid: int) -> None:
    """Drop the gauges of a worker that has ended.

    Its counters are kept. Called by the supervisor.
    """
    mark_process_dead(pid)  # type: ignore[no-untyped-call]


class Metrics:
    """The counters of one worker.

    Args:
        clock: A monotonic clock, in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._refreshed = clock, -_REFRESH_S
        self._registry = CollectorRegistry()
        self._gauges: list[tuple[Gauge, Callable[[], float]]] = []
        self._seconds = Histogram(
            "envhub_request_seconds",
            "Time until a request was answered",
            ("method", "route", "env"),
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self._requests = Counter(
            "envhub_requests", "Requests by route and status", ("method", "route", "status"), registry=self._registry
        )
        self._errors = Counter("envhub_errors", "Errors by code", ("code",), registry=self._registry)
        self._verdicts = Counter(
            "envhub_verdicts",
            "Verdicts by environment and status; those with status error have no reward and are masked",
            ("env", "status"),
            registry=self._registry,
        )
        self._journal = Histogram(
            "envhub_journal_seconds",
            "Time the journal took",
            ("operation",),
            buckets=_JOURNAL_BUCKETS,
            registry=self._registry,
        )
        self._journal_failures = Counter(
            "envhub_journal_failures", "Operations of the journal that failed", ("operation",), registry=self._registry
        )
        # finding a child by its labels costs more than incrementing it
        self._children: dict[tuple[Any, ...], Any] = {}

    def record_request(
        self,
        method: str,
        route: str,
        status: int,
        seconds: float,
        env_id: str,
        code: str,
        verdicts: Iterable[tuple[str, str]],
    ) -> None:
        """Record an answered request."""
        self._child(self._seconds, method, route, env_id).observe(seconds)
        self._child(self._requests, method, route, status).inc()
        if code:
            self._child(self._errors, code).inc()
        for env, verdict in verdicts:
            self._child(self._verdicts, env, verdict).inc()
        if self._clock() - self._refreshed >= _REFRESH_S:
            self._refresh()

    def record_journal(self, operation: str, seconds: float, failed: bool = False) -> None:
        """Record an operation of the journal."""
        self._child(self._journal, operation).observe(seconds)
        if failed:
            self._child(self._journal_failures, operation).inc()

    def gauge(
        self,
        name: str,
        about: str,
        read: Callable[[], float],
        together: Literal["livesum", "livemax"] = "livesum",
    ) -> None:
        """Add a gauge, ``envhub_<name>``.

        Args:
            name: Name without ``envhub_``.
            about: One-line description.
            read: Reads the value; called at most once a second, and for each exposition.
            together: How the values of several workers combine: their sum, or the largest if all measure the same thing.
        """
        gauge = Gauge(f"envhub_{name}", about, registry=self._registry, multiprocess_mode=together)
        self._gauges.append((gauge, read))

    def exposition(self) -> tuple[bytes, str]:
        """The metrics of all workers as text, and its media type."""
        self._refresh()
        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            return generate_latest(self._registry), CONTENT_TYPE_LATEST
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together), CONTENT_TYPE_LATEST

    def _refresh(self) -> None:
        self._refreshed = self._clock()
        for gauge, read in self._gauges:
            try:
                gauge.set(read())
            except Exception:  # unknown now; the current request must not fail
                gauge.set(math.nan)

    def _child(self, family: Any, *labels: str | int) -> Any:
        name = (family, *labels)
        child = self._children.get(name)
        if child is None:
            child = self._children[name] = family.labels(*labels)
        return child
