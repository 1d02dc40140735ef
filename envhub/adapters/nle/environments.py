"""NetHack's tasks as an environment, with envhub's seeds, verdicts and errors.

::

    from envhub.adapters.nle.environments import register
    register()
    env = envhub.make("nle/tasks-v0", difficulty=3)          # or task="staircase"

The extra ``nle`` installs 9 MB under the NetHack General Public License, so it is optional, and nothing is
registered by default. Source: Kuttler et al. 2020, arXiv 2006.13760. Differences from using the library directly:

* **Goals**: NLE's tasks score, staircase, gold, eat and scout have a target and a number of steps instead of an open reward.
  ``eat`` must be named: characters begin with food, so a policy that sees nothing can solve it.
* **Screen**: the terminal as text, and nothing else. Actions are words; messages and menus are not skipped.
* **Keys** that save, quit, change options or ask about the program are no actions.
* **Seeds**: those of rules, decoration and levels are fixed, NetHack draws no new ones, and time and moon are fixed too. So an
  episode can be replayed. The process of the game is ours alone: one that is lost is rebuilt by the actions.
* **Verdicts**: 1 as soon as the target is reached within the steps, else 0; the share of the target is the component
  ``reached``. A game that crashes again and again is an ``error``.
* **Oracle**: a script that explores by what is shown, as long as it was followed from the start. Games in which it does not
  reach the target in time are not drawn, so each task can be solved.
"""

from __future__ import annotations

from collections.abc import Generator
from hashlib import blake2b
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field

from envhub.adapters.nle.actions import OneAction, keys_of
from envhub.adapters.nle.games import Games, opened, solution
from envhub.adapters.nle.tables import EAT, LEVELS, RELEASE, Goal
from envhub.adapters.nle.wording import statement
from envhub.authoring import Acting, BaseParams, Staged, World
from envhub.authoring.wording import Statement
from envhub.core.effects import Effect, Exec, Outcome
from envhub.core.seeding import Stream
from envhub.core.types import JSON, EnvSpec, Instance, Turn, Verdict
from envhub.registry import registry
from envhub.verifiers.answers.types import AnswerType

__all__ = ["NetHack", "register"]

EXTRA: Final = "nle"
ID: Final = "nle/tasks-v0"
_MOST_STEPS: Final = 500
_MOST_SEEDS: Final = 1 << 31
_NOT_ASKED: Final = "The game asks nothing now, so a single character is not an action. Send the name of an action."


