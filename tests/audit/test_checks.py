"""The audit can fail: environments broken on purpose, one promise each, are found out by the check that guards it."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest

from envhub.audit import CHECKS, Breach, Subject
from envhub.audit.controls import perturbed
from envhub.audit.rates import falling
from envhub.authoring import BaseParams, SingleTurn, World
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Rates, Turn, Verdict
from envhub.registry.registry import register, unregister
from envhub.verifiers.answers.types import AnswerType, Integer, Word

_ids = (f"broken-{n}-v0" for n in itertools.count())


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


class AllowsGuessingForNoReason(Product):
    guessable = (0.9, " ")


class AllowsGuessingForAReason(IsMostlyTheSame):
    guessable = (0.9, "two numbers are all there are")


class AllowsGuessingAtHighLevelsWithoutACount(Product):
    guessable: ClassVar[Any] = {1: (0.3, "many are small"), 7: (0.3, "many are small")}


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


@pytest.mark.parametrize(
    ("broken", "check"),
    [
        (AcceptsAnything, "wrong_answers"),
        (AcceptsOneOff, "wrong_answers"),
        (IgnoresSigns, "wrong_answers"),
        (AcceptsCongruentNumbers, "leniency"),
        (AcceptsWhatIsCongruentByTheProblem, "leniency"),
        (AcceptsTruncations, "leniency"),
        (AcceptsItsOwnMistake, "leniency"),
        (AcceptsAShortList, "leniency"),
        (AsksSevenForms, "forms"),
        (AsksOneFormTooOften, "forms"),
        (AsksOneFormTooOftenAtAHighLevel, "forms"),
        (HasNoFormNowAndThen, "forms"),
        (PublishesTooHighRates, "rates"),
        (PublishesRatesOfNobody, "rates"),
        (HasACeilingThatIsExceeded, "rates"),
        (IsBeatenByARuleOfThumb, "rates"),
        (IsEasierWhereItIsHarder, "greedy_trend"),
        (TakesTheLastOfMany, "wrong_answers"),
        pytest.param(Raises, "wrong_answers", marks=pytest.mark.slow),
        (CountsCasesOtherwise, "oracle"),
        (CountsAllCasesOfWrongAnswers, "wrong_answers"),
        (CannotSolve, "oracle"),
        (TellsTheAnswer, "nothing_leaks"),
        (TellsTheSeed, "nothing_leaks"),
        (UsesGlobalRandom, "key_is_the_task"),
        (HasNoTestProblemNowAndThen, "draws"),
        (LosesTuples, "key_is_the_task"),
        (HasFewProblems, "seeds_are_unrelated"),
        (IsNeverHarder, "difficulty"),
        (RemembersBetweenEpisodes, "replay"),
        (IsMostlyTheSame, "blind_policies"),
        (AllowsGuessingForNoReason, "blind_policies"),
        (AllowsGuessingAtHighLevelsWithoutACount, "blind_policies"),
        (IsWonByACycle, "blind_policies"),
        (IsWonByADeclaredCycle, "blind_policies"),
        (IsWonByAnyLegalMove, "blind_policies"),
        (RefusesItsOwnAlternative, "alternatives"),
        (ReadsOnlyTheTag, "reading"),
        (AcceptsWhatIsFenced, "reading"),
        (ReadsAnotherMoveInABox, "reading"),
        (CannotReadASpelling, "reading"),
        (ReadsSpellingsApart, "reading"),
        (ReadsTwoAlike, "reading"),
        (ReadsWhatItRefuses, "reading"),
        (JudgesARemark, "wrong_answers"),
        (CannotReadARandomAnswer, "fuzz"),
        pytest.param(FailsOnFunnyText, "fuzz", marks=pytest.mark.slow),
        (HasFewProblems, "variety"),
    ],
)
def test_a_broken_environment_is_found_out(broken: type[Any], check: str) -> None:
    env_id = next(_ids)
    register(env_id, broken)
    try:
        with pytest.raises(Breach):
            CHECKS[check](Subject(env_id))
    finally:
        unregister(env_id)


@pytest.mark.slow
def test_an_answer_that_breaks_its_check_is_found_out_though_it_scores_nothing() -> None:
    env_id = next(_ids)
    register(env_id, Raises)
    try:
        with pytest.raises(Breach, match="is broken by"):
            CHECKS["wrong_answers"](Subject(env_id))
    finally:
        unregister(env_id)


def test_an_environment_may_be_guessable_where_it_says_why() -> None:
    env_id = next(_ids)
    register(env_id, AllowsGuessingForAReason)
    try:
        CHECKS["blind_policies"](Subject(env_id))
    finally:
        unregister(env_id)


def test_a_number_may_have_others_beside_it_that_are_named() -> None:
    env_id = next(_ids)
    register(env_id, HasTwoRightNumbers)
    try:
        CHECKS["leniency"](Subject(env_id))
    finally:
        unregister(env_id)


@pytest.mark.parametrize("sound", [Product, SaysHowItsAnswerIsSpelt, AsksManyForms, Walk, PublishesRates])
def test_a_sound_environment_passes_every_check(sound: type[Any]) -> None:
    register("sound-v0", sound)
    try:
        for check in CHECKS.values():
            check(Subject("sound-v0"))
    finally:
        unregister("sound-v0")


def test_rates_that_fall_to_nothing_fall_wholly() -> None:
    assert falling([0.3, 0.1, 0, 0, 0, 0, 0, 0, 0, 0]) == pytest.approx(-1)
    assert falling([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0]) == pytest.approx(-1)
    assert falling([0.0, 0.1, 0.2, 0.3, 0.4]) == pytest.approx(1)
    assert falling([1.0] * 10) == 0  # which does not fall
    assert falling([0.3, 0.1, 0, 0, 0, 0, 0, 0, 0, 0.2]) > -0.8


def test_perturbed_answers_differ_from_the_answer_in_one_place() -> None:
    answer = "1 2 3\n2 3 a"
    found = list(perturbed(answer))
    assert found
    assert all(sum(a != b for a, b in zip(answer, other, strict=True)) == 1 for other in found)
