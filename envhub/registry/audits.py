"""Recorded audits of the built-in environments (``docs/audits.py``), for those who show them.

::

    found = audited("sudoku-v0")        # None without a record, as for a plug-in
    found.checks, found.failed, found.effort[0]
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Final

from envhub.core.types import JSON

FILE: Final = Path(__file__).parent / "audits.json"


@dataclass(frozen=True, slots=True)
class Audited:
    """What is on record about one environment.

    Attributes:
        version: Version of envhub whose audit it was.
        depth: ``fast`` or ``full``.
        checks: Number of checks that apply to the environment.
        failed: Number of those that failed.
        effort: Median effort of the reference solver at levels 1 to 10.
    """

    version: str
    depth: str
    checks: int
    failed: int
    effort: tuple[float, ...]

    def to_json(self) -> dict[str, JSON]:
        """All fields by name."""
        return {**asdict(self), "effort": list(self.effort)}


def audited(id: str) -> Audited | None:
    """The record of an environment; None without one."""
    return _records().get(id)


@cache
def _records() -> dict[str, Audited]:
    found = json.loads(FILE.read_text(encoding="utf-8"))
    return {id: Audited(**{**record, "effort": tuple(record["effort"])}) for id, record in found.items()}
