r"""Endless labelled pairs of expressions.

Rewritten with or without a change of meaning. The labels are independent of the grader: rewritings follow algebra, and
a change counts only if floating point arithmetic, which the grader never uses, distinguishes the two at some point::

    generate(count=1000, seed=7)[0]      # gold "((x + 2) * y)", answer "((y * x) + (y * 2))", right
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream

Tree = Any  # a number, a name, or (operator, *parts)

_NAMES: Final = ("x", "y", "z")
_POINTS: Final = (
    {"x": 0.731, "y": 1.37, "z": 2.213},
    {"x": 1.913, "y": 0.417, "z": 0.859},
    {"x": 2.571, "y": 3.119, "z": 1.433},
)
_APART: Final = 1e-6
_OPERATORS: Final[dict[str, Callable[[float, float], float]]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "^": math.pow
}  # fmt: skip
_FUNCTIONS: Final[dict[str, Callable[[float], float]]] = {
    "sin": math.sin, "cos": math.cos, "exp": math.exp, "sqrt": math.sqrt, "ln": math.log
}  # fmt: skip


class Pair(NamedTuple):
    """A gold answer, an answer, and whether it is right.

    Attributes:
        kind: Kind of the gold.
        options: Its options.
        gold: The right answer.
        answer: The answer.
        right: Whether it is right.
        group: The category of the pair.
    """

    kind: str
    options: Mapping[str, Any]
    gold: str
    answer: str
    right: bool
    group: str


def generate(count: int, seed: int) -> list[Pair]:
    """``count`` pairs, half of them right.

    The same seed gives the same pairs.
    """
    pairs: list[Pair] = []
    for number in range(count):
        rng = Stream(seed.to_bytes(8, "little"), "pairs", number)
        options = {"variables": list(_NAMES)}
        while True:
            tree = _random(rng, 1 + rng.below(3))
            right = number % 2 == 0
            other = _rewritten(rng, tree) if right else _changed(rng, tree)
            if other is not None and (right or _differ(tree, other)) and _value(tree, _POINTS[0]) is not None:
                break
        if not right and rng.below(2):
            other = _rewritten(rng, other)
        texts = [_latex(each) if rng.below(2) else _plain(each) for each in (tree, other)]
        pairs.append(Pair("expression", options, texts[0], texts[1], right, "rewritten" if right else "changed"))
    return pairs


def _random(rng: Stream, depth: int) -> Tree:
    """An expression of three variables."""
    if depth == 0:
        return rng.choice(_NAMES) if rng.below(5) < 3 else rng.between(1, 12)
    kind = rng.below(10)
    one, other = _random(rng, depth - 1), _random(rng, rng.below(depth))
    if kind < 6:
        return (rng.choice(("+", "-", "*", "/", "+", "*")), one, other)
    if kind < 8:
        return ("^", one, rng.between(2, 4))
    name = rng.choice(tuple(_FUNCTIONS))
    return (name, ("+", ("^", one, 2), 1) if name in ("sqrt", "ln") else one)


# -- equivalent rewritings ---------------------------------------------------------------------------------------------


def _rewritten(rng: Stream, tree: Tree) -> Tree:
    """The expression after some steps of algebra."""
    for _ in range(rng.between(1, 4)):
        tree = _somewhere(rng, tree, _step)
    return tree


def _step(rng: Stream, tree: Tree) -> Tree:
    """One step of algebra at the top of a tree.

    The tree itself where none fits.
    """
    match tree:
        case ("+", a, b):
            return rng.choice((("+", b, a), ("-", a, ("-", 0, b)), ("-", a, ("*", -1, b))))
        case ("-", a, b):
            return rng.choice((("+", a, ("*", -1, b)), ("*", -1, ("-", b, a))))
        case ("*", a, ("+", b, c)):
            return rng.choice((("+", ("*", a, b), ("*", a, c)), ("*", ("+", b, c), a)))
        case ("*", a, b):
            return rng.choice((("*", b, a), ("/", ("*", ("*", 2, a), b), 2)))
        case ("/", a, b) if b != 0:
            return rng.choice((("*", a, ("/", 1, b)), ("/", ("*", 3, a), ("*", 3, b))))
        case ("^", ("+", a, b), 2):
            return ("+", ("+", ("^", a, 2), ("*", 2, ("*", a, b))), ("^", b, 2))
        case ("^", a, n) if n > 1:
            return ("*", a, ("^", a, n - 1)) if n > 2 else ("*", a, a)
        case ("exp", ("+", a, b)):
            return ("*", ("exp", a), ("exp", b))
        case ("sin", a):
            return ("*", -1, ("sin", ("*", -1, a)))
        case ("cos", a):
            return ("cos", ("-", 0, a))
    return rng.choice((("*", 1, tree), ("-", ("+", tree, 7), 7), _with_one(rng, tree)))


def _with_one(rng: Stream, tree: Tree) -> Tree:
    """A tree times sin^2 + cos^2."""
    name = rng.choice(_NAMES)
    return ("*", tree, ("+", ("^", ("sin", name), 2), ("^", ("cos", name), 2)))


# -- what changes it -----------------------------------------------------------------------------------------------------


def _changed(rng: Stream, tree: Tree) -> Tree:
    """The expression with one part changed."""
    return _somewhere(rng, tree, _slip)


def _slip(rng: Stream, tree: Tree) -> Tree:
    """A typical mistake of people and models."""
    match tree:
        case int():
            return tree + rng.choice((-1, 1, 2))
        case str():
            return rng.choice([name for name in _NAMES if name != tree])
        case ("+", a, b):
            return ("-", a, b)
        case ("-", a, b):
            return rng.choice((("+", a, b), ("-", b, a)))
        case ("*", a, b):
            return rng.choice((("+", a, b), a, ("/", a, b)))
        case ("/", a, b):
            return rng.choice((("/", b, a), ("*", a, b)))
        case ("^", a, n):
            return rng.choice((("^", a, n + 1), ("*", n, a)))
        case ("sin", a):
            return ("cos", a)
        case ("cos", a):
            return ("sin", a)
        case (_, a):
            return a
    return tree


def _somewhere(rng: Stream, tree: Tree, change: Callable[[Stream, Tree], Tree]) -> Tree:
    """The tree with a change at one of its nodes."""
    if isinstance(tree, tuple) and rng.below(3):
        parts = list(tree)
        operands = [i for i in range(1, len(parts)) if not (parts[0] == "^" and i == 2)]
        at = rng.choice(operands)
        parts[at] = _somewhere(rng, parts[at], change)
        return tuple(parts)
    return change(rng, tree)


def _differ(one: Tree, other: Tree) -> bool:
    """Whether floating point arithmetic distinguishes two expressions where both are defined."""
    for point in _POINTS:
        a, b = _value(one, point), _value(other, point)
        if a is not None and b is not None and abs(a - b) > _APART * max(1.0, abs(a), abs(b)):
            return True
    return False


def _value(tree: Tree, point: dict[str, float]) -> float | None:
    try:
        value = _evaluated(tree, point)
    except (ArithmeticError, ValueError):
        return None
    return value if math.isfinite(value) and abs(value) < 1e12 else None


def _evaluated(tree: Tree, point: dict[str, float]) -> float:
    if isinstance(tree, str):
        return point[tree]
    if isinstance(tree, int):
        return float(tree)
    name, *parts = tree
    values = [_evaluated(part, point) for part in parts]
    if name in _FUNCTIONS:
        return _FUNCTIONS[name](values[0])
    return _OPERATORS[name](values[0], values[1])


# -- how it is written ---------------------------------------------------------------------------------------------------


def _plain(tree: Tree) -> str:
    if not isinstance(tree, tuple):
        return str(tree) if not isinstance(tree, int) or tree >= 0 else f"({tree})"
    name, *parts = tree
    texts = [_plain(part) for part in parts]
    return f"{name}({texts[0]})" if name in _FUNCTIONS else f"({texts[0]} {name} {texts[1]})"


def _latex(tree: Tree) -> str:
    if not isinstance(tree, tuple):
        return str(tree) if not isinstance(tree, int) or tree >= 0 else f"({tree})"
    name, *parts = tree
    texts = [_latex(part) for part in parts]
    match name:
        case "/":
            return f"\\frac{{{texts[0]}}}{{{texts[1]}}}"
        case "^":
            return f"\\left({texts[0]}\\right)^{{{texts[1]}}}"
        case "sqrt":
            return f"\\sqrt{{{texts[0]}}}"
        case "exp":
            return f"e^{{{texts[0]}}}"
        case "*":
            return f"{texts[0]} \\cdot {texts[1]}"
        case "+" | "-":
            return f"\\left({texts[0]} {name} {texts[1]}\\right)"
    return f"\\{name}\\left({texts[0]}\\right)"
