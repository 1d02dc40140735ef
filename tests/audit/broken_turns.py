"""Environments of many turns, each broken in one way, with sound ones beside them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, ClassVar

from envhub.authoring import BaseParams, World
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Rates, Turn, Verdict
from envhub.verifiers.answers.types import AnswerType, Integer, Word
from tests.audit.broken_answers import Product


class Walk(World):
    """A sound game: reach the end of a corridor whose turns are told one at a time."""

    answer: AnswerType = Word()
    max_turns = 24
    split_by = "seed"

    class Params(BaseParams):
        length: int = 6

        @classmethod
        def at(cls, difficulty: int) -> Walk.Params:
            return cls(length=7 + difficulty)

    def sample(self, rng: Stream, p: Any) -> Instance:
        return Instance({"length": p.length}, key=[rng.choice(("left", "right")) for _ in range(p.length)])

    def prompt(self, problem: JSON) -> str:
        return f"Take {problem['length']} turns to the left or to the right."

    def begin(self, inst: Instance, rng: Stream) -> int:
        return 0

    def act(self, inst: Instance, state: int, value: str, rng: Stream) -> Turn:
        if not self.passes(inst, state, value):
            return Turn.end(state, Verdict.exact(False))
        state += 1
        if state == inst.problem["length"]:
            return Turn.end(state, Verdict.exact(True))
        return Turn(state, "Go on.")

    def passes(self, inst: Instance, state: int, value: str) -> bool:
        return bool(value == inst.key[state])

    def solve(self, inst: Instance, state: int) -> str:
        return str(inst.key[state])

    def legal_answers(self, inst: Instance, state: int) -> list[str]:
        return ["left", "right"]

    def random_action(self, inst: Instance, state: int, rng: Stream) -> str:
        return self.answer.wrap(rng.choice(self.legal_answers(inst, state)))

    def effort(self, inst: Instance) -> float:
        return float(inst.problem["length"])


class PublishesRates(Walk):
    """Half of the turns are told in advance at level 1, fewer at higher ones; who goes by that is the reference."""

    def told(self, inst: Instance) -> int:
        return int(inst.problem["length"]) - (inst.problem["length"] - 6) // 2

    def follows(self, inst: Instance, state: int, rng: Stream) -> str:
        known = state < self.told(inst)
        return self.answer.wrap(inst.key[state] if known else rng.choice(("left", "right")))

    def reference_action(self, inst: Instance, state: int, rng: Stream) -> str:
        return self.follows(inst, state, rng)

    reference = Rates("follows", (0.5, 0.5, 0.25, 0.25, 0.125, 0.125, 1 / 16, 1 / 16, 1 / 32, 1 / 32))
    ceiling = reference


class PublishesTooHighRates(PublishesRates):
    reference = Rates("follows", (0.99,) * 10, episodes=1000)
    ceiling = None


class PublishesRatesOfNobody(Walk):
    reference = Rates("follows", (0.5,) * 10)


class HasACeilingThatIsExceeded(PublishesRates):
    reference = None
    ceiling = Rates("computed", (0.01,) * 10)


class IsBeatenByARuleOfThumb(PublishesRates):
    def reference_action(self, inst: Instance, state: int, rng: Stream) -> str:
        return self.answer.wrap("left")

    reference = Rates("always left", (0.0,) * 10, episodes=100)
    ceiling = None

    def greedy_action(self, inst: Instance, state: int, rng: Stream) -> str:
        return self.answer.wrap(inst.key[state])


class IsEasierWhereItIsHarder(Walk):
    def greedy_action(self, inst: Instance, state: int, rng: Stream) -> str:
        known = inst.problem["length"] > 10
        return self.answer.wrap(inst.key[state] if known else rng.choice(("left", "right")))


class IsWonByACycle(Walk):
    def sample(self, rng: Stream, p: Any) -> Instance:
        return Instance({"length": p.length, "n": rng.below(9)}, key=["left", "right", "left", "left"] * 5)


class IsWonByADeclaredCycle(Walk):
    """Only who knows the cycle finds it; the author does."""

    cycles = (("left", "left", "left", "left", "left", "right"),)

    def sample(self, rng: Stream, p: Any) -> Instance:
        if rng.below(2):
            return super().sample(rng, p)
        return Instance({"length": p.length}, key=["left", "left", "left", "left", "left", "right"] * 3)


class IsWonByAnyLegalMove(Walk):
    def passes(self, inst: Instance, state: int, value: str) -> bool:
        return value in ("left", "right")


class RefusesItsOwnAlternative(Product):
    def alternatives(self, inst: Instance) -> Iterator[str]:
        yield f"{inst.key:,} exactly"


class ReadsOnlyTheTag(Product):
    class _Strict(Integer):
        def read(self, text: str) -> Any:
            return super().read(text if text.startswith("<answer>") else "")

    answer = _Strict()


class AcceptsWhatIsFenced(Product):
    class _Fenced(Integer):
        def read(self, text: str) -> Any:
            return super().read("<answer>0</answer>" if "```" in text else text)

    answer = _Fenced()

    def grade(self, inst: Instance, value: int) -> Verdict:
        return Verdict.exact(value in (0, inst.key))


class ReadsAnotherMoveInABox(Walk):
    class _Boxed(Word):
        def parse(self, text: str) -> str:
            return {"left": "right", "right": "left"}.get(text, text)

        def read(self, text: str) -> Any:
            reading = super().read(text)
            if "boxed" not in text and reading.reason is None:
                reading.value = super().parse(reading.text) if reading.text in ("left", "right") else reading.value
            return reading

    answer = _Boxed()


class FailsOnFunnyText(Product):
    class _Fragile(Integer):
        def read(self, text: str) -> Any:
            text.encode("ascii" if "<" not in text else "latin-1")
            return super().read(text)

    answer = _Fragile()


class RemembersBetweenEpisodes(World):
    """Its turns depend on what other episodes did."""

    answer: AnswerType = Integer()
    max_turns = 3
    count: ClassVar[Iterator[int]] = itertools.count()

    def sample(self, rng: Stream, p: Any) -> Instance:
        return Instance({"n": rng.below(10**9)})

    def prompt(self, problem: JSON) -> str:
        return str(problem["n"])

    def act(self, inst: Instance, state: Any, value: int, rng: Stream) -> Turn:
        if value == inst.problem["n"]:
            return Turn.end(state, Verdict.exact(True))
        return Turn(state, f"{next(self.count)}")

    def solve(self, inst: Instance, state: Any) -> str:
        return str(inst.problem["n"])
