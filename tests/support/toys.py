"""Small environments and a resource that counts what is asked of it: the guinea pigs of the core's tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from typing import Any, ClassVar, Literal, Self

from envhub.authoring import BaseParams, Environment, SingleTurn, ToolEnv, World, tool, write_call
from envhub.core.effects import Effect, Exec, Live, Outcome, Query, Resource, Restore
from envhub.core.errors import ResourceError, ResourceLost, TooBusy
from envhub.core.seeding import Stream
from envhub.core.types import EnvSpec, Instance, Turn, Verdict
from envhub.episodes.episode import Episode
from envhub.episodes.rerun import CHECKER
from envhub.gymnasium.env import Env
from envhub.tasks.options import Options
from envhub.tasks.sampling import TaskSource
from envhub.verifiers.answers.types import AnswerType, Integer

SECRET = 7_919_104_729


class Tally(Resource):
    """A running total. ``Exec`` adds its payload, any other effect reads; everything that happens is counted."""

    def __init__(self, restore: Restore = "replay") -> None:
        super().__init__(restore)
        self.opened: list[tuple[Any, Any]] = []
        self.performed: list[Any] = []
        self.closed = 0
        self.fails_to_open = False
        self.pause_at = 0
        self.paused: Callable[[], None] = lambda: None
        self.kept: dict[int, _Total] = {}  # by ticket, where tickets are given
        self.tickets = False
        self.verdict_on_ruin: Outcome | None = None
        self.evictions = 0  # how often it is lost before it does what it is asked
        self.dying: set[int] = set()  # which of those opened die of whatever they are asked
        self.full = 0  # how often there is no room

    def open(self, problem: Any, token: Any = None) -> Live:
        if self.fails_to_open:
            raise ResourceError("no room")
        if self.full:
            self.full -= 1
            raise TooBusy("all taken", retry_after=3)
        self.opened.append((problem, token))
        return _Total(self, token or 0)

    def attach(self, ticket: Any) -> Live | None:
        number, total = ticket
        found = self.kept.get(number)
        return found if found is not None and found.total == total else None

    def ruined(self, effect: Effect) -> Outcome | None:
        return self.verdict_on_ruin


class Evicted(ResourceLost):
    """Lost, and not by what was asked."""

    during = False


class _Total(Live):
    def __init__(self, tally: Tally, total: int) -> None:
        self._tally = tally
        self.total = total
        self._number = len(tally.opened)
        tally.kept[self._number] = self

    def perform(self, effect: Effect) -> Outcome:
        if self._tally.evictions:
            self._tally.evictions -= 1
            raise Evicted("its room was needed")
        self._tally.performed.append(effect.payload)
        if effect.payload == "fail":
            raise ResourceError("the machine is on fire")
        if self._number in self._tally.dying:
            raise ResourceLost("gone")
        if effect.payload == "die" or (effect.payload == "die once" and self._number == 1):
            raise ResourceLost("gone")
        if effect.payload == "crash":
            raise ZeroDivisionError(f"the secret is {SECRET}")
        if isinstance(effect, Exec) and isinstance(effect.payload, int):
            self.total += effect.payload
        return Outcome(f"total {self.total}", self.total)

    async def aperform(self, effect: Effect) -> Outcome:
        outcome = self.perform(effect)
        self._tally.pause_at -= 1
        if self._tally.pause_at == 0:
            self._tally.paused()
            await asyncio.Event().wait()
        return outcome

    def token(self) -> Any:
        return self.total

    def ticket(self) -> Any:
        return [self._number, self.total] if self._tally.tickets else None

    def close(self) -> None:
        self._tally.closed += 1


class Adder(ToolEnv):
    """Bring a total to 10 and say so. A tool for every way in which a tool can go."""

    split_by: ClassVar[Literal["content", "seed", "none"]] = "seed"
    max_turns: ClassVar[int] = 6
    counted: ClassVar[bool] = False  # what its tools say is compared word for word

    def sample(self, rng: Stream, p: Any) -> Instance:
        return Instance({"goal": 10}, key=SECRET)

    def prompt(self, problem: Any) -> str:
        return f"Bring the total to {problem['goal']}."

    def begin(self, inst: Instance, rng: Stream) -> tuple[str, ...]:
        return ()

    @tool
    def add(self, inst: Instance, s: Any, amount: int) -> Generator[Effect, Outcome, Any]:
        """Add to the total.

        Args:
            amount: how much
        """
        out = yield Exec("tally", amount)
        return (*s, out.text), out.text

    @tool
    def twice(self, inst: Instance, s: Any, amount: int) -> Generator[Effect, Outcome, Any]:
        """Add two times, one after the other."""
        yield Exec("tally", amount)
        out = yield Exec("tally", amount)
        return (*s, out.text), out.text

    @tool
    def look(self, inst: Instance, s: Any) -> Generator[Effect, Outcome, Any]:
        """Look at the total."""
        out = yield Query("tally", "total?")
        return s, out.text

    @tool
    def ask(self, inst: Instance, s: Any, payload: str, of: str = "tally") -> Generator[Effect, Outcome, Any]:
        """Ask anything of anything."""
        out = yield Exec(of, payload)
        return s, out.text

    @tool
    def note(self, inst: Instance, s: Any, text: str) -> Generator[Effect, Outcome, Any]:
        """Send any text out."""
        out = yield Query("tally", text)
        return s, out.text

    @tool
    def echo(self, inst: Instance, s: Any, text: str = "") -> Any:
        """Say it again."""
        return s, text

    @tool
    def explode(self, inst: Instance, s: Any) -> Any:
        """Fail with the answer in the message."""
        raise ValueError(f"the secret is {inst.key}")

    @tool
    def submit(self, inst: Instance, s: Any, total: int) -> Any:
        """Say what the total is."""
        return s, Verdict.exact(total == inst.problem["goal"])

    def solve(self, inst: Instance, state: Any) -> str:
        if not state:
            return write_call("add", amount=inst.problem["goal"])
        return write_call("submit", total=inst.problem["goal"])


def adder(restore: Restore = "replay") -> tuple[Adder, Tally]:
    """An adder over a tally of its own."""
    tally = Tally(restore)
    return type("Adder", (Adder,), {"resources": {"tally": tally}})(), tally


class SumParams(BaseParams):
    """How many integers, how long."""

    terms: int = 2
    digits: int = 1

    @classmethod
    def at(cls, difficulty: int) -> Self:
        return cls(terms=2 + difficulty // 3, digits=1 + difficulty // 2)


class Sum(SingleTurn):
    """Add integers: design section 5, word for word."""

    Params = SumParams
    answer: AnswerType = Integer()

    def sample(self, rng: Stream, p: Any) -> Instance:
        xs = [rng.below(10**p.digits) for _ in range(p.terms)]
        return Instance(problem={"xs": xs}, key=sum(xs))

    def canonical(self, content: Any) -> Any:
        return sorted(content["xs"])

    def prompt(self, problem: Any) -> str:
        return "Compute " + " + ".join(map(str, problem["xs"])) + "."

    def grade(self, inst: Instance, value: Any) -> Verdict:
        return Verdict.exact(value == inst.key)

    def solve(self, inst: Instance) -> str:
        return str(inst.key)


class Dice(World):
    """Every turn shows a die; say 0 to stop. All chance is turn chance."""

    split_by: ClassVar[Literal["content", "seed", "none"]] = "seed"
    answer: AnswerType = Integer()
    max_turns: ClassVar[int] = 5
    max_action_chars: ClassVar[int] = 100
    max_observation_chars: ClassVar[int] = 200

    def sample(self, rng: Stream, p: Any) -> Instance:
        return Instance({"faces": 1000 + rng.below(1000)}, key=SECRET)

    def prompt(self, problem: Any) -> str:
        return f"A die with {problem['faces']} faces."

    def begin(self, inst: Instance, rng: Stream) -> tuple[int, ...]:
        return ()

    def act(self, inst: Instance, state: Any, value: int, rng: Stream) -> Turn:
        rolls = (*state, rng.below(inst.problem["faces"]))
        if value == 0:
            return Turn.end(rolls, Verdict.exact(True, f"rolls {rolls}"))
        if value == 13:
            raise ValueError(f"the secret is {inst.key}")
        return Turn(rolls, "x" * value if value > 100 else f"rolls {rolls}")

    def solve(self, inst: Instance, state: Any) -> str:
        return "0"


def unfindable(cls: type[Environment]) -> Any:
    """The environment under a class that worker processes cannot find: what it raises is an error, whoever is to blame."""
    return type(cls.__name__, (cls,), {})()


def source(environment: Environment, difficulty: Any = None, split: str = "train", **params: Any) -> TaskSource:
    """What draws the tasks of an author."""
    return TaskSource(EnvSpec("toy-v0", "tests.support.toys:?"), environment, difficulty, split, params)


def env(environment: Environment, difficulty: Any = None, split: str = "train", **options: Any) -> Env:
    """An environment over an author."""
    return Env(source(environment, difficulty, split), Options.read(options))


def episode(environment: Environment, seed: int = 0, turn_seed: int = 0) -> Episode:
    """An episode over an author."""
    return Episode(environment, *source(environment).draw(seed), turn_seed, CHECKER)
