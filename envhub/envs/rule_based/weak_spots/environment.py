"""weak-spot-v0: choose tasks on which a solver's rate is near a target.

Rules: the prompt gives a record of a solver: how many attempts succeeded, by environment, options and level, for some
levels. The policy chooses an environment of this hub with its options and a level that is not in the record, and states
the solve rate it expects there. The true rate must be near the target and near what was stated.

Action: a JSON object. Score: 1 if both are met, else the learnability of the rate
(:func:`envhub.envs.code.proposer.rates.learnability`), halved if the stated rate is wrong. Difficulty: a smaller
tolerance, fewer measured levels and fewer attempts; effort is their product.

The true rate is computed from the efforts of recorded tasks and a hidden skill for each row of the record, so it is exact.
``info["proposal"]`` names the chosen tasks. Not folded: rows in another order.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Self

from pydantic import Field

from envhub.authoring import BaseParams
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.envs.rule_based.weak_spots.choice import posed
from envhub.envs.rule_based.weak_spots.choosing import Choosing
from envhub.envs.rule_based.weak_spots.record import LEVELS, rows, solved_of

# tolerance in percentage points, rows, measured levels, attempts
_LEVELS: Final = (
    (10, 5, 6, 200),
    (9, 6, 6, 160),
    (8, 6, 5, 120),
    (8, 7, 5, 100),
    (7, 7, 5, 80),
    (7, 8, 4, 70),
    (6, 8, 4, 60),
    (6, 9, 4, 50),
    (5, 9, 3, 40),
    (5, 10, 3, 30),
)


class Params(BaseParams):
    """The record, and how near the rate must be."""

    tolerance: int = Field(7, ge=2, le=20, description="largest distance from the target, in percentage points")
    rows: int = Field(7, ge=3, le=16, description="how many environments with options the record has")
    measured: int = Field(5, ge=2, le=8, description="how many levels of each row were measured")
    attempts: int = Field(100, ge=10, le=1000, description="attempts at each measured level")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        return cls(**dict(zip(cls.model_fields, _LEVELS[difficulty - 1], strict=True)))


class WeakSpots(Choosing):
    """Find tasks of the right difficulty in a record."""

    Params: ClassVar[type[BaseParams]] = Params

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """A record.

        The key is the true rates, and a choice that is right.
        """
        chosen = rng.sample(rows(), p.rows)
        target = rng.between(30, 70)
        skills = [rng.between(3, 97) / 100 for _ in chosen]
        true = [[row.rate(skill, level) for level in LEVELS] for row, skill in zip(chosen, skills, strict=True)]
        record = []
        for row, rates in zip(chosen, true, strict=True):
            levels = sorted(rng.sample(LEVELS, p.measured))
            solved = {str(level): solved_of(rng, rates[level - 1], p.attempts) for level in levels}
            still = [level for level in LEVELS if level not in levels]
            record.append({"environment": row.environment, "options": row.options, "solved": solved, "open": still})
        return posed(record, true, p.attempts, target, p.tolerance)
