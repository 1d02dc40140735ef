"""quest-v0: find treasures, deliver things, and cook in a house.

Three kinds of quests after TextWorld, in its command language: find treasures; bring things where they belong; read a recipe,
gather, cut and cook the ingredients, and eat the meal. The policy sees only its room, and what is in open containers.

Action: one command per turn, such as ``go north`` or ``take carrot from fridge``. A command that cannot be carried out changes
nothing and still costs a step, as does any other text. Score 1 as soon as the quest is fulfilled within the steps, else 0; the
component ``parts`` is the share of its parts that are fulfilled in the end. A spoiled ingredient loses the quest. Difficulty:
more rooms, doors, locks, furniture, parts and other things; effort is the length of the shortest plan plus that of a walk
through the house.

Search proves the shortest plan for a policy that knows where everything is. Houses that differ in names count as different.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field

from envhub.authoring import BaseParams, Staged, World, rejected
from envhub.authoring.wording import Statement
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream, canonical_json
from envhub.core.types import JSON, Instance, Rates, Turn, Verdict
from envhub.envs.worlds.commands import Command
from envhub.envs.worlds.quest import wording
from envhub.envs.worlds.quest.acting import admissible, carried_out, reason, seen_after, spoken
from envhub.envs.worlds.quest.catalogue import ROOMS
from envhub.envs.worlds.quest.commands import Commands, write
from envhub.envs.worlds.quest.drawing import KINDS, draw
from envhub.envs.worlds.quest.explorer import View, next_command
from envhub.envs.worlds.quest.narration import outcome, surroundings
from envhub.envs.worlds.quest.planning import shortest_plan
from envhub.envs.worlds.quest.rules import House, house_of
from envhub.verifiers.answers.types import AnswerType

_MOST_STEPS: Final = 120
_REFERENCE: Final = Rates(
    "script that explores, and plans with what it has seen",
    (1.0, 1.0, 1.0, 1.0, 1.0, 0.99, 0.98, 0.95, 0.93, 0.81),
    150,
)
_LEVELS: Final = (  # rooms, doors, locks, furniture, parts, clutter, patience
    (3, 1, 0, 4, 1, 2, 130),
    (4, 1, 0, 5, 1, 3, 115),
    (4, 2, 1, 6, 1, 4, 105),
    (4, 2, 1, 7, 2, 5, 95),
    (5, 3, 2, 8, 2, 6, 90),
    (6, 3, 2, 10, 2, 7, 85),
    (7, 4, 3, 11, 3, 8, 80),
    (8, 4, 3, 13, 3, 9, 75),
    (9, 5, 4, 14, 3, 10, 72),
    (10, 5, 5, 16, 4, 12, 70),
)


class Params(BaseParams):
    """The quest, the house, and the number of steps."""

    task: Literal["any", "treasure", "delivery", "cooking"] = Field(
        "any", description="kind of quest; any: drawn for each task"
    )
    rooms: int = Field(4, ge=2, le=len(ROOMS), description="rooms")
    doors: int = Field(2, ge=0, le=6, description="doors between rooms, at most")
    locks: int = Field(1, ge=0, le=5, description="locked doors and containers, at most, each with a key")
    furniture: int = Field(
        7, ge=2, le=20, description="pieces of furniture, appliances and locked containers not counted"
    )
    parts: int = Field(2, ge=1, le=4, description="treasures or deliveries; a meal has one ingredient more")
    clutter: int = Field(5, ge=0, le=12, description="other things")
    patience: int = Field(
        100, ge=50, le=300, description="steps, in percent of the shortest plan and a walk through the house"
    )
    commands: bool = Field(False, description="whether each observation lists the commands that are possible")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        rooms, doors, locks, furniture, parts, clutter, patience = _LEVELS[difficulty - 1]
        return cls(
            rooms=rooms, doors=doors, locks=locks, furniture=furniture, parts=parts, clutter=clutter, patience=patience
        )


class State(NamedTuple):
    """The house during an episode.

    Attributes:
        facts: The facts that hold, as bits.
        seen: The rooms and furniture whose contents have been shown.
        left: The steps left.
    """

    facts: int
    seen: frozenset[str]
    left: int


class Quest(World):
    """Fulfil a quest in a house with doors, keys and containers."""

    Params = Params
    max_turns: ClassVar[int] = _MOST_STEPS
    components: ClassVar[frozenset[str]] = frozenset({"format", "parts"})
    answer: AnswerType = Commands()
    reference: ClassVar[Rates | None] = _REFERENCE

    def check(self, p: Any) -> None:
        """Reject a house without room for its furniture."""
        if p.furniture < p.rooms:
            raise InvalidParameters(
                f"A house of {p.rooms} rooms must have at least {p.rooms} pieces of furniture, got {p.furniture}."
            )

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A house with a quest; where things are is the key."""
        content = draw(rng, rng.choice(KINDS) if p.task == "any" else p.task, p)
        yield content
        house = house_of(canonical_json(content))
        plan = shortest_plan(house, house.start)
        if not plan:
            return None
        steps = (len(plan) + _walk(content)) * p.patience // 100
        if steps > _MOST_STEPS:
            return None
        problem = {
            "kind": house.kind,
            "goals": content["goals"] if house.kind != "cooking" else [],
            "locks": len(content["keys"]),
            "scene": surroundings(house, house.start),
            "steps": steps,
            "commands": p.commands,
        }
        return Instance(problem, key={"content": content, "shortest": len(plan)})

    def prompt(self, problem: JSON) -> Statement:
        """The quest, the commands, and the first room."""
        return wording.statement(problem)

    def messages(self, problem: JSON) -> int:
        """Each message is a step."""
        return int(problem["steps"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """In the first room, with all steps."""
        house = _of(inst)
        return State(house.start, seen_after(house, house.start, frozenset(), Command("look")), inst.problem["steps"])

    def act(self, inst: Instance, state: State, value: Command, rng: Stream) -> Turn:
        """Carry out a command, or say that nothing happens."""
        house, left = _of(inst), state.left - 1
        after = carried_out(house, state.facts, value)
        if after is None:
            said = f"Nothing happens. {reason(house, state.facts, value)}"
            return rejected(self._next(inst, state._replace(left=left), said), "illegal")
        now = State(after, seen_after(house, after, state.seen, value), left)
        said = outcome(house, after, value, state.facts)
        if house.done(after):
            return Turn.end(now, Verdict.exact(True, f"{said} The quest is fulfilled.").noting(None, parts=1.0))
        if house.lost(after):
            return Turn.end(now, self._failed(house, now, f"{said} This spoils the recipe, and the quest is lost."))
        return self._next(inst, now, said)

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message costs a step."""
        return self._next(inst, state._replace(left=state.left - 1), feedback)

    def solve(self, inst: Instance, state: State) -> str:
        """The next command of a shortest plan."""
        house = _of(inst)
        plan = shortest_plan(house, state.facts)
        return write(spoken(house, plan[0]) if plan else Command("look"))

    def legal_answers(self, inst: Instance, state: State) -> list[str]:
        """Every command that is possible."""
        return list(map(write, admissible(_of(inst), state.facts)))

    def illegal_answers(self, inst: Instance) -> list[str]:
        """Commands with names that no house has."""
        return [
            "go up",
            "take sword",
            "open tin door",
            "cook egg with toaster",
            "unlock tin door with tin key",
            "eat sword",
        ]

    def greedy_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Explore the whole house first."""
        return self.answer.wrap(write(next_command(View(_of(inst), state.facts, state.seen), thorough=True)))

    def reference_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Explore, and plan with what has been seen."""
        return self.answer.wrap(write(next_command(View(_of(inst), state.facts, state.seen))))

    def effort(self, inst: Instance) -> float:
        """Steps of the shortest plan, and of a walk through the house."""
        return float(inst.key["shortest"] + _walk(inst.key["content"]))

    def _next(self, inst: Instance, state: State, said: str) -> Turn:
        if state.left == 0:
            return Turn.end(state, self._failed(_of(inst), state, f"{said}\nNo steps are left."))
        if inst.problem["commands"]:
            said += f"\nPossible commands: {'; '.join(self.legal_answers(inst, state))}."
        return Turn(state, f"{said}\nSteps left: {state.left}.")

    @staticmethod
    def _failed(house: House, state: State, said: str) -> Verdict:
        return Verdict.exact(False, said).noting(None, parts=house.parts(state.facts))


def _walk(content: JSON) -> int:
    """Steps of a walk through all rooms and back.

    It opens everything with every key.
    """
    return 2 * (len(content["rooms"]) - 1) + len(content["shut"]) + 2 * len(content["keys"])


def _of(inst: Instance) -> House:
    return house_of(canonical_json(inst.key["content"]))
