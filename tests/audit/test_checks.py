"""The audit can fail: environments broken on purpose, one promise each, are found out by the check that guards it."""

from __future__ import annotations

from typing import Any

import pytest

from envhub.audit import CHECKS, Breach, Subject
from envhub.audit.blind import best_blind
from envhub.audit.contract import effort
from envhub.audit.controls import perturbed
from envhub.audit.forms import count_forms
from envhub.audit.rates import falling, played
from tests.audit.broken_answers import (
    AcceptsAnything,
    AcceptsAShortList,
    AcceptsCongruentNumbers,
    AcceptsItsOwnMistake,
    AcceptsOneOff,
    AcceptsTruncations,
    AcceptsWhatIsCongruentByTheProblem,
    AllowsGuessingAtHighLevelsWithoutACount,
    AllowsGuessingForAReason,
    AllowsGuessingForNoReason,
    AsksManyForms,
    AsksOneFormTooOften,
    AsksOneFormTooOftenAtAHighLevel,
    AsksSevenForms,
    CannotReadARandomAnswer,
    CannotReadASpelling,
    CannotSolve,
    CountsAllCasesOfWrongAnswers,
    CountsCasesOtherwise,
    HasFewProblems,
    HasNoFormNowAndThen,
    HasNoTestProblemNowAndThen,
    HasTwoRightNumbers,
    IgnoresSigns,
    IsMostlyTheSame,
    IsMostlyTheSameAtOneLevel,
    IsNeverHarder,
    JudgesARemark,
    LosesTuples,
    Product,
    Raises,
    ReadsSpellingsApart,
    ReadsTwoAlike,
    ReadsWhatItRefuses,
    RepeatsAnAnswerAtTheFirstLevel,
    SaysHowItsAnswerIsSpelt,
    TakesTheLastOfMany,
    TellsTheAnswer,
    TellsTheSeed,
    UsesGlobalRandom,
)
from tests.audit.broken_turns import (
    AcceptsWhatIsFenced,
    FailsOnFunnyText,
    HasACeilingThatIsExceeded,
    IsBeatenByARuleOfThumb,
    IsEasierWhereItIsHarder,
    IsWonByACycle,
    IsWonByADeclaredCycle,
    IsWonByAnyLegalMove,
    PublishesRates,
    PublishesRatesOfNobody,
    PublishesTooHighRates,
    ReadsAnotherMoveInABox,
    ReadsOnlyTheTag,
    RefusesItsOwnAlternative,
    RemembersBetweenEpisodes,
    Walk,
)
from tests.audit.registering import registered


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
        (IsMostlyTheSameAtOneLevel, "blind_policies"),
        (RepeatsAnAnswerAtTheFirstLevel, "blind_policies"),
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
    with registered(broken) as subject, pytest.raises(Breach):
        CHECKS[check](subject)


@pytest.mark.slow
def test_an_answer_that_breaks_its_check_is_found_out_though_it_scores_nothing() -> None:
    with registered(Raises) as subject, pytest.raises(Breach, match="is broken by"):
        CHECKS["wrong_answers"](subject)


def test_an_environment_may_be_guessable_where_it_says_why() -> None:
    with registered(AllowsGuessingForAReason) as subject:
        CHECKS["blind_policies"](subject)


def test_a_number_may_have_others_beside_it_that_are_named() -> None:
    with registered(HasTwoRightNumbers) as subject:
        CHECKS["leniency"](subject)


def test_checks_and_measures_share_what_they_play_and_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blind policies, agents and kinds of question cost the same whether one or both ask for them."""
    with registered(PublishesRates) as subject:
        first = [best_blind(subject, 1), played(subject, 1, "random"), effort(subject, 1, 0)]
        monkeypatch.setattr(Subject, "env", lambda *_: pytest.fail("It is played again."))
        assert [best_blind(subject, 1), played(subject, 1, "random"), effort(subject, 1, 0)] == first
    with registered(AsksManyForms) as subject:
        monkeypatch.undo()
        counted = count_forms(subject, 1)
        monkeypatch.setattr(Subject, "env", lambda *_: pytest.fail("It is drawn again."))
        assert count_forms(subject, 1) == counted


@pytest.mark.parametrize("sound", [Product, SaysHowItsAnswerIsSpelt, AsksManyForms, Walk, PublishesRates])
def test_a_sound_environment_passes_every_check(sound: type[Any]) -> None:
    with registered(sound) as subject:
        for check in CHECKS.values():
            check(subject)


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
