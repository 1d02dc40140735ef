"""Small environments that raise, each for a reason of its own; worker processes find them here by their names."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, ClassVar, Literal

from envhub.authoring import World
from envhub.core.effects import Check, Effect, Live, Outcome, Resource
from envhub.core.errors import ResourceError
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn, Verdict
from envhub.verifiers.answers.types import AnswerType, Integer
from tests.support.toys import SECRET

BROKEN = f"the secret is {SECRET}"


class Fragile(World):
    """Say 0. Two answers make a turn raise: 13, and what the turn's die shows; after 7 every answer does."""

    split_by: ClassVar[Literal["content", "seed", "none"]] = "seed"
    answer: AnswerType = Integer()
    max_turns: ClassVar[int] = 6

    def sample(self, rng: Stream, p: Any) -> Instance:
        return Instance({"faces": 1000}, key=SECRET)

    def prompt(self, problem: Any) -> str:
        return "Say nought."

    def begin(self, inst: Instance, rng: Stream) -> tuple[int, ...]:
        return ()

    def act(self, inst: Instance, state: Any, value: int, rng: Stream) -> Any:
        roll = 1000 + rng.below(1_000_000)
        if value in (13, roll) or 7 in state:
            raise ValueError(BROKEN)
        if value == 0:
            return Turn.end(state, Verdict.exact(True))
        return Turn((*state, value), str(roll))

    def solve(self, inst: Instance, state: Any) -> str:
        return "0"


class Broken(Fragile):
    """No answer can be judged."""

    def act(self, inst: Instance, state: Any, value: int, rng: Stream) -> Any:
        raise ValueError(BROKEN)


class Unsolvable(Fragile):
    """Its oracle raises."""

    def solve(self, inst: Instance, state: Any) -> str:
        raise ValueError(BROKEN)


class Unfit(Fragile):
    """A verdict that no reward can be made of: on 13, or (``always``) on every answer."""

    always: ClassVar[bool] = False

    def act(self, inst: Instance, state: Any, value: int, rng: Stream) -> Any:
        return Turn.end(state, Verdict(7.0 if self.always or value == 13 else 1.0, solved=True))


class Once(Fragile):
    """Raises where a test says so, which is not in a worker."""

    here: ClassVar[bool] = False

    def act(self, inst: Instance, state: Any, value: int, rng: Stream) -> Any:
        if self.here:
            raise ValueError(BROKEN)
        return Turn.end(state, Verdict.exact(True))


class Spoils(Fragile):
    """Raises on 13, after which 14 raises as well in the same process."""

    spoilt: ClassVar[bool] = False

    def act(self, inst: Instance, state: Any, value: int, rng: Stream) -> Any:
        if value == 13:
            Spoils.spoilt = True
        if value == 13 or (value == 14 and self.spoilt):
            raise ValueError(BROKEN)
        return Turn.end(state, Verdict.exact(value == 0))


class Unbuildable(Fragile):
    """Its problems can be drawn only where a test says so, which is not in a worker."""

    here: ClassVar[bool] = False

    def sample(self, rng: Stream, p: Any) -> Instance:
        if not self.here:
            raise ValueError(BROKEN)
        return super().sample(rng, p)


class Desk(Resource):
    """Says what it is told; it opens only where a test says so, which is not in a worker."""

    here: ClassVar[bool] = False

    def __init__(self) -> None:
        super().__init__("replay")

    def open(self, problem: Any, token: Any = None) -> Live:
        if not self.here:
            raise ResourceError("closed")
        return _Clerk()


class _Clerk(Live):
    def perform(self, effect: Effect) -> Outcome:
        return Outcome(data=effect.payload)


class Asks(Fragile):
    """Asks its desk on every turn, and raises on 13; 14 makes the desk say what no turn can make sense of."""

    resources: ClassVar[dict[str, Resource]] = {"desk": Desk()}

    def act(self, inst: Instance, state: Any, value: int, rng: Stream) -> Generator[Effect, Outcome, Turn]:
        said = yield Check("desk", "nonsense" if value == 14 else value)
        number = int(said.data)
        if value == 13:
            raise ValueError(BROKEN)
        if value == 0:
            yield Check("desk", "done")
            return Turn.end(state, Verdict.exact(True))
        return Turn((*state, number), "noted")
