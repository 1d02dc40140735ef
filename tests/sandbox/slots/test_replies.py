"""What is counted outside a slot goes before what was seen inside, and nothing malformed becomes a result."""

from __future__ import annotations

from typing import Any

import pytest

from envhub.sandbox.jobs import Limits, Result, Usage
from envhub.sandbox.linux.cgroups import JobCounters
from envhub.sandbox.slots.replies import overlay, result_of

LIMITS = Limits(cpu_s=2, output_bytes=10, value_bytes=10)


@pytest.mark.parametrize(
    ("limit", "counted", "named"),
    [
        (None, JobCounters(5, False, False), None),
        (None, JobCounters(5, True, False), "memory"),
        ("wall", JobCounters(5, True, True), "memory"),
        ("output", JobCounters(5, True, True), "output"),
        (None, JobCounters(5, False, True), "pids"),
        ("wall", JobCounters(5, False, True), "wall"),
        ("wall", JobCounters(5, False, False, cpu_s=3), "cpu"),
        (None, JobCounters(5, False, False, cpu_s=2.1), None),  # the slot takes some time itself
        ("file", JobCounters(5, False, False, cpu_s=3), "file"),
    ],
)
def test_the_limit_that_was_hit_is_named(limit: Any, counted: JobCounters, named: str | None) -> None:
    result = overlay(Result(exit=0, limit=limit, usage=Usage(1, 0.5, 1)), counted, LIMITS)
    assert (result.limit, result.usage.memory_mb) == (named, 5)
    assert result.usage.cpu_s == (counted.cpu_s or 0.5)


def test_without_counting_nothing_changes() -> None:
    assert overlay(Result(exit=3), None, LIMITS) == Result(exit=3)


GOOD = {"exit": 0, "limit": None}


def test_an_answer_becomes_a_result() -> None:
    head = {**GOOD, "replies": 2, "files": ["a"], "wall": 1, "cpu": 0.5, "memory": 1 << 20, "cut": True}
    result = result_of(head, [b"out", b"err", b"v1", b'e["E","m"]', b"file"], LIMITS, ("a", "b"))
    assert (result.stdout, result.stderr, result.files, result.cut) == (b"out", b"err", {"a": b"file"}, True)
    assert [(each.value, each.raised) for each in result.values] == [(1, None), (None, "E")]
    assert result.usage == Usage(1, 0.5, 1)


@pytest.mark.parametrize(
    ("head", "blobs"),
    [
        ({}, [b"", b""]),
        ({"exit": 0}, [b"", b""]),
        (GOOD, []),
        (GOOD, [b""]),
        (GOOD, [b"", b"", b""]),
        (GOOD, [b"x" * 11, b""]),
        ({**GOOD, "exit": True}, [b"", b""]),
        ({**GOOD, "exit": 256}, [b"", b""]),
        ({**GOOD, "exit": "0"}, [b"", b""]),
        ({**GOOD, "limit": "time"}, [b"", b""]),
        ({**GOOD, "limit": []}, [b"", b""]),
        ({**GOOD, "wall": -1}, [b"", b""]),
        ({**GOOD, "cpu": "1"}, [b"", b""]),
        ({**GOOD, "memory": float("inf")}, [b"", b""]),
        ({**GOOD, "memory": float("nan")}, [b"", b""]),
        ({**GOOD, "wall": 10**400}, [b"", b""]),
        ({**GOOD, "replies": -1}, [b""]),
        ({**GOOD, "replies": True}, [b"", b"", b""]),
        ({**GOOD, "replies": 1}, [b"", b"", b"x" * (2 << 20)]),
        ({**GOOD, "files": "a"}, [b"", b"", b""]),
        ({**GOOD, "files": ["c"]}, [b"", b"", b""]),
        ({**GOOD, "files": ["a", "a"]}, [b"", b"", b"", b""]),
        ({**GOOD, "files": [["a"]]}, [b"", b"", b""]),
        ({**GOOD, "files": [1]}, [b"", b"", b""]),
    ],
)
def test_what_is_malformed_is_no_result(head: dict[str, Any], blobs: list[bytes]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        result_of(head, blobs, LIMITS, ("a", "b"))
