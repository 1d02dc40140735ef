"""Equations with rational solutions: plant, render, substitute, solve, and canonicalise.

A side of an equation is a list of terms, in JSON values; a term is ``[numerator, denominator, factors]``, where a factor is
the name of an unknown or another side (a bracket). An equation is ``[left, right]``::

    left = [[3, 4, [[[2, 1, ["x"]], [-5, 1, []]]]], [1, 1, ["x", "x"]]]
    render(left)                                  # "3*(2*x - 5)/4 + x^2"
    evaluate(left, {"x": Fraction(3)})            # Fraction(39, 4)
    solve([[left, right]], ["x"]).solutions       # [(Fraction(3),), ...]

:func:`plant` draws the solutions first, then equations that have these and no others; :func:`solve` and :func:`evaluate`
know nothing of how an equation came about. All arithmetic is that of ``fractions.Fraction``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import gcd, isqrt, lcm
from typing import Final, Literal, TypeAlias

from envhub.core.seeding import Stream
from envhub.core.types import JSON

Kind: TypeAlias = Literal["linear", "quadratic", "system"]
Monomial: TypeAlias = tuple[str, ...]
Polynomial: TypeAlias = dict[Monomial, Fraction]
Solution: TypeAlias = tuple[Fraction, ...]

_ROWS: Final = 40
_SMALL: Final = 9  # the largest number before a bracket


@dataclass(frozen=True, slots=True)
class Style:
    """Style of an equation.

    Attributes:
        size: Maximum of freely drawn numbers; those that make the equation true may be larger.
        brackets: Number of brackets per equation.
        nesting: Maximum nesting depth of brackets.
        divisor: Maximum divisor of brackets; 1 for no division.
        both_sides: Whether unknowns occur on both sides.
    """

    size: int
    brackets: int = 0
    nesting: int = 1
    divisor: int = 1
    both_sides: bool = False


@dataclass(frozen=True, slots=True)
class Solved:
    """The result of solving.

    Attributes:
        solutions: Every solution, values in the order of the unknowns; ascending.
        work: Digit operations by the schoolbook methods.
    """

    solutions: list[Solution]
    work: int


class _Tally:
    """Exact arithmetic that counts digit operations: added lengths, or multiplied ones."""

    def __init__(self) -> None:
        self.total = 0

    def plus(self, one: Fraction, other: Fraction) -> Fraction:
        self.total += _length(one) + _length(other)
        return one + other

    def times(self, one: Fraction, other: Fraction) -> Fraction:
        self.total += _length(one) * _length(other)
        return one * other

    def over(self, one: Fraction, other: Fraction) -> Fraction:
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
    return _expand(side, _Tally())


def _expand(side: JSON, tally: _Tally) -> Polynomial:
    total: Polynomial = {}
    for numerator, denominator, factors in side:
        product: Polynomial = {(): Fraction(numerator, denominator)}
        for factor in factors:
            if isinstance(factor, str):
                product = {tuple(sorted((*names, factor))): value for names, value in product.items()}
            else:
                product = _multiplied(product, _expand(factor, tally), tally)
        _add(total, product, 1, tally)
    return {names: value for names, value in total.items() if value}


def _multiplied(one: Polynomial, other: Polynomial, tally: _Tally) -> Polynomial:
    product: Polynomial = {}
    for left, a in one.items():
        for right, b in other.items():
            _add(product, {tuple(sorted(left + right)): tally.times(a, b)}, 1, tally)
    return product


def _add(total: Polynomial, other: Polynomial, sign: int, tally: _Tally) -> None:
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
    tally = _Tally()
    forms: list[Polynomial] = []
    for left, right in equations:
        form = _expand(left, tally)
        _add(form, _expand(right, tally), -1, tally)
        forms.append({names: value for names, value in form.items() if value})
    degree = max((len(names) for form in forms for names in form), default=0)
    if degree == 2 and len(forms) == len(unknowns) == 1:
        solutions: list[Solution] = [(root,) for root in _roots(forms[0], unknowns[0], tally)]
    elif degree == 1 and len(forms) == len(unknowns):
        solutions = [_eliminate(forms, unknowns, tally)]
    else:
        raise ValueError(f"No method for {len(forms)} equations of degree {degree} in {len(unknowns)} unknowns")
    return Solved(solutions, tally.total)


def _roots(form: Polynomial, name: str, tally: _Tally) -> list[Fraction]:
    """The roots of ``a x^2 + b x + c``, ascending, from the discriminant."""
    zero = Fraction(0)
    a, b, c = form[name, name], form.get((name,), zero), form.get((), zero)
    discriminant = tally.plus(tally.times(b, b), tally.times(tally.times(Fraction(-4), a), c))
    root = tally.root(discriminant)
    if root is None:
        raise ValueError("The roots are not rational")
    return sorted({tally.over(tally.plus(-b, sign * root), 2 * a) for sign in (-1, 1)})


def _eliminate(forms: Sequence[Polynomial], unknowns: Sequence[str], tally: _Tally) -> Solution:
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


# --- random equations -------------------------------------------------------------------------------------------------


def draw_value(rng: Stream, reach: int, denominator: int) -> Fraction:
    """A number from ``-reach`` to ``reach``, its denominator at most ``denominator``."""
    below = rng.between(1, denominator)
    return Fraction(rng.between(-reach * below, reach * below), below)


def plant(
    rng: Stream, *, kind: Kind, unknowns: Sequence[str], reach: int, denominator: int, style: Style
) -> tuple[list[JSON], list[Solution]] | None:
    """Equations and their only solutions, drawn first (:func:`draw_value`); or None.

    None means an unsuitable draw. A quadratic equation has a double root one time in eight.

    Args:
        rng: Source of randomness.
        kind: Kind of equations.
        unknowns: Their names; one unless ``kind`` is ``system``.
        reach: Solutions are between ``-reach`` and ``reach``.
        denominator: The largest denominator of a solution.
        style: How the equations are written.
    """
    if kind == "system":
        values = [draw_value(rng, reach, denominator) for _ in unknowns]
        rows = [_row(rng, values, style.size) for _ in unknowns]
        forms = [_linear(row, values, unknowns) for row in rows]
        try:
            _eliminate(forms, unknowns, _Tally())
        except ValueError:
            return None
        solutions = [tuple(values)]
    elif kind == "linear":
        root = draw_value(rng, reach, denominator)
        multiple = rng.between(1 if root.denominator > 1 else 2, max(2, style.size // root.denominator))
        forms = [_linear([multiple * root.denominator], [root], unknowns)]
        solutions = [(root,)]
    else:
        first = draw_value(rng, reach, denominator)
        second = first if rng.below(8) == 0 else draw_value(rng, reach, denominator)
        lead = first.denominator * second.denominator
        multiple = lead * rng.between(1, max(1, style.size // lead))
        x = unknowns[0]
        forms = [{(x, x): Fraction(multiple), (x,): -multiple * (first + second), (): multiple * first * second}]
        solutions = [(root,) for root in sorted({first, second})]
    return [_written(rng, form, unknowns, kind == "quadratic", style) for form in forms], solutions


def _row(rng: Stream, values: Sequence[Fraction], size: int) -> list[int]:
    """Nonzero coefficients, with an integer right side if found soon."""
    whole = lcm(*(value.denominator for value in values))
    parts = [int(value * whole) for value in values]
    row: list[int] = []
    for _ in range(_ROWS):
        row = [_nonzero(rng, size) for _ in values]
        if not sum(a * part for a, part in zip(row, parts, strict=True)) % whole:
            break
    return row


def _linear(row: Sequence[int], values: Sequence[Fraction], unknowns: Sequence[str]) -> Polynomial:
    """The sum of ``row`` times the unknowns, less its value at ``values``."""
    form: Polynomial = {(name,): Fraction(a) for a, name in zip(row, unknowns, strict=True)}
    form[()] = -sum((a * value for a, value in zip(row, values, strict=True)), Fraction(0))
    return form


def _nonzero(rng: Stream, size: int) -> int:
    value = rng.between(1, size)
    return -value if rng.below(2) else value


def _written(rng: Stream, form: Polynomial, unknowns: Sequence[str], quadratic: bool, style: Style) -> JSON:
    """Random brackets, then the remainder, so that the sides differ by ``form``."""
    sides: list[list[JSON]] = [[], []]
    lacking = dict(form)
    tally = _Tally()
    for _ in range(style.brackets):
        term = _bracket(rng, unknowns, style, quadratic)
        at = rng.below(2)
        sides[at].append(term)
        _add(lacking, _expand([term], tally), 2 * at - 1, tally)
    for names, value in lacking.items():
        left = value if rng.below(2) else Fraction(0)
        if style.both_sides or not names:  # something more on both sides, which cancels
            left += _nonzero(rng, style.size)
        for at, part in enumerate((left, left - value)):
            if part:
                sides[at].append([part.numerator, part.denominator, list(names)])
    for side in sides:
        rng.shuffle(side)
    return sides


def _bracket(rng: Stream, unknowns: Sequence[str], style: Style, quadratic: bool) -> JSON:
    """A bracket with a factor, perhaps divided or times another bracket."""
    number = _nonzero(rng, _SMALL)
    divisor = rng.between(1, style.divisor)
    common = gcd(number, divisor)
    factors = [_inside(rng, unknowns, style, style.nesting)]
    if quadratic:
        factors.append(_inside(rng, unknowns, style, 1) if rng.below(2) else unknowns[0])
        factors.sort(key=lambda factor: not isinstance(factor, str))  # 3*x*(2*x - 5), not 3*(2*x - 5)*x
    return [number // common, divisor // common, factors]


def _inside(rng: Stream, unknowns: Sequence[str], style: Style, depth: int) -> JSON:
    """A bracket's content: an unknown, a number and perhaps another bracket."""
    size = min(style.size, 2 * _SMALL)
    side: list[JSON] = [[_nonzero(rng, size), 1, [rng.choice(unknowns)]], [_nonzero(rng, size), 1, []]]
    if depth > 1:
        side.append([_nonzero(rng, _SMALL), 1, [_inside(rng, unknowns, style, depth - 1)]])
    rng.shuffle(side)
    return side
