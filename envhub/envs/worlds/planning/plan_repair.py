"""plan-repair-v0: repair a damaged plan with few edits.

Some actions of a shortest plan were left out, repeated, or given other objects. Action: the repaired plan, one action
per line. Any plan that reaches the goal and is within the allowed number of edits of the given one scores 1, everything
else 0; an edit removes, inserts or replaces one action. Difficulty: longer plans and more edits; effort is the number of
actions of the undamaged plan times the edits.

Problems that differ in the names of objects alone count as different.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Self

from pydantic import Field

from envhub.authoring import SingleTurn, Staged
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.worlds.planning import params, tasks, wording
from envhub.generators.planning.domains import write_atom
from envhub.verifiers.answers.plans import Plan, Step
from envhub.verifiers.answers.types import AnswerType


class Params(params.Params):
    """The problem, and the damage."""

    edits: int = Field(1, ge=1, le=4, description="edits that were made, and edits allowed")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        least, most = params.LENGTHS[difficulty - 1]
        return cls(size=difficulty, least=least, most=most, edits=1 + (difficulty > 3) + (difficulty > 7))


class PlanRepair(SingleTurn):
    """Repair a damaged plan with few edits."""

    Params = Params
    slow: ClassVar[bool] = True
    family: ClassVar[str | None] = "planning"
    answer: AnswerType = Plan()

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A problem, a shortest plan, and the plan with some edits."""
        content = tasks.draw(rng, p.domain, p.size)
        yield content
        found = tasks.solution(content, p.least, p.most)
        if found is None:
            return None
        plan = [(step.name, *step.arguments) for step in found]
        given = damaged(rng, plan, list(content["objects"]), p.edits)
        if distance(given, plan) != p.edits or not tasks.fault(content, given):
            return None
        problem = {**content, "given": list(map(write_atom, given)), "edits": p.edits}
        return Instance(problem, key={"plan": list(map(write_atom, plan))})

    def canonical(self, content: JSON) -> JSON:
        """The facts in any order."""
        return tasks.canonical(content)

    def searches(self, p: Any) -> bool:
        """Short plans are found at once."""
        return bool(p.most > params.QUICK)

    def prompt(self, problem: JSON) -> Statement:
        """The problem and the given plan."""
        return wording.repair_statement(problem)

    def grade(self, inst: Instance, value: tuple[Step, ...]) -> Verdict:
        """Count the edits, then carry out the plan."""
        given, allowed = [_words(step) for step in inst.problem["given"]], inst.problem["edits"]
        far = abs(len(given) - len(value)) > allowed
        if far or distance(given, value) > allowed:
            return Verdict.exact(False, f"The plan is more than {allowed} edits away from the given one.")
        why = tasks.fault(inst.problem, value)
        return Verdict.exact(not why, why or "The plan is repaired.")

    def solve(self, inst: Instance) -> str:
        """The plan before it was damaged."""
        return "\n".join(inst.key["plan"])

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The plan in another form."""
        yield "\n".join(f"{number}. {step}" for number, step in enumerate(inst.key["plan"], 1))

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """The given plan, and plans that are too short."""
        plan = inst.key["plan"]
        yield "\n".join(inst.problem["given"])
        yield from ("\n".join(plan[:at] + plan[at + 1 :]) for at in range(len(plan)))

    def effort(self, inst: Instance) -> float:
        """Number of actions times edits."""
        return float(len(inst.key["plan"]) * inst.problem["edits"])


def damaged(rng: Stream, plan: Sequence[Step], objects: Sequence[str], edits: int) -> list[Step]:
    """A plan after some random edits."""
    found = list(plan)
    for _ in range(edits):
        at = rng.below(len(found))
        which = rng.below(3)
        if which == 0:
            del found[at]
        elif which == 1:
            found.insert(rng.below(len(found) + 1), found[at])
        else:
            words = list(found[at])
            words[1 + rng.below(len(words) - 1)] = rng.choice(objects)
            found[at] = tuple(words)
    return found


def distance(one: Sequence[Step], other: Sequence[Step]) -> int:
    """Fewest removals, insertions and replacements of actions between two plans."""
    row = list(range(len(other) + 1))
    for number, step in enumerate(one, 1):
        above, row = row, [number]
        for at, wanted in enumerate(other):
            row.append(min(above[at] + (step != wanted), above[at + 1] + 1, row[at] + 1))
    return row[-1]


def _words(step: str) -> Step:
    return tuple(step.strip("()").split(" "))
