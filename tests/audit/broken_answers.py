"""Environments of one turn, each broken in one way, with sound ones beside them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any, ClassVar

from envhub.authoring import BaseParams, SingleTurn
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.verifiers.answers.types import AnswerType, Integer


class Product(SingleTurn):
    """A sound environment: multiply two numbers."""

    answer: AnswerType = Integer()

    class Params(BaseParams):
        digits: int = 6

        @classmethod
        def at(cls, difficulty: int) -> Product.Params:
            return cls(digits=4 + difficulty)

    def sample(self, rng: Stream, p: Any) -> Instance:
        low, high = 10**p.digits, 10 ** (p.digits + 1) - 1
        a, b = rng.between(low, high), rng.between(low, high)
        return Instance({"a": a, "b": b}, key=a * b)

    def canonical(self, content: JSON) -> JSON:
        return sorted(content.values())

    def prompt(self, problem: JSON) -> str:
        return f"Multiply {problem['a']} by {problem['b']}."

    def grade(self, inst: Instance, value: int) -> Verdict:
        return Verdict.exact(value == inst.key)

    def solve(self, inst: Instance) -> str:
        return str(inst.key)


class AcceptsAnything(Product):
    def grade(self, inst: Instance, value: int) -> Verdict:
        return Verdict.exact(True)

    def accepts(self, inst: Instance) -> bool:
        return True


class AcceptsOneOff(Product):
    def grade(self, inst: Instance, value: int) -> Verdict:
        return Verdict.exact(abs(value - inst.key) <= inst.key // 10)


class IgnoresSigns(Product):
    def grade(self, inst: Instance, value: int) -> Verdict:
        return Verdict.exact(abs(value) == inst.key)


class AcceptsCongruentNumbers(Product):
    def grade(self, inst: Instance, value: int) -> Verdict:
        return Verdict.exact((value - inst.key) % 1000 == 0)


class AcceptsWhatIsCongruentByTheProblem(Product):
    def grade(self, inst: Instance, value: int) -> Verdict:
        return Verdict.exact((value - inst.key) % inst.problem["a"] == 0)


class AcceptsTruncations(Product):
    def grade(self, inst: Instance, value: int) -> Verdict:
        return Verdict.exact(str(inst.key).startswith(str(value)) and value > 9)


class CountsCasesOtherwise(Product):
    """It is right, but the share of the cases that passed is not."""

    components: ClassVar[frozenset[str]] = frozenset({"format", "passed"})
    right, wrong = 0.0, 0.0

    def grade(self, inst: Instance, value: int) -> Verdict:
        solved = value == inst.key
        return Verdict(float(solved), solved=solved, components={"passed": self.right if solved else self.wrong})


class CountsAllCasesOfWrongAnswers(CountsCasesOtherwise):
    right, wrong = 1.0, 1.0


class AcceptsItsOwnMistake(Product):
    """It is right to take other numbers, but for the one that it says is a mistake."""

    def alternatives(self, inst: Instance) -> Iterator[str]:
        yield from (str(inst.key + step) for step in (12, -12))

    def mistakes(self, inst: Instance) -> Iterator[str]:
        yield str(inst.problem["a"] + inst.problem["b"])

    def grade(self, inst: Instance, value: int) -> Verdict:
        return Verdict.exact(value in (inst.key, inst.key + 12, inst.key - 12, sum(inst.problem.values())))


class HasTwoRightNumbers(AcceptsItsOwnMistake):
    def grade(self, inst: Instance, value: int) -> Verdict:
        return Verdict.exact(value in (inst.key, inst.key + 12, inst.key - 12))


class _Spelt(Integer):
    alike = (("7", "+7", "7.0"), ("-7",), ("70",))
    refused = ("7 or 8", "seven")


class _CannotReadASpelling(_Spelt):
    alike = (("7", "seven"),)


class _ReadsSpellingsApart(_Spelt):
    alike = (("7", "8"),)


class _ReadsTwoAlike(_Spelt):
    alike = (("7",), ("-7",), ("7.0",))


class _ReadsWhatItRefuses(_Spelt):
    refused = ("+7",)


class SaysHowItsAnswerIsSpelt(Product):
    answer: AnswerType = _Spelt()


class CannotReadASpelling(Product):
    answer: AnswerType = _CannotReadASpelling()


class ReadsSpellingsApart(Product):
    answer: AnswerType = _ReadsSpellingsApart()


class ReadsTwoAlike(Product):
    answer: AnswerType = _ReadsTwoAlike()


class ReadsWhatItRefuses(Product):
    answer: AnswerType = _ReadsWhatItRefuses()


class JudgesARemark(Product):
    class _AnyText(_Spelt):
        alike = ()

        def parse(self, text: str) -> int:
            return int(text) if text.isdigit() else -1

    answer: AnswerType = _AnyText()


class CannotReadARandomAnswer(Product):
    def random_action(self, inst: Instance, state: Any, rng: Stream) -> str:
        return "<answer>something</answer>"


class AcceptsAShortList(Product):
    """All but the last of the two factors in order."""

    class _Two(AnswerType):
        noun = "two numbers"
        example = "1, 2"

        def parse(self, text: str) -> list[str]:
            return text.split(", ")

        def random(self, rng: Stream) -> str:
            return "3, 4"

    answer = _Two()
    unique = True

    def grade(self, inst: Instance, value: list[str]) -> Verdict:
        return Verdict.exact(
            bool(value) and all(a == b for a, b in zip(value, self.solve(inst).split(", "), strict=False))
        )

    def solve(self, inst: Instance) -> str:
        return f"{inst.problem['a']}, {inst.problem['b']}"


class AsksManyForms(Product):
    """The form is the last digit of a factor."""

    def form(self, problem: JSON) -> str:
        return f"ends in {problem['a'] % 10}"


class AsksSevenForms(Product):
    def form(self, problem: JSON) -> str:
        return f"rest {problem['a'] % 7}"


class AsksOneFormTooOften(Product):
    def form(self, problem: JSON) -> str:
        return f"ends in {max(9, problem['a'] % 20)}"


class AsksOneFormTooOftenAtAHighLevel(AsksOneFormTooOften):
    def form(self, problem: JSON) -> str:
        many = f"ends in {problem['a'] % 10}"
        return many if len(str(problem["a"])) < 14 or problem["a"] % 20 > 9 else "a long one"


class HasNoFormNowAndThen(Product):
    def form(self, problem: JSON) -> str | None:
        return f"ends in {problem['a'] % 10}" if problem["a"] % 10 else None


class TakesTheLastOfMany(Product):
    class _Lax(Integer):
        def _agree(self, spans: list[str]) -> Any:
            return super()._agree(spans[-1:])

    answer = _Lax()


class CannotSolve(Product):
    def solve(self, inst: Instance) -> str:
        return str(inst.key + 1)


class TellsTheAnswer(Product):
    def prompt(self, problem: JSON) -> str:
        return f"{super().prompt(problem)} (It is {problem['a'] * problem['b']}.)"


class TellsTheSeed(Product):
    seen: ClassVar[list[int]] = []

    def begin(self, inst: Instance, rng: Stream) -> None:
        return None

    def sample(self, rng: Stream, p: Any) -> Instance:
        instance = super().sample(rng, p)
        instance.problem["note"] = str(7_260_518_403_816_273)
        return instance

    def canonical(self, content: JSON) -> JSON:
        return [content["a"], content["b"]]

    def prompt(self, problem: JSON) -> str:
        return f"Task {problem['note']}: {super().prompt(problem)}"


class UsesGlobalRandom(Product):
    def sample(self, rng: Stream, p: Any) -> Instance:
        a, b = random.randrange(10**6, 10**7), random.randrange(10**6, 10**7)
        return Instance({"a": a, "b": b}, key=a * b)


class HasFewProblems(Product):
    def sample(self, rng: Stream, p: Any) -> Instance:
        a = 10**p.digits + rng.below(10)
        return Instance({"a": a, "b": a}, key=a * a)


class HasNoTestProblemNowAndThen(Product):
    """Of an easy level there are so few problems that a split may hold none."""

    def sample(self, rng: Stream, p: Any) -> Instance:
        a = 10**p.digits + rng.below(6)
        return Instance({"a": a, "b": a}, key=a * a)


class LosesTuples(Product):
    def sample(self, rng: Stream, p: Any) -> Instance:
        instance = super().sample(rng, p)
        return Instance({**instance.problem, "pair": (1, 2)}, instance.key)

    def canonical(self, content: JSON) -> JSON:
        return [content["a"], content["b"]]


class IsNeverHarder(Product):
    class Params(BaseParams):
        digits: int = 6


class Raises(Product):
    def grade(self, inst: Instance, value: int) -> Verdict:
        return Verdict.exact(math.isqrt(value) == math.isqrt(inst.key) and value == inst.key)


class IsMostlyTheSame(Product):
    def sample(self, rng: Stream, p: Any) -> Instance:
        a = 1 if rng.below(3) else 7
        return Instance({"a": a, "b": a, "salt": rng.below(10**9)}, key=a * a)

    def canonical(self, content: JSON) -> JSON:
        return content["salt"]


class IsMostlyTheSameAtOneLevel(Product):
    def sample(self, rng: Stream, p: Any) -> Instance:
        if p.digits != self.Params.at(8).digits:
            return super().sample(rng, p)
        a = 1 if rng.below(2) else 7
        return Instance({"a": a, "b": a, "salt": rng.below(10**9)}, key=a * a)

    def canonical(self, content: JSON) -> JSON:
        return content.get("salt", super().canonical(content))


class RepeatsAnAnswerAtTheFirstLevel(Product):
    slow = True

    def sample(self, rng: Stream, p: Any) -> Instance:
        if p.digits != self.Params.at(1).digits or rng.below(5):
            return super().sample(rng, p)
        return Instance({"a": 7, "b": 7, "salt": rng.below(10**9)}, key=49)

    def canonical(self, content: JSON) -> JSON:
        return content.get("salt", super().canonical(content))


class AllowsGuessingForNoReason(Product):
    guessable = (0.9, " ")


class AllowsGuessingForAReason(IsMostlyTheSame):
    guessable = (0.9, "two numbers are all there are")


class AllowsGuessingAtHighLevelsWithoutACount(Product):
    guessable: ClassVar[Any] = {1: (0.3, "many are small"), 7: (0.3, "many are small")}
