"""differentiate-v0: find the derivative of a function.

Action: one expression, in any form. The function combines powers, roots, exponentials, logarithms, sines, cosines and
arctangents by sums, products, quotients and composition. Difficulty: deeper nesting and more terms; effort is the number of
operations and operands of the function and its derivative.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from envhub.families.expression_kit import JSON, Exact, ExpressionValue, Instance, Phrase, Stream, knob, levels
from envhub.families.formula_renderings import formulas
from envhub.families.function_rules import ANY_FORM, NAMES, POSITIVE
from envhub.generators.algebra.formulas import derivative, negative, plus, size
from envhub.generators.algebra.functions import function
from envhub.generators.algebra.notation import latex, plain

_LONGEST = 1_000
_NAMES = (
    "f'(x)",
    "f^\\prime(x)",
    "f'",
    "y'",
    "y",
    "df/dx",
    "dy/dx",
    "\\frac{df}{dx}",
    "\\frac{dy}{dx}",
    "\\frac{d}{dx}f(x)",
)


class Differentiate(ExpressionValue):
    """Find the derivative of a function."""

    Params = levels(
        depth=knob("nested rules of differentiation", 0, 0, 1, 1, 2, 2, 2, 2, 2, 2),
        terms=knob("how many functions are added", 2, 3, 2, 3, 2, 3, 4, 5, 6, 8),
        size=knob("largest number in the function", 9, at_least=4, at_most=20),
    )
    answer = Exact(
        kind="expression",
        options={"variables": ["x"], "names": _NAMES, "log": "e"},
        called="one expression in x",
        shown="17*x^5 - cos(3*x)",
        positive=True,
    )
    data = formulas(lambda problem: {"f(x)": problem["function"]})
    task = Phrase(
        "Find the derivative of f(x) with respect to x.",
        "Differentiate f(x).",
        "Compute f'(x).",
        held_out="Determine the first derivative of the function f.",
    )
    rules = (POSITIVE, ANY_FORM, NAMES)

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, str] | None:
        """A sum of functions.

        Its derivative is not constant and not too long.
        """
        whole = plus(*(function(rng, p.depth, p.size) for _ in range(p.terms)))
        found = derivative(whole, "x")
        text = plain(found)
        if isinstance(found, int) or len(text) > _LONGEST:
            return None
        return {"function": whole}, text

    def forms(self, problem: JSON, right: str) -> Iterator[str]:
        """In LaTeX, as a quotient, with a term added and taken away."""
        yield latex(derivative(problem["function"], "x"))
        yield f"(2*({right}))/2"
        yield f"{right} + exp(x) - exp(x)"

    def slips(self, problem: JSON, right: str) -> Iterator[str]:
        """The function itself, lost signs, sine for cosine, an added constant."""
        found = derivative(problem["function"], "x")
        yield plain(problem["function"])
        yield plain(negative(found))
        yield right.replace("cos", "sin") if "cos" in right else f"2*({right})"
        yield f"{right} + 1"

    def effort(self, inst: Instance) -> float:
        """Operations and operands of the function and its derivative."""
        return float(size(inst.problem["function"]) + size(derivative(inst.problem["function"], "x")))
