"""Expressions as trees: exact values and the work to find them."""

from fractions import Fraction

import pytest

from envhub.generators.expressions.text import parse, render
from envhub.generators.expressions.trees import Negation, Number, Operation, Tree, canonical, evaluate, leaves, work
from tests.generators.expressions.trees import n


def test_a_number_is_not_negative() -> None:
    with pytest.raises(ValueError, match=r"Negation\(Number\(5\)\)"):
        Number(-5)


def test_a_tree_deeper_than_the_recursion_limit_is_walked() -> None:
    tree: Tree = n(1)
    for _ in range(5000):
        tree = Negation(Operation("+", n(1), tree))
    assert evaluate(tree) in (Fraction(0), Fraction(1))
    assert leaves(tree) == [1] * 5001
    assert work(tree) >= 10_000
    assert canonical(Operation("-", tree, tree))
    assert render(tree).count("(") == 9999


def test_evaluate_is_exact_and_knows_division_by_zero() -> None:
    assert evaluate(parse("8/(3-8/3)")) == 24
    assert evaluate(parse("1/3")) == Fraction(1, 3)
    assert evaluate(parse("1/(2-2)")) is None
    assert evaluate(parse("0*(1/0)")) is None
    assert evaluate(parse("0/5")) == 0


def test_work_counts_digit_operations() -> None:
    assert work(parse("7")) == 0
    assert work(parse("12+345")) == 5
    assert work(parse("12*345")) == 6
    assert work(parse("12*345+1")) == 6 + 5
    assert work(parse("-12*345")) == 6
    assert work(parse("1/3+1")) == 1 + 3
    with pytest.raises(ValueError, match="divides by zero"):
        work(parse("1/0"))
