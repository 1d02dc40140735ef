import json
import sys
from collections import Counter
from fractions import Fraction
from itertools import permutations
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from envhub.generators.expression import (
    Negation,
    Number,
    Operation,
    Tree,
    canonical,
    evaluate,
    leaves,
    postorder,
    random_expression,
    work,
)
from envhub.generators.expression_text import ExpressionError, parse, parse_equation, render
from envhub.seeding import Stream

law = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

numbers = st.builds(Number, st.integers(0, 60))
trees = st.recursive(
    numbers,
    lambda inner: st.builds(Operation, st.sampled_from("+-*/"), inner, inner) | st.builds(Negation, inner),
    max_leaves=8,
)
unsigned_trees = st.recursive(
    numbers, lambda inner: st.builds(Operation, st.sampled_from("+-*/"), inner, inner), max_leaves=8
)


def n(value: int) -> Number:
    return Number(value)


# --- trees ------------------------------------------------------------------------------------------------------------


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


# --- text -------------------------------------------------------------------------------------------------------------


@law
@given(trees)
def test_render_then_parse_gives_the_tree_back(tree: Tree) -> None:
    assert parse(render(tree)) == tree


@pytest.mark.parametrize(
    "text",
    ["1 - (2 - 3)", "1 - 2 - 3", "8 / (2 * 3)", "8 / 2 * 3", "(1 + 2) * 3", "1 + 2 * 3", "1 - (-2)", "-2 * 3", "-(2 * 3)",
     "-(-2)", "1 + (-2) * 3", "(-2 + 1) * 3"],
)  # fmt: skip
def test_render_keeps_the_parentheses_that_matter_and_no_others(text: str) -> None:
    assert render(parse(text)) == text


@st.composite
def texts(draw: st.DrawFn, depth: int = 3) -> tuple[str, Fraction | None]:
    """A text of the grammar with its value, worked out while it is written (no tree, no precedence table)."""

    def space() -> str:
        return draw(st.sampled_from(["", "", " ", "\u00a0", r"\,", "\n"]))

    def factor(depth: int) -> tuple[str, Fraction | None]:
        kind = draw(st.integers(0, 5 if depth else 1))
        if kind <= 1:
            value = draw(st.integers(0, 30))
            return str(value), Fraction(value)
        if kind == 2:
            sign = draw(st.sampled_from(["+", "-", "\u2212"]))
            text, inner = factor(depth - 1)
            return sign + space() + text, inner if sign == "+" or inner is None else -inner
        if kind == 3:
            top, up = total(depth - 1)
            bottom, down = total(depth - 1)
            return rf"\frac{{{top}}}{{{bottom}}}", None if up is None or not down else up / down
        opening, closing = draw(st.sampled_from(["()", "[]", "{}", (r"\left(", r"\right)"), (r"\{", r"\}")]))
        text, inner = total(depth - 1)
        return opening + text + space() + closing, inner

    def product(depth: int) -> tuple[str, Fraction | None]:
        text, value = factor(depth)
        for _ in range(draw(st.integers(0, 2))):
            op = draw(st.sampled_from(["*", "/", "\u00d7", "\u00b7", "\u00f7", r"\times ", r"\div ", r"\cdot "]))
            more, other = factor(depth)
            text += space() + op + space() + more
            if value is None or other is None:
                value = None
            elif op in ("/", "\u00f7", r"\div "):
                value = value / other if other else None
            else:
                value *= other
        return text, value

    def total(depth: int) -> tuple[str, Fraction | None]:
        text, value = product(depth)
        for _ in range(draw(st.integers(0, 2))):
            op = draw(st.sampled_from(["+", "-", "\u2212", "\u2013"]))
            more, other = product(depth)
            text += space() + op + space() + more
            value = None if value is None or other is None else value + other if op == "+" else value - other
        return text, value

    text, value = total(depth)
    return draw(st.sampled_from([text, text, f"${text}$", rf"\({text}\)"])), value


@law
@given(texts())
def test_the_parser_agrees_with_a_value_worked_out_beside_the_text(case: tuple[str, Fraction | None]) -> None:
    text, value = case
    assert evaluate(parse(text, max_leaves=10_000, max_chars=100_000)) == value


def only_expression_errors(text: str, **limits: int) -> bool:
    message = ""
    try:
        parse(text, **limits)
        parse_equation(text, **limits)
    except ExpressionError as error:
        message = str(error)
    message.encode()  # a message with a lone surrogate could not be sent
    assert len(message) < 300
    return bool(message)


@law
@given(
    st.text(max_size=40)
    | st.text(st.characters(categories=["Cs", "Cc", "Nd", "Sm"]), max_size=20)
    | st.binary(max_size=40).map(lambda raw: raw.decode("latin-1"))
)
def test_no_text_raises_anything_else(text: str) -> None:
    only_expression_errors(text)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(["1", "23", "+", "-", "*", "/", "(", ")", "[", "]", "{", "}", "=", "$", "$$", " ", r"\(",
    r"\)", r"\[", r"\]", r"\{", r"\}", r"\frac", r"\left", r"\right", r"\times", r"\quad", r"\,", "\\", "^", "\ud800"]),
    max_size=14).map("".join))  # fmt: skip
def test_no_arrangement_of_tokens_raises_anything_else(text: str) -> None:
    only_expression_errors(text)


