"""Operators that a problem defines by formulas of their operands."""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.generators.numbers import formulas
from envhub.generators.numbers.formulas import Formula, Operator, Operators

INNER: Final[Operators] = {
    "+": Operator("add", 1, lambda a, b: a + b, "+", "+"),
    "-": Operator("subtract", 1, lambda a, b: a - b, "+", "-"),
    "*": Operator("multiply", 2, lambda a, b: a * b, "*", "*"),
    "max": Operator("max", 0, max, "", "max"),
    "min": Operator("min", 0, min, "", "min"),
    "abs": Operator("abs", 0, abs, "", "abs"),
    "mod": Operator("mod", 0, lambda a, b: a % b, "", "mod"),
    "div": Operator("div", 0, lambda a, b: a // b, "", "div"),
    "gcd": Operator("gcd", 0, gcd, "", "gcd"),
    "digits": Operator("digits", 0, lambda a: sum(map(int, str(abs(a)))), "", "digits"),
}
"""What a definition may consist of."""

MEANINGS: Final[Mapping[str, str]] = {
    "max": "max(x, y) is the larger of x and y.",
    "min": "min(x, y) is the smaller of x and y.",
    "abs": "abs(x) is the absolute value of x.",
    "mod": "mod(x, m) is the remainder from 0 to m - 1 that x leaves after division by m, also for negative x.",
    "div": "div(x, m) is the largest integer that is not larger than x / m, also for negative x.",
    "gcd": "gcd(x, y) is the greatest common divisor of x and y. It is never negative, and gcd(x, 0) = abs(x).",
    "digits": "digits(x) is the sum of the decimal digits of x. A minus sign is ignored.",
}

CONDITIONS: Final[Mapping[str, str]] = {
    "a > b": "greater",
    "a + b is even": "even sum",
    "a is even": "even",
    "a * b is negative": "negative",
}
"""Conditions of a definition with two cases, each with the kind of definition that it makes."""

KINDS: Final = (
    *("linear", "product", "square", "maximum", "minimum", "distance", "remainder", "quotient", "divisor", "digits"),
    *CONDITIONS.values(),
)
"""Kinds of definitions."""


def draw_definition(rng: Stream, kind: str) -> dict[str, Any]:
    """A definition with a condition and two formulas, or with one formula."""
    if kind not in CONDITIONS.values():
        return {"kind": kind, "when": None, "then": _formula(rng, kind), "otherwise": None}
    when = next(condition for condition, name in CONDITIONS.items() if name == kind)
    branches = rng.sample(("linear", "product", "distance"), 2)
    return {"kind": kind, "when": when, "then": _formula(rng, branches[0]), "otherwise": _formula(rng, branches[1])}


def _formula(rng: Stream, kind: str) -> Formula:
    p, q, r = (rng.between(2, 9) for _ in range(3))
    mixed = ["+", ["*", p, "a"], ["*", q, "b"]]
    made: dict[str, Formula] = {
        "linear": [rng.choice("+-"), ["*", p, "a"], ["*", q, "b"]],
        "product": [rng.choice("+-"), ["*", "a", "b"], ["*", p, rng.choice("ab")]],
        "square": ["-", ["*", "a", "a"], ["*", p, "b"]],
        "maximum": ["-", ["*", p, ["max", "a", "b"]], rng.choice("ab")],
        "minimum": ["+", ["*", p, ["min", "a", "b"]], ["*", q, "b"]],
        "distance": ["+", ["*", p, ["abs", ["-", "a", "b"]]], r],
        "remainder": ["+", ["*", r, ["mod", mixed, rng.between(7, 19)]], "a"],
        "quotient": ["+", ["div", ["*", ["+", "a", p], "b"], r], "b"],
        "divisor": ["+", ["*", r, ["gcd", "a", "b"]], ["-", "a", "b"]],
        "digits": ["+", ["*", p, ["digits", "a"]], ["*", q, "b"]],
    }
    return made[kind]


def holds(when: str, a: int, b: int) -> bool:
    """Whether one of :data:`CONDITIONS` is true."""
    return {"a > b": a > b, "a + b is even": (a + b) % 2 == 0, "a is even": a % 2 == 0, "a * b is negative": a * b < 0}[
        when
    ]


def branch(definition: Mapping[str, Any], a: int, b: int) -> Formula:
    """The formula of a definition that applies to two operands."""
    when = definition["when"]
    return definition["then"] if when is None or holds(when, a, b) else definition["otherwise"]


def apply(definition: Mapping[str, Any], a: int, b: int) -> int:
    """The value of a defined operator."""
    known = {"a": a, "b": b}
    return int(formulas.evaluate(branch(definition, a, b), INNER, lambda leaf: known.get(leaf, leaf)))


def written(definition: Mapping[str, Any]) -> str:
    """The right side of a definition."""
    then = formulas.infix(definition["then"], INNER)
    if definition["when"] is None:
        return then
    return f"{then} if {definition['when']}, and {formulas.infix(definition['otherwise'], INNER)} otherwise"


def used(definition: Mapping[str, Any]) -> set[str]:
    """The functions of a definition that need a meaning."""
    parts = [definition["then"], definition["otherwise"] or 0]
    return {key for part in parts for key in formulas.arities(part) if key in MEANINGS}
