"""Proved equality of two expressions.

Yes with a proof, no with a proof, or undecided.

*Equal* takes a normal form, whose rules are identities, and points at which both sides have values, or, for constants,
a difference below the least size that it could have (:mod:`envhub.verifiers.math.separation`). *Different* takes a
normal form that is complete (rational functions, roots of numbers), two intervals without a common number at a point, or a
point where only one side has a value. Anything else is undecided::

    proved(tree("sin(2x)"), tree("2 sin x cos x"))        # True
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from envhub.generators.algebra.elements import Element, Undefined, Unsettled
from envhub.generators.algebra.formulas import Formula, constant
from envhub.generators.algebra.normal_form import Reader
from envhub.verifiers.math.evaluate import Evaluator
from envhub.verifiers.math.identity import Trial, equal
from envhub.verifiers.math.points import Domain
from envhub.verifiers.math.reals import Pair, Reals, Undefined as NoValue, Unsettled as Unclear, Value
from envhub.verifiers.math.separation import same
from envhub.verifiers.math.tree import PI, E, I, Num, Sym, Tree, app, operations, symbols

_NAMES: Final = {E.name: "e", I.name: "i", PI.name: "pi"}
_SYMBOLS: Final = {name: Sym(symbol) for symbol, name in _NAMES.items()}
_PRECISION: Final = 256
_POINTS: Final = tuple(Fraction(*pair) for pair in ((97, 89), (31, 97), (271, 127), (53, 11)))
_POSITIVE: Final = Domain(lo=Fraction(0))


def formula_of(tree: Tree) -> Formula:
    """A tree as a formula."""
    if isinstance(tree, Num):
        return tree.value.numerator if tree.value.denominator == 1 else tree.value
    if isinstance(tree, Sym):
        return _NAMES.get(tree.name, tree.name)
    return [tree.op, *map(formula_of, tree.args)]


def tree_of(formula: Formula) -> Tree:
    """A formula as a tree.

    Raises:
        NotMath: It is nested too deeply.
    """
    if isinstance(formula, str):
        return _SYMBOLS.get(formula) or Sym(formula)
    if isinstance(formula, (list, tuple)):
        return app(formula[0], *map(tree_of, formula[1:]))
    return Num(Fraction(formula))


class Prover:
    """Compares expressions; each is read once.

    Args:
        positive: Variables stand for positive numbers only, not for all real ones.
    """

    def __init__(self, *, positive: bool = False) -> None:
        self._reader = Reader(positive=positive)
        self._positive = positive
        self._read: dict[int, tuple[Tree, Element | bool | None, bool]] = {}

    def equal(self, one: Tree, other: Tree) -> bool | None:
        """Whether two expressions are equal; None if neither is proved."""
        if isinstance(one, Num) and isinstance(other, Num):
            return one.value == other.value
        if self._differ(one, other):
            return False
        (_, left, plain), (_, right, simple) = self._of(one), self._of(other)
        if left is False or right is False:
            return False
        zero: bool | None = None
        try:
            if isinstance(left, dict) and isinstance(right, dict):
                difference = self._reader.minus(left, right)
                zero = self._reader.is_zero(difference)
                if plain and simple and (zero or self._reader.settled(difference)):
                    return zero
        except Unsettled:
            pass
        if zero:
            return self._defined_alike(one, other)
        names = symbols(one) | symbols(other)
        if not names and (found := same(one, other)) is not None:
            return found
        domain = dict.fromkeys(names, _POSITIVE) if self._positive else None
        return False if equal(one, other, Trial(), domain).same is False else None

    def _differ(self, one: Tree, other: Tree) -> bool:
        """Whether the values are seen to differ at a point.

        This quick test refutes most wrong answers.
        """
        point = dict.fromkeys(symbols(one) | symbols(other), _POINTS[0])
        values = [_value(tree, point) for tree in (one, other)]
        left, right = values
        if left is None or right is None or isinstance(left, Pair) or isinstance(right, Pair):
            return False
        reals = Reals(_PRECISION)
        try:
            return reals.sign(reals.plus(left, reals.minus(right))) != 0
        except Unclear:
            return False

    def _defined_alike(self, one: Tree, other: Tree) -> bool | None:
        """Whether both have values at some points, and never just one."""
        names = sorted(symbols(one) | symbols(other))
        seen = False
        for at, start in enumerate(_POINTS):
            sign = -1 if at % 2 and not self._positive else 1
            point = {name: sign * (start + Fraction(at, 3 + shift)) for shift, name in enumerate(names)}
            found = [_is_defined(tree, point) for tree in (one, other)]
            if True in found and False in found:
                return False
            seen |= found == [True, True]
        return True if seen else None

    def _of(self, tree: Tree) -> tuple[Tree, Element | bool | None, bool]:
        """A tree, its normal form, and whether it is algebraic.

        The normal form is None if it is unknown, and False if the tree divides by zero.
        """
        found = self._read.get(id(tree))
        if found is None:
            formula = formula_of(tree)
            element: Element | bool | None
            try:
                element = self._reader.read(formula)
            except Undefined:
                element = False
            except (Unsettled, RecursionError):
                element = None
            found = self._read[id(tree)] = tree, element, _is_algebraic(formula)  # keeps the tree, and so its id
        return found


def proved(one: Tree, other: Tree, *, positive: bool = False) -> bool | None:
    """Whether two expressions are equal; None if neither is proved."""
    return Prover(positive=positive).equal(one, other)


def defined_at(tree: Tree, point: Mapping[str, Fraction]) -> bool | None:
    """Whether an expression has a real value at a point.

    None if the precision does not suffice.
    """
    found = _is_defined(tree, point)
    return found and not isinstance(_value(tree, point), Pair)


def _value(tree: Tree, point: Mapping[str, Fraction]) -> Value | None:
    """The value at a point, if it is found."""
    try:
        return Evaluator(Reals(_PRECISION), point, imaginary="i~" in operations(tree)).value(tree)
    except Unclear:
        return None


def _is_defined(tree: Tree, point: Mapping[str, Fraction]) -> bool | None:
    """Whether an expression has a value at a point.

    None if that is not found out.
    """
    try:
        Evaluator(Reals(_PRECISION), point, imaginary="i~" in operations(tree)).value(tree)
    except NoValue:
        return False
    except Unclear:
        return None
    return True


def _is_algebraic(formula: Formula) -> bool:
    """Whether a formula uses only arithmetic, variables, rationals and their roots."""
    if not isinstance(formula, list):
        return formula not in ("e", "pi")
    op, *args = formula
    if op == "^":
        exponent = constant(args[1])
        if exponent is None or (exponent.denominator > 1 and constant(args[0]) is None):
            return False
        return _is_algebraic(args[0])
    return op in ("+", "*", "neg", "inv") and all(map(_is_algebraic, args))