@pytest.mark.parametrize(
    "text",
    ["(" * 10**6, "9" * 10**6, "-" * 10**6, "1+" * 500_000 + "1", "\\frac{" * 10**5, "\x00", "\ud800" * 2001, "", " ", "$$",
     "$", "=", "==", "()", "\\", "\\left", "\\right)"],
    ids=range(17),
)  # fmt: skip
def test_hostile_texts_are_refused(text: str) -> None:
    assert only_expression_errors(text)
    assert only_expression_errors(text, max_chars=10**7, max_depth=5000)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("2*(3)", "2(3)"),
        ("(2)*(3)", "(2)(3)"),
        ("2 * 3", "2 ** 3"),
        ("8/2", "8//2"),
        ("2", "2^2"),
        ("1000", "1,000"),
        ("15/10", "1.5"),
        ("24", "24."),
        ("1000", "1_000"),
        ("100", "1e2"),
        ("16", "0x10"),
        ("3*8", "3 x 8"),
        ("3*8", "3*8 or 24"),
        ("3*8", "3*8; 4*6"),
        ("3*8", "3*8, 4*6"),
        ("3*8", "a*8"),
        ("3*8", "3*8 = 24"),
        ("3", "\u0663"),
        ("3", "\u00b3"),
        ("3", "\uff13"),
        ("12", "1 2"),
        ("[1+{2}]", "[1+2)"),
        ("(1)", "(1"),
        ("(1)", "1)"),
        (r"\left(1\right)", r"\left(1)"),
        (r"\left(1\right)", r"(1\right)"),
        (r"\left(1\right)", r"\left 1\right)"),
        (r"\frac{1}{2}", r"\frac12"),
        (r"\frac{1}{2}", r"\frac{1}"),
        (r"\frac{1}{2}", r"\frac{1}(2)"),
        (r"3+\frac{1}{2}", r"3\frac{1}{2}"),
        (r"2\cdot 3", r"2\cdots 3"),
        ("$1+2$", "$1+2"),
        ("$1+2$", "$1$+$2$"),
        ("$1+2$", "$$1+2$"),
        (r"\(1+2\)", r"\(1+2\]"),
        ("1+2", "1+"),
        ("1*-2", "1*/2"),
        ("3*8", "__import__('os')"),
        ("3*8", "eval(24)"),
        ("3*8", "3*8 # 24"),
    ],
)
def test_what_is_refused_and_its_neighbour_that_is_not(good: str, bad: str) -> None:
    parse(good)
    with pytest.raises(ExpressionError):
        parse(bad)


def test_messages_say_what_and_where() -> None:
    for text, message in [
        ("2(3)", "expected an operator, found '(' at character 2"),
        ("2+", "expected a number or a bracket, found the end at character 3"),
        ("(1+2", "'(' is never closed, opened at character 1"),
        ("(1+2]", "expected ')', found ']' at character 5"),
        ("1.5", "'.' is not part of an expression at character 2"),
        (r"\pi", r"'\\pi' is not part of an expression at character 1"),
    ]:
        with pytest.raises(ExpressionError) as caught:
            parse(text)
        assert str(caught.value) == message


def test_limits_hold_to_the_last_unit() -> None:
    parse("9" * 7, max_digits=7)
    parse("1+1+1", max_leaves=3)
    parse("((1))", max_depth=2)
    parse("--1 - -1", max_depth=2)
    parse("1+1", max_chars=3)
    parse("9" * 640, max_digits=10**6)
    for text, limits in [
        ("9" * 8, {"max_digits": 7}),
        ("1+1+1+1", {"max_leaves": 3}),
        ("(((1)))", {"max_depth": 2}),
        ("(-(1))", {"max_depth": 2}),
        ("1+1 ", {"max_chars": 3}),
        ("9" * 641, {"max_digits": 10**6}),
    ]:
        with pytest.raises(ExpressionError):
            parse(text, **limits)  # type: ignore[arg-type]
    # depth is what is open at once, not how often something was opened
    parse("(1)" + "+(-1)" * 150)


def lines_run(text: str) -> int:
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        only_expression_errors(text, max_chars=10**9, max_depth=10**9, max_leaves=10**9, max_digits=10**9)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("unit", ["1+", "1*2-", "(", "-", "(1)+", r"\frac{", "(-", "1+("])
def test_parsing_is_linear(unit: str) -> None:
    assert lines_run(unit * 800 + "1") < 4.3 * lines_run(unit * 200 + "1")


def test_equations() -> None:
    assert parse_equation("3*8 = 24") == (parse("3*8"), 24)
    assert parse_equation("3*8") == (parse("3*8"), None)
    assert parse_equation("3-8=-5")[1] == -5
    for text in ("$3*8=24$", "$3*8$ = 24", "$3*8$ = $24$", r"\[3 \times 8 = 24\]"):
        assert parse_equation(text) == (parse("3*8"), 24)
    assert parse_equation("3*8=25")[1] == 25  # the caller compares
    for text in (
        "=24",
        "3*8=",
        "3*8=24=24",
        "24=3*8",
        "3*8=4*6",
        "3*8=24.0",
        "3*8==24",
        "3*8=--24",
        "3*8=(24)",
        "(3*8=24)",
    ):
        with pytest.raises(ExpressionError):
            parse_equation(text)


# --- canonical form ---------------------------------------------------------------------------------------------------


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


# --- random expressions -----------------------------------------------------------------------------------------------


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
