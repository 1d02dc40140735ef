"""Expressions as answers: what is read as one, and above all what is not."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from envhub.core.seeding import Stream
from envhub.generators.expressions.text import parse, render
from envhub.verifiers.answers.types import Expression
from tests.verifiers.answers.reading import refused, tag, value_of


def test_expressions_are_read_with_the_result_they_claim() -> None:
    assert value_of(Expression(), tag("3*8")) == (parse("3*8"), None)
    assert value_of(Expression(), tag("3 \u00d7 8 = 24")) == (parse("3*8"), 24)
    assert value_of(Expression(), tag("3*8 = -24")) == (parse("3*8"), -24)
    assert value_of(Expression(), "\\boxed{\\frac{6}{2}}") == (parse("6/2"), None)
    assert value_of(Expression(), "The answer is: `(1 + 2) * 3`.") == (parse("(1+2)*3"), None)


@pytest.mark.parametrize(
    "text",
    [
        "3*8 = 24 = 24",
        "24 = 3*8",
        "x = 3*8",
        "3*8 = ",
        "3(8)",
        "3**8",
        "3^8",
        "3*8 or 4*6",
        "3*8\n4*6",
        "3.0*8",
        "1,000*2",
        "3//8",
        "3*8;",
        "__import__('os')",
        "3*8 # 24",
        "3*a",
        "(3*8",
        "3*8)",
        "(3*8]",
        "*",
        "",
        "3 8",
        "3 % 8",
        "3*8 == 24",
        "not 3*8",
        "$3$ * $8$",
        "3\u0668",
        "1e3",
        "0x3*8",
        "9" * 51,
        "(" * 65 + "1" + ")" * 65,
        "+".join("1" * 201),
        " " * 2001 + "1*1",
    ],
)
def test_nothing_but_one_expression_is_an_expression(text: str) -> None:
    if text.startswith("  "):
        assert value_of(Expression(), tag(text)) == (parse("1*1"), None)  # what is stripped is not counted
        return
    assert refused(Expression(), tag(text)) in ("unreadable", "empty")


@given(st.binary(max_size=8))
def test_an_expression_survives_its_own_rendering(key: bytes) -> None:
    tree, _ = Expression().parse(Expression().random(Stream(key)))
    assert value_of(Expression(), tag(render(tree))) == (tree, None)


def test_different_expressions_are_different_answers_even_if_they_are_worth_the_same() -> None:
    assert refused(Expression(), tag("3*8") + tag("4*6")) == "ambiguous"
    assert value_of(Expression(), tag("3*8") + tag("3 * 8")) == (parse("3*8"), None)
