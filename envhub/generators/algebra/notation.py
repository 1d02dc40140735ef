r"""Formulas as text: plain, LaTeX, Python, prefix notation.

Every product sign that a reader could miss is written out, and quotients of more than two operands have brackets::

    plain(["+", ["*", 3, ["^", "x", 2]], ["neg", ["inv", "x"]]])      # "3*x^2 - 1/x"
    latex(["^", ["+", "x", 1], ["inv", 2]])                           # "\\sqrt{x + 1}"
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, NamedTuple

from envhub.generators.algebra.formulas import Formula, constant, negative, power, times

_SUM, _PRODUCT, _POWER, _ATOM = 1, 2, 3, 4


class Style(NamedTuple):
    """How one notation writes operations; each part gets operands as text."""

    product: Callable[[list[str]], str]
    quotient: Callable[[str, str], str]
    power: Callable[[str, str], str]
    root: Callable[[str], str]
    call: Callable[[str, str], str]
    brackets: Callable[[str], str]
    names: dict[str, str]
    stacked: bool
    """Whether a quotient needs no brackets around its operands."""


def _called(names: dict[str, str]) -> Callable[[str, str], str]:
    return lambda name, inner: f"{names.get(name, name)}({inner})"


_PLAIN: Final = Style(
    "*".join, "{}/{}".format, "{}^{}".format, "sqrt({})".format,
    lambda name, inner: f"|{inner}|" if name == "abs" else f"{name}({inner})", "({})".format, {}, False,
)  # fmt: skip
_PYTHON: Final = Style(
    "*".join, "{}/{}".format, "{}**{}".format, "sqrt({})".format,
    _called({"ln": "log"}), "({})".format, {"i": "1j", "e": "exp(1)"}, False,
)  # fmt: skip
_INVERSES: Final = {"asin": "arcsin", "acos": "arccos", "atan": "arctan"}
_LATEX: Final = Style(
    lambda parts: _latex_product(parts), "\\frac{{{}}}{{{}}}".format, "{}^{{{}}}".format, "\\sqrt{{{}}}".format,
    lambda name, inner: (
        f"\\left|{inner}\\right|" if name == "abs" else f"\\{_INVERSES.get(name, name)}\\left({inner}\\right)"
    ),
    "\\left({}\\right)".format, {"pi": "\\pi"}, True,
)  # fmt: skip


def _latex_product(parts: list[str]) -> str:
    text = parts[0]
    for part in parts[1:]:
        text += f" \\cdot {part}" if part[0].isdigit() or part.startswith("\\frac") else f" {part}"
    return text


def plain(formula: Formula) -> str:
    """As in a calculator: ``3*x^2*sin(2*x)``."""
    return _written(formula, _PLAIN)[0]


def latex(formula: Formula) -> str:
    """In LaTeX, without dollar signs."""
    return _written(formula, _LATEX)[0]


def python(formula: Formula) -> str:
    """In Python: ``3*x**2*sin(2*x)``; ``log`` is the natural logarithm."""
    return _written(formula, _PYTHON)[0]


def prefix(formula: Formula) -> str:
    """As nested lists with the operation first: ``(+ (* 3 (^ x 2)) 1)``."""
    value = constant(formula)
    if value is not None:
        return str(value)
    if isinstance(formula, str):
        return formula
    op, *args = formula
    if op == "^" and constant(args[1]) == Fraction(1, 2):
        return f"(sqrt {prefix(args[0])})"
    if op == "inv":
        return f"(/ 1 {prefix(args[0])})"
    if op == "neg":
        return f"(- {prefix(args[0])})"
    return f"({op} {' '.join(map(prefix, args))})"


def _written(formula: Formula, style: Style) -> tuple[str, int]:
    """The text and how tightly its outermost operation binds."""
    if isinstance(formula, str):
        return style.names.get(formula, formula), _ATOM
    if isinstance(formula, int):
        return str(formula), _ATOM if formula >= 0 else _SUM
    op, *args = formula
    if op == "+":
        return _sum(args, style), _SUM
    if op in ("*", "inv", "neg"):
        return _product(formula, style)
    if op == "^":
        return _power(args[0], args[1], style)
    return style.call(op, _written(args[0], style)[0]), _ATOM


def _sum(terms: list[Any], style: Style) -> str:
    text = ""
    for term in terms:
        sign, size = ("-", negative(term)) if _below_zero(term) else ("+", term)
        one = _bound(size, _PRODUCT, style)
        text += (f" {sign} " if text else sign.strip("+")) + one
    return text


def _below_zero(term: Formula) -> bool:
    if isinstance(term, int):
        return term < 0
    return isinstance(term, (list, tuple)) and (term[0] == "neg" or (term[0] == "*" and _below_zero(term[1])))


def _product(formula: Formula, style: Style) -> tuple[str, int]:
    """A product, a quotient or a negative."""
    if _below_zero(formula):
        return f"-{_bound(negative(formula), _PRODUCT, style)}", _SUM
    factors = formula[1:] if formula[0] == "*" else [formula]
    below = [under for one in factors if (under := _denominator(one)) is not None]
    above = [one for one in factors if _denominator(one) is None]
    if not below:
        return style.product([_bound(one, _POWER, style) for one in above]), _PRODUCT
    top, bottom = times(*above), times(*below)
    if style.stacked:
        return style.quotient(_written(top, style)[0], _written(bottom, style)[0]), _POWER
    return style.quotient(_bound(top, _PRODUCT, style), _bound(bottom, _POWER, style)), _PRODUCT


def _denominator(factor: Formula) -> Formula | None:
    """What a factor divides by; None if it does not divide."""
    if isinstance(factor, (list, tuple)) and factor[0] == "inv":
        return factor[1]
    if isinstance(factor, (list, tuple)) and factor[0] == "^":
        exponent = constant(factor[2])
        if exponent is not None and exponent < 0:
            return power(factor[1], -exponent)
    return None


def _power(base: Formula, exponent: Formula, style: Style) -> tuple[str, int]:
    value = constant(exponent)
    if value is not None and value < 0:
        return _product(["inv", power(base, -value)], style)
    if value == Fraction(1, 2):
        return style.root(_written(base, style)[0]), _ATOM
    raised = _written(exponent, style)[0] if style.stacked else _bound(exponent, _ATOM, style)
    return style.power(_bound(base, _ATOM, style), raised), _POWER


def _bound(formula: Formula, least: int, style: Style) -> str:
    """The text, in brackets if its operation binds less tightly."""
    text, level = _written(formula, style)
    return text if level >= least else style.brackets(text)
