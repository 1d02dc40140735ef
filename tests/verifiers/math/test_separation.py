"""Numbers made of nested roots: equal, different, without a value, and too long to decide."""

from __future__ import annotations

from decimal import Decimal, localcontext
from itertools import combinations_with_replacement
from random import Random

import pytest

from envhub.verifiers.math.grammar import parse
from envhub.verifiers.math.lexer import lex
from envhub.verifiers.math.proof import proved
from envhub.verifiers.math.separation import same
from envhub.verifiers.math.tree import Tree

EQUAL = (
    ("sqrt(3+2*sqrt(2))", "1+sqrt(2)"),
    ("sqrt(2+sqrt(3))", "(sqrt(6)+sqrt(2))/2"),
    ("sqrt(11-6*sqrt(2))", "3-sqrt(2)"),
    ("sqrt(112+70*sqrt(2)+46*sqrt(5)+34*sqrt(10))", "5+4*sqrt(2)+3*sqrt(5)+sqrt(10)"),
    ("(7+5*sqrt(2))^(1/3)", "1+sqrt(2)"),
    ("(2+sqrt(5))^(1/3)+(2-sqrt(5))^(1/3)", "1"),
    ("sqrt(sqrt(sqrt(17+12*sqrt(2))))", "sqrt(sqrt(3+2*sqrt(2)))^(1/1)"),
    ("1/sqrt(3+2*sqrt(2))", "sqrt(2)-1"),
    ("(3+2*sqrt(2))^(-1/2)", "sqrt(2)-1"),
    ("sqrt(sqrt(3+2*sqrt(2))-1-sqrt(2))", "0"),
    ("1", "sqrt(2)*sqrt(3-2*sqrt(2)) + sqrt(2) - 1"),
)
DIFFERENT = (
    ("sqrt(11-6*sqrt(2))", "sqrt(2)-3"),
    ("sqrt(3+2*sqrt(2))", "1+sqrt(2)+10^(-900)"),
    ("sqrt(2+sqrt(3))", "(sqrt(6)+sqrt(2))/2+10^(-3000)"),
    ("121/sqrt(265)+10^(-3900)", "121/sqrt(265)"),
    ("sqrt(2)+sqrt(3)", "sqrt(5+2*sqrt(6)+1/10^400)"),
    ("1/(sqrt(3+2*sqrt(2))-1-sqrt(2))", "7"),
    ("(sqrt(3+2*sqrt(2))-1-sqrt(2))^(-1/2)", "7"),
    ("sqrt(1-sqrt(3+2*sqrt(2)))", "2"),
)
OPEN = (("2^sqrt(2)", "4^(sqrt(2)/2)"), ("pi", "3"), ("1/0", "sqrt(-1)"), ("x", "x"))


def read(text: str) -> Tree:
    return parse(lex(text))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [(*pair, True) for pair in EQUAL] + [(*pair, False) for pair in DIFFERENT] + [(*pair, None) for pair in OPEN],
)
def test_constants_are_equal_or_different_or_left_open(one: str, other: str, expected: bool | None) -> None:
    assert same(read(one), read(other)) is expected
    assert same(read(other), read(one)) is expected
    if expected is not None:
        assert proved(read(one), read(other)) is expected


def test_a_number_with_too_many_roots_is_left_open() -> None:
    primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61]
    roots = "+".join(f"sqrt({p})" for p in primes)
    assert same(read(f"sqrt(({roots})^2)"), read(roots)) is None
    assert same(read(f"sqrt(({roots})^2)"), read(f"{roots}+1/10^9")) is False


def test_sums_of_two_roots_are_equal_only_if_their_squares_are() -> None:
    """sqrt(a) + sqrt(b) = sqrt(a + b + 2 sqrt(a b)), and no other pair of these numbers has the same sum of roots."""
    pairs = list(combinations_with_replacement((2, 3, 5, 6, 7, 10, 11, 13), 2))
    for a, b in pairs:
        nested = read(f"sqrt({a + b}+2*sqrt({a * b}))")
        for c, d in pairs:
            assert same(nested, read(f"sqrt({c})+sqrt({d})")) is ((a, b) == (c, d)), (a, b, c, d)


def random_number(rng: Random, depth: int) -> tuple[str, Decimal]:
    """A formula and its value to many digits."""
    if depth == 0:
        number = rng.randint(1, 12)
        return str(number), Decimal(number)
    one, first = random_number(rng, depth - 1)
    other, second = random_number(rng, rng.randrange(depth))
    kind = rng.randrange(5)
    if kind == 0:
        return f"({one}+{other})", first + second
    if kind == 1:
        return f"({one}*{other})", first * second
    if kind == 2:
        return f"({one}/{other})", first / second
    return f"sqrt({one}+{other})", (first + second).sqrt()


@pytest.mark.parametrize("count", [60, pytest.param(3000, marks=pytest.mark.nightly)])
def test_many_numbers_agree_with_their_digits(count: int) -> None:
    rng, decided = Random(7), 0
    with localcontext(prec=400):
        for _ in range(count):
            (one, first), (other, second) = random_number(rng, 3), random_number(rng, 2)
            difference = first - second
            assert same(read(one), read(other)) is (abs(difference) < Decimal(10) ** -300), (one, other)
            square = f"sqrt({one}*{one}+2*{one}*{other}+{other}*{other})"
            found = same(read(square), read(f"{one}+{other}"))
            assert found is not False, square
            decided += found is True
            assert same(read(square), read(f"{one}+{other}+1/10^200")) is False
    assert decided >= count * 0.9
