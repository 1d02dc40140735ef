"""The canonical form of expressions: order and grouping are not seen, values are."""

import json
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given, strategies as st

from envhub.core.seeding import Stream
from envhub.generators.expressions.text import parse
from envhub.generators.expressions.trees import Negation, Number, Operation, Tree, canonical, evaluate
from tests.generators.expressions.trees import law, n, trees


def rearranged(tree: Tree, rng: Stream) -> Tree:
    """``tree`` with operands exchanged and chains regrouped at random, everywhere."""
    if isinstance(tree, Number):
        return tree
    if isinstance(tree, Negation):
        return Negation(rearranged(tree.operand, rng))
    op, left, right = tree.op, rearranged(tree.left, rng), rearranged(tree.right, rng)
    if isinstance(left, Operation) and rng.below(2):
        a, inner, b = left.left, left.op, left.right
        if {inner, op} <= set("+-"):
            # (a i b) o c is (a o c) i b
            return Operation(inner, Operation(op, a, right), b)
        if {inner, op} <= set("*/"):
            return Operation(inner, Operation(op, a, right), b)
    if isinstance(right, Operation) and op in "+-" and right.op in "+-" and rng.below(2):
        # a - (b - c) is (a - b) + c
        last = right.op if op == "+" else "-" if right.op == "+" else "+"
        return Operation(last, Operation(op, left, right.left), right.right)
    if op in "+*" and rng.below(2):
        return Operation(op, right, left)
    return Operation(op, left, right)


@law
@given(trees, st.integers(0, 10**6))
def test_canonical_does_not_see_order_and_grouping(tree: Tree, seed: int) -> None:
    rng = Stream(b"rearrange", seed)
    other = rearranged(rearranged(tree, rng), rng)
    assert canonical(tree) == canonical(other)
    assert evaluate(tree) == evaluate(other)


def test_trees_of_equal_form_have_equal_values() -> None:
    groups: dict[str, set[Fraction | None]] = {}
    for seed in range(4000):
        rng = Stream(b"forms", seed)
        tree: Tree = n(rng.below(3))
        for _ in range(rng.between(1, 4)):
            tree = Negation(tree) if rng.below(6) == 0 else tree
            parts = (tree, n(rng.below(3)))
            tree = Operation(rng.choice("+-*/"), *(parts if rng.below(2) else parts[::-1]))
        groups.setdefault(json.dumps(canonical(tree)), set()).add(evaluate(tree))
    assert len(groups) > 500
    assert all(len(values) == 1 for values in groups.values())


def test_canonical_counts_the_known_number_of_different_expressions() -> None:
    def every(items: tuple[int, ...]) -> list[Tree]:
        if len(items) == 1:
            return [n(items[0])]
        return [
            Operation(op, left, right)
            for cut in range(1, len(items))
            for left in every(items[:cut])
            for right in every(items[cut:])
            for op in "+-*/"
        ]

    # OEIS A140606: different functions of 2 and 3 variables, each used once
    for items, count in (((2, 3), 6), ((2, 3, 5), 68)):
        forms = {json.dumps(canonical(tree)) for order in permutations(items) for tree in every(order)}
        assert len(forms) == count


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1-2+3", "3+1-2", True),
        ("4*5/6", "4/6*5", True),
        ("1-(2-3)", "3-(2-1)", True),
        ("8/(4/2)", "2*8/4", True),
        ("-2*3", "2*-3", True),
        ("5-2*3", "5+(-2)*3", True),
        ("-(1-2)", "2-1", True),
        ("1-2", "2-1", False),
        ("4/2", "2/4", False),
        ("(1+2)*3", "1+2*3", False),
        ("2*3", "6", False),
        ("2*3", "-2*3", False),
        ("10+9", "1+9", False),
        ("1/(2/0)", "1*0/2", False),
    ],
)
def test_canonical_by_example(one: str, other: str, same: bool) -> None:
    assert (canonical(parse(one)) == canonical(parse(other))) is same
