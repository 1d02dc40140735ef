"""Equations with rational solutions: render, substitute, solve, and canonicalise.

A side of an equation is a list of terms, in JSON values; a term is ``[numerator, denominator, factors]``, where a factor is
the name of an unknown or another side (a bracket). An equation is ``[left, right]``::

    left = [[3, 4, [[[2, 1, ["x"]], [-5, 1, []]]]], [1, 1, ["x", "x"]]]
    render(left)                                  # "3*(2*x - 5)/4 + x^2"
    evaluate(left, {"x": Fraction(3)})            # Fraction(39, 4)
    solve([[left, right]], ["x"]).solutions       # [(Fraction(3),), ...]

All arithmetic is that of ``fractions.Fraction``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import gcd, isqrt, lcm
from typing import TypeAlias

from envhub.core.types import JSON

Monomial: TypeAlias = tuple[str, ...]
Polynomial: TypeAlias = dict[Monomial, Fraction]
Solution: TypeAlias = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Solved:
    """The result of solving.

    Attributes:
        solutions: Every solution, values in the order of the unknowns; ascending.
        work: Digit operations by the schoolbook methods.
    """

    solutions: list[Solution]
    work: int


class Tally:
    """Exact arithmetic that counts digit operations.

    A sum costs the added lengths of its operands, a product the multiplied ones.
    """

    def __init__(self) -> None:
        self.total = 0

    def plus(self, one: Fraction, other: Fraction) -> Fraction:
        """The sum of two numbers."""
        self.total += _length(one) + _length(other)
        return one + other

    def times(self, one: Fraction, other: Fraction) -> Fraction:
        """The product of two numbers."""
        self.total += _length(one) * _length(other)
        return one * other

    def over(self, one: Fraction, other: Fraction) -> Fraction:
        """The quotient of two numbers."""
        self.total += _length(one) * _length(other)
        return one / other

    def root(self, value: Fraction) -> Fraction | None:
        """The square root, if it is rational."""
        self.total += _length(value) ** 2
        if value < 0:
            return None
        root = Fraction(isqrt(value.numerator), isqrt(value.denominator))
        return root if root * root == value else None


def _length(value: Fraction) -> int:
    """Digits of numerator and denominator, except a denominator of 1."""
    digits = len(str(abs(value.numerator)))
    return digits if value.denominator == 1 else digits + len(str(value.denominator))


# --- what an equation says --------------------------------------------------------------------------------------------


def evaluate(side: JSON, values: Mapping[str, Fraction]) -> Fraction:
    """The value of a side when the unknowns have ``values``.

    Raises:
        KeyError: An unknown has no value.
    """
    total = Fraction(0)
    for numerator, denominator, factors in side:
        product = Fraction(numerator, denominator)
        for factor in factors:
            product *= values[factor] if isinstance(factor, str) else evaluate(factor, values)
        total += product
    return total


def satisfies(equations: Sequence[JSON], values: Mapping[str, Fraction]) -> bool:
    """Whether every equation is true of ``values``."""
    return all(evaluate(left, values) == evaluate(right, values) for left, right in equations)


def is_double_root(equation: JSON, name: str, root: Fraction) -> bool:
    """Whether a quadratic equation's root is double, by values around it."""
    left, right = equation
    below, above = (evaluate(left, {name: at}) - evaluate(right, {name: at}) for at in (root - 1, root + 1))
    return below == above


def expand(side: JSON) -> Polynomial:
    """A side multiplied out, like terms collected.

    A monomial is the sorted names of its unknowns.
    """
    return _expand(side, Tally())


def _expand(side: JSON, tally: Tally) -> Polynomial:
    total: Polynomial = {}
    for numerator, denominator, factors in side:
        product: Polynomial = {(): Fraction(numerator, denominator)}
        for factor in factors:
            if isinstance(factor, str):
                product = {tuple(sorted((*names, factor))): value for names, value in product.items()}
            else:
                product = _multiplied(product, _expand(factor, tally), tally)
        add_to(total, product, 1, tally)
    return {names: value for names, value in total.items() if value}


def _multiplied(one: Polynomial, other: Polynomial, tally: Tally) -> Polynomial:
    product: Polynomial = {}
    for left, a in one.items():
        for right, b in other.items():
            add_to(product, {tuple(sorted(left + right)): tally.times(a, b)}, 1, tally)
    return product


def add_to(total: Polynomial, other: Polynomial, sign: int, tally: Tally) -> None:
    """Add ``sign * other`` to ``total`` in place."""
    for names, value in other.items():
        old = total.get(names)
        total[names] = sign * value if old is None else tally.plus(old, sign * value)


