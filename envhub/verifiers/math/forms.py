"""The form of an expression.

Whether it is multiplied out, and what it is a product of.

::

    is_expanded(tree("3x^2 - xy/2 + 1"))       # True; "x(x + 1)" and "x + 2x" are not
    factors_of(tree("2(x + 1)^2"))             # 2, and x + 1 with exponent 2
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from typing import Final

from envhub.generators.algebra.elements import Element, Undefined, Unsettled
from envhub.generators.algebra.normal_form import Reader
from envhub.verifiers.math.identity import exact_value
from envhub.verifiers.math.proof import formula_of
from envhub.verifiers.math.reals import TooHard
from envhub.verifiers.math.tree import App, I, Num, Sym, Tree, constant, variables

_MAX_EXPONENT: Final = 100
_MAX_DEGREE: Final = 100


def is_expanded(tree: Tree) -> bool:
    """Whether a tree is a sum of monomials without like terms.

    A monomial is a number times powers of variables or ``i``.
    """
    terms = [_monomial(term) for term in _summands(tree)]
    return None not in terms and len(set(terms)) == len(terms)


def is_bounded(tree: Tree) -> bool:
    """Whether the degree, constant exponents and numbers of an expression are small."""
    return _degree(tree) <= _MAX_DEGREE


def _degree(tree: Tree) -> int:
    """A bound on degrees and exponents.

    Anything beyond the limit is one more than the limit.
    """
    if not isinstance(tree, App):
        return int(isinstance(tree, Sym))
    if tree.op == "^" and not variables(tree.args[1]):
        return _raised(_degree(tree.args[0]), tree)
    found = [_degree(arg) for arg in tree.args]
    return min(sum(found) if tree.op == "*" else max(found), _MAX_DEGREE + 1)


def _raised(degree: int, tree: App) -> int:
    """The degree of a power with a constant exponent."""
    try:
        exponent = exact_value(tree.args[1])
        if exponent is None or (not variables(tree) and exact_value(tree) is not None):
            return degree
    except TooHard:
        return _MAX_DEGREE + 1
    return min(ceil(abs(exponent) * max(degree, 1)), _MAX_DEGREE + 1)


def factors_of(tree: Tree) -> Iterator[tuple[Tree, int]]:
    """The factors of a product with their exponents.

    Signs are the factor -1.
    """
    if isinstance(tree, App) and tree.op == "*":
        for arg in tree.args:
            yield from factors_of(arg)
    elif isinstance(tree, App) and tree.op == "neg":
        yield Num(Fraction(-1)), 1
        yield from factors_of(tree.args[0])
    elif isinstance(tree, App) and tree.op == "^" and (times := _whole(tree.args[1])) is not None:
        yield from ((factor, times * more) for factor, more in factors_of(tree.args[0]))
    else:
        yield tree, 1


def coefficients_of(tree: Tree, name: str) -> list[Fraction] | None:
    """The coefficients of a polynomial in one variable, the constant term first.

    None for anything else.
    """
    reader = Reader()
    try:
        element, denominator = reader.cleared(reader.read(formula_of(tree)))
    except (Unsettled, Undefined):
        return None
    if denominator or variables(tree) - {name}:
        return None
    return _listed(element, f"v:{name}")


def _listed(element: Element, atom: str) -> list[Fraction] | None:
    found: dict[int, Fraction] = {}
    for monomial, factor in element.items():
        if [one for one, _ in monomial] not in ([], [atom]):
            return None
        exponent = monomial[0][1] if monomial else 0
        if exponent.denominator != 1 or not 0 <= exponent <= _MAX_EXPONENT:
            return None
        found[int(exponent)] = Fraction(factor)
    return [found.get(at, Fraction(0)) for at in range(max(found, default=-1) + 1)]


def _summands(tree: Tree) -> Iterator[Tree]:
    """The terms of a sum; signs are kept out."""
    if isinstance(tree, App) and tree.op == "+":
        for arg in tree.args:
            yield from _summands(arg)
    elif isinstance(tree, App) and tree.op == "neg":
        yield from _summands(tree.args[0])
    else:
        yield tree


def _monomial(tree: Tree) -> tuple[tuple[str, int], ...] | None:
    """The variables of a term with their exponents.

    None if it is not a number times powers of variables.
    """
    powers: dict[str, int] = {}
    for factor in _multiplied(tree):
        base, times = factor, 1
        if isinstance(factor, App) and factor.op == "^" and isinstance(factor.args[0], Sym):
            exponent = _whole(factor.args[1])
            if exponent is None:
                return None
            base, times = factor.args[0], exponent
        if not times:  # x^0 is 1
            continue
        if isinstance(base, Sym):
            powers[base.name] = powers.get(base.name, 0) + times
            if base == I and powers[base.name] > 1:
                return None
        elif constant(base) is None:
            return None
    return tuple(sorted(powers.items()))


def _multiplied(tree: Tree) -> Iterator[Tree]:
    """The factors of a product of products; signs are kept out."""
    if isinstance(tree, App) and tree.op == "*":
        for arg in tree.args:
            yield from _multiplied(arg)
    elif isinstance(tree, App) and tree.op == "neg":
        yield from _multiplied(tree.args[0])
    else:
        yield tree


def _whole(tree: Tree) -> int | None:
    """A small whole exponent of 0 or more."""
    if isinstance(tree, Num) and tree.value.denominator == 1 and 0 <= tree.value <= _MAX_EXPONENT:
        return tree.value.numerator
    return None
