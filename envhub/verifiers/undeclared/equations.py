r"""Values of names: ``t = 8``, ``f(x) = 5x``, ``(a, b) = (4, 6)``, ``a = b = 3``, ``x = 5 + 6 = 11``.

An equation of a curve, such as ``y = 2x``, is not the value of a name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from envhub.verifiers.math.groups import enclosed
from envhub.verifiers.math.identity import Trial, equal
from envhub.verifiers.math.lexer import NotMath, Token, prepare, split, tokens_of
from envhub.verifiers.math.tree import variables
from envhub.verifiers.undeclared.amounts import shown
from envhub.verifiers.undeclared.names import arguments_of, name_of, tuple_of_names
from envhub.verifiers.undeclared.rounding import rounds_to
from envhub.verifiers.undeclared.values import Amount, Group, Named, Value

_COORDINATES: Final = frozenset(("x", "y", "z", "r", "theta"))
_MOST_SIDES: Final = 8

Item = Callable[[str], Value]
"""Reads a text without relations."""


def equation(text: str, read: Item) -> Value:
    """The value that a text gives to names.

    Also the value of a chain of equal numbers.

    Raises:
        NotMath: It gives none.
    """
    exact, approximately, rounded = text.partition("\\approx")
    if approximately:
        return _approximated(exact.strip(), rounded.strip(), read)
    tokens = tokens_of(text)
    if any(token.kind == "rel" and token.text == "in" for token in tokens):
        return _member(text, tokens, read)
    sides = split(tokens, "=")
    if not 2 <= len(sides) <= _MOST_SIDES or any(not side for side in sides):
        raise NotMath("an equation is expected")
    texts = [text[side[0].start : side[-1].end] for side in sides]
    opened = [tokens_of(prepare(side)) for side in texts]
    group = tuple_of_names(opened[0])
    if group and len(sides) == 2:
        return _each(group, read(texts[1]))
    names = [name_of(side) for side in opened]
    known = next((i for i, name in enumerate(names) if not name), len(sides) - 1)
    value = _agreed([read(side) for side in texts[known:]])
    made = tuple(_named(name, value) for name in names[:known])
    if not made:
        if isinstance(value, Amount) and variables(value.tree):
            raise NotMath("an equation of unknowns has no value")
        return value
    return made[0] if len(made) == 1 else Group(made, False, "=")


def _approximated(exact: str, rounded: str, read: Item) -> Value:
    """A value with its approximation, or an approximate value of a name."""
    if "\\approx" in rounded:
        raise NotMath("there is more than one approximation")
    near = read(rounded)
    if not isinstance(near, Amount):
        raise NotMath("a number is expected")
    name = name_of(tokens_of(prepare(exact))) if exact else ""
    if not exact or name:
        return Named(name, near) if name and not name.isdigit() else near
    value = read(exact) if "=" not in exact else equation(exact, read)
    inner = value.value if isinstance(value, Named) else value
    if not isinstance(inner, Amount) or variables(inner.tree):
        return value
    if near.percent or not rounds_to(inner.tree, near):
        raise NotMath("the approximation is not one")
    kept = replace(inner, approximation=near.shown or shown(rounded), unit=inner.unit or near.unit)
    return replace(value, value=kept) if isinstance(value, Named) else kept


def _member(text: str, tokens: Sequence[Token], read: Item) -> Value:
    r"""The set in ``x \in \{1, 2\}``."""
    sides = split(tokens, "in")
    if len(sides) != 2 or not name_of(sides[0]) or enclosed(sides[1]) not in ("{", "\\{"):
        raise NotMath("a set is expected")
    return read(text[sides[1][0].start :])


def _each(names: tuple[str, ...], value: Value) -> Value:
    """The values of a tuple of names."""
    if not isinstance(value, Group) or len(value.items) != len(names) or value.bracket == "{":
        raise NotMath("there are as many values as names")
    return Group(tuple(Named(name, item) for name, item in zip(names, value.items, strict=True)), False)


def _agreed(values: list[Value]) -> Value:
    """The last of some values, which must be equal.

    Raises:
        NotMath: They differ.
    """
    last = values[-1]
    for value in values[:-1]:
        if not isinstance(value, Amount) or not isinstance(last, Amount):
            raise NotMath("a chain of equal numbers is expected")
        if not equal(value.tree, last.tree, Trial(b"chain")).same:
            raise NotMath("the sides of the chain differ")
    return last


def _named(name: str, value: Value) -> Named:
    """The value of a name; not the equation of a curve."""
    arguments = arguments_of(name)
    if isinstance(value, Group) and not value.ordered:
        for item in value.items:
            _named(name, item)
    if isinstance(value, Amount):
        found = variables(value.tree)
        if name in found:
            raise NotMath("an unknown is on both sides")
        if name in _COORDINATES and found & _COORDINATES:
            raise NotMath("an equation of a curve has no value")
        if arguments and found and not set(arguments) & found:
            raise NotMath("the function does not depend on its argument")
    return Named(name.partition("(")[0] if arguments else name, value, arguments)
