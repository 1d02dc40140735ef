"""Members of the family ExpressionValue: SymPy agrees, other forms count, and near misses do not."""

from __future__ import annotations

from fractions import Fraction

import pytest

from envhub.core.difficulty import LEVELS
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.families.expression_value import ExpressionValue
from envhub.verifiers.answers.near_misses import near_miss
from envhub.verifiers.answers.types import Unreadable
from envhub.verifiers.math.forms import is_expanded
from tests.families.members import members, problems
from tests.families.second.algebra import CHECKS, read

pytestmark = pytest.mark.slow
MEMBERS = [member for member in members(ExpressionValue) if member != "geometry-v0"]
"""Figures have a second solver of their own, on coordinates, in tests/envs/pictures/test_geometry.py."""
each_member = pytest.mark.parametrize("member", MEMBERS)


def test_every_member_has_a_second_implementation() -> None:
    assert set(MEMBERS) == set(CHECKS)


@each_member
@pytest.mark.parametrize("count", [2, pytest.param(20, marks=pytest.mark.nightly)])
def test_the_second_implementation_agrees(member: str, count: int) -> None:
    for level in LEVELS:
        for environment, instance in problems(member, level, count):
            assert CHECKS[member](instance.problem, environment.solve(instance)), (level, instance)


@each_member
def test_the_second_implementation_refuses_the_answer_to_another_problem(member: str) -> None:
    (environment, one), (_, other) = problems(member, 5, 2)
    try:
        accepted = CHECKS[member](one.problem, environment.solve(other))
    except (IndexError, KeyError, TypeError, ValueError):
        accepted = False  # an answer of another shape
    assert not accepted


@each_member
@pytest.mark.parametrize("count", [2, pytest.param(40, marks=pytest.mark.nightly)])
def test_other_forms_count_and_near_misses_do_not(member: str, count: int) -> None:
    for level in LEVELS:
        for environment, instance in problems(member, level, count):
            assert isinstance(environment, ExpressionValue)
            for text in environment.alternatives(instance):
                assert environment.grade(instance, environment.answer.parse(text)).solved is True, text
            for text in environment.mistakes(instance):
                assert not solved(environment, instance, text), text
            rng = Stream(b"near", member, level)
            for text in {near_miss(instance.key, rng) for _ in range(6)} - {instance.key}:
                assert not solved(environment, instance, text) or CHECKS[member](instance.problem, text), text


def solved(environment: ExpressionValue, instance: Instance, text: str) -> bool:
    """Whether an answer counts; the verdict on a member's own mistakes must not stay open."""
    try:
        verdict = environment.grade(instance, environment.answer.parse(text))
    except Unreadable:
        return False
    return verdict.solved is True


@pytest.mark.parametrize("member", ["complex-arithmetic-v0", "polynomial-expand-v0", "matrix-v0"])
def test_arithmetic_that_is_left_to_do_does_not_count(member: str) -> None:
    for environment, instance in problems(member, 3, 5):
        text = str(instance.key)
        for changed in (text.replace("1", "(3 - 2)", 1), text.replace("2", "1*2", 1).replace("3", "(1 + 2)", 1)):
            if member != "polynomial-expand-v0" and changed != text and "(" in changed:
                assert not solved(environment, instance, changed), changed


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("3 + 2*x", True),
        ("3*x^0 + 2*x^1", True),
        ("3*x^0 + 1", False),
        ("2*x + 3*x", False),
        ("x*(x + 1)", False),
    ],
)
def test_a_power_with_the_exponent_0_is_a_number(text: str, expanded: bool) -> None:
    [(environment, _)] = problems("interpolation-v0", 1, 1)
    assert is_expanded(environment.answer.parse(text).value) is expanded


def test_sympy_reads_what_we_write() -> None:
    assert read("2*x^2 - ln(3)/2").subs("x", 0) == -read("ln(3)") * Fraction(1, 2)


@pytest.mark.parametrize(
    ("member", "names"),
    [
        ("differentiate-v0", ["f'(x)", "f^{\\prime}(x)", "y'", "\\frac{df}{dx}", "\\frac{d}{dx} f(x)"]),
        ("integrate-v0", ["F(x)", "\\int f(x)\\,dx"]),
        ("recurrence-v0", ["a(n)", "a_n", "a_{n}"]),
        ("series-v0", ["f(x)", "T_{3}(x)", "P_4(x)"]),
        ("interpolation-v0", ["p(x)"]),
        ("polynomial-factor-v0", ["p(x)"]),
        ("limit-v0", ["L"]),
    ],
)
def test_the_name_of_the_answer_may_precede_it(member: str, names: list[str]) -> None:
    for environment, instance in problems(member, 3, 2):
        for name in names:
            reading = environment.answer.read(f"<answer>${name} = {instance.key}$</answer>")
            assert environment.grade(instance, reading.value).solved is True, name
