"""Renderings of formulas and polynomials: plain, LaTeX, Python, JSON, words; held out.

Prefix notation, a table.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from envhub.authoring.wording import Variants
from envhub.generators.algebra.formulas import Formula, polynomial
from envhub.generators.algebra.notation import latex, plain, prefix, python

Named = Callable[[Any], Mapping[str, Any]]
Rendering = Callable[[Any], str]


def formulas(parts: Named, *, sign: str = "=", caption: str = "") -> Variants[Rendering]:
    """Renderings of named formulas, one per line.

    Args:
        parts: The formulas of a problem by their names; a name may be empty.
        sign: What stands between a name and its formula.
        caption: A first line.
    """

    def lines(problem: Any, write: Callable[[Formula], str], wrap: str = "{}") -> list[str]:
        return [
            wrap.format(f"{name} {sign} {write(formula)}" if name else write(formula))
            for name, formula in parts(problem).items()
        ]

    def in_plain_text(problem: Any) -> str:
        return "\n".join([*filter(None, [caption]), *lines(problem, plain)])

    def in_latex(problem: Any) -> str:
        return "\n".join([*filter(None, [caption]), *lines(problem, latex, "\\[ {} \\]")])

    def in_python(problem: Any) -> str:
        return "\n".join([*filter(None, [caption]), "In Python syntax:", "```", *lines(problem, python), "```"])

    def in_prefix(problem: Any) -> str:
        note = "In prefix notation, with each operation before its operands:"
        return "\n".join([*filter(None, [caption]), note, *lines(problem, prefix)])

    return Variants(in_plain_text, in_latex, in_python, held_out=in_prefix, name="data")


def comparisons(left: str, sign: str, right: str) -> Variants[Rendering]:
    """Renderings of a comparison between two formulas from a problem's fields."""

    def in_plain_text(problem: Any) -> str:
        return f"{plain(problem[left])} {problem[sign]} {plain(problem[right])}"

    def in_latex(problem: Any) -> str:
        written = {"<=": "\\le", ">=": "\\ge"}.get(problem[sign], problem[sign])
        return f"\\[ {latex(problem[left])} {written} {latex(problem[right])} \\]"

    def in_python(problem: Any) -> str:
        return f"In Python syntax:\n```\n{python(problem[left])} {problem[sign]} {python(problem[right])}\n```"

    def in_prefix(problem: Any) -> str:
        note = "In prefix notation, with each operation before its operands:"
        return f"{note}\n({problem[sign]} {prefix(problem[left])} {prefix(problem[right])})"

    return Variants(in_plain_text, in_latex, in_python, held_out=in_prefix, name="data")


def polynomials(parts: Callable[[Any], Mapping[str, Sequence[Any]]]) -> Variants[Rendering]:
    """Renderings of named polynomials in x, given by coefficients.

    The constant term comes first.
    """

    def written(problem: Any, write: Callable[[Formula], str], wrap: str = "{}") -> str:
        return "\n".join(wrap.format(f"{name} = {write(polynomial(poly))}") for name, poly in parts(problem).items())

    def in_plain_text(problem: Any) -> str:
        return written(problem, plain)

    def in_latex(problem: Any) -> str:
        return written(problem, latex, "\\[ {} \\]")

    def as_json(problem: Any) -> str:
        listed = {name: list(map(_number, poly)) for name, poly in parts(problem).items()}
        return f"Coefficients in ascending order of degree, the constant term first:\n{json.dumps(listed)}"

    def in_words(problem: Any) -> str:
        return "\n".join(f"{name} is {words(poly)}." for name, poly in parts(problem).items())

    def as_table(problem: Any) -> str:
        rows = [
            f"{name}: " + ", ".join(f"degree {at}: {_number(one)}" for at, one in reversed([*enumerate(poly)]) if one)
            for name, poly in parts(problem).items()
        ]
        return "\n".join(["Coefficients by degree; a degree that is not listed has coefficient 0.", *rows])

    return Variants(in_plain_text, in_latex, as_json, in_words, held_out=as_table, name="data")


def words(poly: Sequence[Any]) -> str:
    """A polynomial in words: ``3 times x to the power 2, minus x, plus 5``."""
    terms: list[str] = []
    for at, one in reversed([*enumerate(poly)]):
        if one:
            sign = ("minus " if one < 0 else "plus ") if terms else ("minus " if one < 0 else "")
            terms.append(sign + _term(abs(one), at))
    return ", ".join(terms)


def _term(size: Any, degree: int) -> str:
    power = {0: "", 1: "x"}.get(degree, f"x to the power {degree}")
    if not degree:
        return str(size)
    return power if size == 1 else f"{size} times {power}"


def _number(value: Any) -> Any:
    return value if isinstance(value, int) else str(value)
