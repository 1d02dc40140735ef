"""recurrence-v0: find a closed form of a sequence with a linear recurrence.

Action: one expression in n, in any form made of powers, sums and products. The sequence is a sum of powers of integers, drawn
first. Difficulty: higher order and repeated characteristic roots; effort is the cube of the order times the digits of the
coefficients.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from envhub.core.errors import InvalidParameters
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
from envhub.generators.algebra.formulas import Formula, plus, power, times
from envhub.generators.algebra.functions import signed
from envhub.generators.algebra.notation import latex, plain
from envhub.generators.algebra.polynomials import product
from envhub.verifiers.math.sequences import equals_sequence


def _step(problem: JSON) -> Formula:
    return plus(*(times(one, f"a(n-{at})") for at, one in enumerate(problem["coefficients"], 1) if one))


def _equations(problem: JSON) -> str:
    starts = [f"a({at}) = {value}" for at, value in enumerate(problem["starts"])]
    return "\n".join([*starts, f"a(n) = {plain(_step(problem))} for n >= {len(starts)}"])


def _latex(problem: JSON) -> str:
    step = plus(*(times(one, f"a_{{n-{at}}}") for at, one in enumerate(problem["coefficients"], 1) if one))
    starts = ", \\quad ".join(f"a_{{{at}}} = {value}" for at, value in enumerate(problem["starts"]))
    head = "Write a(n) for $a_n$.\n"
    return head + f"\\[ {starts}, \\quad a_n = {latex(step)} \\text{{ for }} n \\ge {len(problem['starts'])} \\]"


def _words(problem: JSON) -> str:
    order = len(problem["starts"])
    parts = [f"{one} times the element {at} before it" for at, one in enumerate(problem["coefficients"], 1) if one]
    starts = ", ".join(map(str, problem["starts"]))
    head = f"The sequence a(0), a(1), ... begins with {starts}."
    return f"{head} From a({order}) on, each element is the sum of: {'; '.join(parts)}."


def _as_json(problem: JSON) -> str:
    note = 'For n >= len(start): a(n) = coefficients[0]*a(n-1) + coefficients[1]*a(n-2) + ..., and "start" is a(0), a(1), ...'
    return f"{note}\n{json.dumps({'start': problem['starts'], 'coefficients': problem['coefficients']})}"


class Recurrence(ExpressionValue):
    """Find a closed form of a linear recurrence."""

    Params = levels(
        order=knob("order of the recurrence", 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, at_least=1),
        repeated=knob(
            "whether a characteristic root is repeated", *[False] * 3, True, False, True, True, False, True, True
        ),
        root=knob("largest characteristic root", 9, 4, 6, 5, 4, 4, 5, 4, 4, 4, at_least=3, at_most=9),
        size=knob("largest coefficient of the closed form", 99, 9, 9, 9, 9, 9, 9, 9, 9, 9, at_least=5),
    )
    answer = Exact(
        kind="expression",
        options={"variables": ["n"], "names": ["a(n)", "a_n"]},
        called="one expression in n",
        shown="17*3^n - 5*n*(-2)^n",
    )
    data = Variants(_equations, _latex, _words, held_out=_as_json, name="data")
    task = Phrase(
        "Find a closed form of a(n), valid for all integers n >= 0.",
        "Give a formula for a(n) that holds for every integer n >= 0.",
        "Solve the recurrence: express a(n) in terms of n for all integers n >= 0.",
        held_out="Determine an explicit formula for a(n), for each integer n >= 0.",
    )
    rules = (
        Phrase(
            "Use only n, exact numbers, sums, products, quotients by numbers, and powers.",
            "The formula may contain n, exact numbers, +, -, *, division by numbers, and powers.",
            "Allowed are n, exact numbers, sums, differences, products, division by numbers, and powers.",
            held_out="The formula must consist of n, exact numbers, sums, products, quotients by numbers, and powers.",
        ),
        Phrase(
            "Any equivalent form is accepted.",
            "You may write the formula in any equivalent form.",
            "The form of the formula does not matter.",
            held_out="All equivalent formulas count.",
        ),
    )

    def check(self, p: Any) -> None:
        """A repeated root needs the order 2."""
        if p.repeated and p.order < 2:
            raise InvalidParameters(f"`order` must be at least 2 with a repeated root, got {p.order}.")

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, str] | None:
        """A recurrence and its first values, from a random closed form."""
        different = p.order - p.repeated
        roots = rng.sample([one for one in range(-p.root, p.root + 1) if one], different)
        parts = [(roots[0], 1), *((one, 0) for one in roots)] if p.repeated else [(one, 0) for one in roots]
        terms = [(signed(rng, p.size), root, degree) for root, degree in parts]
        characteristic = product(*([-root, 1] for root, _ in parts))
        starts = [sum(factor * n**degree * root**n for factor, root, degree in terms) for n in range(p.order)]
        if set(starts) == {0} or (p.order == 1 and abs(roots[0]) == 1):
            return None
        closed = plus(*(times(factor, power("n", degree), _power(root)) for factor, root, degree in terms))
        return {"starts": starts, "coefficients": [-one for one in characteristic[-2::-1]]}, plain(closed)

    def judge(self, problem: JSON, right: Any, given: Any) -> bool | str | None:
        """The sequence satisfies the recurrence from its starts on."""
        return equals_sequence(given.value, "n", problem["starts"], problem["coefficients"])

    def forms(self, problem: JSON, right: str) -> Iterator[str]:
        """With another exponent, with a term added, in LaTeX."""
        yield f"2*({right})/2"
        yield f"{right} + 3*2^(n+1) - 6*2^n"
        yield right.replace("*", " \\cdot ")

    def slips(self, problem: JSON, right: str) -> Iterator[str]:
        """Shifted, signs lost, a start alone."""
        yield right.replace("^n", "^(n+1)") if "^n" in right else f"{right} + n"
        yield right.replace("^n", "^(n-1)") if "^n" in right else f"{right} - n"
        yield f"-({right})"
        yield f"{right} + 1"
        yield f"{right} + n*(n-1)*(n-2)*(n-3)*(n-4)*(n-5)"
        yield str(problem["starts"][0])

    def effort(self, inst: Instance) -> float:
        """The cube of the order, times the digits of the coefficients."""
        digits = sum(len(str(abs(one))) for one in inst.problem["coefficients"])
        return float(len(inst.problem["starts"]) ** 3 * digits)


def _power(root: int) -> Formula:
    return 1 if root == 1 else ["^", root, "n"]
