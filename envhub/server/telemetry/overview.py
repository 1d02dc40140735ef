"""A summary of the metrics: counts, percentiles and gauges.

Counts only grow, so the difference between two summaries gives a rate. ::

    overview(metrics.families())["routes"][0]["p99_ms"]
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from prometheus_client import Metric

from envhub.core.types import JSON

_CLIENT_ERROR: Final = "4"
_SERVER_ERROR: Final = "5"

Histogram = Counter[float]
"""Number of observations up to each bound, in seconds."""


def overview(families: Iterable[Metric]) -> dict[str, JSON]:
    """The summary of some metrics.

    Requests by route, errors by code, verdicts by environment, the journal by operation, and gauges by name.
    """
    found = {family.name.removeprefix("envhub_"): family for family in families}
    return {
        "routes": _routes(found),
        "errors": dict(_totals(found, "errors", "code").most_common()),
        "verdicts": _verdicts(found),
        "journal": _journal(found),
        "gauges": _gauges(found),
    }


def _routes(found: Mapping[str, Metric]) -> list[JSON]:
    """Requests by method and route, the most frequent first."""
    statuses: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for sample in _samples(found, "requests", "_total"):
        statuses[sample.labels["method"], sample.labels["route"]][sample.labels["status"][0]] += int(sample.value)
    times = _histograms(found, "request_seconds", "method", "route")
    return [
        {
            "method": method,
            "route": route,
            "count": counts.total(),
            "rejected": counts[_CLIENT_ERROR],
            "failed": counts[_SERVER_ERROR],
            **_percentiles(times[method, route]),
        }
        for (method, route), counts in sorted(statuses.items(), key=lambda item: -item[1].total())
    ]


def _verdicts(found: Mapping[str, Metric]) -> list[JSON]:
    """Verdicts by environment, the most frequent first."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sample in _samples(found, "verdicts", "_total"):
        counts[sample.labels["env"]][sample.labels["status"]] += int(sample.value)
    ordered = sorted(counts.items(), key=lambda item: -item[1].total())
    return [{"env": env, "count": statuses.total(), **statuses} for env, statuses in ordered]


def _journal(found: Mapping[str, Metric]) -> list[JSON]:
    """Operations of the journal."""
    failures = _totals(found, "journal_failures", "operation")
    times = _histograms(found, "journal_seconds", "operation")
    return [
        {"operation": name, "count": times[(name,)][math.inf], "failed": failures[name], **_percentiles(times[(name,)])}
        for (name,) in sorted(times)
    ]


def _gauges(found: Mapping[str, Metric]) -> dict[str, JSON]:
    """The value of each gauge; null while it is unknown."""
    values = {
        name: family.samples[0].value for name, family in found.items() if family.type == "gauge" and family.samples
    }
    return {name: None if math.isnan(value) else value for name, value in values.items()}


def _totals(found: Mapping[str, Metric], name: str, label: str) -> Counter[str]:
    return Counter({sample.labels[label]: int(sample.value) for sample in _samples(found, name, "_total")})


def _histograms(found: Mapping[str, Metric], name: str, *labels: str) -> defaultdict[tuple[str, ...], Histogram]:
    """Histograms by some of their labels, added up over the others."""
    histograms: defaultdict[tuple[str, ...], Histogram] = defaultdict(Counter)
    for sample in _samples(found, name, "_bucket"):
        place = tuple(sample.labels[label] for label in labels)
        histograms[place][float(sample.labels["le"])] += int(sample.value)
    return histograms


def _samples(found: Mapping[str, Metric], name: str, ending: str) -> Iterable[JSON]:
    family = found.get(name)
    return () if family is None else (sample for sample in family.samples if sample.name.endswith(ending))


def _percentiles(histogram: Histogram) -> dict[str, JSON]:
    return {"p50_ms": _percentile(histogram, 0.5), "p99_ms": _percentile(histogram, 0.99)}


def _percentile(histogram: Histogram, share: float) -> float | None:
    """A percentile in milliseconds, interpolated; null without observations.

    What lies above the largest bound counts as that bound.
    """
    wanted, below, start = share * histogram[math.inf], 0, 0.0
    for bound, count in sorted(histogram.items()):
        if count >= wanted > 0:
            end = start if math.isinf(bound) else bound
            return round(1000 * (start + (end - start) * (wanted - below) / (count - below)), 3)
        below, start = count, bound
    return None
