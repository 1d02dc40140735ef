"""nullify-steps-v0: every operation and every solution once more, by SymPy."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from envhub.envs.puzzles.moves.nullify import applied
from tests.families.members import problems

pytestmark = pytest.mark.slow  # SymPy


def by_sympy(value: Fraction, unit: str) -> Fraction | None:
    x = sympy.Rational(value.numerator, value.denominator)
    found = {
        "square": lambda: x**2,
        "sqrt": lambda: sympy.sqrt(x),
        "reciprocal": lambda: 1 / x,
        "floor": lambda: sympy.floor(x),
        "ceil": lambda: sympy.ceiling(x),
        "*": lambda: x * int(unit[1:]),
        "/": lambda: x / int(unit[1:]),
        "+": lambda: x + sympy.Rational(unit),
        "-": lambda: x + sympy.Rational(unit),
    }[unit if unit.isalpha() else unit[0]]()
    return Fraction(int(found.p), int(found.q)) if found.is_Rational else None


@pytest.mark.parametrize("unit", ["square", "sqrt", "reciprocal", "floor", "ceil", "*3", "/2", "+7", "-5/2"])
def test_every_operation_is_the_one_of_mathematics(unit: str) -> None:
    for top in range(-9, 10):
        for bottom in (1, 2, 4, 9):
            value = Fraction(top, bottom)
            if value:
                assert applied(value, Fraction(unit) if unit[0] in "+-" else unit) == by_sympy(value, unit)


@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_oracle_makes_everything_vanish_by_other_code(level: int) -> None:
    for _, inst in problems("nullify-steps-v0", level, 5):
        units = {chr(97 + at): text for at, text in enumerate(inst.problem["units"])}
        values = {name: Fraction(text) for name, text in units.items() if text[0] in "+-"}
        left = set(units)
        for used, on in inst.key["moves"]:
            assert {used, on} <= left
            made = by_sympy(
                values[on],
                str(values[used]) if values.get(used, 0) < 0 else f"+{values[used]}" if used in values else units[used],
            )
            assert made is not None
            values[on] = made
            left -= {used, *([] if made else [on])}
        assert not left
