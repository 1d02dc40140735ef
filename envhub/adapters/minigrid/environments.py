"""BabyAI's levels as an environment, with envhub's seeds, verdicts and errors.

Views are text or pictures.

::

    from envhub.adapters.minigrid.environments import register
    register()
    env = envhub.make("minigrid/babyai-v0", difficulty=3)          # or level="GoToSeq"

The extra ``minigrid`` (MIT) installs 0.2 MB and pygame-ce, so it is optional and nothing is registered by default.
Source: Chevalier-Boisvert et al. 2019, arXiv 1810.08272. Differences from using the library directly:

* **Difficulty**: 30 levels of BabyAI, three for each difficulty. Any of them can be named.
* **Views** are written in one way, that of ``gridworld-v0``; the pixels of a view are those of the library's numbers.
* **Verdicts**: solved is what the library rewards, however long it took; the score is 1 or 0. ``done`` does nothing, as there.
* **Oracle**: BabyAI's own bot, as long as it was followed from the start. Levels that it does not solve are not drawn.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from hashlib import blake2b
from typing import Any, ClassVar, Final, NamedTuple, Self

from pydantic import Field, field_validator

from envhub.adapters.minigrid.games import Games, opened, solution
from envhub.adapters.minigrid.tables import LEVELS, NAMES, RELEASE
from envhub.authoring import Acting, BaseParams, Staged, World
from envhub.core.effects import Effect, Exec, Outcome
from envhub.core.errors import nearest
from envhub.core.seeding import Stream
from envhub.core.types import JSON, EnvSpec, Instance, Turn, Verdict
from envhub.generators.gridworld.model import ACTIONS
from envhub.generators.gridworld.text import as_rows, picture
from envhub.registry import registry
from envhub.scenes import Scene
from envhub.verifiers.answers.choices import Choice
from envhub.verifiers.answers.types import AnswerType

__all__ = ["BabyAI", "register"]

EXTRA: Final = "minigrid"
ID: Final = "minigrid/babyai-v0"
_MOST_STEPS: Final = 500
_SEEDS: Final = 1 << 31


class OneAction(Choice):
    """One of MiniGrid's seven actions."""

    noun: ClassVar[str] = "one action"
    example: ClassVar[str] = "toggle"
    placeholder: ClassVar[str] = "ACTION"
    words: ClassVar[Mapping[str, str]] = {name: name for name in ACTIONS} | {
        "left": "turn left",
        "right": "turn right",
        "pickup": "pick up",
    }


