"""pddl-plan-v0: write a plan that reaches a goal.

The domain (blocksworld, logistics, gripper, ferry or depots) and the problem are stated in PDDL, in lists or in JSON.
Action: the plan, one action per line. Any plan that is possible and reaches the goal within the limit scores 1,
everything else 0. The component ``short`` is the length of a shortest plan divided by that of the given one. Difficulty:
the length of the shortest plan, which is proved by search; effort is this length.

Problems that differ in the names of objects alone count as different.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from envhub.authoring import SingleTurn, Staged
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.worlds.planning import tasks, wording
from envhub.envs.worlds.planning.params import QUICK, Params
from envhub.verifiers.answers.plans import Plan, Step
from envhub.verifiers.answers.types import AnswerType


class PddlPlan(SingleTurn):
    """Write a plan that reaches a goal."""

    Params = Params
    slow: ClassVar[bool] = True
    family: ClassVar[str | None] = "planning"
    components: ClassVar[frozenset[str]] = frozenset({"format", "short"})
    answer: AnswerType = Plan()

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A problem, and one of its shortest plans."""
        content = tasks.draw(rng, p.domain, p.size)
        yield content
        plan = tasks.solution(content, p.least, p.most)
        if plan is None:
            return None
        return Instance({**content, "limit": 2 * len(plan)}, key={"plan": [tasks.write_step(step) for step in plan]})

    def canonical(self, content: JSON) -> JSON:
        """The facts in any order."""
        return tasks.canonical(content)

    def searches(self, p: Any) -> bool:
        """Short plans are found at once."""
        return bool(p.most > QUICK)

    def prompt(self, problem: JSON) -> Statement:
        """The rules of planning, the domain and the problem."""
        return wording.plan_statement(problem)

    def grade(self, inst: Instance, value: tuple[Step, ...]) -> Verdict:
        """Carry out the plan."""
        limit = inst.problem["limit"]
        if len(value) > limit:
            return Verdict.exact(False, f"The plan has {len(value)} actions; at most {limit} are allowed.")
        why = tasks.fault(inst.problem, value)
        if why:
            return Verdict.exact(False, why)
        return Verdict.exact(True, "The plan reaches the goal.").noting(None, short=len(inst.key["plan"]) / len(value))

    def solve(self, inst: Instance) -> str:
        """A shortest plan."""
        return "\n".join(inst.key["plan"])

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The plan in other forms."""
        plan = inst.key["plan"]
        yield " ".join(plan)
        yield "\n".join(f"{number}. {step.strip('()')}" for number, step in enumerate(plan, 1))

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """The plan without one of its actions, which is too short."""
        plan = inst.key["plan"]
        yield from ("\n".join(plan[:at] + plan[at + 1 :]) for at in range(len(plan)))

    def effort(self, inst: Instance) -> float:
        """Length of a shortest plan."""
        return float(len(inst.key["plan"]))
