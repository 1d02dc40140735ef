r"""Decides whether two expressions are equal.

Exactly for numbers, at random points with variables. Guarantees if ``same`` is True:

- *Rational numbers* and everything that evaluates to them exactly: equal, without error.
- *Rational functions* (``+ - * /`` and whole powers of variables): equal as functions but for a probability of at most
  ``d / 2**61`` for each of two points (Schwartz and Zippel), where ``d``, the degree, is below 40,000: less than 1e-24.
  The points are integers drawn for the pair, and evaluation is exact, so no prime can be hit and no coefficient is lost.
- *Other numbers* (roots, pi, e, logarithms ...): both values lie in one interval of width below ``2**-K``, with
  ``K = 4 * (256 + 2 H)`` and ``H`` the bits of all literals and powers of both; a number below ``2**-(K / 4)`` or above
  ``2**(K / 4)`` on the way makes the pair undecided. Numbers that differ by more are always distinguished: ``1/2^99`` from
  ``1/2^98`` in one step. No two unequal numbers of that height that agree so far are known; there is no proof that none
  exist.
- *Other functions*: both agree to ``2**-96`` at six points of 40 random bits for every variable, spread over the domain
  and drawn for the pair; at two of them as far as numbers have to (with 128 for 256). Where a function is pieced together
  (``|x|``, floors, roots), they do not differ at sixteen more over all scales and at points about the constants that
  occur. The zeros of a difference that is analytic and not zero are isolated, so hitting six by chance is beyond measure;
  but a bound depends on how many there are, and is not proven for all functions.

``same`` is False only with a proof: two intervals without a common number, or a point of the domain where only one of the
two is defined. Everything else, work beyond the budget included, is undecided (None).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from envhub.core.seeding import Stream
from envhub.verifiers.math.evaluate import Evaluator
from envhub.verifiers.math.measures import KINKS, MAX_DEGREE, degrees, height, kinks, shapes
from envhub.verifiers.math.points import Domain, Points
from envhub.verifiers.math.reals import (
    Ball,
    Imprecise,
    Pair,
    Real,
    Reals,
    TooHard,
    Undefined,
    Unsettled,
    Value,
    Work,
    pair,
)
from envhub.verifiers.math.tree import Tree, app, operations, symbols

_LOW: Final = 192
_MAX_HEIGHT: Final = 2000
_GRID: Final = 61
_WANTED: Final = 6
_WANTED_HIGH: Final = 2
_TRIES: Final = 40
_PERIODIC: Final = frozenset(("sin", "cos", "tan", "cot", "sec", "csc", "floor", "ceil", "i~", "^variable", "exp"))
_WHOLE: Final = frozenset(("!", "binom", "gcd", "lcm"))


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome of a test.

    Attributes:
        same: True, False, or None for undecided.
        stage: ``canonical``, ``exact`` or ``identity``.
    """

    same: bool | None
    stage: str = "identity"


@dataclass(slots=True)
class Trial:
    """One comparison of two texts.

    Attributes:
        key: Seed of the random points: both texts of the pair, so that neither alone decides them.
        work: The remaining budget.
    """

    key: bytes = b""
    work: Work = field(default_factory=Work)


def equal(one: Tree, other: Tree, trial: Trial, domain: Mapping[str, Domain] | None = None) -> Decision:
    """Whether two expressions are equal on a domain (see the module).

    Args:
        one: An expression.
        other: Another.
        trial: The seed of the points, and the budget.
        domain: Domains of variables; by default the real numbers.
    """
    names = sorted(symbols(one) | symbols(other))
    try:
        if not names:
            return _equal_numbers(one, other, trial)
        if one == other:
            return Decision(True, "canonical")
        degree = degrees(one), degrees(other)
        if degree[0] is not None and degree[1] is not None and sum(degree[0]) + sum(degree[1]) < MAX_DEGREE:
            decided = _equal_rational(one, other, names, trial)
            if decided is not None:
                return Decision(decided)
        return Decision(_equal_functions(one, other, names, trial, domain or {}))
    except Unsettled:
        return Decision(None)


def order(one: Tree, other: Tree) -> int | None:
    """-1, 0 or 1 for less than, equal or greater.

    None if undecided.
    """
    work = Work(2_000)
    try:
        if symbols(one) | symbols(other):
            return None
        difference = app("+", one, app("neg", other))
        for p, tiny in _levels(one, other):
            value = Evaluator(Reals(p, tiny, work), {}, imaginary=True).value(difference)
            if isinstance(value, Pair):
                return None
            if isinstance(value, Fraction) or value.lo > 0 or value.hi < 0:
                return Reals(p).sign(value)
            if tiny is not None and _narrow(value, p, tiny):
                return 0
    except (Unsettled, ValueError):
        return None
    return None


def exact_value(tree: Tree) -> Fraction | None:
    """The value of a number rational by arithmetic alone, else None.

    Raises:
        TooHard: It is too large.
    """
    try:
        value = Evaluator(Reals(64), {}, imaginary=True).value(tree)
    except (Undefined, Imprecise):
        return None
    return value if isinstance(value, Fraction) else None


def enclosure(tree: Tree) -> tuple[Fraction, Fraction] | None:
    """Bounds of a real number, at most 1e-50 apart.

    None if not found.
    """
    try:
        value = Evaluator(Reals(256), {}, imaginary=True).value(tree)
    except Unsettled:
        return None
    if isinstance(value, Fraction):
        return value, value
    if isinstance(value, Pair) or value.hi - value.lo > 1 << 80:
        return None
    return Fraction(value.lo, 1 << 256), Fraction(value.hi, 1 << 256)


# -- numbers -----------------------------------------------------------------------------------------------------------


