"""Formulas over numbers of any notation, as nested lists: ``["+", 2, ["*", "0.5", 3]]``.

A leaf is an integer or a text such as ``"0.5"`` or ``"3/4"``. What an operator means is given by a table of
:class:`Operator`, so that the same functions draw, print, evaluate and compare arithmetic and bitwise formulas::

    infix(["*", ["+", 1, 2], 3], ARITHMETIC)        # "(1 + 2) * 3"
    evaluate(["+", "0.5", "3/4"], ARITHMETIC)       # Fraction(5, 4)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream

Formula = Any
"""A leaf, or a list of an operator's key and its operands."""


class Operator(NamedTuple):
    """What an operator means and how it is written.

    Attributes:
        name: In function notation.
        rank: A higher rank binds more tightly. Operands of rank 0 are always in parentheses.
        apply: Its value.
        group: The commutative operator that it belongs to, and whether its right operand is inverted; empty for none.
        symbol: Between its operands. A word, and the symbol of a single operand, is followed by the operands in parentheses.
    """

    name: str
    rank: int
    apply: Callable[..., Any]
    group: str
    symbol: str


Operators = Mapping[str, Operator]

ARITHMETIC: Final[Operators] = {
    "+": Operator("add", 1, lambda a, b: a + b, "+", "+"),
    "-": Operator("subtract", 1, lambda a, b: a - b, "+", "-"),
    "*": Operator("multiply", 2, lambda a, b: a * b, "*", "*"),
    "/": Operator("divide", 2, lambda a, b: a / b, "*", "/"),
    "^": Operator("power", 3, lambda a, b: a ** int(b), "", "^"),
}


def grow(rng: Stream, leaves: Sequence[Formula], operators: Sequence[str], nested: bool) -> Formula:
    """A random formula over the leaves, in their order.

    Without nesting, operators apply from left to right.
    """
    if len(leaves) == 1:
        return leaves[0]
    cut = 1 + rng.below(len(leaves) - 1) if nested else len(leaves) - 1
    operator = rng.choice(operators)
    left, right = leaves[:cut], leaves[cut:]
    return [operator, grow(rng, left, operators, nested), grow(rng, right, operators, nested)]


def is_leaf(formula: Formula) -> bool:
    """Whether a formula is a number."""
    return not isinstance(formula, (list, tuple))


def evaluate(formula: Formula, operators: Operators, number: Callable[[Any], Any] = Fraction) -> Any:
    """The value of a formula.

    Raises:
        ZeroDivisionError: It divides by zero.
    """
    if is_leaf(formula):
        return number(formula)
    return operators[formula[0]].apply(*(evaluate(part, operators, number) for part in formula[1:]))


def operations(formula: Formula, operators: Operators, number: Callable[[Any], Any] = Fraction) -> list[list[Any]]:
    """Every operation as ``[operator, value, ...]``, in a possible order."""
    found: list[list[Any]] = []

    def walk(part: Formula) -> Any:
        if is_leaf(part):
            return number(part)
        values = [walk(one) for one in part[1:]]
        found.append([part[0], *values])
        return operators[part[0]].apply(*values)

    walk(formula)
    return found


def work(formula: Formula, operators: Operators) -> int:
    """Digit operations of the schoolbook methods.

    One for each digit of a sum, and one for each pair of digits of a product.
    """
    total = 0
    for key, *values in operations(formula, operators):
        sizes = [len(str(value.numerator)) + len(str(value.denominator)) - 1 for value in values]
        linear = key in ("+", "-") and all(value.denominator == 1 for value in values)
        total += sum(sizes) if linear else sizes[0] * sizes[-1]
    return total


def size(formula: Formula) -> int:
    """The number of operations."""
    return 0 if is_leaf(formula) else 1 + sum(map(size, formula[1:]))


def arities(formula: Formula) -> dict[str, int]:
    """The operators of a formula, each with its number of operands."""
    found: dict[str, int] = {}
    left = [formula]
    while left:
        part = left.pop()
        if not is_leaf(part):
            found[part[0]] = len(part) - 1
            left += part[1:]
    return found


