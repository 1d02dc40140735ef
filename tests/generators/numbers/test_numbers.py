"""Bases, roundings, formulas and digit puzzles, at their edges."""

from __future__ import annotations

from fractions import Fraction

import pytest

from envhub.core.seeding import Stream
from envhub.generators.numbers import bases, congruences, cryptarithms, decimals, formulas
from envhub.generators.numbers.formulas import ARITHMETIC


@pytest.mark.parametrize("base", [2, 10, 36, -2, -7, -36])
def test_digits_are_read_back_in_every_base(base: int) -> None:
    for number in (0, 1, 35, 36, 1023, 99_991):
        digits = bases.digits_of(number, base)
        assert bases.value_of(digits, base) == number
        assert all(0 <= digit < abs(base) for digit in digits)


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        ("half away from zero", ["2.3", "-2.3", "2.2"]),
        ("half to even", ["2.2", "-2.2", "2.2"]),
        ("towards zero", ["2.2", "-2.2", "2.2"]),
        ("down", ["2.2", "-2.3", "2.2"]),
        ("up", ["2.3", "-2.2", "2.3"]),
    ],
)
def test_halves_are_rounded_by_the_stated_rule(rule: str, found: list[str]) -> None:
    values = [Fraction("2.25"), Fraction("-2.25"), Fraction("2.21")]
    assert [decimals.write(decimals.rounded(value, 1, rule)) for value in values] == found


def test_every_rounding_rule_has_a_sentence() -> None:
    assert all(rule.endswith(".") for rule in decimals.ROUNDINGS.values())


def test_infix_keeps_the_parentheses_that_matter() -> None:
    assert formulas.infix(["-", 8, ["-", 5, 2]], ARITHMETIC) == "8 - (5 - 2)"
    assert formulas.infix(["-", ["-", 8, 5], 2], ARITHMETIC) == "8 - 5 - 2"
    assert formulas.infix(["*", ["+", 1, 2], 3], ARITHMETIC) == "(1 + 2) * 3"


def test_the_order_of_summands_is_folded_and_that_of_a_difference_is_not() -> None:
    def form(formula: list[object]) -> object:
        return formulas.canonical(formula, ARITHMETIC)

    assert form(["-", ["+", 1, 2], 3]) == form(["+", ["-", 2, 3], 1])
    assert form(["-", 1, 2]) != form(["-", 2, 1])
    assert form(["/", 6, ["*", 2, 3]]) == form(["/", ["/", 6, 3], 2])


def test_contradicting_remainders_have_no_solution() -> None:
    assert congruences.combine([(4, 1), (6, 2)]) is None
    assert congruences.combine([(4, 1), (6, 3)]) == (9, 12)


def test_a_known_puzzle_has_one_solution() -> None:
    puzzle = cryptarithms.Puzzle("sum", ("SEND", "MORE"), "", "MONEY", {})
    found = cryptarithms.search(puzzle, 2, 10**6).solutions
    assert found == [{"D": 7, "E": 5, "M": 1, "N": 6, "O": 0, "R": 8, "S": 9, "Y": 2}]


@pytest.mark.parametrize("shape", cryptarithms.SHAPES)
def test_a_drawn_puzzle_is_true_of_its_solution(shape: str) -> None:
    puzzle, solution = cryptarithms.draw(Stream(shape.encode()), shape, 3)
    given = puzzle._replace(given=solution)
    assert cryptarithms.search(given, 2, 10**4).solutions == [solution]
