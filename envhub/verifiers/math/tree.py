"""Expression trees of three frozen nodes, with a maximum depth.

Sums and products have any number of operands, so a chain of a thousand terms is two deep; only nesting deepens a tree,
and :func:`app` rejects more than ``MAX_DEPTH`` levels. Functions over trees may therefore recurse::

    app("+", Num(Fraction(1)), app("inv", Sym("x")))      # 1 + 1/x
    symbols(tree)                                         # {"x"}

Operations: ``+ * neg inv ^``, the functions of one or more operands by name, ``!``, ``binom``, ``deg`` and ``%``
(which have a meaning only if an option sets it), ``pm`` and ``mp`` (both signs).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, TypeAlias

from envhub.verifiers.math.lexer import NotMath

MAX_DEPTH: Final = 100
_RESERVED: Final = "~"  # in the names of symbols that no text can write


@dataclass(frozen=True, slots=True)
class Num:
    """A rational number."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Sym:
    """A variable, or one of the constants.

    A constant's name ends in ``~`` (``pi~``, ``e~``, ``i~``, ``inf~``).
    """

    name: str


@dataclass(frozen=True, slots=True)
class App:
    """An operation on operands."""

    op: str
    args: tuple[Tree, ...]
    depth: int = field(compare=False, repr=False)


Tree: TypeAlias = "Num | Sym | App"

PI: Final = Sym("pi~")
E: Final = Sym("e~")
I: Final = Sym("i~")  # noqa: E741
INF: Final = Sym("inf~")
LOG_SCALE: Final = "log~scale"  # the factor between log of unknown base and ln
DEGREE: Final = "degree~unit"
PERCENT: Final = "percent~unit"
_FIXED: Final = frozenset((PI.name, E.name, I.name, INF.name))


def app(op: str, *args: Tree) -> App:
    """An operation on operands.

    Raises:
        NotMath: Nested too deeply.
    """
    depth = 1 + max([arg.depth if isinstance(arg, App) else 1 for arg in args], default=0)
    if depth > MAX_DEPTH:
        raise NotMath(f"it is nested more than {MAX_DEPTH} deep")
    return App(op, args, depth)


def symbols(tree: Tree) -> set[str]:
    """The variables of a tree, without constants."""
    found: set[str] = set()
    stack: list[Tree] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, Sym):
            if node.name not in _FIXED:
                found.add(node.name)
        elif isinstance(node, App):
            stack.extend(node.args)
    return found


def variables(tree: Tree) -> set[str]:
    """The variables of a tree that a text can write."""
    return {name for name in symbols(tree) if _RESERVED not in name}


def operations(tree: Tree) -> set[str]:
    """The operations and constants that occur in a tree."""
    found: set[str] = set()
    stack: list[Tree] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, App):
            found.add(node.op)
            stack.extend(node.args)
        elif isinstance(node, Sym) and node.name in _FIXED:
            found.add(node.name)
    return found


def mapped(tree: Tree, change: Callable[[Tree], Tree]) -> Tree:
    """The tree with every node changed, operands first."""
    if isinstance(tree, App):
        args = tuple(mapped(arg, change) for arg in tree.args)
        if args != tree.args:
            tree = app(tree.op, *args)
    return change(tree)


def renamed(tree: Tree, names: dict[str, str]) -> Tree:
    """The tree with variables renamed, all at once."""
    return mapped(tree, lambda node: Sym(names.get(node.name, node.name)) if isinstance(node, Sym) else node)


def both_signs(tree: Tree) -> list[Tree]:
    """The values of a plus-minus tree, upper signs first.

    The tree itself without such a sign.
    """
    if not operations(tree) & {"pm", "mp"}:
        return [tree]

    def choose(plus: str) -> Tree:
        def change(node: Tree) -> Tree:
            if isinstance(node, App) and node.op in ("pm", "mp"):
                return node.args[0] if node.op == plus else app("neg", node.args[0])
            return node

        return mapped(tree, change)

    return [choose("pm"), choose("mp")]


def constant(tree: Tree) -> Fraction | None:
    """The value of a signed number or fraction of numbers.

    None for other trees.
    """
    sign = 1
    while isinstance(tree, App) and tree.op == "neg":
        tree, sign = tree.args[0], -sign
    if isinstance(tree, Num):
        return sign * tree.value
    if isinstance(tree, App) and tree.op == "inv" and isinstance(tree.args[0], Num) and tree.args[0].value:
        return sign / tree.args[0].value
    if isinstance(tree, App) and tree.op == "*":
        value = Fraction(sign)
        for arg in tree.args:
            if isinstance(arg, Num):
                value *= arg.value
            elif isinstance(arg, App) and arg.op == "inv" and isinstance(arg.args[0], Num) and arg.args[0].value:
                value /= arg.args[0].value
            else:
                return None
            if value.numerator.bit_length() + value.denominator.bit_length() > 8000:
                return None
        return value
    return None


def logarithm(tree: Tree, base: Tree | None) -> Tree:
    """A logarithm to a base.

    Without one, an unknown multiple of the natural logarithm.
    """
    if base is None:
        return app("*", app("ln", tree), Sym(LOG_SCALE))
    return app("log", tree, base)


def in_radians(tree: Tree) -> Tree:
    """The multiple of pi/180 that an operand in degrees represents."""
    return app("*", tree, PI, app("inv", Num(Fraction(180))))


def in_degrees(tree: Tree) -> Tree:
    """An operand with a degree sign, as an ordinary unit."""
    return app("*", tree, Sym(DEGREE))
