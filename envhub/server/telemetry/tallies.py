"""Counts and durations of one process, added to Prometheus' metrics in bulk.

A metric of ``prometheus_client`` takes a lock for each value, and several for a duration, which costs more than a turn. Here a
value is added to a plain number; :meth:`Tallies.flush` adds the sums to the metrics, as if each value had been recorded there::

    tallies.count(requests, "POST", "/v1/verify", "200")
    tallies.observe(seconds, 0.002, "POST", "/v1/verify")
    tallies.flush()
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from prometheus_client import Counter, Histogram


class Tallies:
    """Values not yet added to their metrics; for one thread."""

    def __init__(self) -> None:
        self._counts: dict[tuple[Counter, tuple[str, ...]], int] = {}
        self._durations: dict[tuple[Histogram, tuple[str, ...]], _Durations] = {}

    def count(self, counter: Counter, *labels: str) -> None:
        """Add one to a counter."""
        name = (counter, labels)
        self._counts[name] = self._counts.get(name, 0) + 1

    def observe(self, histogram: Histogram, seconds: float, *labels: str) -> None:
        """Add a duration to a histogram."""
        name = (histogram, labels)
        found = self._durations.get(name)
        if found is None:
            found = self._durations[name] = _Durations(histogram.labels(*labels))
        found.add(seconds)

    def flush(self) -> None:
        """Add all values to their metrics."""
        counts, self._counts = self._counts, {}
        for (counter, labels), number in counts.items():
            counter.labels(*labels).inc(number)
        for durations in self._durations.values():
            durations.flush()


class _Durations:
    """The durations of one histogram with one set of labels."""

    __slots__ = ("_bounds", "_buckets", "_child", "_total")

    def __init__(self, child: Any) -> None:
        self._child = child  # prometheus_client has no public way to add many values at once
        self._bounds: Sequence[float] = child._upper_bounds
        self._buckets = [0] * len(self._bounds)
        self._total = 0.0

    def add(self, seconds: float) -> None:
        self._buckets[bisect_left(self._bounds, seconds)] += 1
        self._total += seconds

    def flush(self) -> None:
        if not any(self._buckets):
            return
        self._child._sum.inc(self._total)
        for bucket, number in zip(self._child._buckets, self._buckets, strict=True):
            if number:
                bucket.inc(number)
        self._buckets, self._total = [0] * len(self._bounds), 0.0
