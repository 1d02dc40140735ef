"""Values that are added up first look as if each had been recorded."""

from __future__ import annotations

from hypothesis import given, strategies as st
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from envhub.server.telemetry.tallies import Tallies

BUCKETS = (2**-10, 2**-7, 1.0)


def metrics() -> tuple[CollectorRegistry, Counter, Histogram]:
    registry = CollectorRegistry()
    histogram = Histogram("h", "a histogram", ("way",), buckets=BUCKETS, registry=registry)
    return registry, Counter("c", "a counter", ("way",), registry=registry), histogram


def shown(registry: CollectorRegistry) -> list[str]:
    return [line for line in generate_latest(registry).decode().splitlines() if "_created" not in line]


@given(
    st.lists(st.tuples(st.sampled_from(["a", "b"]), st.sampled_from([0.0, 2**-10, 2**-7, 2**-6, 1.0, 2.0]) | st.none()))
)
def test_the_sums_are_those_of_the_values(values: list[tuple[str, float | None]]) -> None:
    one, counter, histogram = metrics()
    other, plain_counter, plain_histogram = metrics()
    tallies = Tallies()
    for way, seconds in values:
        if seconds is None:
            tallies.flush()
        else:
            tallies.count(counter, way)
            tallies.observe(histogram, seconds, way)
            plain_counter.labels(way).inc()
            plain_histogram.labels(way).observe(seconds)
    tallies.flush()
    tallies.flush()
    if any(seconds is not None for _, seconds in values):
        assert shown(one) == shown(other)
