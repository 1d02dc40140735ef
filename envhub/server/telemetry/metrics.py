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
from typing import Final, Literal

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from envhub.server.telemetry.tallies import Tallies

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
        self._tallies = Tallies()

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
        tallies = self._tallies
        tallies.observe(self._seconds, seconds, method, route, env_id)
        tallies.count(self._requests, method, route, str(status))
        if code:
            tallies.count(self._errors, code)
        for env, verdict in verdicts:
            tallies.count(self._verdicts, env, verdict)
        if self._clock() - self._refreshed >= _REFRESH_S:
            self.refresh()

    def record_journal(self, operation: str, seconds: float, failed: bool = False) -> None:
        """Record an operation of the journal."""
        self._tallies.observe(self._journal, seconds, operation)
        if failed:
            self._tallies.count(self._journal_failures, operation)

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
        return generate_latest(self._together()), CONTENT_TYPE_LATEST

    def families(self) -> list[Metric]:
        """The metrics of all workers as values."""
        return list(self._together().collect())

    def _together(self) -> CollectorRegistry:
        """The current metrics of all workers."""
        self.refresh()
        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            return self._registry
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return together

    def refresh(self) -> None:
        """Update the counts and gauges that other workers read.

        Happens once a second while there are requests; call it regularly for the time without requests.
        """
        self._refreshed = self._clock()
        self._tallies.flush()
        for gauge, read in self._gauges:
            try:
                gauge.set(read())
            except Exception:  # unknown now; the current request must not fail
                gauge.set(math.nan)
