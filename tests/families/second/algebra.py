"""Members of the family ExpressionValue by SymPy: whether an answer is right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from math import prod
from typing import Any, Final

import sympy
from sympy import QQ_I
from sympy.abc import n, x

from envhub.core.types import JSON

_LOCALS: Final = {"ln": sympy.log, "inf": sympy.oo, "e": sympy.E, "i": sympy.I}
_OPERATIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "+": lambda *args: sympy.Add(*args),
    "*": lambda *args: sympy.Mul(*args),
    "neg": lambda u: -u,
    "inv": lambda u: 1 / u,
    "^": lambda u, v: u**v,
    "ln": sympy.log,
    "abs": sympy.Abs,
}


_OPERATIONS_OF_FIELD: Final[Mapping[str, Callable[..., Any]]] = {
    "+": lambda *args: sum(args, QQ_I.zero),
    "*": lambda *args: prod(args, start=QQ_I.one),
    "neg": lambda u: -u,
    "inv": lambda u: QQ_I.one / u,
}


def read(text: str) -> Any:
    """An answer of ours as SymPy's expression."""
    return sympy.sympify(text.replace("^", "**"), locals={**_LOCALS, "x": x, "n": n})


def converted(formula: JSON) -> Any:
    """A formula as SymPy's expression."""
    if isinstance(formula, list):
        op, *args = formula
        return (_OPERATIONS.get(op) or getattr(sympy, op))(*map(converted, args))
    return (
        _LOCALS.get(formula) or (sympy.Symbol(formula) if formula != "x" else x)
        if isinstance(formula, str)
        else sympy.Integer(formula)
    )


def polynomial(coefficients: list[int]) -> Any:
    return sympy.Poly(coefficients[::-1], x).as_expr()


def zero(expression: Any) -> bool:
    """Whether an expression is 0: by expansion, or else at 40 digits at three points."""
    if sympy.expand(expression) == 0:
        return True
    symbols = sorted(expression.free_symbols, key=str)
    points = [{one: sympy.Rational(at, 7) + shift for shift, one in enumerate(symbols)} for at in (3, 11, 16)]
    return all(abs(sympy.N(expression.subs(point), 40)) < sympy.Float("1e-25") for point in points)


def expand(problem: JSON, answer: str) -> bool:
    names = [sympy.Symbol(name) for name in problem["names"]]
    factors = [
        sympy.Add(*(c * sympy.Mul(*(v**e for v, e in zip(names, es, strict=True))) for c, es in poly))
        for poly in problem["factors"]
    ]
    found = sympy.sympify(answer.replace("^", "**"), locals={str(name): name for name in names})
    return bool(sympy.expand(sympy.Mul(*factors)) == found)


def factor(problem: JSON, answer: str) -> bool:
    _, found = sympy.factor_list(polynomial(problem["polynomial"]))
    product = read(answer)
    parts = {
        one
        for one, _ in sympy.Mul.make_args(product) and [one.as_base_exp() for one in sympy.Mul.make_args(product)]
        if one.has(x)
    }
    return sympy.expand(product) == polynomial(problem["polynomial"]) and len(parts) == len(found)


def division(problem: JSON, answer: str) -> bool:
    quotient, rest = (read(part.split(": ")[1]) for part in answer.split(", "))
    return (quotient, rest) == tuple(
        map(sympy.expand, sympy.div(polynomial(problem["dividend"]), polynomial(problem["divisor"]), x))
    )


def roots(problem: JSON, answer: str) -> bool:
    """By substitution at 60 digits, and by the number of roots."""
    poly = sympy.Poly(problem["polynomial"][::-1], x).sqf_part()
    given = [sympy.N(read(part), 60) for part in answer.split(", ")]
    different = all(abs(a - b) > sympy.Float("1e-9") for at, a in enumerate(given) for b in given[:at])
    wanted = poly.degree() if problem["asked"] == "complex" else poly.count_roots()
    return different and len(given) == wanted and all(abs(poly.eval(one)) < sympy.Float("1e-35") for one in given)


def interpolation(problem: JSON, answer: str) -> bool:
    return bool(sympy.expand(sympy.interpolate([tuple(point) for point in problem["points"]], x)) == read(answer))


def complex_arithmetic(problem: JSON, answer: str) -> bool:
    """In SymPy's field of Gaussian rationals."""
    return bool(_gaussian(problem["expression"]) == QQ_I.from_sympy(read(answer)))