class Params(BaseParams):
    """The task, its target, and the number of steps."""

    task: Literal["any", "staircase", "score", "gold", "eat", "scout"] = Field(
        "any", description="NLE's task; any: drawn from those of the level"
    )
    level: int = Field(
        3, ge=1, le=10, description="size of the targets; for a task that it lacks, that of the nearest level"
    )
    target: int = Field(0, ge=0, le=100_000, description="what is to be reached; 0: that of the level")
    steps: int = Field(0, ge=0, le=_MOST_STEPS, description="messages allowed; 0: those of the level")
    character: Literal["mon-hum-neu-mal", "val-dwa-law-fem", "sam-hum-law-fem", "wiz-elf-cha-mal"] = Field(
        "mon-hum-neu-mal", description="role, race, alignment and gender, as NLE writes them"
    )
    release: Literal["1.3.0"] = Field(RELEASE, description="of nle, which must be the installed one")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The tasks of a level."""
        return cls(level=difficulty)

    def goals(self) -> list[Goal]:
        """What to draw from."""
        if self.task == "eat":
            return [EAT]
        fitting = [
            (at, goal) for at, level in enumerate(LEVELS, 1) for goal in level if self.task in ("any", goal.task)
        ]
        nearest = min(abs(at - self.level) for at, _ in fitting)
        return [goal for at, goal in fitting if abs(at - self.level) == nearest]


class State(NamedTuple):
    """An episode in progress.

    Attributes:
        left: The steps left.
        reached: The most that was reached so far.
        asks: Whether the game asks for something.
        taken: Number of actions so far.
        digest: Digest of these actions, in order.
    """

    left: int
    reached: int = 0
    asks: bool = False
    taken: int = 0
    digest: str = ""


class NetHack(World):
    """Reach a goal in NetHack's dungeon, seen as a terminal."""

    Params = Params
    category = EXTRA
    slow = True  # the script must have solved it
    components: ClassVar[frozenset[str]] = frozenset({"format", "reached"})
    answer: AnswerType = OneAction()
    max_turns: ClassVar[int] = _MOST_STEPS
    resources: ClassVar = {EXTRA: Games()}
    guessable = (1.0, "The games are NetHack's.")

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A game in which the script reaches the target in time."""
        goal, seed = rng.choice(p.goals()), rng.below(_MOST_SEEDS)
        target, steps = p.target or goal.target, p.steps or goal.steps
        yield [goal.task, p.character, seed]
        actions = solution(seed, p.character, goal.task, target, steps)
        if not actions:
            return None
        start = opened(seed, p.character, goal.task)
        problem = {"task": goal.task, "character": p.character, "seed": seed, "target": target, "steps": steps}
        return Instance({**problem, "screen": start["text"], "asks": start["asks"]}, key={"solution": list(actions)})

    def canonical(self, content: JSON) -> JSON:
        """The task, the character and the seed."""
        return content if isinstance(content, list) else [content["task"], content["character"], content["seed"]]

    def form(self, problem: JSON) -> str:
        """The task."""
        return str(problem["task"])

    def prompt(self, problem: JSON) -> Statement:
        """The goal, the actions and the first screen."""
        return statement(problem)

    def messages(self, problem: JSON) -> int:
        """Each message is a step."""
        return int(problem["steps"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """At the start, with all steps."""
        return State(inst.problem["steps"], asks=inst.problem["asks"])

    def act(self, inst: Instance, state: State, value: str, rng: Stream) -> Acting:
        """Press the keys of an action."""
        if keys_of(value, state.asks) is None:
            return self._turn(inst, state._replace(left=state.left - 1), _NOT_ASKED)
        return self._carried_out(inst, state, value)

    def _carried_out(self, inst: Instance, state: State, action: str) -> Generator[Effect, Outcome, Turn]:
        outcome = yield Exec(EXTRA, {"action": action})
        data, reached = outcome.data, max(state.reached, outcome.data["reached"])
        now = State(state.left - 1, reached, data["asks"], state.taken + 1, _digest(state.digest, action))
        if reached >= inst.problem["target"]:
            return _ended(now, 1.0, "The goal is reached.")
        if data["over"]:
            return self._failed(inst, now, f"{outcome.text}\nThe game is over, and the goal is not reached.")
        return self._turn(inst, now, f"```\n{outcome.text}\n```")

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message costs a step."""
        return self._turn(inst, state._replace(left=state.left - 1), feedback)

    def _turn(self, inst: Instance, state: State, said: str) -> Turn:
        if not state.left:
            return self._failed(inst, state, f"{said}\nNo steps are left.")
        target = inst.problem["target"]
        return Turn(state, f"{said}\nReached: {state.reached} of {target}. Steps left: {state.left}.")

    def _failed(self, inst: Instance, state: State, said: str) -> Turn:
        return _ended(state, state.reached / inst.problem["target"], said)

    def solve(self, inst: Instance, state: State) -> str:
        """The next action of the script, if it was followed so far."""
        actions = inst.key["solution"]
        followed = ""
        for action in actions[: state.taken]:
            followed = _digest(followed, action)
        on_the_way = followed == state.digest and state.taken < len(actions)
        return str(actions[state.taken]) if on_the_way else "esc" if state.asks else "search"

    def effort(self, inst: Instance) -> float:
        """Actions of the script."""
        return float(len(inst.key["solution"]))


def _ended(state: State, share: float, said: str) -> Turn:
    solved = share >= 1.0
    return Turn.end(state, Verdict(float(solved), solved=solved, components={"reached": share}, feedback=said))


def _digest(before: str, action: str) -> str:
    return blake2b(f"{before} {action}".encode(), digest_size=8).hexdigest()


def register() -> EnvSpec:
    """Register ``nle/tasks-v0`` in this process; repeating is harmless."""
    entry = f"{__name__}:{NetHack.__name__}"
    there = next((spec for spec in registry.registered() if spec.id == ID and spec.entry == entry), None)
    return there or registry.register(ID, entry, category=EXTRA, extras=(EXTRA,), source=EXTRA)
