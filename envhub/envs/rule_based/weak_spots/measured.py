"""weak-spot-record-v0: choose tasks of the right solve rate from your record.

As weak-spot-v0, with rates that you have measured. Each row of a JSON lines file has ``environment``, ``options``, ``level``,
``solved`` and ``attempts``, such as the evaluations of a trainer's checkpoint. A part of the levels of each row is shown; the
others are open, and the true rate of a choice is the measured one. Action, score and effort are those of weak-spot-v0.
Difficulty: a smaller tolerance and more rows of the record.

Several measurements of the same tasks are added up. Environments need not be of this hub.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar, Final, NamedTuple, Self

from pydantic import Field

from envhub.authoring import BaseParams
from envhub.authoring.user_file import UserFiles
from envhub.authoring.wording import Phrase
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.envs.rule_based.weak_spots import wording
from envhub.envs.rule_based.weak_spots.choice import posed
from envhub.envs.rule_based.weak_spots.choosing import Choosing
from envhub.generators.user_files.files import each_of, place_of, rows_at

_FEWEST: Final = 3
"""Levels that a row of the record must have."""


class Measured(NamedTuple):
    """Attempts at tasks of one level."""

    environment: str
    options: str
    level: int
    solved: int
    attempts: int


class Params(UserFiles):
    """The file, and how near the rate must be."""

    digests: ClassVar[Mapping[str, str]] = {"path": "digest"}

    path: str = Field("", description="the file, .jsonl")
    digest: str = Field("", description="its SHA-256; what it is now, if not given")
    tolerance: int = Field(8, ge=2, le=20, description="largest distance from the target, in percentage points")
    rows: int = Field(8, ge=1, le=16, description="how many environments with options the record has, at most")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        return cls(tolerance=11 - (difficulty + 1) // 2, rows=4 + difficulty // 2)

    def look(self) -> None:
        """Read the record."""
        record_of(self.path, self.digest)


class MeasuredWeakSpots(Choosing):
    """Find tasks of the right difficulty in your own record."""

    Params: ClassVar[type[BaseParams]] = Params
    files: ClassVar[tuple[str, ...]] = ("path",)
    rules: ClassVar[tuple[Phrase, ...]] = wording.MEASURED_RULES

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """A part of the record; the key is the rest."""
        groups = record_of(p.path, p.digest)
        chosen = rng.sample(range(len(groups)), min(p.rows, len(groups)))
        record, rates = [], []
        for environment, options, levels in (groups[at] for at in chosen):
            count = max(2, len(levels) // 2)
            shown = sorted(rng.sample(sorted(levels), min(count, len(levels) - 1)))
            rates.append([levels.get(level) for level in range(1, 11)])
            record.append(
                {
                    "environment": environment,
                    "options": json.loads(options),
                    "solved": {str(level): round(1000 * levels[level]) for level in shown},
                    "open": [level for level in sorted(levels) if level not in shown],
                }
            )
        return posed(record, rates, 1000, rng.between(30, 70), p.tolerance)


def record_of(path: str, digest: str) -> list[tuple[str, str, dict[int, float]]]:
    """The rates of a file by environment and options, then by level.

    Raises:
        InvalidParameters: There is no such file, or a row is not a measurement.
    """
    return _record(place_of(path, digest), digest)


@lru_cache(maxsize=8)
def _record(place: str, digest: str) -> list[tuple[str, str, dict[int, float]]]:
    counts: dict[tuple[str, str], dict[int, list[int]]] = {}
    for row in each_of(place, rows_at(place, digest), _read):
        count = counts.setdefault((row.environment, row.options), {}).setdefault(row.level, [0, 0])
        count[0] += row.solved
        count[1] += row.attempts
    found = [
        (environment, options, {level: solved / attempts for level, (solved, attempts) in levels.items()})
        for (environment, options), levels in sorted(counts.items())
        if len(levels) >= _FEWEST
    ]
    if not found:
        raise InvalidParameters(f"No environment in {place!r} was measured at {_FEWEST} levels or more.")
    return found


def _read(number: int, row: Mapping[str, Any]) -> Measured:
    environment, options = row.get("environment"), row.get("options", {})
    if not isinstance(environment, str) or not environment or not isinstance(options, dict):
        raise ValueError("environment must be a text and options an object.")
    numbers = [row.get(name) for name in ("level", "solved", "attempts")]
    if not all(type(each) is int for each in numbers):
        raise ValueError("level, solved and attempts must be integers.")
    level, solved, attempts = map(int, numbers)  # type: ignore[arg-type]
    if not 1 <= level <= 10 or not 0 <= solved <= attempts or attempts < 1:
        raise ValueError("level must be from 1 to 10, and solved from 0 to attempts, which is at least 1.")
    return Measured(environment, json.dumps(options, sort_keys=True), level, solved, attempts)
