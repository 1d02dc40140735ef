"""Tokens, the grammar, numbers in words: what is read as what, and that nothing raises or hangs."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.verifiers.math import KINDS, compare, kind_of
from envhub.verifiers.math.grammar import parse
from envhub.verifiers.math.identity import exact_value
from envhub.verifiers.math.lexer import MAX_CHARS, NotMath, lex, pieces
from envhub.verifiers.math.names import Names
from envhub.verifiers.math.words import number_in_words


def value(text: str) -> Fraction | None:
    return exact_value(parse(lex(text), Names(frozenset())))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2+3*4", 14),
        ("-2^4", -16),
        ("(-2)^4", 16),
        ("2^3^2", 512),
        ("2^-3", Fraction(1, 8)),
        ("2**5", 32),
        ("10-4-3", 3),
        ("100/10/5", 2),
        (r"\frac12", Fraction(1, 2)),
        (r"\frac{1}{2}\cdot\dfrac34", Fraction(3, 8)),
        (r"\left(\frac{1}{2}\right)^{2}", Fraction(1, 4)),
        (r"\frac1{20}", Fraction(1, 20)),
        ("3(4)", 12),
        ("(3)(4)", 12),
        ("5!", 120),
        (r"4!\,5!", 2880),
        ("|3-5|", 2),
        (r"\left|-7\right| + |2|", 9),
        (r"\lvert -3 \rvert", 3),
        ("|1-|2-5||", 2),
        (r"\binom{5}{2}", 10),
        ("C(5,2)", 10),
        (r"\sqrt{49}", 7),
        ("√49", 7),
        (r"\sqrt[3]{27}", 3),
        ("9³", 729),
        ("6·10⁶", 6_000_000),
        ("2⁻¹", Fraction(1, 2)),
        ("3 \u00d7 4 ÷ 6", 2),
        ("\u22125", -5),
        (r"0.\overline{3}", Fraction(1, 3)),
        (r"0.1\overline{6}", Fraction(1, 6)),
        ("3.5e2", 350),
        (r"3.5\times10^{2}", 350),
        (r"1{,}024", 1024),
        (r"6\,700\,417", 6_700_417),
        (r"\lfloor -2.5 \rfloor", -3),
        (r"\lceil 2.1 \rceil", 3),
        (r"\log_{2} 8", 3),
        (r"\gcd(12, 18)", 6),
        (r"\max(1, 3, 2)", 3),
        (".5", Fraction(1, 2)),
        ("1/2 (4)", None),
    ],
)
def test_what_is_read(text: str, expected: object) -> None:
    if expected is None:
        with pytest.raises(NotMath):
            value(text)
    else:
        assert value(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "1/2x",
        "1/xy",
        "x^xy",
        "1 1/2",
        r"2\frac{1}{4}",
        "x2",
        r"\sin x/2",
        "f(x)",
        "2 3",
        "5 (3)",
        "42 [1]",
        "1,2",
        "2^3x",
        "3!!",
        "(1]",
        "x=1",
        "",
        "(",
        ")",
        "+",
        "^2",
        "()",
        "1+",
        r"\frac{1}",
        r"\sqrt",
        "|x",
        r"\int x",
        "0.333...",
        "ab",
        r"\unknown",
        "5 or 3",
        "not 42",
        "approximately 3",
        "3?",
        "<b>3</b>",
        "1..2",
        "__import__('os')",
        "x.y",
        "a\ud800",
        "\x00",
        "10^",
    ],
)
def test_what_is_refused(text: str) -> None:
    with pytest.raises(NotMath):
        parse(lex(text), Names(frozenset("xy")))


def test_names() -> None:
    known = Names(frozenset("xy"))
    assert parse(lex("2xy"), known) == parse(lex("2 x y"), known)
    assert parse(lex("x_{12}"), known) == parse(lex("x_12"), known)
    assert parse(lex(r"\alpha"), known) == parse(lex("\u03b1"), known)
    with pytest.raises(NotMath):
        parse(lex("xz"), known)
    assert parse(lex("rate"), Names(frozenset(), frozenset({"rate"}))) != parse(lex("r"), known)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("twelve", 12),
        ("Seventeen", 17),
        ("minus three", -3),
        ("forty-two", 42),
        ("one hundred and five", 105),
        ("three hundred", 300),
        ("two thousand twenty", 2020),
        ("one million", 10**6),
        ("twelve thousand three hundred forty-five", 12345),
        ("one half", Fraction(1, 2)),
        ("two thirds", Fraction(2, 3)),
        ("zero", 0),
        ("two three", None),
        ("twenty eleven", None),
        ("hundred", None),
        ("and five", None),
        ("five and", None),
        ("thousand million", None),
        ("", None),
        ("five or three", None),
    ],
)
def test_numbers_in_words(text: str, number: object) -> None:
    assert number_in_words(text) == number


def test_pieces_respect_brackets() -> None:
    assert pieces(r"(1, 2), \{3, 4\}, 5", ",") == ["(1, 2)", r"\{3, 4\}", "5"]
    assert pieces(r"1 & 2 \\ 3 & 4", "\\\\") == ["1 & 2", "3 & 4"]


def test_limits() -> None:
    with pytest.raises(NotMath, match="characters"):
        lex("1" * (MAX_CHARS + 1))
    with pytest.raises(NotMath, match="digits"):
        lex("1" * 1001)
    with pytest.raises(NotMath, match="open"):
        lex("(" * 61)
    for text in ("-" * 70 + "1", "2^" * 70 + "1", "|" * 80, "x" + "!" * 3000, r"\sqrt" * 100 + "2", "1e5000"):
        with pytest.raises(NotMath):
            parse(lex(text), Names(frozenset("x")))
    assert value("+".join(["1"] * 1999)) == 1999


# -- any text at all ---------------------------------------------------------------------------------------------------

SOUP = st.lists(
    st.sampled_from(
        [
            *"0123456789xyzkeinfdCABU+-*/^_!%=<>()[]{}|,;:.&$ \n'\"~#@\\",
            "\\frac",
            "\\sqrt",
            "\\left",
            "\\right",
            "\\{",
            "\\}",
            "\\cup",
            "\\infty",
            "\\pi",
            "\\sin",
            "\\ln",
            "\\log",
            "\\begin{pmatrix}",
            "\\end{pmatrix}",
            "\\\\",
            "\\text{",
            "\\in",
            "or",
            "and",
            "not",
            "inf",
            "nan",
            "m/s",
            "cm",
            "°",
            "π",
            "√",
            "²",
            "∞",
            "≤",
            "\u222a",
            "±",
            "\u2212",
            "½",
            "\u0665",
            "\ud800",
            "1,000",
            "1e9",
            "twelve",
            "March",
            "2024",
            "degrees",
            "per",
            "sin",
            "sqrt",
            "mod",
            "\\boxed{",
            "\\mathbb{R}",
            "\\pm",
        ]
    ),
    max_size=30,
).map("".join)

GOLDS = {
    "integer": ("42", {}),
    "rational": ("3/4", {}),
    "decimal": ("2.5", {"digits": 2, "percent": True}),
    "complex": ("1+2i", {}),
    "set": (r"\{1, \sqrt{2}\}", {"of": "expression"}),
    "tuple": ("(1, 2)", {"of": "rational"}),
    "list": ("[1, 2, 3]", {"of": "integer"}),
    "interval": (r"(-\infty, 1) \cup [\sqrt{5}, 7)", {}),
    "relation": ("y = 2x + 1", {}),
    "function": ("f(x) = 2x", {}),
    "matrix": ("[[1, 2], [3, 4]]", {"of": "rational"}),
    "expression": (r"x^2 + \sqrt{y}", {"variables": ["x", "y"], "bound": ["y"], "names": ["f"], "angle": True}),
    "choice": ("B", {"options": {"A": "7", "B": "9"}}),
    "text": ("The Hobbit", {"aliases": ["There and Back Again"]}),
    "date": ("2024-03-05", {"order": "dmy"}),
    "quantity": ("10 m/s", {"unit": "m/s", "rel": 0.01, "bare": True}),
    "multi": ("(3, (0, 1))", {"parts": ["integer", "interval"], "names": ["w", "d"]}),
    "auto": ("x^2 = 4", {}),
}
every_kind = pytest.mark.parametrize("kind", KINDS)


def test_every_kind_has_a_gold() -> None:
    assert set(GOLDS) == set(KINDS)


@every_kind
@settings(max_examples=60, deadline=None)
@given(text=st.one_of(SOUP, st.text(max_size=60)))
def test_no_text_raises_and_soup_is_not_the_answer(kind: str, text: str) -> None:
    gold, options = GOLDS[kind]
    result = compare(gold, text, kind, **options)
    assert result.same or result.reason
    if kind != "auto":
        with suppress(NotMath):
            kind_of(kind, options).read(text)


@settings(max_examples=60, deadline=None)
@given(SOUP, SOUP)
def test_auto_reads_any_gold(gold: str, answer: str) -> None:
    if gold.strip(" \n$.~"):
        with suppress(InvalidParameters):
            compare(gold, answer)


BOMBS = {
    "powers": "9^9^9^9",
    "tower": "10^{10^{10}}",
    "factorial": "99999999999!",
    "factorials": "((((9!)!)!)!)!",
    "digits": "1" * 1_000_000,
    "nesting": "(" * 100_000 + "1" + ")" * 100_000,
    "deep": "(" * 59 + "1" + ")" * 59 + "^" * 100,
    "braces": "{" * 3999,
    "fractions": r"\frac" * 790,
    "commas": "," * 3999,
    "ands": "1 and " * 660,
    "ors": "x < 1 or " * 440 + "x < 2",
    "sum of roots": "+".join([r"\sqrt{99}"] * 390),
    "sines": r"\sin(" * 57 + "1" + ")" * 57,
    "long powers": "+".join(["7^{7000}"] * 430),
    "inverses": "+".join(f"1/{n}" for n in range(100, 660)),
    "groups": "1" + ",234" * 900,
    "bars": "|" * 3999,
    "minus": "-" * 3999,
    "spaces": " " * 3999,
    "backslashes": "\\" * 3999,
    "texts": r"\text{" * 660,
    "exponentials": "e^{" * 55 + "9" + "}" * 55,
    "intervals": r"\cup".join(f"({n}, {n + 1})" for n in range(300)),
    "irrational intervals": r"\cup".join(rf"(\sqrt{{{n}}}, \sqrt{{{n}+1}})" for n in range(2, 90)),
    "matrix": "[" + ",".join(["[1,2]"] * 600) + "]",
    "many letters": "x" * 3999,
    "roots without brackets": "√" * 3900 + "2",
    "sines without brackets": r"\sin" * 900 + "x",
    "powers of sines": r"\sin^2" * 600 + "x",
    "logarithms without brackets": r"\log_2 " * 500 + "x",
    "minus as a power": r"\sin^" + "-" * 3900 + "1 x",
    "long product": "x" + r"\cdot x" * 560,
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_bombs_are_refused_for_every_kind(bomb: str) -> None:
    # bounded by counts of work inside; a test that hangs is stopped by whoever runs it
    for kind, (gold, options) in GOLDS.items():
        assert not compare(gold, BOMBS[bomb], kind, **options).same, kind
