"""next-state-v0: predict the next observation of a world, exactly.

The world is a house of ``household-v0``, all of which is shown. A log of commands is given, and the answer is the observation
after the last one, word for word; it always shows a change that an earlier command made. Action: this text. Score 1 if it is
the observation of the simulator, else 0. Difficulty: longer logs and more places and things; effort is the length of the log,
plus the number of things.

The house decides the split, so no house of training is evaluated. Houses that differ only in the numbers of things count as
different.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final, Self

from pydantic import Field

from envhub.authoring import BaseParams, SingleTurn, Staged
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.worlds.household.commands import write
from envhub.envs.worlds.household.drawing import draw
from envhub.envs.worlds.next_state import wording
from envhub.envs.worlds.next_state.walks import answer, house_of, remembered, skipped, walk
from envhub.verifiers.answers.types import AnswerType
from envhub.verifiers.answers.verbatim import Verbatim

_REMEMBERED: Final = 8
"""Commands that the scripted policy remembers."""
_LEVELS: Final = (  # commands, rooms, places, things
    (6, 1, 6, 5),
    (8, 1, 7, 7),
    (10, 1, 8, 9),
    (13, 1, 9, 12),
    (16, 1, 10, 15),
    (20, 1, 12, 18),
    (25, 2, 14, 21),
    (30, 2, 16, 25),
    (36, 2, 18, 30),
    (42, 2, 20, 35),
)


class Params(BaseParams):
    """The house and the length of the log."""

    commands: int = Field(10, ge=4, le=80, description="commands in the log")
    rooms: int = Field(1, ge=1, le=2, description="rooms that the house is made of")
    places: int = Field(8, ge=6, le=40, description="places where things can be, at most; small rooms have fewer")
    things: int = Field(9, ge=4, le=60, description="things, lamps not counted")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        commands, rooms, places, things = _LEVELS[difficulty - 1]
        return cls(commands=commands, rooms=rooms, places=places, things=things)


class NextState(SingleTurn):
    """Predict the next observation of a world, exactly."""

    Params = Params
    unique: ClassVar[bool] = True
    answer: AnswerType = Verbatim(
        most=2000,
        called="the answer of the house",
        sample="In the attic 1 you see an anvil 1 and a broom 2.",
    )

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A house and a log."""
        drawn = draw(rng, "any", p.rooms, p.places, p.things)
        if drawn is None:
            return None
        problem = {"places": drawn.places, "things": [list(pair) for pair in drawn.things.items()]}
        yield problem
        found = walk(rng, house_of(problem), p.commands)
        if found is None:
            return None
        whole = {**problem, "commands": list(map(write, found.commands))}
        return Instance(whole, key={"answer": answer(whole)})

    def prompt(self, problem: JSON) -> Statement:
        """The house, the log, and the forms of observations."""
        return wording.statement(problem)

    def grade(self, inst: Instance, value: str) -> Verdict:
        """Compare word by word."""
        return Verdict.exact(value.split() == inst.key["answer"].split())

    def solve(self, inst: Instance) -> str:
        """The observation."""
        return str(inst.key["answer"])

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """The observation if commands of the log are forgotten."""
        yield from dict.fromkeys(wrong for wrong in skipped(inst.problem) if wrong != inst.key["answer"])

    def greedy_action(self, inst: Instance, state: Any, rng: Stream) -> str:
        """Carry out only the last commands."""
        return self.answer.wrap(remembered(inst.problem, _REMEMBERED))

    def effort(self, inst: Instance) -> float:
        """Commands and things."""
        return float(len(inst.problem["commands"]) + len(inst.problem["things"]))