def _equal_numbers(one: Tree, other: Tree, trial: Trial) -> Decision:
    for p, tiny in _levels(one, other):
        try:
            a = Evaluator(Reals(p, tiny, trial.work), {}, imaginary=True).value(one)
            b = Evaluator(Reals(p, tiny, trial.work), {}, imaginary=True).value(other)
        except Imprecise:
            continue
        except Undefined:
            return Decision(None)
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return Decision(a == b, "exact")
        apart = _compared(a, b, p, tiny)
        if apart is not None:
            return Decision(apart)
    return Decision(None)


def _levels(one: Tree, other: Tree) -> list[tuple[int, int | None]]:
    """Precisions, each with its zero threshold: cheap, then decisive.

    Numbers below the threshold count as zero.
    """
    size = height(one) + height(other)
    if size > _MAX_HEIGHT:
        return [(_LOW, None)]
    tiny = 256 + 2 * size
    return [(_LOW, None), (5 * tiny + 320, tiny)]


def _narrow(ball: Ball, p: int, tiny: int) -> bool:
    return (ball.hi - ball.lo) >> (p - 4 * tiny) == 0


def _compared(a: Value, b: Value, p: int, tiny: int | None) -> bool | None:
    """Whether two values are equal at this precision; None if undecided."""
    reals = Reals(p)
    one, other = pair(a), pair(b)
    results = [_compared_real(one.re, other.re, reals, tiny), _compared_real(one.im, other.im, reals, tiny)]
    if False in results:
        return False
    return None if None in results else True


def _compared_real(a: Real, b: Real, reals: Reals, tiny: int | None) -> bool | None:
    difference = reals.plus(a, reals.minus(b))
    if isinstance(difference, Fraction):
        return not difference
    if difference.lo > 0 or difference.hi < 0:
        return False
    return True if tiny is not None and _narrow(difference, reals.p, tiny) else None


# -- rational functions ------------------------------------------------------------------------------------------------


def _equal_rational(one: Tree, other: Tree, names: list[str], trial: Trial) -> bool | None:
    """Equality of rational functions at two exact points.

    None for too long or undefined values.
    """
    rng = Stream(trial.key, "integer points")
    agreed = 0
    for _ in range(4):
        point = {name: Fraction(1 + rng.bits(_GRID)) for name in names}
        values: list[Value] = []
        for tree in (one, other):
            try:
                values.append(Evaluator(Reals(64, None, trial.work), point, imaginary=False).value(tree))
            except Undefined:
                break
            except TooHard:
                return None
        if len(values) == 2:
            if values[0] != values[1]:
                return False
            agreed += 1
            if agreed == 2:
                return True
    return None


# -- other functions ---------------------------------------------------------------------------------------------------


def _equal_functions(
    one: Tree, other: Tree, names: list[str], trial: Trial, domain: Mapping[str, Domain]
) -> bool | None:
    imaginary = bool((operations(one) | operations(other)) & {"i~"})
    found = shapes(one) | shapes(other)
    if found & _WHOLE and not shapes(one) & _WHOLE and found & _PERIODIC:
        return None  # the answer's factorials would hide its values between integers
    whole = bool(found & _WHOLE)
    points = Points(names, domain, Stream(trial.key, "points"), (one, other), whole=whole)
    size = height(one) + height(other)
    if size > _MAX_HEIGHT:
        return None
    tiny = 128 + 2 * size

    def reals(p: int, least: int | None = None) -> Reals:
        return Reals(p, least, trial.work)

    good: list[Mapping[str, Fraction]] = []
    agreed = 0  # at the high precision
    point: Mapping[str, Fraction]
    for point in points.spread(_TRIES):
        try:
            verdict = _at(one, other, point, imaginary, reals(_LOW), lenient=whole)
            if verdict is True:
                good.append(point)
        except Imprecise:
            verdict = _tried(one, other, point, imaginary, reals(5 * tiny + 192, tiny), whole)
            agreed += verdict is True
        if verdict is False:
            return False
        if len(good) + agreed == _WANTED:
            break
    if len(good) + agreed < _WANTED:
        return None
    if found & KINKS:
        # if only one function is piecewise, test it everywhere
        uneven = kinks(one) != kinks(other)
        for point in points.scales():
            try:
                if _at(one, other, point, imaginary, reals(_LOW), lenient=whole) is False:
                    return False
            except Imprecise:
                if uneven or trial.work.left < 0:
                    return None
    for point in good:
        if agreed >= _WANTED_HIGH:
            break
        verdict = _tried(one, other, point, imaginary, reals(5 * tiny + 192, tiny), whole)
        if verdict is False:
            return False
        agreed += verdict is True
    return True if agreed >= _WANTED_HIGH else None


def _tried(
    one: Tree, other: Tree, point: Mapping[str, Fraction], imaginary: bool, reals: Reals, lenient: bool
) -> bool | None:
    """Like :func:`_at`; None if the precision does not suffice."""
    try:
        return _at(one, other, point, imaginary, reals, lenient=lenient)
    except Imprecise:
        return None


def _at(
    one: Tree, other: Tree, point: Mapping[str, Fraction], imaginary: bool, reals: Reals, *, lenient: bool = False
) -> bool | None:
    """Whether two trees agree at a point.

    None if undecided or both are undefined. If only one has a value they differ, unless ``lenient``: a binomial
    coefficient is 0 where its factorials have no value.

    Raises:
        Imprecise: The precision or the work does not suffice.
    """
    values: list[Value | None] = []
    for tree in (one, other):
        try:
            values.append(Evaluator(reals, point, imaginary=imaginary).value(tree))
        except Undefined:
            values.append(None)
        except TooHard:
            raise Imprecise from None
    a, b = values
    if a is None or b is None:
        return None if a is b or lenient else False
    return _compared(a, b, reals.p, reals.tiny or _LOW // 8)
