"""Small games for the tests of the base, and matches between opponents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from envhub.authoring.game import CHANCE, Game, choose, read_opponent
from envhub.core.seeding import Stream
from envhub.core.types import EnvSpec, Instance
from envhub.gymnasium.env import Env
from envhub.tasks.options import Options
from envhub.tasks.sampling import TaskSource
from envhub.verifiers.answers.types import AnswerType, Integer


class Nim(Game):
    """Take one to three of a heap of twelve; who takes the last one wins."""

    answer: AnswerType = Integer()
    heap: ClassVar[int] = 12

    def rules(self, problem: Any) -> str:
        return "Take one, two or three sticks."

    def start(self, inst: Instance) -> Any:
        return (self.heap, 0)

    def to_move(self, s: Any) -> int | str | None:
        return s[1] if s[0] else None

    def legal(self, inst: Instance, s: Any) -> Sequence[int]:
        return [take for take in (1, 2, 3) if take <= s[0]]

    def play(self, inst: Instance, s: Any, move: int) -> Any:
        return (s[0] - move, 1 - s[1])

    def payoffs(self, inst: Instance, s: Any) -> Sequence[float]:
        return (-1.0, 1.0) if s[1] == 0 else (1.0, -1.0)

    def observe(self, inst: Instance, s: Any, seat: int) -> str:
        return f"Sticks: {s[0]}."


class Generous(Nim):
    """Pays both."""

    def payoffs(self, inst: Instance, s: Any) -> Sequence[float]:
        return (1.0, 1.0)


class Stumbles(Nim):
    """Its opponent raises where the policy has taken two sticks."""

    def greedy(self, inst: Instance, s: Any, seat: int, rng: Stream) -> Any:
        if s[0] == self.heap - 2:
            raise ValueError("eleven sticks are hidden")
        return self.legal(inst, s)[0]


class Trips(Nim):
    """It raises in playing the policy's own move, where that takes two sticks."""

    def play(self, inst: Instance, s: Any, move: int) -> Any:
        if move == 2 and s[0] == self.heap:
            raise ValueError
        return super().play(inst, s, move)

    def best(self, inst: Instance, s: Any) -> int:
        return 1


class Dice(Game):
    """Seat 0 says a number, a die is thrown, seat 1 says one; the nearer one wins. Who says 0 is not legal."""

    answer: AnswerType = Integer()

    def rules(self, problem: Any) -> str:
        return "Guess the die."

    def start(self, inst: Instance) -> Any:
        return ()

    def to_move(self, s: Any) -> int | str | None:
        return (0, CHANCE, 1, None)[len(s)]

    def chances(self, inst: Instance, s: Any) -> Sequence[tuple[int, int]]:
        return [(face, 1) for face in range(1, 7)]

    def legal(self, inst: Instance, s: Any) -> Sequence[int]:
        return range(1, 7)

    def play(self, inst: Instance, s: Any, move: int) -> Any:
        return (*s, move)

    def payoffs(self, inst: Instance, s: Any) -> Sequence[float]:
        gain = abs(s[2] - s[1]) - abs(s[0] - s[1])
        return ((gain > 0) - (gain < 0), (gain < 0) - (gain > 0))

    def observe(self, inst: Instance, s: Any, seat: int) -> str:
        return f"So far: {s}"


class Loaded(Dice):
    """Its die raises where the policy has said two."""

    def chances(self, inst: Instance, s: Any) -> Sequence[tuple[int, int]]:
        if s == (2,):
            raise ValueError
        return super().chances(inst, s)

    def best(self, inst: Instance, s: Any) -> int:
        return 3


def table(game: Game, **params: Any) -> Env:
    """An environment of a game that is in no registry."""
    spec = EnvSpec(f"{type(game).__name__.lower()}-v0", f"{__name__}:{type(game).__name__}")
    return Env(TaskSource(spec, game, None, "train", params), Options())


def instance(game: Game, seed: int = 0, **params: Any) -> Instance:
    """A task's instance."""
    for draw in range(1000):
        made = game.sample(Stream(b"table", seed, draw), game.Params(**{"opponent": "random", **params}))
        if isinstance(made, Instance):
            return made
    raise AssertionError("no task")


def play_off(game: Game, inst: Instance, names: Sequence[str], rng: Stream) -> list[float]:
    """The payoffs of a game between opponents."""
    players = [read_opponent(name) for name in names]
    s = game.start(inst)
    while (mover := game.to_move(s)) is not None:
        if mover == CHANCE:
            s = game.play(inst, s, game.draw(inst, s, rng))
        else:
            s = game.play(inst, s, choose(game, inst, s, int(mover), players[int(mover)], rng))
    return game.paid(inst, s)


def mean(game: Game, insts: Sequence[Instance], one: str, other: str) -> float:
    """What one gains of another on average, each instance being played in both seats."""
    total = 0.0
    for number, inst in enumerate(insts):
        total += play_off(game, inst, (one, other), Stream(b"first", number))[0]
        total += play_off(game, inst, (other, one), Stream(b"second", number))[1]
    return total / (2 * len(insts))
