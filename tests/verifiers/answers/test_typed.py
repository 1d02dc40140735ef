"""The answer type of declared kinds, as environments use it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.verifiers.answers.typed import Typed
from envhub.verifiers.math import KINDS

OPTIONS: dict[str, dict[str, Any]] = {
    "choice": {"options": ["A", "B", "C"]},
    "multi": {"parts": ["integer", {"kind": "set", "of": "rational"}], "names": ["n", "S"]},
    "quantity": {"unit": "km/h"},
    "tuple": {"of": ["integer", "expression"]},
    "set": {"of": "rational"},
    "matrix": {"of": "integer"},
    "list": {"of": "text"},
}
TYPES = {kind: Typed(kind=kind, options=OPTIONS.get(kind, {})) for kind in KINDS if kind != "auto"}
every_type = pytest.mark.parametrize("kind", TYPES)


@every_type
def test_the_example_and_random_answers_are_read_in_every_form(kind: str) -> None:
    answer = TYPES[kind]
    texts = [answer.example, *(answer.random(Stream(b"typed", i)) for i in range(20))]
    for form in ("tag", "boxed", "last"):
        asked = answer.asking(form)
        for text in texts:
            reading = asked.read("So I think that\n" + asked.wrap(text))
            assert reading.reason is None, (text, reading.feedback)
            assert reading.formatted
            assert asked.matches(text, reading.value).same
        assert answer.noun in asked.instruction()
    assert len(set(texts)) > 2


@every_type
@settings(max_examples=30, deadline=None)
@given(text=st.text(max_size=60))
def test_any_text_gives_a_value_or_a_reason(kind: str, text: str) -> None:
    reading = TYPES[kind].read(text)
    assert (reading.value is None) == (reading.reason is not None)
    assert reading.reason is None or reading.feedback


def test_matching_a_gold() -> None:
    answer = Typed(kind="interval")
    given = answer.read("<answer>k < -5</answer>").value
    assert answer.matches(r"(-\infty, -5)", given).same
    assert not answer.matches(r"(-\infty, -5]", given).same
    with pytest.raises(InvalidParameters):
        answer.matches("nonsense", given)


def test_two_spans_that_mean_the_same_are_no_hedge() -> None:
    answer = Typed(kind="rational")
    assert answer.read("<answer>1/2</answer> <answer>0.5</answer>").reason is None
    assert answer.read("<answer>1/2</answer> <answer>1/3</answer>").reason == "ambiguous"
    assert answer.read("<answer>1/2 or 1/3</answer>").reason == "unreadable"


def test_a_kind_is_checked_when_it_is_declared() -> None:
    for kind, options in [("auto", {}), ("sets", {}), ("set", {"of": "integers"})]:
        with pytest.raises(InvalidParameters):
            Typed(kind=kind, options=options)
