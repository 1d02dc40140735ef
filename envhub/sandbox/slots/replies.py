"""Strict parsing of a slot's answers.

Every size, type and range is checked.

::

    result = overlay(result_of(head, blobs, limits, fetch), counted, limits)
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, get_args

from envhub.sandbox.inside import values
from envhub.sandbox.jobs import LimitName, Limits, Result, Returned, Usage
from envhub.sandbox.linux.cgroups import JobCounters

SLACK: Final = 1 << 20
"""Bytes that an answer may be longer than its texts."""
_HUGE: Final = 1e18
_TRUSTED_S: Final = 0.25
"""CPU seconds that the slot itself may use per job; anything above was used by unseen processes."""
_NAMES: Final = frozenset(get_args(LimitName))


def overlay(result: Result, counted: JobCounters | None, limits: Limits) -> Result:
    """Correct a result with what was measured from outside the slot."""
    if counted is None:
        return result
    limit, processor = result.limit, result.usage.cpu_s
    if counted.cpu_s > processor + _TRUSTED_S:  # processes that nobody waited for
        processor = counted.cpu_s
        if processor > limits.cpu_s + _TRUSTED_S and limit in (None, "wall"):
            limit = "cpu"
    if counted.out_of_memory and limit in (None, "wall"):
        limit = "memory"
    elif counted.pids_exceeded and limit is None:
        limit = "pids"
    memory = counted.memory_mb or result.usage.memory_mb
    return replace(result, limit=limit, usage=replace(result.usage, memory_mb=memory, cpu_s=processor))


def result_of(head: dict[str, Any], blobs: list[bytes], limits: Limits, fetch: Sequence[str]) -> Result:
    """Parse an answer into a result.

    Raises:
        KeyError: A field is missing.
        TypeError: A field has the wrong type.
        ValueError: A field is out of range.
    """
    files = head.get("files", [])
    replies = head.get("replies", 0)
    if type(files) is not list or type(replies) is not int or replies < 0 or len(set(files)) != len(files):
        raise TypeError("files or replies")
    if not set(files) <= set(fetch) or len(blobs) != 2 + replies + len(files):
        raise ValueError("parts")
    stdout, stderr = blobs[:2]
    if max(len(stdout), len(stderr)) > limits.output_bytes or sum(map(len, blobs[2 : 2 + replies])) > (
        limits.value_bytes + SLACK
    ):
        raise ValueError("sizes")
    return Result(
        exit=exit_of(head["exit"]),
        stdout=stdout,
        stderr=stderr,
        values=tuple(_returned(blob, limits.value_bytes) for blob in blobs[2 : 2 + replies]),
        files=dict(zip(files, blobs[2 + replies :], strict=True)),
        usage=Usage(
            _amount(head.get("wall", 0)), _amount(head.get("cpu", 0)), _amount(head.get("memory", 0)) / (1 << 20)
        ),
        limit=limit_of(head["limit"]),
        cut=head.get("cut", False) is True,
    )


def exit_of(status: object) -> int | None:
    """Check an exit status.

    Raises:
        ValueError: It is invalid.
    """
    if status is None or (type(status) is int and -128 <= status <= 255):
        return status
    raise ValueError("exit")


def limit_of(name: object) -> LimitName | None:
    """Check the name of a limit.

    Raises:
        ValueError: It is invalid.
    """
    if name is None or (type(name) is str and name in _NAMES):
        return name  # type: ignore[return-value]
    raise ValueError("limit")


def _amount(number: object) -> float:
    if type(number) not in (int, float) or not 0 <= number < _HUGE:  # type: ignore[operator]
        raise ValueError("amount")
    return float(number)  # type: ignore[arg-type]


def _returned(body: bytes, most: int) -> Returned:
    """Parse the reply to a call, which the program controls completely."""
    try:
        if body[:1] == b"v":
            return Returned(values.loads(body[1:], most))
        if body[:1] == b"e" and len(body) <= 1 << 16:
            name, message = json.loads(body[1:])
            if type(name) is str and type(message) is str:
                return Returned(raised=clean(name)[:100] or "Exception", message=clean(message)[:1000])
    except values.NotAValue as error:
        return Returned(raised="NotAValue", message=str(error))
    except (ValueError, TypeError, RecursionError):
        pass
    return Returned(raised="NotAValue", message="a reply that is no value")


def clean(text: str) -> str:
    """Replace lone surrogates."""
    return text.encode("utf-8", "replace").decode()