def canonical(formula: Formula, operators: Operators, number: Callable[[Any], Any] = Fraction) -> Any:
    """The formula with its sums and products in order, as JSON."""
    if is_leaf(formula):
        return str(number(formula))
    group = operators[formula[0]].group
    if not group:
        return [formula[0], *(canonical(part, operators, number) for part in formula[1:])]
    members = [
        [inverse, canonical(part, operators, number)] for inverse, part in _members(formula, group, operators, False)
    ]
    return [group, sorted(members, key=repr)]


def infix(formula: Formula, operators: Operators, number: Callable[[Any], str] = str) -> str:
    """The formula with its operators between their operands."""
    if is_leaf(formula):
        return number(formula)
    operator = operators[formula[0]]
    if _is_call(formula, operators):
        return f"{operator.symbol}({', '.join(infix(part, operators, number) for part in formula[1:])})"
    left, right = formula[1:]
    left_text = _wrapped(left, operators, number, lambda rank: rank < operator.rank)
    right_text = _wrapped(right, operators, number, lambda rank: rank <= operator.rank)
    return f"{left_text} {operator.symbol} {right_text}"


def order_of(formula: Formula, operators: Operators) -> str:
    """Sentences on the order of operators; empty if it does not matter."""
    found = arities(formula)
    used = [operator for key, operator in operators.items() if found.get(key) == 2 and operator.rank]
    ranks = sorted({operator.rank for operator in used}, reverse=True)
    kinds = [" and ".join(operator.symbol for operator in used if operator.rank == rank) for rank in ranks]
    before = [f"{first} {'are' if ' ' in first else 'is'} applied before {then}." for first, then in pairwise(kinds)]
    several = used and size(formula) > 1
    return " ".join([*before, "Operators of the same rank are applied from left to right."] if several else [])


def calls(formula: Formula, operators: Operators, number: Callable[[Any], str] = str) -> str:
    """The formula in function notation: ``multiply(add(1, 2), 3)``."""
    if is_leaf(formula):
        return number(formula)
    return f"{operators[formula[0]].name}({', '.join(calls(part, operators, number) for part in formula[1:])})"


def prefix(formula: Formula, operators: Operators, number: Callable[[Any], str] = str) -> str:
    """The formula with each operator before its operands: ``(multiply (add 1 2) 3)``."""
    if is_leaf(formula):
        return number(formula)
    parts = (prefix(part, operators, number) for part in formula[1:])
    return f"({operators[formula[0]].name} {' '.join(parts)})"


def steps(formula: Formula, operators: Operators, number: Callable[[Any], str] = str) -> list[str]:
    """The formula as assignments; the last one is the result."""
    lines: list[str] = []

    def name(part: Formula) -> str:
        if is_leaf(part):
            return number(part)
        operator, names = operators[part[0]], [name(one) for one in part[1:]]
        call = _is_call(part, operators)
        text = f"{operator.symbol}({', '.join(names)})" if call else f" {operator.symbol} ".join(names)
        lines.append(f"t{len(lines) + 1} = {text}")
        return f"t{len(lines)}"

    name(formula)
    return lines


def _members(formula: Formula, group: str, operators: Operators, inverse: bool) -> list[tuple[bool, Formula]]:
    """The summands or factors, each with whether it is inverted."""
    if is_leaf(formula) or operators[formula[0]].group != group:
        return [(inverse, formula)]
    left, right = formula[1:]
    flipped = inverse != (formula[0] != group)
    return [*_members(left, group, operators, inverse), *_members(right, group, operators, flipped)]


def _is_call(formula: Formula, operators: Operators) -> bool:
    return len(formula) == 2 or operators[formula[0]].symbol.isalpha()


def _wrapped(part: Formula, operators: Operators, number: Callable[[Any], str], weak: Callable[[int], bool]) -> str:
    text = infix(part, operators, number)
    if is_leaf(part) or _is_call(part, operators):
        return text
    rank = operators[part[0]].rank
    return f"({text})" if not rank or weak(rank) else text