def _gaussian(formula: JSON) -> Any:
    if not isinstance(formula, list):
        return QQ_I(0, 1) if formula == "i" else QQ_I(formula, 0)
    op, *args = formula
    if op == "^":
        return _gaussian(args[0]) ** args[1]
    return _OPERATIONS_OF_FIELD[op](*map(_gaussian, args))


def matrix(problem: JSON, answer: str) -> bool:
    one, asked = sympy.Matrix(problem["A"]), problem["asked"]
    value = read(answer)
    if asked.startswith("determinant"):
        return bool(one.det() == value)
    other = (
        one.inv()
        if asked.startswith("inverse")
        else one.rref()[0]
        if "echelon" in asked
        else one * sympy.Matrix(problem["B"])
    )
    return bool(other == sympy.Matrix(value))


def linear_system(problem: JSON, answer: str) -> bool:
    one, right = sympy.Matrix(problem["matrix"]), sympy.Matrix(problem["right"])
    if answer.startswith("none"):
        factors = sympy.Matrix([read(part) for part in answer.removeprefix("none: ").split(", ")]).T
        return not any(factors * one) and (factors * right)[0] != 0
    values = dict(part.split(" = ") for part in answer.split(", "))
    given = sympy.Matrix([read(values[name]) for name in problem["unknowns"]])
    free = len(given.free_symbols)
    return (one * given - right).expand().is_zero_matrix is True and free == one.cols - one.rank()


def inequality(problem: JSON, answer: str) -> bool:
    """By the truth at all ends and between them."""
    relation = {"<": sympy.Lt, "<=": sympy.Le, ">": sympy.Gt, ">=": sympy.Ge}[problem["sign"]]
    found = sympy.Union(*map(_interval, answer.split(" U ")))
    ends = sorted(
        {one for part in ([found] if not isinstance(found, sympy.Union) else found.args) for one in part.boundary},
        key=sympy.N,
    )
    between = [(a + b) / 2 for a, b in pairwise(ends)]
    for point in [ends[0] - 1, *between, ends[-1] + 1, *(sympy.nsimplify(sympy.N(one, 12)) for one in between)]:
        left, right = (sympy.N(converted(side).subs(x, point), 30) for side in (problem["left"], problem["right"]))
        if bool(relation(left, right)) != (found.contains(sympy.nsimplify(sympy.N(point, 20))) == sympy.true):
            return False
    return True


def _interval(text: str) -> Any:
    if text.startswith("{"):
        return sympy.FiniteSet(read(text[1:-1]))
    low, high = map(read, text[1:-1].split(", "))
    return sympy.Interval(low, high, text[0] == "(", text[-1] == ")")


def recurrence(problem: JSON, answer: str) -> bool:
    closed, starts, coefficients = read(answer), list(problem["starts"]), problem["coefficients"]
    while len(starts) < 14:
        starts.append(sum(one * starts[-1 - at] for at, one in enumerate(coefficients)))
    return all(closed.subs(n, at) == value for at, value in enumerate(starts))


def differentiate(problem: JSON, answer: str) -> bool:
    return zero(sympy.diff(converted(problem["function"]), x) - read(answer))


def integrate(problem: JSON, answer: str) -> bool:
    return zero(sympy.diff(read(answer), x) - converted(problem["integrand"]))


def limit(problem: JSON, answer: str) -> bool:
    """By 300 digits close to the place."""
    near = sympy.Rational(1, 10**9)
    place = 1 / near if problem["place"] == "positive infinity" else int(problem["place"]) + near
    value = converted(problem["function"]).subs(x, sympy.Float(place, 300)).evalf(30)
    wanted = sympy.N(read(answer), 30)
    return bool(abs(value - wanted) < abs(wanted) * sympy.Float("1e-5"))


def series(problem: JSON, answer: str) -> bool:
    degree = problem["degree"]
    return bool(
        sympy.expand(sympy.series(converted(problem["function"]), x, 0, degree + 1).removeO() - read(answer)) == 0
    )


CHECKS: Final[Mapping[str, Callable[[JSON, str], bool]]] = {
    "polynomial-expand-v0": expand,
    "polynomial-factor-v0": factor,
    "polynomial-division-v0": division,
    "polynomial-roots-v0": roots,
    "interpolation-v0": interpolation,
    "complex-arithmetic-v0": complex_arithmetic,
    "matrix-v0": matrix,
    "linear-system-v0": linear_system,
    "inequality-v0": inequality,
    "recurrence-v0": recurrence,
    "differentiate-v0": differentiate,
    "integrate-v0": integrate,
    "limit-v0": limit,
    "series-v0": series,
}
"""By member: whether an answer is right."""
