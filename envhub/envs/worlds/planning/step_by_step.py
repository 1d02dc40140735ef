"""Planning problems played action by action: the base of blocksworld-v0 and pddl-steps-v0.

An episode is a state of facts and a number of actions left. Every message uses one up. The goal ends the episode at once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, ClassVar, Final, NamedTuple

from envhub.authoring import Staged, World, rejected
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.worlds.planning import params, tasks, wording
from envhub.generators.planning.estimate import Estimate
from envhub.generators.planning.search import shortest
from envhub.verifiers.answers.plans import Action, Step
from envhub.verifiers.answers.types import AnswerType

_MOST_TURNS: Final = 64


class State(NamedTuple):
    """The facts as bits, and the actions left."""

    facts: int
    left: int


class StepByStep(World):
    """Reach the goal of a planning problem action by action."""

    Params = params.Params
    slow: ClassVar[bool] = True
    family: ClassVar[str | None] = "planning"
    max_turns: ClassVar[int] = _MOST_TURNS
    answer: AnswerType = Action()

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A problem with a shortest plan of the requested length."""
        content = tasks.draw(rng, p.domain, p.size)
        yield content
        plan = tasks.solution(content, p.least, p.most)
        if plan is None:
            return None
        return Instance({**content, "limit": len(plan) * 3 // 2}, key={"shortest": len(plan)})

    def canonical(self, content: JSON) -> JSON:
        """The facts in any order."""
        return tasks.canonical(content)

    def searches(self, p: Any) -> bool:
        """Short plans are found at once."""
        return bool(p.most > params.QUICK)

    def prompt(self, problem: JSON) -> Statement:
        """The rules of planning, the domain and the problem."""
        return wording.act_statement(problem)

    def messages(self, problem: JSON) -> int:
        """Each message is an action."""
        return int(problem["limit"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """The initial state, with all actions."""
        return State(tasks.scene_of(inst.problem).start, inst.problem["limit"])

    def act(self, inst: Instance, state: State, value: tuple[Step, ...], rng: Stream) -> Turn:
        """Carry out an action, or say why it is not possible."""
        problem, goal = inst.problem, tasks.scene_of(inst.problem).goal
        after = tasks.carried_out(problem, state.facts, value[0])
        if isinstance(after, str):
            said = f"Nothing happens: {after}."
            return rejected(self._next(state._replace(left=state.left - 1), said), "illegal")
        now = State(after, state.left - 1)
        if after & goal == goal:
            return Turn.end(now, Verdict.exact(True, "The goal is reached."))
        return self._next(now, tasks.describe(problem, after))

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message costs an action."""
        return self._next(state._replace(left=state.left - 1), feedback)

    def solve(self, inst: Instance, state: State) -> str:
        """The next action of a shortest plan.

        Any possible action if the goal is out of reach.
        """
        scene = tasks.scene_of(inst.problem)
        plan = _plan(scene, state.facts)
        return tasks.write_step((plan or tasks.possible(inst.problem, state.facts))[0])

    def legal_answers(self, inst: Instance, state: State) -> list[str]:
        """Every action that is possible."""
        return list(map(tasks.write_step, tasks.possible(inst.problem, state.facts)))

    def illegal_answers(self, inst: Instance) -> list[str]:
        """Actions that no domain has, or with objects that no problem has."""
        return ["(pick-up nothing)", "(teleport b1)", "(stack b1)"]

    def effort(self, inst: Instance) -> float:
        """Length of a shortest plan."""
        return float(inst.key["shortest"])

    def _next(self, state: State, said: str) -> Turn:
        if state.left == 0:
            return Turn.end(state, Verdict.exact(False, f"{said}\nNo actions are left."))
        return Turn(state, f"{said}\nActions left: {state.left}.")


@lru_cache(maxsize=512)
def _plan(scene: tasks.Scene, state: int) -> tuple[Any, ...]:
    estimate = Estimate(scene.space, state, scene.goal, scene.actions)
    return shortest(state, scene.goal, scene.actions, estimate) or ()
