"""Random equations with known solutions.

The solutions are drawn first, then equations that have these and no others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Final, Literal, TypeAlias

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.rule_based.equation.equations import Polynomial, Solution, Tally, add_to, eliminate, expand

Kind: TypeAlias = Literal["linear", "quadratic", "system"]

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
            eliminate(forms, unknowns, Tally())
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
    for _ in range(style.brackets):
        term = _bracket(rng, unknowns, style, quadratic)
        at = rng.below(2)
        sides[at].append(term)
        add_to(lacking, expand([term]), 2 * at - 1, Tally())
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
