"""Training runs below some folders, and their logs as they grow.

A run is a folder with a ``log.jsonl``: one JSON object of numbers per step, of ``envhub train`` or any other trainer::

    runs = runs_in([Path("runs")])
    lines, reached = tail(runs[0], start=0)       # later: tail(runs[0], reached)
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Final

from envhub.core.types import JSON

LOG: Final = "log.jsonl"
CHUNK_BYTES: Final = 4 * 2**20
"""Bytes that one call reads at most."""


@dataclass(frozen=True, slots=True)
class Run:
    """A training run.

    Attributes:
        name: Path of its folder below the folder that was asked for.
        log: Its log.
    """

    name: str
    log: Path


def runs_in(paths: Sequence[Path]) -> list[Run]:
    """The runs in some folders, by name; files are ignored."""
    found = {}
    for folder in paths:
        for log in sorted(folder.rglob(LOG)) if folder.is_dir() else ():
            below = log.parent.relative_to(folder).as_posix()
            found[log.resolve()] = Run(folder.resolve().name if below == "." else below, log)
    return sorted(found.values(), key=lambda run: run.name)


def tail(run: Run, start: int) -> tuple[list[JSON], int]:
    """The whole lines of a log from an offset on.

    Args:
        run: The run.
        start: Offset in bytes, as an earlier call returned it. Beyond the end of the log, reading begins again: a resumed run
            cuts its log to its checkpoint.

    Returns:
        The finite numbers of each line by name, and the offset of what follows them.
    """
    try:
        with run.log.open("rb") as file:
            size = file.seek(0, 2)
            start = file.seek(start if start <= size else 0)
            chunk = file.read(CHUNK_BYTES)
    except OSError:  # deleted meanwhile
        return [], 0
    whole = chunk[: chunk.rfind(b"\n") + 1]
    return [numbers for line in whole.splitlines() if (numbers := _numbers(line))], start + len(whole)


def _numbers(line: bytes) -> dict[str, JSON]:
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    if not isinstance(found, dict):
        return {}
    return {
        name: value
        for name, value in found.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)
    }
