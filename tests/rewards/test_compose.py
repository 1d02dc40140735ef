"""Sums, gates and bounds, and what of them an environment can pay."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.core.types import Verdict
from envhub.rewards import Accuracy, Clip, Gate, Outcome, Overlong, Sum, ThinkAnswer, WeightedReward
from tests.rewards.samples import RIGHT, SILENT, VERDICTS, WRONG, sample
from tests.support import toys
from tests.support.toys import env

NUMBERS = st.floats(-100, 100)
FORM = WeightedReward({"format": 1.0})


def test_a_sum_is_weighted() -> None:
    verdict = Verdict(0.5, components={"format": 1.0})
    assert Sum([(2.0, Accuracy()), (-0.25, FORM), (1.0, lambda judged: 3.0)])(verdict) == 1.0 - 0.25 + 3.0
    assert Sum([])(verdict) == 0.0


def test_accuracy_is_the_score_and_an_outcome_only_whether_it_was_solved() -> None:
    assert [Accuracy()(verdict) for verdict in (RIGHT, WRONG, SILENT, Verdict(0.5))] == [1.0, 0.0, 0.0, 0.5]
    outcome = Outcome(right=1.0, wrong=-1.0)
    assert [outcome(verdict) for verdict in (RIGHT, WRONG, SILENT, Verdict(0.5))] == [1.0, -1.0, -1.0, -1.0]


@given(VERDICTS, st.lists(st.tuples(NUMBERS, NUMBERS), max_size=4))
def test_a_sum_does_not_depend_on_how_it_is_nested(verdict: Verdict, terms: list[tuple[float, float]]) -> None:
    parts = [(weight, lambda judged, value=value: value) for weight, value in terms]
    flat = Sum([*parts, (1.0, Accuracy())])(verdict)
    nested = Sum([(2.0, Sum([(weight / 2, part) for weight, part in parts])), (1.0, Accuracy())])(verdict)
    assert math.isclose(flat, nested, abs_tol=1e-9)


@given(VERDICTS, NUMBERS, SHARES := st.floats(0, 1), NUMBERS)
def test_a_gate_pays_only_when_it_is_open(verdict: Verdict, value: float, least: float, otherwise: float) -> None:
    gated = Gate(lambda judged: value, least=least, otherwise=otherwise)(verdict)
    assert verdict.score is not None
    assert gated == (value if verdict.score >= least else otherwise)


def test_by_default_the_gate_is_full_accuracy() -> None:
    gate = Gate(FORM)
    formed = {"format": 1.0}
    assert gate(Verdict(1.0, components=formed)) == 1.0
    assert gate(Verdict(0.999, components=formed)) == 0.0
    assert gate(Verdict(1.0)) == 0.0


def test_what_is_behind_a_closed_gate_is_not_asked() -> None:
    asked: list[Verdict] = []
    gate = Gate(lambda judged: float(asked.append(judged) or 1))
    assert gate(WRONG) == 0.0
    assert not asked
    assert gate(RIGHT) == 1.0
    assert asked == [RIGHT]


@given(NUMBERS, NUMBERS, NUMBERS)
def test_a_clipped_reward_is_in_bounds_and_unchanged_within(value: float, one: float, other: float) -> None:
    low, high = sorted((one, other))
    clipped = Clip(lambda judged: value, low, high)(RIGHT)
    assert low <= clipped <= high
    if low <= value <= high:
        assert clipped == value


@pytest.mark.parametrize(
    "build", [lambda nan: Sum([(0.0, nan)]), lambda nan: Clip(nan, 0.0, 1.0), lambda nan: Gate(nan)]
)
def test_a_part_without_a_reward_makes_the_whole_have_none(build: Any) -> None:
    assert math.isnan(build(lambda judged: math.nan)(RIGHT))
    assert math.isnan(Gate(Accuracy(), by=lambda judged: math.nan, otherwise=0.5)(RIGHT))
    assert not math.isnan(build(lambda judged: 0.5)(RIGHT))


@pytest.mark.parametrize(
    "build",
    [
        lambda: Sum([(math.nan, Accuracy())]),
        lambda: Gate(Accuracy(), least=math.inf),
        lambda: Gate(Accuracy(), otherwise=math.nan),
        lambda: Clip(Accuracy(), 0.0, math.inf),
        lambda: Clip(Accuracy(), 1.0, 0.0),
        lambda: Outcome(right=True),
    ],
)
def test_settings_are_finite_and_in_order(build: Any) -> None:
    with pytest.raises(InvalidParameters):
        build()


# -- as the reward of an environment ---------------------------------------------------------------------------------


def test_an_environment_pays_a_composition() -> None:
    reward = Clip(Sum([(1.0, Outcome(wrong=-3.0)), (0.25, Gate(FORM))]), -1.0, 9.0)
    for action, paid in (("<answer>{}</answer>", 1.25), ("{}", 1.0), ("not {}", -1.0)):
        e = env(toys.Sum(), reward=reward)
        e.reset(seed=1)
        assert e.step(action.format(e.episode.instance.key))[1] == paid


@pytest.mark.parametrize(
    "wrapped", [lambda part: part, lambda part: Sum([(1.0, part)]), Gate, lambda p: Clip(p, 0.0, 1.0)]
)
def test_make_refuses_what_it_could_never_pay(wrapped: Any) -> None:
    import envhub

    for part, says in ((Overlong(9, 3), "Overlong needs a Sample"), (WeightedReward({"forma": 1.0}), "'format'")):
        with pytest.raises(InvalidParameters, match=says):
            envhub.make("countdown-v0", reward=wrapped(part))
    with pytest.raises(InvalidParameters, match="ThinkAnswer"):
        envhub.make("countdown-v0", reward=Gate(FORM, by=ThinkAnswer()))
    envhub.make("countdown-v0", reward=wrapped(FORM))


def test_a_gate_composes_over_samples() -> None:
    gate = Gate(ThinkAnswer())
    assert gate(sample(RIGHT)) == 1.0
    assert gate(sample(WRONG)) == 0.0
    assert gate(sample(RIGHT, text="2")) == 0.0