def solve(equations: Sequence[JSON], unknowns: Sequence[str]) -> Solved:
    """Every solution of an equation or a linear system.

    Equations are linear or quadratic.

    Raises:
        ValueError: The equations are of another kind, or have no, infinitely many or irrational solutions.
    """
    tally = Tally()
    forms: list[Polynomial] = []
    for left, right in equations:
        form = _expand(left, tally)
        add_to(form, _expand(right, tally), -1, tally)
        forms.append({names: value for names, value in form.items() if value})
    degree = max((len(names) for form in forms for names in form), default=0)
    if degree == 2 and len(forms) == len(unknowns) == 1:
        solutions: list[Solution] = [(root,) for root in _roots(forms[0], unknowns[0], tally)]
    elif degree == 1 and len(forms) == len(unknowns):
        solutions = [eliminate(forms, unknowns, tally)]
    else:
        raise ValueError(f"No method for {len(forms)} equations of degree {degree} in {len(unknowns)} unknowns")
    return Solved(solutions, tally.total)


def _roots(form: Polynomial, name: str, tally: Tally) -> list[Fraction]:
    """The roots of ``a x^2 + b x + c``, ascending, from the discriminant."""
    zero = Fraction(0)
    a, b, c = form[name, name], form.get((name,), zero), form.get((), zero)
    discriminant = tally.plus(tally.times(b, b), tally.times(tally.times(Fraction(-4), a), c))
    root = tally.root(discriminant)
    if root is None:
        raise ValueError("The roots are not rational")
    return sorted({tally.over(tally.plus(-b, sign * root), 2 * a) for sign in (-1, 1)})


def eliminate(forms: Sequence[Polynomial], unknowns: Sequence[str], tally: Tally) -> Solution:
    """The one solution of linear equations, by elimination and back substitution."""
    zero, count = Fraction(0), len(unknowns)
    rows = [[*(form.get((name,), zero) for name in unknowns), -form.get((), zero)] for form in forms]
    for column in range(count):
        pivot = next((i for i in range(column, count) if rows[i][column]), None)
        if pivot is None:
            raise ValueError("There is not exactly one solution")
        rows[column], rows[pivot] = rows[pivot], rows[column]
        top = rows[column]
        for row in rows[column + 1 :]:
            if row[column]:
                factor = tally.over(row[column], top[column])
                for j in range(column + 1, count + 1):
                    row[j] = tally.plus(row[j], -tally.times(factor, top[j]))
    values = [zero] * count
    for i in reversed(range(count)):
        rest = rows[i][count]
        for j in range(i + 1, count):
            rest = tally.plus(rest, -tally.times(rows[i][j], values[j]))
        values[i] = tally.over(rest, rows[i][i])
    return tuple(values)


def canonical(equations: Sequence[JSON], unknowns: Sequence[str]) -> JSON:
    """Canonical form of equations, whatever the notation of their sides.

    Each side is multiplied out; then the two sides are scaled together to integers without a common factor, and
    swapped, negated, sorted among the equations and the unknowns renamed to whatever comes first. Terms are not moved
    from side to side: that would reduce a linear equation in one unknown to its solution.
    """
    sides = [_integral(expand(left), expand(right)) for left, right in equations]
    return min(
        sorted(_least(_coefficients(left, order), _coefficients(right, order)) for left, right in sides)
        for order in permutations(unknowns)
    )


def _integral(left: Polynomial, right: Polynomial) -> tuple[dict[Monomial, int], dict[Monomial, int]]:
    """Both sides scaled to integer coefficients without a common factor."""
    values = [*left.values(), *right.values()]
    above, below = lcm(*(value.denominator for value in values)), gcd(*(value.numerator for value in values))
    one, other = (
        {names: value.numerator * (above // value.denominator) // below for names, value in side.items()}
        for side in (left, right)
    )
    return one, other


def _coefficients(side: Mapping[Monomial, int], order: Sequence[str]) -> list[int]:
    """Constant, coefficients of the unknowns, and a single unknown's square."""
    monomials: list[Monomial] = [(), *((name,) for name in order), *([(*order, *order)] if len(order) == 1 else [])]
    return [side.get(names, 0) for names in monomials]


def _least(left: list[int], right: list[int]) -> list[list[int]]:
    """The smallest form under swapping and negating two sides."""
    negated = [[-value for value in left], [-value for value in right]]
    return min([left, right], [right, left], negated, negated[::-1])


# --- text -------------------------------------------------------------------------------------------------------------


def render(side: JSON) -> str:
    """The text of a side.

    ``*`` for every multiplication, ``/`` after the dividend, ``^2`` for a square.
    """
    text = ""
    for numerator, denominator, factors in side:
        sign = "-" if numerator < 0 else "+"
        text += f" {sign} " if text else sign.strip("+")
        text += _product(abs(numerator), denominator, factors)
    return text or "0"


def _product(numerator: int, denominator: int, factors: Sequence[JSON]) -> str:
    pieces = [str(numerator)] if numerator != 1 or not factors else []
    for factor in factors:
        piece = factor if isinstance(factor, str) else f"({render(factor)})"
        if pieces and piece == pieces[-1]:
            pieces[-1] = f"{piece}^2"
        else:
            pieces.append(piece)
    return "*".join(pieces) + (f"/{denominator}" if denominator != 1 else "")
