"""interpolation-v0: find the polynomial of lowest degree through given points.

Action: one polynomial, multiplied out. Difficulty: more points and, from level 5 on, coefficients that are fractions; effort is
the number of divided differences times the digits of the values. The order of the points does not change the problem.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from envhub.families.expression_kit import (
    JSON,
    Exact,
    ExpressionValue,
    Instance,
    Phrase,
    Stream,
    Variants,
    knob,
    levels,
)
from envhub.generators.algebra.formulas import negative, polynomial
from envhub.generators.algebra.notation import latex, plain
from envhub.generators.algebra.polynomials import drawn, through, total, value_at


def _equations(problem: JSON) -> str:
    return "\n".join(f"p({x}) = {y}" for x, y in problem["points"])


def _pairs(problem: JSON) -> str:
    return "Points (x, p(x)): " + ", ".join(f"({x}, {y})" for x, y in problem["points"])


def _as_json(problem: JSON) -> str:
    return json.dumps({"x": [x for x, _ in problem["points"]], "p(x)": [y for _, y in problem["points"]]})


def _latex(problem: JSON) -> str:
    return "\\[ " + ", \\quad ".join(f"p({x}) = {y}" for x, y in problem["points"]) + " \\]"


def _table(problem: JSON) -> str:
    return "\n".join(["| x | p(x) |", "|---|---|", *(f"| {x} | {y} |" for x, y in problem["points"])])


class Interpolation(ExpressionValue):
    """Find the polynomial of lowest degree through given points."""

    Params = levels(
        points=knob("how many points", 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, at_least=2),
        reach=knob("largest absolute value of x", 6, 6, 9, 9, 9, 9, 12, 12, 12, 12, at_least=5),
        size=knob("largest coefficient or value", 9, 9, 12, 9, 12, 9, 12, 12, 12, 12, at_least=5),
        fractions=knob("whether coefficients may be fractions", *[False] * 4, *[True] * 6),
    )
    one_text = True
    expanded = True
    answer = Exact(
        kind="expression",
        options={"variables": ["x"], "names": ["p(x)", "p"]},
        called="one polynomial in x",
        shown="17*x^2 - 5*x + 2/3",
    )
    data = Variants(_equations, _pairs, _as_json, _latex, held_out=_table, name="data")
    task = Phrase(
        "Find the polynomial p(x) of lowest degree that takes these {count} values.",
        "Which polynomial p(x) of lowest degree passes through these {count} points?",
        "Interpolate the {count} given points by a polynomial p(x) of the lowest possible degree.",
        held_out="Determine the interpolating polynomial p(x) of {count} points, of the lowest degree possible.",
    )
    rules = (
        Phrase(
            "Write p(x) as a sum of terms, one per power of x. Its coefficients must be exact integers or fractions.",
            "Multiply out p(x) and combine like terms. Give exact coefficients, as integers or fractions.",
            "The answer must be expanded: one term per power of x, with an exact integer or fraction as coefficient.",
            held_out="Expand p(x) fully, with one term per power of x. Coefficients are exact integers or fractions.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, str] | None:
        """Points whose polynomial has the full degree.

        Their values come from a random polynomial. With ``fractions``, the values themselves are random.
        """
        xs = sorted(rng.sample(range(-p.reach, p.reach + 1), p.points))
        poly = drawn(rng, p.points - 1, p.size)
        ys = [rng.between(-p.size, p.size) if p.fractions else value_at(poly, x) for x in xs]
        points = [[x, y] for x, y in zip(xs, ys, strict=True)]
        found = through([(x, y) for x, y in points])
        if len(found) < p.points:
            return None
        return {"points": points, "count": p.points}, plain(polynomial(found))

    def forms(self, problem: JSON, right: str) -> Iterator[str]:
        """In LaTeX, by name, and with the terms reversed."""
        found = polynomial(through([(x, y) for x, y in problem["points"]]))
        yield latex(found)
        yield f"p = {right}"
        yield plain(["+", *reversed(found[1:])]) if found[0] == "+" else right

    def slips(self, problem: JSON, right: str) -> Iterator[str]:
        """Through all points but one, shifted, with the sign lost."""
        points = [(x, y) for x, y in problem["points"]]
        found = through(points)
        yield plain(polynomial(through(points[:-1])))
        yield plain(polynomial(through(points[1:])))
        yield plain(polynomial(total(found, [1])))
        yield plain(negative(polynomial(found)))
        yield plain(polynomial([-one if at % 2 else one for at, one in enumerate(found)]))
        yield f"{right} + x - x"

    def effort(self, inst: Instance) -> float:
        """Divided differences, by the digits of the values."""
        points = inst.problem["points"]
        digits = sum(len(str(abs(y))) + len(str(abs(x))) for x, y in points)
        return float(len(points) * (len(points) - 1) * digits)
