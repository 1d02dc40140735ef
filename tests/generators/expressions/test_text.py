"""Expressions as text: what is written is read back, and no text does anything else than be refused."""

import sys
from fractions import Fraction
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from envhub.generators.expressions.text import ExpressionError, parse, parse_equation, render
from envhub.generators.expressions.trees import Tree, evaluate
from tests.generators.expressions.trees import law, trees


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


@pytest.mark.slow
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


@pytest.mark.slow
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
