"""Random expressions keep their promises."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.seeding import Stream
from envhub.generators.expressions.text import parse, render
from envhub.generators.expressions.trees import Operation, evaluate, leaves, postorder, random_expression, work


def parentheses(text: str) -> int:
    depth = deepest = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        deepest = max(deepest, depth)
    return deepest


@settings(max_examples=150, deadline=None)
@given(
    st.integers(1, 10), st.integers(1, 4), st.sampled_from(["+", "+-", "-", "*", "+*", "-/", "+-*", "+-*/"]),
    st.integers(0, 4), st.integers(0, 10**9),
)  # fmt: skip
def test_random_expressions_keep_their_promises(
    terms: int, digits: int, operators: str, nesting: int, seed: int
) -> None:
    tree = random_expression(Stream(b"r", seed), terms=terms, digits=digits, operators=operators, nesting=nesting)
    used = leaves(tree)
    assert len(used) == terms
    assert all(0 < number < 10**digits for number in used)
    text = render(tree)
    assert "--" not in text
    assert parentheses(text) <= nesting
    assert parse(text) == tree
    bound = 10 ** (2 * digits + 2) if set(operators) & set("+-") else 10 ** (terms * digits)
    for node in postorder(tree):
        value = evaluate(node)
        assert value is not None
        assert value.denominator == 1
        assert abs(value) <= bound
        if isinstance(node, Operation):
            assert node.op in operators
            right = evaluate(node.right)
            assert right is not None
            if node.op == "/":
                assert abs(right) > 1
                assert abs(value) > 1
            if node.op == "*":
                assert value != 0
    again = random_expression(Stream(b"r", seed), terms=terms, digits=digits, operators=operators, nesting=nesting)
    assert again == tree


@pytest.mark.parametrize(("terms", "digits", "nesting"), [(2, 2, 0), (4, 2, 0), (4, 2, 2), (8, 1, 2), (6, 3, 3)])
def test_no_operator_starves_and_no_answer_dominates(terms: int, digits: int, nesting: int) -> None:
    made = [
        random_expression(Stream(b"v", seed), terms=terms, digits=digits, operators="+-*/", nesting=nesting)
        for seed in range(600)
    ]
    ops = Counter(node.op for tree in made for node in postorder(tree) if isinstance(node, Operation))
    assert all(0.18 < ops[op] / ops.total() < 0.32 for op in "+-*/")
    assert Counter(map(evaluate, made)).most_common(1)[0][1] < 0.05 * len(made)
    assert max(parentheses(render(tree)) for tree in made) == nesting


def test_divisors_that_are_expressions_are_never_trivial() -> None:
    divisors = [
        evaluate(node.right)
        for seed in range(400)
        for node in postorder(random_expression(Stream(b"d", seed), terms=5, digits=1, operators="+-/", nesting=2))
        if isinstance(node, Operation) and node.op == "/" and isinstance(node.right, Operation)
    ]
    assert len(divisors) > 50
    assert all(divisor is not None and abs(divisor) > 1 for divisor in divisors)


def test_work_grows_with_terms_and_digits() -> None:
    def mean(terms: int, digits: int) -> float:
        made = (
            random_expression(Stream(b"w", seed), terms=terms, digits=digits, operators="+-*/", nesting=1)
            for seed in range(100)
        )
        return sum(map(work, made)) / 100

    assert mean(2, 1) < mean(3, 1) < mean(3, 2) < mean(5, 2) < mean(5, 3)


def test_random_expression_refuses_what_it_cannot_do() -> None:
    good: dict[str, Any] = {"terms": 3, "digits": 1, "operators": "+-", "nesting": 1}
    for wrong in ({"terms": 0}, {"terms": 101}, {"digits": 0}, {"digits": 51}, {"nesting": -1}, {"operators": ""},
                  {"operators": "++"}, {"operators": "^"}, {"terms": 9, "operators": "/"}):  # fmt: skip
        with pytest.raises(ValueError, match=next(iter(wrong))):
            random_expression(Stream(b"x"), **(good | wrong))
