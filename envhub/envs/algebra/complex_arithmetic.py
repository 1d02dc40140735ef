"""complex-arithmetic-v0: compute with complex numbers exactly.

Action: one complex number ``a + bi`` with integers or fractions. Difficulty: more numbers, division from level 3 on, powers
from level 5 on; effort is the number of real multiplications.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from typing import Any, TypeAlias

from envhub.families.expression_kit import JSON, Exact, ExpressionValue, Instance, Phrase, Stream, knob, levels
from envhub.families.formula_renderings import formulas
from envhub.generators.algebra.formulas import Formula, number, times
from envhub.generators.algebra.notation import latex, plain
from envhub.verifiers.math.forms import is_expanded

_Complex: TypeAlias = "tuple[Any, Any]"
_LONGEST = 60


class ComplexArithmetic(ExpressionValue):
    """Compute with complex numbers."""

    Params = levels(
        numbers=knob("how many complex numbers", 2, 2, 3, 3, 4, 4, 5, 6, 7, 9, at_least=2),
        size=knob("largest real or imaginary part", 9, 20, 12, 20, 12, 15, 15, 15, 20, 20, at_least=3, at_most=99),
        divisions=knob("how many divisions at most", 0, 0, 1, 1, 1, 1, 2, 2, 2, 3),
        powers=knob("largest exponent of a power, or 1 for none", 1, 1, 1, 1, 2, 2, 3, 3, 3, 4),
    )
    one_text = True
    answer = Exact(kind="complex", called="one complex number a + bi", shown="17 - 5/3*i", names=("z",))
    data = formulas(lambda problem: {"z": problem["expression"]})
    task = Phrase(
        "Compute the complex number z.",
        "Find the value of z, where i is the imaginary unit.",
        "What is z? Here i is the imaginary unit.",
        held_out="Evaluate z, a complex number, in Cartesian form.",
    )
    rules = (
        Phrase(
            "Give z in the form a + bi, where a and b are exact integers or fractions.",
            "Write z as a + bi with exact integers or fractions a and b.",
            "The answer must be written as a + bi. Both a and b must be exact integers or fractions.",
            held_out="State z in the form a + bi. Decimals that are rounded do not count: a and b are integers or fractions.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, str] | None:
        """Numbers joined one after the other.

        The parts of the value are not 0 and not too long.
        """
        formula = _operand(rng, p.size)
        divisions = p.divisions
        for _ in range(p.numbers - 1):
            other = _operand(rng, p.size)
            if p.powers > 1 and rng.below(3) == 0:
                other = ["^", other, rng.between(2, p.powers)]
            op = rng.choice("+-**/" if divisions else "+-**")
            divisions -= op == "/"
            formula = _joined(op, formula, other)
        value = _value(formula)
        text = plain(_formula(value))
        if not value[0] or not value[1] or len(text) > _LONGEST:
            return None
        return {"expression": formula}, text

    def judge(self, problem: JSON, right: Any, given: Any) -> bool | str | None:
        """The same number, worked out."""
        return self.answer.compare(right, given) and (is_expanded(given.value) or "Work it out to the form a + bi.")

    def forms(self, problem: JSON, right: str) -> Iterator[str]:
        """With its name, in LaTeX, the imaginary part first."""
        yield f"z = {right}"
        real, imaginary = _value(problem["expression"])
        yield latex(_formula((real, imaginary)))
        yield plain(["+", times(number(imaginary), "i"), number(real)])

    def slips(self, problem: JSON, right: str) -> Iterator[str]:
        """The conjugate, parts swapped or alone, signs lost, arithmetic left, another name."""
        real, imaginary = _value(problem["expression"])
        for other in ((real, -imaginary), (imaginary, real), (-real, imaginary), (-real, -imaginary)):
            yield plain(_formula(other))
        yield from (str(real), str(imaginary), plain(problem["expression"]), f"w = {right}", f"z* = {right}")

    def effort(self, inst: Instance) -> float:
        """Multiplications of real numbers: four for a product, eight for a quotient.

        One for a sum.
        """
        return float(_work(inst.problem["expression"]))


def _operand(rng: Stream, size: int) -> Formula:
    """A complex number with both parts."""
    return _formula((_part(rng, size), _part(rng, size)))


def _part(rng: Stream, size: int) -> int:
    return rng.between(1, size) * (1 - 2 * rng.below(2))


def _joined(op: str, one: Formula, other: Formula) -> Formula:
    """The operation as a formula.

    A chain of equal operations needs no brackets.
    """
    sign = "+" if op in "+-" else "*"
    right = {"-": ["neg", other], "/": ["inv", other]}.get(op, other)
    chained = one[0] == sign and isinstance(one[1], list)  # a number itself is a sum that begins with an integer
    return [sign, *(one[1:] if chained else [one]), right]


def _product(one: _Complex, other: _Complex) -> _Complex:
    return one[0] * other[0] - one[1] * other[1], one[0] * other[1] + one[1] * other[0]


def _power(value: _Complex, exponent: int) -> _Complex:
    return value if exponent == 1 else _product(value, _power(value, exponent - 1))


def _value(formula: Formula) -> _Complex:
    """The value of an expression."""
    if not isinstance(formula, list):
        return (0, 1) if formula == "i" else (formula, 0)
    op, *args = formula
    if op == "^":
        return _power(_value(args[0]), args[1])
    values = [_value(arg) for arg in args]
    if op == "+":
        return sum(one[0] for one in values), sum(one[1] for one in values)
    if op == "*":
        return reduce(_product, values)
    real, imaginary = values[0]
    if op == "neg":
        return -real, -imaginary
    norm = Fraction(real**2 + imaginary**2)
    return real / norm, -imaginary / norm


def _formula(value: _Complex) -> Formula:
    real, imaginary = value
    return ["+", number(real), times(number(imaginary), "i")]


def _work(formula: Formula) -> int:
    """Multiplications of real numbers, and one for each sum."""
    if not isinstance(formula, list):
        return 0
    op, *args = formula
    weight = {"*": 4 * (len(args) - 1), "inv": 4, "^": 4 * (args[-1] - 1) if op == "^" else 0}.get(op, 1)
    return weight + sum(map(_work, args))
