"""household-v0: run an errand in a house that is only partly seen.

The six kinds of errands of ALFWorld, in its command language: put a thing somewhere; clean, heat or cool it first; put two
things in one place; look at a thing in the light of a lamp. The policy sees the contents of the place where it is.

Action: one command per turn, such as ``go to fridge 1`` or ``take apple 1 from fridge 1``. A command that cannot be carried
out changes nothing and still costs a step, as does any other text. Score 1 as soon as the state of the house fulfils the
errand within the steps, else 0; nothing that the policy says about itself counts. Difficulty: more rooms, places and things;
effort is the cost of searching every place, plus the length of the shortest plan.

The shortest plan for a policy that knows where everything is, and so that the errand can be done, is proved by search. A house
is where its things are, whatever their numbers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field

from envhub.authoring import BaseParams, Staged, World, rejected
from envhub.authoring.wording import Statement
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Rates, Turn, Verdict
from envhub.envs.worlds.commands import Command
from envhub.envs.worlds.household import wording
from envhub.envs.worlds.household.acting import admissible, carried_out, reason, seen_after
from envhub.envs.worlds.household.catalogue import PLACES, ROOMS, kind
from envhub.envs.worlds.household.commands import Commands, write
from envhub.envs.worlds.household.drawing import draw
from envhub.envs.worlds.household.narration import outcome
from envhub.envs.worlds.household.planning import shortest_plan
from envhub.envs.worlds.household.rules import House, Task, solved
from envhub.envs.worlds.household.searcher import View, in_turn, likely_first, next_command
from envhub.verifiers.answers.types import AnswerType

_MOST_STEPS: Final = 128
_REFERENCE: Final = Rates(
    "script that searches likely places first", (1.0, 0.99, 0.98, 0.99, 0.98, 0.96, 0.95, 0.95, 0.91, 0.92), 500
)
_LEVELS: Final = (  # rooms, places, things, steps
    (1, 6, 6, 15),
    (1, 8, 8, 17),
    (1, 10, 12, 19),
    (1, 13, 16, 22),
    (2, 17, 20, 25),
    (2, 21, 26, 27),
    (2, 26, 32, 30),
    (3, 32, 40, 33),
    (3, 40, 50, 34),
    (4, 48, 60, 35),
)


class Params(BaseParams):
    """The house, the errand, and the number of steps."""

    task: Literal["any", "place", "clean", "heat", "cool", "examine", "two"] = Field(
        "any", description="kind of errand; any: drawn for each task"
    )
    rooms: int = Field(1, ge=1, le=len(ROOMS), description="rooms that the house is made of")
    places: int = Field(12, ge=6, le=48, description="places where things can be")
    things: int = Field(16, ge=4, le=80, description="things, lamps not counted")
    steps: int = Field(50, ge=12, le=_MOST_STEPS, description="messages allowed")
    commands: bool = Field(False, description="whether each observation lists the commands that are possible")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        rooms, places, things, steps = _LEVELS[difficulty - 1]
        return cls(rooms=rooms, places=places, things=things, steps=steps)


class State(NamedTuple):
    """The house during an episode.

    Attributes:
        facts: The facts that hold, as bits.
        seen: The places whose contents have been shown.
        left: The steps left.
    """

    facts: int
    seen: frozenset[str]
    left: int


class Household(World):
    """Run an errand in a house that is only partly seen."""

    Params = Params
    max_turns: ClassVar[int] = _MOST_STEPS
    answer: AnswerType = Commands()
    reference: ClassVar[Rates | None] = _REFERENCE

    def check(self, p: Any) -> None:
        """Reject a house that is too small for its rooms."""
        least = sum(sorted(len(room.always.split()) for room in ROOMS.values())[-p.rooms :])
        if p.places < least:
            raise InvalidParameters(f"A house of {p.rooms} rooms must have at least {least} places, got {p.places}.")

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A house and an errand; where things are is the key."""
        drawn = draw(rng, p.task, p.rooms, p.places, p.things)
        if drawn is None:
            return None
        yield {"places": drawn.places, "things": drawn.things, "task": list(drawn.task)}
        house = _house(tuple(drawn.places), tuple(drawn.things.items()))
        plan = shortest_plan(house, drawn.task, house.start)
        if len(plan) > p.steps:
            return None
        problem = {"places": drawn.places, "task": list(drawn.task), "steps": p.steps, "commands": p.commands}
        return Instance(problem, key={"things": drawn.things, "shortest": len(plan)})

    def canonical(self, content: JSON) -> JSON:
        """The kinds of things at each kind of place, and the errand."""
        at: dict[str, list[str]] = {place: [] for place in content["places"]}
        for thing, place in content["things"].items():
            at[place].append(kind(thing))
        return [content["task"], sorted([kind(place), *sorted(things)] for place, things in at.items())]

    def prompt(self, problem: JSON) -> Statement:
        """The errand, the commands, and the places."""
        return wording.statement(problem)

    def messages(self, problem: JSON) -> int:
        """Each message is a step."""
        return int(problem["steps"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """In the middle of the house, with all steps."""
        return State(_of(inst)[0].start, frozenset(), inst.problem["steps"])

    def act(self, inst: Instance, state: State, value: Command, rng: Stream) -> Turn:
        """Carry out a command, or say that nothing happens."""
        house, task = _of(inst)
        after = carried_out(house, state.facts, value)
        if after is None:
            said = f"Nothing happens. {reason(house, state.facts, value)}"
            return rejected(self._next(inst, state._replace(left=state.left - 1), said), "illegal")
        now = State(after, seen_after(house, after, state.seen), state.left - 1)
        said = outcome(house, after, value)
        if solved(house, task, after):
            return Turn.end(now, Verdict.exact(True, f"{said} The errand is done."))
        return self._next(inst, now, said)

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message costs a step."""
        return self._next(inst, state._replace(left=state.left - 1), feedback)

    def solve(self, inst: Instance, state: State) -> str:
        """The next command of a shortest plan."""
        house, task = _of(inst)
        action = shortest_plan(house, task, state.facts)[0]
        names = {"go": action.arguments[1:], "use": action.arguments[:1]}.get(action.name, action.arguments)
        return write(Command(action.name, names))

    def legal_answers(self, inst: Instance, state: State) -> list[str]:
        """Every command that is possible."""
        return list(map(write, admissible(_of(inst)[0], state.facts)))

    def illegal_answers(self, inst: Instance) -> list[str]:
        """Commands with names that no house has."""
        return ["go to drawer 99", "take apple 99 from fridge 1", "open bed 99", "use desklamp 99", "examine nothing 1"]

    def greedy_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Search the places in the order of the list."""
        house, task = _of(inst)
        return self.answer.wrap(write(next_command(View(house, *state[:2]), task, in_turn(house, task))))

    def reference_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Search the places where such a thing usually is first."""
        house, task = _of(inst)
        return self.answer.wrap(write(next_command(View(house, *state[:2]), task, likely_first(house, task))))

    def effort(self, inst: Instance) -> float:
        """Steps to look into every place, and of the shortest plan."""
        places = inst.problem["places"]
        return float(len(places) + sum(PLACES[kind(place)].hinged for place in places) + inst.key["shortest"])

    def _next(self, inst: Instance, state: State, said: str) -> Turn:
        if state.left == 0:
            return Turn.end(state, Verdict.exact(False, f"{said}\nNo steps are left."))
        if inst.problem["commands"]:
            said += f"\nPossible commands: {'; '.join(self.legal_answers(inst, state))}."
        return Turn(state, f"{said}\nSteps left: {state.left}.")


def _of(inst: Instance) -> tuple[House, Task]:
    house = _house(tuple(inst.problem["places"]), tuple(inst.key["things"].items()))
    return house, Task(*inst.problem["task"])


@lru_cache(maxsize=64)
def _house(places: tuple[str, ...], things: tuple[tuple[str, str], ...]) -> House:
    return House(places, dict(things))