class Params(BaseParams):
    """The level and the number of steps."""

    level: str = Field(
        "", max_length=60, description="name of one level, as in BabyAI-NAME-v0; empty: drawn from `levels`"
    )
    levels: list[str] = Field(list(NAMES), description="names of the levels to draw from")
    steps: int = Field(300, ge=1, le=_MOST_STEPS, description="messages allowed, if the library allows as many")

    @field_validator("level")
    @classmethod
    def _exists(cls, level: str) -> str:
        if level and level not in NAMES:
            raise ValueError(f"This adapter has no level {level!r}.{nearest(level, NAMES)}")
        return level

    @field_validator("levels")
    @classmethod
    def _exist(cls, levels: list[str]) -> list[str]:
        if not levels:
            raise ValueError("`levels` must name at least one level.")
        return [name for name in map(cls._exists, levels) if name]

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a difficulty."""
        return cls(levels=list(LEVELS[difficulty - 1]))


class State(NamedTuple):
    """An episode.

    Attributes:
        left: The steps left.
        view: The view, as rows of signs.
        taken: Number of actions so far.
        digest: Digest of these actions, in order.
    """

    left: int
    view: tuple[str, ...]
    taken: int = 0
    digest: str = ""


class BabyAI(World):
    """Carry out a mission in a level of BabyAI."""

    Params = Params
    category = EXTRA
    slow = True  # the bot must have solved it
    pictured: ClassVar[bool] = True
    answer: AnswerType = OneAction()
    max_turns: ClassVar[int] = _MOST_STEPS
    resources: ClassVar = {EXTRA: Games()}
    guessable = (1.0, "The missions are BabyAI's.")

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A level with a seed that its own bot solves in time."""
        level, seed = p.level or rng.choice(p.levels), rng.below(_SEEDS)
        yield [level, seed]
        opening = opened(level, seed)
        steps = min(p.steps, opening.most)
        solved = solution(level, seed)
        if solved is None or len(solved) > steps:
            return None
        problem = {"level": level, "seed": seed, "mission": opening.mission, "view": opening.view, "steps": steps}
        return Instance({**problem, "release": RELEASE})

    def canonical(self, content: JSON) -> JSON:
        """The level and its seed."""
        return content if isinstance(content, list) else [content["level"], content["seed"]]

    def prompt(self, problem: JSON) -> str:
        """The mission, the actions and the first view."""
        return (
            f"You are an agent in a grid world. Your mission: {problem['mission']}.\n\n"
            "Rules:\n"
            "- Each message is exactly one action and uses up one step, even if it changes nothing.\n"
            '- "turn left" and "turn right" turn you by 90 degrees; "forward" moves you into the cell ahead, if it is free.\n'
            '- "pick up" takes the key, ball or box ahead if you carry nothing; "drop" puts it on the free cell ahead.\n'
            '- "toggle" opens or closes the door ahead; a locked one needs a key of its colour in your hand. Toggling a box\n'
            "  replaces it by what is in it.\n"
            '- To "go to" something means to face it from the next cell. The mission ends by itself when it is complete.\n'
            '- "done" does nothing.\n'
            f"- You may send at most {problem['steps']} messages.\n\n"
            f"{as_rows(problem['view'])}\nYou carry nothing."
        )

    def messages(self, problem: JSON) -> int:
        """Each message is a step."""
        return int(problem["steps"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """At the start, with all steps."""
        return State(inst.problem["steps"], tuple(inst.problem["view"]))

    def act(self, inst: Instance, state: State, value: str, rng: Stream) -> Acting:
        """Carry out an action in the library."""
        return self._carried_out(state, value)

    def _carried_out(self, state: State, action: str) -> Generator[Effect, Outcome, Turn]:
        outcome = yield Exec(EXTRA, {"action": ACTIONS.index(action)})
        view, data = tuple(outcome.data["view"]), outcome.data
        now = State(state.left - 1, view, state.taken + 1, _digest(state.digest, action))
        if data["over"]:
            said = "The mission is complete." if data["solved"] else "The mission has failed."
            return Turn.end(now, Verdict.exact(data["solved"], said))
        return _turn(now, f"{as_rows(view)}\n{outcome.text}")

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message costs a step."""
        return _turn(state._replace(left=state.left - 1), feedback)

    def solve(self, inst: Instance, state: State) -> str:
        """The next action of BabyAI's bot, if it was followed so far."""
        actions = solution(inst.problem["level"], inst.problem["seed"]) or ()
        followed = ""
        for action in actions[: state.taken]:
            followed = _digest(followed, ACTIONS[action])
        on_the_way = followed == state.digest and state.taken < len(actions)
        return ACTIONS[actions[state.taken]] if on_the_way else "done"

    def scene(self, inst: Instance, state: State) -> Scene:
        """What the policy sees."""
        return picture(state.view)

    def effort(self, inst: Instance) -> float:
        """The actions of BabyAI's bot."""
        return float(len(solution(inst.problem["level"], inst.problem["seed"]) or ()))


def _turn(state: State, said: str) -> Turn:
    if not state.left:
        return Turn.end(state, Verdict.exact(False, f"{said}\nNo steps are left."))
    return Turn(state, f"{said}\nSteps left: {state.left}.")


def _digest(before: str, action: str) -> str:
    return blake2b(f"{before} {action}".encode(), digest_size=8).hexdigest()


def register() -> EnvSpec:
    """Register ``minigrid/babyai-v0`` in this process; repeating is harmless."""
    entry = f"{__name__}:{BabyAI.__name__}"
    there = next((spec for spec in registry.registered() if spec.id == ID and spec.entry == entry), None)
    return there or registry.register(ID, entry, category=EXTRA, extras=(EXTRA,), source=EXTRA)
