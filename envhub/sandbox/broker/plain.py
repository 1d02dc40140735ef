"""Converts jobs, settings and results to plain values and back.

For messages to the broker.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final

from envhub.sandbox.backend import Entry, Listing, Setting
from envhub.sandbox.inside.values import MAX_DEPTH
from envhub.sandbox.jobs import Job, Limits, Program, Result, Returned, Usage

Plain = dict[str, Any]
MAX_MESSAGE: Final = 256 << 20
"""Maximum bytes of a message."""
DEPTH: Final = MAX_DEPTH + 16
"""Maximum nesting of a message: that of values plus the levels around them."""


def from_job(job: Job) -> Plain:
    """A job as plain values."""
    return _shallow(job) | {"program": _program(job.program), "limits": job.limits.to_plain()}


def to_job(plain: Mapping[str, Any]) -> Job:
    """Inverse of :func:`from_job`.

    Raises:
        InvalidParameters: A value is invalid.
        TypeError: The fields are not those of a job.
    """
    return Job(**{**plain, "program": Program(**plain["program"]), "limits": Limits(**plain["limits"])})


def from_setting(setting: Setting) -> Plain:
    """The options of a session as plain values."""
    return _without_default(_shallow(setting) | {"files": dict(setting.files), "limits": setting.limits.to_plain()})


def to_setting(plain: Mapping[str, Any]) -> Setting:
    """Inverse of :func:`from_setting`.

    Raises:
        InvalidParameters: A value is invalid.
        TypeError: The fields are not those of a setting.
    """
    return Setting(**{**plain, "limits": Limits(**plain["limits"])})


def from_result(result: Result) -> Plain:
    """A result as plain values."""
    values = [(returned.value, returned.raised, returned.message) for returned in result.values]
    return _shallow(result) | {"values": values, "files": dict(result.files), "usage": _shallow(result.usage)}


def to_result(plain: Mapping[str, Any]) -> Result:
    """Inverse of :func:`from_result`.

    Raises:
        TypeError: The fields are not those of a result.
    """
    result = Result(**{**plain, "values": (), "usage": Usage(**plain["usage"])})
    return replace(result, values=tuple(Returned(*returned) for returned in plain["values"]))


def from_answer(answer: Any) -> Any:
    """The answer of a session as plain values."""
    if isinstance(answer, Result):
        return {"result": from_result(answer)}
    if isinstance(answer, Listing):
        return {"entries": [_shallow(entry) for entry in answer.entries], "complete": answer.complete}
    return {"plain": answer}


def to_answer(plain: Mapping[str, Any]) -> Any:
    """Inverse of :func:`from_answer`."""
    if "result" in plain:
        return to_result(plain["result"])
    if "entries" in plain:
        return Listing(tuple(Entry(**entry) for entry in plain["entries"]), plain["complete"])
    return plain["plain"]


def _program(program: Program) -> Plain:
    return _without_default(_shallow(program) | {"files": dict(program.files)})


def _without_default(plain: Plain) -> Plain:
    """Leave out an empty toolchain.

    So journals written before toolchains existed still match.
    """
    return {name: value for name, value in plain.items() if name != "toolchain" or value}


def _shallow(record: Any) -> Plain:
    return {each.name: getattr(record, each.name) for each in fields(record)}
