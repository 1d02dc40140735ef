"""Integers and rationals: what is read as one, and above all what is not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.verifiers.answers.extraction import FORMS
from envhub.verifiers.answers.types import Integer, Rational
from tests.verifiers.answers.reading import every_form, refused, tag, value_of

# -- integers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("42", 42), ("-7", -7), ("+7", 7), ("- 7", -7), ("0", 0), ("-0", 0), ("007", 7), ("42.0", 42), ("42.000", 42),
        ("1,024", 1024), ("-1,234,567", -1234567), ("1,024.0", 1024), ("\u22127", -7), ("\u20137", -7), ("\u00a05", 5),
    ],
)  # fmt: skip
def test_integers_are_read(text: str, value: int) -> None:
    assert value_of(Integer(), tag(text)) == value
    assert type(Integer().read(tag(text)).value) is int


HEDGES = [
    "5 or 3", "5, 3", "5 3", "5/3", "5;3", "5 and 3", "either 5 or 3", "not 5", "the answer is not 42", "5 (or 3)", "5?", "~5",
    "about 5", ">5", "5-6", "5-", "--5", "+-5", "5 +", "5+0", "2*3", "2^3", "1e5", "1E5", "5e0", "0x10", "0b1", "1_000", "5.5",
    "5.01", "5,", ",5", "1,02", "1,0244", "10,24", "1,024,5", "1.024.000", "1 024", "1\u202f024", "1'024", "nan", "NaN", "inf",
    "-inf", "Infinity", "True", "None", "\u0665", "\u00b2", "\uff15", "\u2460", "\u4e94", "V", "5%", "5\u00b0", "5j", "#5",
    "\\frac{10}{2}", "5\n6", "5\n", "[5]", "{5}", "int('5')", "__import__('os')", "5\x00", "5\u200b", "\u202e5", "-", "+", ".0",
    "1" * 1001, ".", "-.", ",",
]  # fmt: skip


@pytest.mark.parametrize("text", [hedge for hedge in HEDGES if hedge != "5\n"])
@every_form
def test_nothing_but_one_integer_is_an_integer(text: str, form: str) -> None:
    if form == "last" and "\n" in text:
        return
    assert refused(Integer(), Integer().asking(form).wrap(text)) in ("unreadable", "empty")


@given(st.integers(), st.sampled_from(FORMS))
def test_every_integer_is_read_back(value: int, form: str) -> None:
    kind = Integer().asking(form)
    assert value_of(kind, kind.wrap(str(value))) == value
    assert value_of(kind, kind.wrap(f"{value:,}")) == value
    assert value_of(kind, f"Because.\n{kind.wrap(f'**{value}**')}") == value


def test_an_integer_may_be_long_but_not_endless() -> None:
    assert value_of(Integer(), tag("9" * 1000)) == 10**1000 - 1
    assert "more than 1000 digits" in Integer().read(tag("9" * 1001)).feedback
    assert refused(Integer(max_digits=3), tag("1,024")) == "unreadable"


# -- rationals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3/4", "3/4"), ("-3/4", "-3/4"), ("3/-4", "-3/4"), ("-3/-4", "3/4"), ("6/8", "3/4"), ("3 / 4", "3/4"), ("5", "5"),
        ("0.75", "3/4"), (".75", "3/4"), ("-.5", "-1/2"), ("1,000.5", "2001/2"), ("\\frac{3}{4}", "3/4"), ("\u22123/4", "-3/4"),
        ("-\\frac{3}{4}", "-3/4"), ("\\dfrac{-3}{4}", "-3/4"), ("\\tfrac{3}{-4}", "-3/4"), ("$\\frac{6}{8}$", "3/4"),
        ("5.0", "5"), ("0/7", "0"), ("0.1", "1/10"), ("\\frac{ 3 } { 4 }", "3/4"), ("- 3/4", "-3/4"),
    ],
)  # fmt: skip
def test_rationals_are_read_exactly(text: str, value: str) -> None:
    assert value_of(Rational(), tag(text)) == Fraction(value)


@pytest.mark.parametrize(
    "text",
    [
        "1/0",
        "0/0",
        "\\frac{1}{0}",
        "1 1/2",
        "1/2/3",
        "1/2 or 3/4",
        "3/4.0",
        "0.3...",
        "0.(3)",
        "75%",
        "1e-3",
        "nan",
        "inf",
        "a/b",
        "\\frac345",
        "2\\frac34",
        "\\frac{3}",
        "\\frac{\\frac{1}{2}}{3}",
        "\u00be",
        "3\u20444",
        "3:4",
        "3\\4",
        "not 3/4",
        "--3/4",
        "1,5",
        "",
        ".",
        "\u0663/\u0664",
        "3/",
        "/4",
        "3/4/",
        "-",
        "1" * 600 + "/" + "1" * 600,
        "sqrt(2)",
        "0.5.5",
        "1.",
        "1,00.5",
    ],
)
def test_nothing_but_one_rational_is_a_rational(text: str) -> None:
    if text == "1.":
        assert value_of(Rational(), tag(text)) == 1  # a full stop
        return
    assert refused(Rational(), tag(text)) in ("unreadable", "empty")


@given(st.fractions(), st.sampled_from(FORMS))
def test_every_fraction_is_read_back(value: Fraction, form: str) -> None:
    kind = Rational().asking(form)
    for text in (str(value), f"\\frac{{{value.numerator}}}{{{value.denominator}}}"):
        assert value_of(kind, kind.wrap(text)) == value


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6))
def test_every_decimal_is_read_back_exactly(value: Any) -> None:
    assert value_of(Rational(), tag(f"{value:f}")) == Fraction(value)
