"""What a slot answers, read strictly: nothing of it is trusted beyond caps and types.

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
"""How much longer than its texts an answer may be."""
_HUGE: Final = 1e18
_TRUSTED_S: Final = 0.25
"""Seconds of processor that the slot itself may take for a job; beyond them a program has used what was not seen inside."""
_NAMES: Final = frozenset(get_args(LimitName))


def overlay(result: Result, counted: JobCounters | None, limits: Limits) -> Result:
    """A result with what was counted from outside the slot."""
    if counted is None:
        return result
    limit, processor = result.limit, result.usage.cpu_s
    if counted.cpu_s > processor + _TRUSTED_S:  # there were processes that nobody waited for
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
    """A result from an answer.

    Raises:
        KeyError: Something is missing.
        TypeError: Something has another type than it should.
        ValueError: Something is out of its range.
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
    """An exit status, checked.

    Raises:
        ValueError: It is none.
    """
    if status is None or (type(status) is int and -128 <= status <= 255):
        return status
    raise ValueError("exit")


def limit_of(name: object) -> LimitName | None:
    """The name of a limit, checked.

    Raises:
        ValueError: There is no such limit.
    """
    if name is None or (type(name) is str and name in _NAMES):
        return name  # type: ignore[return-value]
    raise ValueError("limit")


def _amount(number: object) -> float:
    if type(number) not in (int, float) or not 0 <= number < _HUGE:  # type: ignore[operator]
        raise ValueError("amount")
    return float(number)  # type: ignore[arg-type]


def _returned(body: bytes, most: int) -> Returned:
    """What a call gave, from what the candidate wrote: anything at all."""
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
    """Without halves of surrogate pairs, which no text of ours may hold."""
    return text.encode("utf-8", "replace").decode()
