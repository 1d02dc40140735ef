"""ScienceWorld as an environment, with envhub's seeds, verdicts and errors.

::

    from envhub.adapters.scienceworld.environments import register
    register()
    env = envhub.make("scienceworld/tasks-v0", difficulty=3)          # or task="boil"

The extra ``scienceworld`` (Apache-2.0) installs 25 MB and needs Java, so it is optional and nothing is registered by default.
Source: Wang et al. 2022, arXiv 2203.07540. Differences from using the library directly:

* **Difficulty**: the thirty tasks in the order of the length of ScienceWorld's own solutions, three for each level.
* **Splits** are envhub's: a variation of a task is in one of them by its content. ScienceWorld's own division is another one.
* **Randomness**: ScienceWorld lists things in an order that changes from run to run. Here the order is fixed, so an episode
  can be replayed.
* **Commands** are read from the final answer, as everywhere in envhub: one per message, and each message is a step.
* **Verdicts**: the score is ScienceWorld's, from 0 to 1 (a failed task, -100 there, is 0), and 1 is solved. A simulator that is
  lost is rebuilt from the commands; if that fails, the episode is an ``error``.
* **Oracle**: ScienceWorld's own solution, as long as it was followed from the start.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field, field_validator

from envhub.adapters.scienceworld.simulator import Simulators, lent, solution
from envhub.adapters.scienceworld.tables import LEVELS, RELEASE, VARIATIONS
from envhub.authoring import Acting, BaseParams, Staged, World
from envhub.core.effects import Effect, Exec, Outcome
from envhub.core.errors import nearest
from envhub.core.seeding import Stream
from envhub.core.types import JSON, EnvSpec, Instance, Turn, Verdict
from envhub.registry import registry
from envhub.verifiers.answers.types import AnswerType, Unreadable

__all__ = ["ScienceWorld", "register"]

EXTRA: Final = "scienceworld"
ID: Final = "scienceworld/tasks-v0"
_MOST_STEPS: Final = 500
_MOST_CHARS: Final = 200
_BESIDE_THE_SOLUTION: Final = "look around"
_COMMANDS: Final = (
    "look around; look at X; look in X; inventory; task; open X; close X; go to X; pick up X; put down X; move X to Y; "
    "focus on X; use X on Y; activate X; deactivate X; pour X into Y; dunk X into Y; mix X; connect X to Y; disconnect X; "
    "read X; eat X; flush X; wait; wait1"
)


@dataclass(frozen=True)
class OneCommand(AnswerType):
    """One line of text; its value has single spaces and no capitals."""

    noun: ClassVar[str] = "one command"
    example: ClassVar[str] = "look at nothing"

    def parse(self, text: str) -> str:
        """The command."""
        command = " ".join(text.split()).lower()
        if not command or len(command) > _MOST_CHARS or "\n" in text.strip():
            raise Unreadable(f"Expected one command in one line of at most {_MOST_CHARS} characters.")
        return command

    def random(self, rng: Stream) -> str:
        """A command that is always possible."""
        return rng.choice(("look around", "inventory", "wait1"))


class Params(BaseParams):
    """The task and the number of steps."""

    task: str = Field("", max_length=80, description="name of one task; empty: drawn from `tasks`")
    tasks: list[str] = Field(list(VARIATIONS), description="names of the tasks to draw from")
    simplification: Literal["easy", "none"] = Field("easy", description="ScienceWorld's simplifications: all, or none")
    steps: int = Field(100, ge=1, le=_MOST_STEPS, description="messages allowed")
    release: Literal["1.2.3"] = Field(RELEASE, description="of ScienceWorld, which must be the installed one")

    @field_validator("task")
    @classmethod
    def _exists(cls, task: str) -> str:
        if task and task not in VARIATIONS:
            raise ValueError(f"ScienceWorld has no task {task!r}.{nearest(task, VARIATIONS)}")
        return task

    @field_validator("tasks")
    @classmethod
    def _exist(cls, tasks: list[str]) -> list[str]:
        if not tasks:
            raise ValueError("`tasks` must name at least one task.")
        return [name for name in map(cls._exists, tasks) if name]

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        level = LEVELS[difficulty - 1]
        return cls(tasks=list(level.tasks), steps=level.steps)


class State(NamedTuple):
    """An episode in progress.

    Attributes:
        left: The steps left.
        score: ScienceWorld's score so far.
        taken: Number of commands so far.
        digest: Digest of these commands, in order.
    """

    left: int
    score: int = 0
    taken: int = 0
    digest: str = ""


class ScienceWorld(World):
    """Carry out an experiment of elementary science in ScienceWorld."""

    Params = Params
    category = EXTRA
    slow = True  # a task is set up by a Java process
    answer: AnswerType = OneCommand()
    max_turns: ClassVar[int] = _MOST_STEPS
    resources: ClassVar = {EXTRA: Simulators()}
    guessable = (1.0, "The tasks are ScienceWorld's.")

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A variation of a task."""
        task = p.task or rng.choice(p.tasks)
        variation = rng.below(VARIATIONS[task])
        simplification = p.simplification.replace("none", "")
        yield [task, variation]
        with lent() as simulator:
            opening = simulator.load(task, variation, simplification)
        problem = {"task": task, "variation": variation, "simplification": simplification, "steps": p.steps}
        return Instance({**problem, "description": opening.description, "view": opening.view})

    def canonical(self, content: JSON) -> JSON:
        """The task and the number of its variation."""
        return content if isinstance(content, list) else [content["task"], content["variation"]]

    def prompt(self, problem: JSON) -> str:
        """The task, the commands and the room."""
        teleport = "; teleport to X" if problem["simplification"] else ""
        return (
            "You are in a simulated world with a workshop, a kitchen, a greenhouse and other rooms. "
            f"{problem['description']}\n\n"
            "Rules:\n"
            "- Send exactly one command per message.\n"
            f"- Commands: {_COMMANDS}{teleport}. X and Y are names of things or rooms.\n"
            "- `focus on X` declares that X is what the task is about. Focusing on a wrong thing fails the task.\n"
            "- If a command is ambiguous, you are asked which meaning you intend. Reply with its number.\n"
            f"- You may send at most {problem['steps']} messages. A message that is not a command also counts.\n\n"
            f"{problem['view']}"
        )

    def messages(self, problem: JSON) -> int:
        """Each message is a step."""
        return int(problem["steps"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """At the start, with all steps."""
        return State(inst.problem["steps"])

    def act(self, inst: Instance, state: State, value: str, rng: Stream) -> Acting:
        """Carry out a command in the simulator."""
        return self._carried_out(state, value)

    def _carried_out(self, state: State, command: str) -> Generator[Effect, Outcome, Turn]:
        outcome = yield Exec(EXTRA, {"command": command})
        score, over = outcome.data["score"], outcome.data["over"]
        now = State(state.left - 1, score, state.taken + 1, _digest(state.digest, command))
        return _turn(now, outcome.text, over)

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message costs a step."""
        return _turn(state._replace(left=state.left - 1), feedback, over=False)

    def solve(self, inst: Instance, state: State) -> str:
        """The next command of ScienceWorld's solution, if it was followed so far."""
        problem = inst.problem
        steps = solution(problem["task"], problem["variation"], problem["simplification"])
        followed = ""
        for command in steps[: state.taken]:
            followed = _digest(followed, self.answer.parse(command))
        return steps[state.taken] if followed == state.digest and state.taken < len(steps) else _BESIDE_THE_SOLUTION

    def effort(self, inst: Instance) -> float:
        """The level that draws the task."""
        return float(next(at for at, level in enumerate(LEVELS, 1) if inst.problem["task"] in level.tasks))


def _turn(state: State, said: str, over: bool) -> Turn:
    if over or not state.left:
        ending = said if over else f"{said}\nNo steps are left."
        return Turn.end(state, Verdict(max(0, state.score) / 100, solved=state.score == 100), ending)
    return Turn(state, f"{said}\nSteps left: {state.left}.")


def _digest(before: str, command: str) -> str:
    return blake2b(f"{before} {command}".encode(), digest_size=8).hexdigest()


def register() -> EnvSpec:
    """Register ``scienceworld/tasks-v0`` in this process; repeating is harmless."""
    entry = f"{__name__}:{ScienceWorld.__name__}"
    there = next((spec for spec in registry.registered() if spec.id == ID and spec.entry == entry), None)
    return there or registry.register(ID, entry, category=EXTRA, extras=(EXTRA,), source=EXTRA)
