"""When a rounded number counts as the exact one.

A decimal gold accepts the values that it is the rounding of, if it shows enough digits. An exact gold accepts a
decimal that is its correct rounding and shows enough digits, or as many as the question asks for.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from envhub.verifiers.math.identity import enclosure
from envhub.verifiers.math.scalars import rounded
from envhub.verifiers.math.tree import Num, Tree
from envhub.verifiers.undeclared.questions import Wanted
from envhub.verifiers.undeclared.values import Amount, Shown

_LEAST_GOLD: Final = 3
"""Significant digits of a decimal gold that may be the rounding of an exact answer without a finite decimal."""
_LEAST_DECIMAL: Final = 4
"""Significant digits of a decimal gold that may be the rounding of a longer decimal."""
_HALF: Final = Fraction(1, 2)


def accepted(gold: Amount, answer: Amount, digits: int | None, wanted: Wanted) -> bool:
    """Whether an unequal amount is an accepted rounding.

    Args:
        gold: The gold.
        answer: The answer, in the same unit.
        digits: The significant digits that a rounded answer must show; None accepts no rounded answer.
        wanted: What the question asks for.
    """
    if wanted.places is not None or wanted.figures is not None:
        return _as_asked(gold.tree, answer.tree, wanted)
    if digits is None:
        return False
    if gold.approximation is not None and _within(answer.tree, gold.approximation):
        return answer.shown is not None and answer.shown.digits >= min(digits, gold.approximation.digits)
    if gold.shown is not None:
        least = _LEAST_GOLD if _is_endless(answer) else _LEAST_DECIMAL
        finer = answer.shown is None or answer.shown.places >= gold.shown.places
        return finer and gold.shown.digits >= least and _within(answer.tree, gold.shown)
    return answer.shown is not None and answer.shown.digits >= digits and _within(gold.tree, answer.shown)


def _is_endless(answer: Amount) -> bool:
    """Whether a value has no finite decimal."""
    if not isinstance(answer.tree, Num):
        return True
    rest = answer.tree.value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest > 1


def rounds_to(tree: Tree, near: Amount) -> bool:
    """Whether an exact value rounds to a decimal or a whole number."""
    shown = near.shown
    if shown is None and isinstance(near.tree, Num):
        shown = Shown(near.tree.value, 0, 1)
    return shown is not None and _within(tree, shown)


def _within(tree: Tree, shown: Shown) -> bool:
    """Whether a value rounds to a decimal, halves away from zero."""
    bounds = enclosure(tree)
    off = _HALF / 10**shown.places
    size = abs(shown.value)
    return bounds is not None and all(
        bound * shown.value >= 0 and size - off <= abs(bound) < size + off for bound in bounds
    )


def _as_asked(gold: Tree, answer: Tree, wanted: Wanted) -> bool:
    """Whether the answer is the gold, rounded as the question asks."""
    exact, given = enclosure(gold), enclosure(answer)
    if exact is None or given is None or given[0] != given[1]:
        return False
    if wanted.figures is not None:
        return rounded(exact[0], wanted.figures) == given[0]
    places = wanted.places or 0
    return (given[0] * 10**places).denominator == 1 and _within(gold, Shown(given[0], places, 1))
