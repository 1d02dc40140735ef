"""Choosing tasks near a target rate: the base of weak-spot-v0 and weak-spot-record-v0."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from envhub.authoring import SingleTurn
from envhub.authoring.wording import Phrase, Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.code.proposer.rates import learnability
from envhub.envs.rule_based.weak_spots import wording
from envhub.envs.rule_based.weak_spots.choice import choice_of, written
from envhub.verifiers.answers.documents import JsonDocument
from envhub.verifiers.answers.types import AnswerType

_STATED: Final = 0.1
"""Largest difference between the stated and the true rate."""


@dataclass(frozen=True)
class Chosen(JsonDocument):
    """A choice with a stated rate, which need not be exact."""

    tolerant: ClassVar[bool] = True


class Choosing(SingleTurn):
    """Find tasks of the right difficulty in a record.

    A subclass draws the record (:func:`envhub.envs.rule_based.weak_spots.choice.posed`).
    """

    answer: AnswerType = Chosen(
        called="one JSON object with environment, options, level and rate",
        sample='{"environment": "kakuro-v0", "options": {}, "level": 4, "rate": 0.5}',
    )
    components: ClassVar[frozenset[str]] = frozenset({"format", "valid", "rate", "stated"})
    rules: ClassVar[tuple[Phrase, ...]] = wording.RULES

    def prompt(self, problem: JSON) -> Statement:
        """The record and the rules."""
        return Statement(
            task=wording.TASK, data=wording.DATA, problem=problem, rules=self.rules, values=wording.values(problem)
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
        if not good:
            said += (
                f" Your estimate of {100 * stated:.1f}% is off by more than {round(100 * _STATED)} percentage points."
            )
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
