"""goal-recognition-v0: find out which goals an agent may have.

An agent follows a shortest plan to its goal. Some of its actions were observed: the first ones, or some in their order with
others missed. A candidate goal is possible if some shortest plan for it agrees with the observations; search decides this
for each candidate. Action: the numbers of all possible candidates, in any order. Score 1 if exactly these are given, else 0;
the component ``overlap`` is the share of numbers in common among all that are given or right. One candidate at least would
be possible without one of the observations. Difficulty: longer plans, more objects and candidates, and missed actions;
effort is the length of the agent's plan times the number of candidates.

Problems that differ in the names of objects alone count as different.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, SingleTurn, Staged
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.worlds.planning import params, tasks, wording
from envhub.envs.worlds.planning.candidate_goals import Goal, Watch, best_plan, draw_goal, variation
from envhub.verifiers.answers.numerals import Integers
from envhub.verifiers.answers.types import AnswerType, Unreadable

_LEVELS: Final = (  # size, least, most, facts, goals, gaps
    (4, 3, 5, 2, 7, False),
    (4, 4, 6, 2, 7, False),
    (5, 4, 7, 2, 8, False),
    (5, 5, 7, 2, 8, True),
    (6, 6, 8, 2, 8, True),
    (6, 6, 9, 3, 9, True),
    (7, 7, 10, 3, 9, True),
    (7, 7, 11, 3, 9, True),
    (8, 8, 11, 3, 10, True),
    (9, 8, 12, 3, 10, True),
)
_FARTHER: Final = 2
"""Actions that a shortest plan for a candidate may have beyond those of the agent's longest plan."""
_ALONE: Final = 20
"""One problem in this many draws asks for a single possible candidate; more of them are accepted."""
_POOL: Final = 3
"""Candidates that are examined, as a multiple of those that are shown."""


class Params(BaseParams):
    """The domain, the agent's plan, and the candidates."""

    domain: params.DomainName = Field("any", description="domain; any: drawn for each task")
    size: int = Field(5, ge=1, le=10, description="how many objects there are, from few to many")
    least: int = Field(5, ge=3, le=20, description="length of the agent's plan, at least")
    most: int = Field(9, ge=3, le=20, description="length of the agent's plan, at most")
    facts: int = Field(2, ge=1, le=4, description="facts of a goal, at most, variations not counted")
    goals: int = Field(8, ge=6, le=12, description="candidate goals")
    gaps: bool = Field(
        True, description="whether the agent may also have done what was not observed, before and between"
    )

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.least > self.most:
            raise ValueError("least <= most must hold")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        size, least, most, facts, goals, gaps = _LEVELS[difficulty - 1]
        return cls(size=size, least=least, most=most, facts=facts, goals=goals, gaps=gaps)


@dataclass(frozen=True)
class Numbers(Integers):
    """Different positive integers in any order. Its value is a set."""

    asked: str = "the numbers of all possible candidates, separated by commas,"
    shown: str = "97, 98"
    most: int = 20
    max_digits: int = 3
    alike: ClassVar[Sequence[Sequence[str]]] = (
        ("3, 5", "5, 3", "[3, 5]", "{5; 3}", "3 5"),
        *(("3",), ("5",), ("3, 5, 1", "1, 3, 5"), ("35",)),
    )
    refused: ClassVar[Sequence[str]] = (
        "3, x",
        "3,, 5",
        "3, 3",
        "3.0",
        "-3, 5",
        "0",
        "[3, [5]]",
        "none",
        "\uff13",
        "all",
    )

    def parse(self, text: str) -> frozenset[int]:  # type: ignore[override]
        """The numbers in a span."""
        found = super().parse(text)
        if len(set(found)) != len(found) or min(found, default=1) < 1:
            raise Unreadable("write different positive numbers.")
        return frozenset(found)

    def random(self, rng: Stream) -> str:
        """One to four of the first eight numbers."""
        return ", ".join(map(str, sorted(rng.sample(range(1, 9), rng.between(1, 4)))))


