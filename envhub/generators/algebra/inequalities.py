"""Solutions of inequalities ``p(x) / q(x) < 0`` as unions of intervals.

::

    solution("<=", [surd(-1), surd(2)], [], sign)      # "[-1, 2]", where sign(x) is that of (x + 1)(x - 2)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Final

from envhub.generators.algebra.notation import plain
from envhub.generators.algebra.surds import Surd, approximation, formula

ENDLESS: Final = "inf"


def solution(relation: str, zeros: Iterable[Surd], poles: Iterable[Surd], sign: Callable[[Fraction], int]) -> str:
    """The solution set of an inequality, as a union of intervals.

    The inequality compares a function with 0. The union may be empty.

    Args:
        relation: ``<``, ``<=``, ``>`` or ``>=``, compared to 0.
        zeros: Real numbers at which the function is 0.
        poles: Real numbers at which it is not defined.
        sign: Its sign at a rational number.
    """
    closed = set(zeros) - set(poles) if "=" in relation else set[Surd]()
    points = sorted({*zeros, *poles}, key=approximation)
    wanted = 1 if relation[0] == ">" else -1
    inside = [sign(one) == wanted for one in _between([approximation(one) for one in points])]
    found: list[str] = []
    start, opened = f"(-{ENDLESS}", inside[0]
    for at, point in enumerate(points):
        text, holds = plain(formula(point)), point in closed
        if opened and not (holds and inside[at + 1]):
            found.append(f"{start}, {text}{']' if holds else ')'}")
            opened = False
        if not opened and inside[at + 1]:
            start, opened = ("[" if holds else "(") + text, True
        elif not opened and holds and not inside[at]:
            found.append(f"{{{text}}}")
    if opened:
        found.append(f"{start}, {ENDLESS})")
    return " U ".join(found)


def _between(points: list[Fraction]) -> list[Fraction]:
    """One number between each two neighbouring points and beyond both ends."""
    middles = [(one + other) / 2 for one, other in itertools.pairwise(points)]
    return [points[0] - 1, *middles, points[-1] + 1]
