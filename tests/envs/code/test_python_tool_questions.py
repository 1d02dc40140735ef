"""Numeric questions: every family's value against its naive program, and what is said of both."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.seeding import Stream
from envhub.envs.code.python_tool import questions
from envhub.envs.code.python_tool.questions import FAMILIES, MODULUS


def printed(source: str) -> int:
    out = io.StringIO()
    with redirect_stdout(out):
        exec(source, {})
    return int(out.getvalue())


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("work", [30, 200, 900])
def test_a_value_is_what_a_naive_program_of_another_hand_finds(name: str, work: int) -> None:
    for seed in range(6):
        rng = Stream(b"family", name, work, seed)
        parts, x = [(name, FAMILIES[name].draw(rng, work))], rng.below(MODULUS)
        assert printed(questions.program(parts, x)) == questions.value(parts, x)


@settings(max_examples=30)
@given(seed=st.integers(0, 10**6), count=st.integers(2, 4), work=st.integers(20, 300))
def test_a_chain_carries_remainders(seed: int, count: int, work: int) -> None:
    parts, x = questions.draw(Stream(b"chain", seed), count, work)
    assert len({name for name, _ in parts}) == count
    carried = x
    for part in parts:
        carried = questions.value([part], carried % MODULUS)
    assert questions.value(parts, x) == carried == printed(questions.program(parts, x))


@pytest.mark.parametrize("name", FAMILIES)
def test_the_words_hold_every_number_and_the_value_follows_from_each(name: str) -> None:
    rng = Stream(b"words", name)
    numbers = FAMILIES[name].draw(rng, 300)
    (text,) = questions.asked([(name, numbers)])
    assert not re.search(r"[{}]", text)
    said = set(re.findall(r"\d+", text))
    assert {str(number) for what, number in numbers.items() if what not in ("steps", "weekday")} <= said
    value = questions.value([(name, numbers)], 17)
    for what in sorted(set(numbers) - {"steps", "weekday", "r"}):
        others = [{**numbers, what: numbers[what] + by} for by in range(1, 100)]
        assert any(questions.value([(name, other)], 17) != value for other in others), what


@pytest.mark.parametrize("name", FAMILIES)
def test_what_is_carried_matters_and_values_spread(name: str) -> None:
    numbers = FAMILIES[name].draw(Stream(b"spread", name), max(200, FAMILIES[name].least))
    values = [questions.value([(name, numbers)], x) for x in range(0, 1000, 53)]
    assert len(set(values)) >= 5


@pytest.mark.parametrize("work", [40, 400, 4000])
def test_steps_are_about_as_many_as_asked_for(work: int) -> None:
    for name, family in FAMILIES.items():
        if family.least <= work:
            assert 0.5 * work <= family.draw(Stream(b"steps", name), work)["steps"] <= 2 * work, name
