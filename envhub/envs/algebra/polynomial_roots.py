"""polynomial-roots-v0: find all roots of a polynomial exactly.

Action: the different roots as exact numbers, with square roots where needed. The polynomial is a product of linear and
quadratic factors; either the real or all complex roots are asked for. Difficulty: more factors, quadratic ones without
rational roots, then complex roots; effort is the number of coefficient digits times the degree. A constant factor does not
change the problem.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from envhub.families.expression_kit import JSON, Exact, ExpressionValue, Instance, Phrase, Stream, knob, levels
from envhub.families.formula_renderings import polynomials
from envhub.generators.algebra.factoring import irreducible
from envhub.generators.algebra.notation import plain
from envhub.generators.algebra.polynomials import drawn, primitive, product
from envhub.generators.algebra.surds import Surd, approximation, formula, rational, roots

_KINDS = {True: "complex", False: "real"}


class PolynomialRoots(ExpressionValue):
    """Find all roots of a polynomial."""

    Params = levels(
        linear=knob("how many linear factors", 2, 2, 1, 3, 1, 2, 1, 2, 1, 2, at_least=0),
        quadratic=knob("how many quadratic factors without rational roots", 0, 0, 1, 0, 1, 1, 2, 2, 3, 3),
        size=knob("largest coefficient of a factor", 6, 12, 6, 9, 9, 9, 9, 9, 9, 12, at_least=4, at_most=30),
        imaginary=knob("whether all complex roots are asked for", *[False] * 5, *[True] * 5),
    )
    one_text = True
    answer = Exact(
        kind="set",
        options={"of": "complex"},
        called="all roots, separated by commas",
        shown=", ".join(plain(formula(one)) for one in (Surd(17, 0, 1, 1), Surd(5, -1, 7, 3), Surd(5, 1, 7, 3))),
    )
    data = polynomials(lambda problem: {"p(x)": problem["polynomial"]})
    task = Phrase(
        "Find all {asked} roots of p(x).",
        "Solve p(x) = 0 over the {asked} numbers.",
        "For which {asked} numbers x is p(x) equal to 0? Find all of them.",
        held_out="Determine the set of all {asked} zeros of p(x).",
    )
    rules = (
        Phrase(
            "List each root once, even if it is a multiple root.",
            "Give multiple roots only once.",
            "A root of higher multiplicity is listed once.",
            held_out="Do not repeat a root, whatever its multiplicity.",
        ),
        Phrase(
            "Roots must be exact. Write sqrt() for square roots and i for the imaginary unit, if you need them.",
            "Give exact values, not decimal approximations. If needed, sqrt() is a square root and i the imaginary unit.",
            "Do not round. Where needed, use sqrt() for square roots and i for the imaginary unit.",
            held_out="Only exact values count. sqrt() denotes a square root and i the imaginary unit.",
        ),
        Phrase(
            "The order of the roots does not matter.",
            "You may list the roots in any order.",
            "Any order of the roots is accepted.",
            held_out="The roots can be in any order.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, str] | None:
        """Factors with at least two different roots of the requested kind.

        At least one of these roots is not 0.
        """
        lines = [primitive(drawn(rng, 1, p.size)) for _ in range(p.linear)]
        squares = [_quadratic(rng, p.size, rng.below(2) == 0) for _ in range(p.quadratic)]
        found = {rational(Fraction(-one[0], one[1])) for one in lines} | {
            each for one in squares for each in roots(one)
        }
        wanted = sorted((one for one in found if p.imaginary or one.d > 0), key=_order)
        if len(wanted) < 2:
            return None
        problem = {"polynomial": product(*lines, *squares), "asked": _KINDS[p.imaginary]}
        return problem, ", ".join(plain(formula(one)) for one in wanted)

    def forms(self, problem: JSON, right: str) -> Iterator[str]:
        """Reversed, in braces, by name."""
        parts = right.split(", ")
        yield ", ".join(reversed(parts))
        yield f"{{{right}}}"
        yield ", ".join(f"x = {one}" for one in parts)

    def slips(self, problem: JSON, right: str) -> Iterator[str]:
        """A root too few or too many, signs lost."""
        parts = right.split(", ")
        yield ", ".join(parts[1:])
        yield ", ".join(parts[:-1])
        yield f"{right}, 17"
        yield ", ".join(f"-({one})" for one in parts)

    def canonical(self, content: JSON) -> JSON:
        """The polynomial without a constant factor."""
        return [content["asked"], primitive(content["polynomial"])]

    def effort(self, inst: Instance) -> float:
        """Digits of the coefficients, once for each root to be split off."""
        poly = inst.problem["polynomial"]
        return float(len(poly) * sum(len(str(abs(one))) for one in poly))


def _quadratic(rng: Stream, size: int, imaginary: bool) -> list[int]:
    """An irreducible quadratic polynomial with real or with complex roots."""
    while True:
        one = primitive(drawn(rng, 2, size))
        if irreducible(one) and (one[1] * one[1] < 4 * one[0] * one[2]) == imaginary:
            return one


def _order(surd: Surd) -> tuple[bool, Fraction, Surd]:
    return surd.d < 0, approximation(surd) if surd.d > 0 else Fraction(0), surd
