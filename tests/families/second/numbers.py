"""Values of arithmetic and number theory by SymPy, by Python's own number types, or by brute force."""

from __future__ import annotations

import decimal
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import count, product
from typing import Any, Final

import sympy
from sympy.ntheory import continued_fraction, digits as sympy_digits
from sympy.ntheory.continued_fraction import continued_fraction_iterator
from sympy.ntheory.modular import solve_congruence

from envhub.core.types import JSON
from envhub.generators.numbers.formulas import ARITHMETIC, infix

_DECIMAL_ROUNDING: Final = {
    "half away from zero": decimal.ROUND_HALF_UP,
    "half to even": decimal.ROUND_HALF_EVEN,
    "towards zero": decimal.ROUND_DOWN,
    "down": decimal.ROUND_FLOOR,
    "up": decimal.ROUND_CEILING,
}


def gcd_lcm(problem: JSON) -> Any:
    find = sympy.igcd if problem["asked"].startswith("greatest") else sympy.ilcm
    return int(find(*problem["numbers"]))


def formula(problem: JSON) -> Fraction:
    """The value of the printed formula, as SymPy reads it."""
    text = infix(problem["formula"], ARITHMETIC, "({})".format)
    value = sympy.sympify(text.replace("^", "**"), rational=True)
    return Fraction(int(value.p), int(value.q))


def decimal_arithmetic(problem: JSON) -> Fraction:
    value = formula(problem)
    if problem["rounding"] is None:
        return value
    with decimal.localcontext(decimal.Context(prec=400)):
        exact = decimal.Decimal(value.numerator) / decimal.Decimal(value.denominator)
        unit = decimal.Decimal(1).scaleb(-problem["places"])
        return Fraction(exact.quantize(unit, rounding=_DECIMAL_ROUNDING[problem["rounding"]]))


def base_conversion(problem: JSON) -> str:
    found = sympy_digits(int(problem["number"], problem["source"]), problem["target"])[1:]
    return "".join("0123456789abcdefghijklmnopqrstuvwxyz"[digit] for digit in found)


def bitwise(problem: JSON) -> int:
    """By the single bits, the lowest first."""
    return sum(bit << at for at, bit in enumerate(_bits(problem["formula"], problem["width"])))


def _bits(part: Any, width: int) -> list[int]:
    if isinstance(part, int):
        return [part >> at & 1 for at in range(width)]
    key, first = part[0], _bits(part[1], width)
    if key == "~":
        return [1 - bit for bit in first]
    if key == "ones":
        return _bits(sum(first), width)
    if key in ("<<", ">>", "rot"):
        step = part[2]
        places = [at + step if key == ">>" else at - step for at in range(width)]
        return [first[at % width] if key == "rot" or 0 <= at < width else 0 for at in places]
    second = _bits(part[2], width)
    if key in ("+", "*"):
        one, other = (sum(bit << at for at, bit in enumerate(bits)) for bits in (first, second))
        return _bits((one + other if key == "+" else one * other) % 2**width, width)
    wanted = {"&": (2,), "|": (1, 2), "^": (1,)}[key]
    return [int(a + b in wanted) for a, b in zip(first, second, strict=True)]


def factorization(problem: JSON) -> tuple[int, ...]:
    return tuple(sorted(prime for prime, times in sympy.factorint(problem["number"]).items() for _ in range(times)))


def modular_power(problem: JSON) -> int:
    power = sympy.Pow(problem["base"], problem["exponent"], evaluate=False)
    return int(sympy.Mod(power, problem["modulus"]))


def modular_inverse(problem: JSON) -> dict[str, frozenset[Fraction]]:
    x = int(sympy.mod_inverse(problem["number"], problem["modulus"]))
    y = Fraction(1 - problem["number"] * x, problem["modulus"])
    return {"x": frozenset({Fraction(x)}), "y": frozenset({y})}


def crt(problem: JSON) -> int:
    found = solve_congruence(*((rest, modulus) for modulus, rest in problem["conditions"]))
    return int(found[0])


def discrete_log(problem: JSON) -> int:
    value = 1
    for exponent in count():
        if value == problem["result"]:
            return exponent
        value = value * problem["base"] % problem["prime"]
    raise AssertionError


def diophantine(problem: JSON) -> int:
    """The smallest sum, by breadth first search over totals."""
    reached, level = {0}, 0
    while problem["total"] not in reached:
        level += 1
        reached = {total + step for total, step in product(reached, problem["coefficients"])}
        reached = {total for total in reached if total <= problem["total"]}
    return level


def continued(problem: JSON) -> tuple[int, ...]:
    if problem["count"] is None:
        return tuple(map(int, continued_fraction(sympy.Rational(problem["number"]))))
    terms = continued_fraction_iterator(sympy.sympify(problem["number"]))
    return tuple(int(next(terms)) for _ in range(problem["count"]))


def count_primes(problem: JSON) -> tuple[int, int]:
    found = list(sympy.primerange(problem["low"], problem["high"] + 1))
    return len(found), sum(found)


VALUES: Final[Mapping[str, Callable[[JSON], Any]]] = {
    "gcd-lcm-v0": gcd_lcm,
    "decimal-arithmetic-v0": decimal_arithmetic,
    "fraction-arithmetic-v0": formula,
    "base-conversion-v0": base_conversion,
    "bitwise-v0": bitwise,
    "factorization-v0": factorization,
    "modular-power-v0": modular_power,
    "modular-inverse-v0": modular_inverse,
    "crt-v0": crt,
    "discrete-log-v0": discrete_log,
    "continued-fraction-v0": continued,
    "count-primes-v0": count_primes,
}
OPTIMA: Final[Mapping[str, Callable[[JSON], int]]] = {"diophantine-v0": diophantine}
"""By member of Witness: its best value."""
