"""What ``/metrics`` tells, in Prometheus' format: how long, how often, with what error, which verdicts.

Labels come from short lists: routes by template, environments that are registered, names of errors; no text of a client is
one. Several workers add up when ``PROMETHEUS_MULTIPROC_DIR`` names an empty folder of theirs before they start, and
:func:`forget_worker` is told of those that end. ::

    metrics = Metrics()
    metrics.gauge("queue_length", "Turns that wait", lambda: len(queue))
    metrics.answered("POST", "/v1/verify", 200, 0.002, "sudoku-v0", "", [("sudoku-v0", "graded")])
    text, content_type = metrics.exposition()

The share of verdicts that must be masked is ``envhub_verdicts_total{status="error"}`` over all of them: two counters add up
over workers and time, a ratio does not.
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
    """Forget the gauges of a worker that has ended; what it counted stays counted. For whoever started several."""
    mark_process_dead(pid)  # type: ignore[no-untyped-call]


class Metrics:
    """The counters of one worker.

    Args:
        clock: Seconds that only grow.
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
        # looking a child up by its labels costs more than counting with it
        self._children: dict[tuple[Any, ...], Any] = {}

    def answered(
        self,
        method: str,
        route: str,
        status: int,
        seconds: float,
        env_id: str,
        code: str,
        verdicts: Iterable[tuple[str, str]],
    ) -> None:
        """Count a request that was answered."""
        self._child(self._seconds, method, route, env_id).observe(seconds)
        self._child(self._requests, method, route, status).inc()
        if code:
            self._child(self._errors, code).inc()
        for env, verdict in verdicts:
            self._child(self._verdicts, env, verdict).inc()
        if self._clock() - self._refreshed >= _REFRESH_S:
            self._refresh()

    def recorded(self, operation: str, seconds: float, failed: bool = False) -> None:
        """Count an operation of the journal."""
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
        """Show a number that goes up and down, ``envhub_<name>``.

        Args:
            name: Of the gauge, without ``envhub_``.
            about: One line.
            read: Tells it; called once a second at most, and when the metrics are asked for.
            together: What several workers make of theirs: its sum, or the largest where they tell of the same thing.
        """
        gauge = Gauge(f"envhub_{name}", about, registry=self._registry, multiprocess_mode=together)
        self._gauges.append((gauge, read))

    def exposition(self) -> tuple[bytes, str]:
        """The metrics of all workers and their media type."""
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
            except Exception:  # what cannot be told now is not known; the request that came by is innocent
                gauge.set(math.nan)

    def _child(self, family: Any, *labels: str | int) -> Any:
        name = (family, *labels)
        child = self._children.get(name)
        if child is None:
            child = self._children[name] = family.labels(*labels)
        return child
