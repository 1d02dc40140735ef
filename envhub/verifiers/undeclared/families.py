r"""Families of numbers with an arbitrary integer, compared as sets.

A family ``a + b k`` is a residue class: ``\frac{\pi}{5} - k\pi`` and ``\frac{\pi}{5} + n\pi`` are the same set. Unions are
compared by their residues modulo a common period. Membership is decided by interval arithmetic to 40 digits::

    same_families([(a, b)], [(c, d)], trial)
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Final

from envhub.verifiers.math.identity import Trial, enclosure, equal
from envhub.verifiers.math.tree import Num, Sym, Tree, app, mapped, variables

_CLOSE: Final = Fraction(1, 10**40)
_MOST_PERIODS: Final = 120
_ZERO: Final = Num(Fraction(0))
_MINUS: Final = Num(Fraction(-1))

Line = tuple[Tree, Tree]
"""A family: its member for 0 and its step."""


def line_of(tree: Tree, name: str, trial: Trial) -> Line | None:
    """The family of an expression that is linear in one variable.

    None for other expressions.
    """
    if variables(tree) != {name}:
        return None
    start, one, two = (_at(tree, name, value) for value in (0, 1, 2))
    step = app("+", one, app("*", _MINUS, start))
    if not equal(app("+", two, app("*", _MINUS, one)), step, trial).same or equal(step, _ZERO, trial).same:
        return None
    return (
        (start, step)
        if equal(_at(tree, name, -3), app("+", start, app("*", Num(Fraction(-3)), step)), trial).same
        else None
    )


def _at(tree: Tree, name: str, value: int) -> Tree:
    return mapped(tree, lambda node: Num(Fraction(value)) if node == Sym(name) else node)


def same_families(gold: Sequence[Line], answer: Sequence[Line]) -> bool | None:
    """Whether two unions of families are the same set; None if undecided."""
    base = gold[0][1]
    steps = [_ratio(step, base) for _, step in (*gold, *answer)]
    if None in steps:
        return False
    known = [abs(step) for step in steps if step is not None]
    denominator = lcm(*(step.denominator for step in known))
    period = Fraction(lcm(*(int(step * denominator) for step in known)), denominator)
    if sum(period / step for step in known) > _MOST_PERIODS:
        return None
    starts = [_ratio(app("+", start, app("*", _MINUS, gold[0][0])), base, exact=False) for start, _ in (*gold, *answer)]
    residues: list[list[Fraction]] = []
    for start, step in zip(starts, known, strict=True):
        if start is None:
            return None
        residues.append([(start + i * step) % period for i in range(int(period / step))])
    mine = [one for family in residues[: len(gold)] for one in family]
    theirs = [one for family in residues[len(gold) :] for one in family]
    return _covered(mine, theirs, period) and _covered(theirs, mine, period)


def _covered(some: Sequence[Fraction], others: Sequence[Fraction], period: Fraction) -> bool:
    """Whether each residue is close to one of the others."""
    return all(any(min((a - b) % period, (b - a) % period) < _CLOSE for b in others) for a in some)


def _ratio(one: Tree, other: Tree, exact: bool = True) -> Fraction | None:
    """The quotient of two numbers, as a fraction if it is simple."""
    bounds = enclosure(app("*", one, app("inv", other)))
    if bounds is None:
        return None
    value = (bounds[0] + bounds[1]) / 2
    simple = value.limit_denominator(1000)
    if abs(simple - value) < _CLOSE:
        return simple
    return None if exact else value
