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

from collections.abc import Iterator
from typing import Any, ClassVar, Final, Self

from pydantic import Field

from envhub.authoring import BaseParams, SingleTurn
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.code.proposer.rates import learnability
from envhub.envs.rule_based.weak_spots import wording
from envhub.envs.rule_based.weak_spots.choice import choice_of, posed, written
from envhub.envs.rule_based.weak_spots.record import LEVELS, rows, solved_of
from envhub.verifiers.answers.documents import JsonDocument
from envhub.verifiers.answers.types import AnswerType

_STATED: Final = 0.1
"""Largest difference between the stated and the true rate."""
# tolerance in percentage points, rows, measured levels, attempts
_LEVELS: Final = (
    (10, 5, 6, 400),
    (9, 6, 6, 300),
    (8, 6, 5, 200),
    (8, 7, 5, 160),
    (7, 7, 5, 120),
    (7, 8, 4, 100),
    (6, 8, 4, 80),
    (6, 9, 4, 60),
    (5, 9, 3, 50),
    (5, 10, 3, 40),
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


class WeakSpots(SingleTurn):
    """Find tasks of the right difficulty in a record."""

    Params: ClassVar[type[BaseParams]] = Params
    answer: AnswerType = JsonDocument(
        called="one JSON object with environment, options, level and rate",
        sample='{"environment": "kakuro-v0", "options": {}, "level": 4, "rate": 0.5}',
    )
    components: ClassVar[frozenset[str]] = frozenset({"format", "valid", "rate", "stated"})

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

    def prompt(self, problem: JSON) -> Statement:
        """The record and the rules."""
        return Statement(
            task=wording.TASK, data=wording.DATA, problem=problem, rules=wording.RULES, values=wording.values(problem)
        )

    def grade(self, inst: Instance, value: Any) -> Verdict:
        """By the true rate of the chosen tasks."""
        found = choice_of(inst.problem, value)
        if isinstance(found, str):
            return Verdict(0.0, "graded", False, {"valid": 0.0}, feedback=f"The choice is invalid. {found}")
        at, level, stated = found
        rate, target = inst.key["rates"][at][level - 1], inst.problem["target"] / 100
        good = abs(stated - rate) <= _STATED + 1e-9
        solved = good and abs(rate - target) <= inst.problem["tolerance"] / 100 + 1e-9
        paid = learnability(rate, target) * (1.0 if good else 0.5)
        said = f"The solve rate of these tasks is {100 * rate:.1f}%, the target {inst.problem['target']}%."
        parts = {"valid": 1.0, "rate": rate, "stated": float(good)}
        return Verdict(1.0 if solved else min(paid, 0.99), "graded", solved, parts, paid, feedback=said)

    def advance(self, inst: Instance, state: Any, action: str, rng: Stream) -> Any:
        """Grade the choice, and name it in the info."""
        turn = super().advance(inst, state, action, rng)
        if isinstance(turn, Turn) and turn.verdict is not None and turn.verdict.components.get("valid"):
            found = choice_of(inst.problem, self.answer.read(action).value)
            if not isinstance(found, str):
                row = inst.problem["record"][found[0]]
                turn.info["proposal"] = {
                    "environment": row["environment"],
                    "options": row["options"],
                    "level": found[1],
                    "rate": turn.verdict.components["rate"],
                }
        return turn

    def solve(self, inst: Instance) -> str:
        """The choice that is nearest to the target."""
        at, level = inst.key["best"]
        return written(inst.problem["record"][at], level, inst.key["rates"][at][level - 1])

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The same choice with a rate that is stated a little wrong."""
        at, level = inst.key["best"]
        rate = inst.key["rates"][at][level - 1]
        yield written(inst.problem["record"][at], level, rate + 0.9 * _STATED)
        yield written(inst.problem["record"][at], level, rate - 0.9 * _STATED)

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """A rate stated wrong, a measured level, and other options."""
        at, level = inst.key["best"]
        row, rate = inst.problem["record"][at], inst.key["rates"][at][level - 1]
        yield written(row, level, rate + 2 * _STATED)
        yield written(row, int(next(iter(row["solved"]))), rate)  # not open
        yield written({**row, "options": {"size": 3}}, level, rate)
        yield written({**row, "environment": "kakuro-v0"}, level, rate)

    def random_action(self, inst: Instance, state: Any, rng: Stream) -> str:
        """Any row, level and rate."""
        row = rng.choice(inst.problem["record"])
        return self.answer.wrap(written(row, rng.between(1, 10), rng.between(0, 100) / 100))

    def effort(self, inst: Instance) -> float:
        """Unmeasured levels to look at, divided by the tolerance."""
        problem = inst.problem
        cells = sum(len(row["open"]) for row in problem["record"])
        return float(cells / problem["tolerance"])
