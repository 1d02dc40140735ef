"""A readable gold equals itself in other notations, and no changed member of it is accepted."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, strategies as st

from envhub.evaluation.gold_sets import REWRITINGS
from envhub.verifiers.answers.final_answer import compare_answer
from envhub.verifiers.math import Gold
from tests.verifiers.undeclared.golds import GOLDS

_DIGITS = re.compile(r"[0-9]+")
_NAMES = re.compile(r"\\text\{[^}]*\}|\\[A-Za-z]+|\{[clr]+\}")


@pytest.mark.parametrize("name", REWRITINGS)
def test_a_gold_equals_itself_in_other_notations(name: str) -> None:
    for gold in GOLDS:
        assert compare_answer(gold, REWRITINGS[name](gold)).same, gold


@given(st.sampled_from(GOLDS), st.integers(0, 99), st.integers(1, 9))
def test_a_gold_with_another_digit_is_not_accepted(gold: str, place: int, more: int) -> None:
    numbers = list(_DIGITS.finditer(gold))
    number = numbers[place % len(numbers)]
    at = number.start() + place % len(number.group())
    changed = f"{gold[:at]}{(int(gold[at]) + more) % 10}{gold[at + 1 :]}"
    assume("=11" not in gold)  # a chain of equal numbers, one of which would be wrong
    assert not compare_answer(gold, changed).same, changed


@given(st.sampled_from(GOLDS), st.data())
def test_a_gold_with_another_sign_is_not_accepted(gold: str, data: st.DataObject) -> None:
    hidden = _NAMES.sub(lambda found: "_" * len(found.group()), gold)
    signs = [i for i, sign in enumerate(hidden) if sign in "+-"]
    assume(signs and "\\infty" not in gold and "k\\pi" not in gold)  # k may be negative
    at = data.draw(st.sampled_from(signs))
    changed = f"{gold[:at]}{'-' if gold[at] == '+' else '+'}{gold[at + 1 :]}"
    assert not compare_answer(gold, changed).same, changed


@given(st.sampled_from(GOLDS), st.sampled_from([" or 77", ", 77", " and 77", "; 77", " not", "?", " (or 77)"]))
def test_a_gold_with_a_remark_or_another_member_is_not_accepted(gold: str, more: str) -> None:
    assert not compare_answer(gold, gold + more).same


@given(st.text(alphabet="0123456789xk+-*/^_=<>()[]{}|,;:!%$\\ .eipmatorandfgUR'\n", max_size=60))
def test_any_text_is_compared_with_any_gold(text: str) -> None:
    for gold in GOLDS[::6]:
        compare_answer(gold, text)


def test_every_gold_has_a_type() -> None:
    assert all(Gold.of(gold).readable for gold in GOLDS)