class GoalRecognition(SingleTurn):
    """Find out which goals an agent may have."""

    Params = Params
    slow: ClassVar[bool] = True
    unique: ClassVar[bool] = True
    components: ClassVar[frozenset[str]] = frozenset({"format", "overlap"})
    answer: AnswerType = Numbers()

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A goal, actions of a shortest plan, and other goals."""
        content = {**tasks.draw(rng, p.domain, p.size), "goal": []}
        found = tasks.problem_of(content)
        goal = draw_goal(rng, content["domain"], found, rng.between(1, p.facts))
        if not goal:
            return None
        yield {**content, "goal": [list(atom) for atom in goal]}
        scene = tasks.scene_of(content)
        plan = best_plan(rng, scene, goal)
        if plan is None or not p.least <= len(plan) <= p.most:
            return None
        seen = rng.between(2, max(2, len(plan) * 2 // 3))
        at = sorted(rng.sample(range(len(plan)), seen)) if p.gaps else list(range(seen))
        watch = Watch(scene, [plan[number] for number in at], p.gaps, p.most + _FARTHER)
        pool = _pool(rng, content["domain"], found, goal, p)
        shown = _chosen(rng, watch, goal, pool, p.goals, seen)
        if shown is None:
            return None
        order = rng.sample(range(p.goals), p.goals)
        goals = [[list(atom) for atom in shown[number][0]] for number in order]
        problem = {
            **content,
            "given": [tasks.write_step(plan[number]) for number in at],
            "goals": goals,
            "gaps": p.gaps,
        }
        right = [place for place, number in enumerate(order, 1) if shown[number][1]]
        return Instance(problem, key={"possible": right, "length": len(plan)})

    def canonical(self, content: JSON) -> JSON:
        """The facts in any order, and the agent's goal."""
        return tasks.canonical(content)

    def prompt(self, problem: JSON) -> Statement:
        """The domain, the observed actions and the candidates."""
        return wording.recognition_statement(problem)

    def grade(self, inst: Instance, value: frozenset[int]) -> Verdict:
        """Compare the sets."""
        right = set(inst.key["possible"])
        return Verdict.exact(value == right).noting(None, overlap=len(value & right) / len(value | right))

    def solve(self, inst: Instance) -> str:
        """The possible candidates."""
        return ", ".join(map(str, inst.key["possible"]))

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The same numbers in another order."""
        yield ", ".join(map(str, reversed(inst.key["possible"])))

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """One candidate too many or too few, and all candidates."""
        right = inst.key["possible"]
        everything = range(1, len(inst.problem["goals"]) + 1)
        yield ", ".join(map(str, everything))
        for number in everything:
            changed = [each for each in everything if (each in right) != (each == number)]
            if changed:
                yield ", ".join(map(str, changed))

    def effort(self, inst: Instance) -> float:
        """Length of the agent's plan times the number of candidates."""
        return float(inst.key["length"] * len(inst.problem["goals"]))


def _pool(rng: Stream, domain: str, problem: Any, goal: Goal, p: Any) -> list[Goal]:
    """Other goals, in random order; every second one varies the agent's."""
    found = dict.fromkeys([goal])
    for number in range(_POOL * p.goals):
        if number % 2:
            other = draw_goal(rng, domain, problem, rng.between(1, p.facts))
        else:
            other = variation(rng, domain, problem, goal)
        if other:
            found[other] = None
    return [other for other in found if other != goal]


def _chosen(
    rng: Stream, watch: Watch, goal: Goal, pool: Sequence[Goal], count: int, seen: int
) -> list[tuple[Goal, bool]] | None:
    """Goals with whether they are possible; None if too few were found.

    The agent's goal is the first, and one that a single observation excludes is the next.
    """
    wanted = rng.between(2, count - 3) if rng.below(_ALONE) else 1
    yes, no, near = [goal], list[Goal](), None
    for other in pool:
        if len(yes) == wanted and len(no) + wanted + 1 >= count and near is not None:
            break
        verdict = watch.possible(other)
        if verdict:
            yes.append(other)
        elif verdict is not None:
            if near is None and _excluded_by_one(watch, other, seen):
                near = other
            else:
                no.append(other)
    if near is None or len(yes) < wanted or len(no) + wanted + 1 < count:
        return None
    return [(each, True) for each in yes[:wanted]] + [(each, False) for each in (near, *no[: count - wanted - 1])]


def _excluded_by_one(watch: Watch, goal: Goal, seen: int) -> bool:
    """Whether a goal would be possible without exactly one of the observations.

    If the observations are the first actions, this one is the last of them.
    """
    if not watch.gaps:
        return watch.possible(goal, without=seen - 1) is True
    return sum(watch.possible(goal, without=number) is True for number in range(seen)) == 1
