"""Proved equality: what is equal, what is different, and what stays undecided."""

from __future__ import annotations

import pytest

from envhub.verifiers.math.grammar import parse
from envhub.verifiers.math.lexer import lex
from envhub.verifiers.math.proof import proved

EQUAL = (
    ("sin(2x)", "2*sin(x)*cos(x)"),
    ("1/cos(x)^2", "1+tan(x)^2"),
    ("(x^2-1)/(x-1)", "x+1"),
    ("exp(2x+1)", "e*(e^x)^2"),
    ("ln(x^2+3x+2)", "ln(x+1)+ln(x+2)"),
    ("ln(6x)", "ln(2)+ln(3)+ln(x)"),
    ("2^x*4^x", "8^x"),
    ("sqrt(8x+4)", "2*sqrt(2x+1)"),
    ("1/sqrt(2x+1)", "sqrt(2x+1)/(2x+1)"),
    ("1/(2+sqrt(3))", "2-sqrt(3)"),
    ("(1+i)/(2-3i)", "(-1+5i)/13"),
    ("sin(pi/6)", "1/2"),
    ("cos(pi/4)", "sqrt(2)/2"),
    ("atan(2x)", "-atan(-2x)"),
    ("x*ln(x)", "ln(x^x)"),
    ("x^(1/2)*x^(1/3)", "x^(5/6)"),
    ("sqrt(3+2*sqrt(2))", "1+sqrt(2)"),
    ("cos(x)^3*sin(x)", "(sin(4x)+2sin(2x))/8"),
)
DIFFERENT = (
    ("sin(x)", "cos(x)"),
    ("exp(x)+1e-9", "exp(x)"),
    ("1/(x-x)", "5"),
    ("ln(-x)-ln(-x)", "x-x"),
    ("(3+sqrt(5))/2", "(3-sqrt(5))/2"),
)
UNDECIDED = (("sqrt(x)*sqrt(x+1)", "sqrt(x^2+x)"),)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [(*pair, True) for pair in EQUAL] + [(*pair, False) for pair in DIFFERENT] + [(*pair, None) for pair in UNDECIDED],
)
def test_equality_is_proved_refuted_or_left_open(one: str, other: str, expected: bool | None) -> None:
    assert proved(parse(lex(one)), parse(lex(other)), positive=True) is expected
    assert proved(parse(lex(other)), parse(lex(one)), positive=True) is expected
