"""A server that runs for long stays as it is: memory, descriptors and journal over a million messages.

``python -m benchmarks.soak`` is the load and shows what it finds. Here its samples are compared: what was held in the last
quarter of the messages with what was held in the second. These are counts and sizes at counts of messages, not times.
"""

from __future__ import annotations

from typing import Any

import pytest

soak = pytest.importorskip("benchmarks.soak", reason="benchmarks/ is only in the repository")
MB = 10**6


@pytest.mark.nightly
@pytest.mark.parametrize("workers", [1, 2])
def test_a_million_messages_leave_nothing_behind(workers: int) -> None:
    samples = soak.soak(soak.STEPS, workers=workers)

    memory_before, memory = soak.growth(samples, lambda one: one.memory)
    files_before, files = soak.growth(samples, lambda one: one.descriptors)
    journal_before, journal = soak.growth(samples, lambda one: one.journal)
    assert samples[-1].messages >= soak.STEPS
    assert memory <= 1.1 * memory_before + 4 * MB, samples
    assert files <= files_before + 2, samples
    assert journal <= 1.25 * journal_before + 16 * MB, samples  # its log is as long as the last second made it


def held(*memory: int) -> list[Any]:
    return [soak.Sample(100 * number, memory=held, descriptors=9, journal=0) for number, held in enumerate(memory)]


def test_growth_is_seen() -> None:
    leaking, flat = held(10, 20, 30, 40, 50, 60, 70, 80, 90), held(10, 40, 42, 41, 44, 40, 43, 41, 42)

    assert soak.growth(leaking, lambda one: one.memory) == (50, 90)
    assert soak.growth(flat, lambda one: one.memory) == (44, 42)
    assert soak.growth(flat, lambda one: one.descriptors) == (9, 9)


@pytest.mark.nightly  # it needs an answer within a fifth of a second
def test_a_short_soak_runs() -> None:
    samples = soak.soak(200, seconds=0.2)

    assert samples[0].messages == 0 < 200 <= samples[-1].messages
    assert all(one.memory > 10 * MB and one.descriptors > 3 and one.journal > 0 for one in samples)
