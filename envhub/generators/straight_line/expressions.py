"""Expressions of programs, compiled into closures over Python values.

Reading a variable or a constant costs no call of its own where an operation needs it directly, since searches run programs
thousands of times::

    Expressions(Meter(), helpers=[]).compiled(["bin", "+", ["var", 0], ["int", 2]])({0: 3})     # 5
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

from envhub.core.types import JSON
from envhub.generators.straight_line.operations import BINARY, CALLS, COMPARE, GATHER, METHODS

Frame = dict[int, Any]  # for unset variables; reading one is a KeyError
Eval = Callable[[Frame], Any]

ENDLESS: Final = "too many steps"
_CONSTANT: Final = ("int", "str")


class TooMuch(Exception):
    """A run exceeded its steps or its size of values."""


class Meter:
    """The remaining steps of a run.

    Statements count them down themselves, since a call would cost more.
    """

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = 0


class Expressions:
    """Compiles the expressions of one program.

    Args:
        meter: Counts the items of comprehensions.
        helpers: Called helper functions by number; the list may change later.
    """

    def __init__(self, meter: Meter, helpers: list[Eval]) -> None:
        self._meter, self._helpers = meter, helpers

    def compiled(self, e: JSON) -> Eval:
        """The function of a frame that computes an expression."""
        made: Eval = getattr(self, f"_{e[0]}")(*e[1:])
        return made

    def _int(self, value: int) -> Eval:
        return lambda frame: value

    def _str(self, value: str) -> Eval:
        return lambda frame: value

    def _var(self, v: int) -> Eval:
        return operator.itemgetter(v)

    def _bin(self, op: str, a: JSON, b: JSON) -> Eval:
        return self._of_two(BINARY[op], a, b)

    def _cmp(self, op: str, a: JSON, b: JSON) -> Eval:
        return self._of_two(COMPARE[op], a, b)

    def _and(self, a: JSON, b: JSON) -> Eval:
        left, right = self.compiled(a), self.compiled(b)
        return lambda frame: left(frame) and right(frame)

    def _or(self, a: JSON, b: JSON) -> Eval:
        left, right = self.compiled(a), self.compiled(b)
        return lambda frame: left(frame) or right(frame)

    def _not(self, a: JSON) -> Eval:
        inner = self.compiled(a)
        return lambda frame: not inner(frame)

    def _in(self, a: JSON, b: JSON) -> Eval:
        return self._of_two(_inside, a, b)

    def _either(self, condition: JSON, a: JSON, b: JSON) -> Eval:
        holds, then, other = self.compiled(condition), self.compiled(a), self.compiled(b)
        return lambda frame: then(frame) if holds(frame) else other(frame)

    def _call(self, name: str, *given: JSON) -> Eval:
        return self._applied(CALLS[name], given)

    def _method(self, name: str, *given: JSON) -> Eval:
        return self._applied(METHODS[name], given)

    def _index(self, e: JSON, i: JSON) -> Eval:
        return self._of_two(operator.getitem, e, i)

    def _slice(self, e: JSON, start: int | None, stop: int | None, step: int | None) -> Eval:
        items, part = self.compiled(e), slice(start, stop, step)
        return lambda frame: items(frame)[part]

    def _list(self, *given: JSON) -> Eval:
        items = [self.compiled(e) for e in given]
        return lambda frame: [item(frame) for item in items]

    def _tuple(self, *given: JSON) -> Eval:
        items = [self.compiled(e) for e in given]
        return lambda frame: tuple([item(frame) for item in items])

    def _dict(self) -> Eval:
        return lambda frame: {}

    def _help(self, number: int, *given: JSON) -> Eval:
        helpers, items = self._helpers, [self.compiled(e) for e in given]
        return lambda frame: helpers[number](dict(enumerate([item(frame) for item in items])))

    def _comp(self, kind: str, v: int, e: JSON, items: JSON, condition: JSON) -> Eval:
        meter = self._meter
        value, source = self.compiled(e), self.compiled(items)
        holds = self.compiled(condition) if condition is not None else None
        cost = size(e) + (size(condition) if condition is not None else 0)
        gather = GATHER[kind]

        def comprehend(frame: Frame) -> Any:
            found = []
            for item in source(frame):
                meter.left -= cost
                if meter.left < 0:
                    raise TooMuch(ENDLESS)
                frame[v] = item
                if holds is None or holds(frame):
                    found.append(value(frame))
            return gather(found)

        return comprehend

    def _applied(self, function: Callable[..., Any], given: Sequence[JSON]) -> Eval:
        if len(given) == 1:
            return self._of_one(function, given[0])
        if len(given) == 2:
            return self._of_two(function, *given)
        items = [self.compiled(e) for e in given]
        return lambda frame: function(*[item(frame) for item in items])

    def _of_one(self, function: Callable[..., Any], e: JSON) -> Eval:
        """A function of an expression, with variables read directly."""
        if e[0] == "var":
            v = e[1]
            return lambda frame: function(frame[v])
        only = self.compiled(e)
        return lambda frame: function(only(frame))

    def _of_two(self, function: Callable[..., Any], a: JSON, b: JSON) -> Eval:
        """A function of two expressions, with variables and constants read directly."""
        if a[0] == "var":
            v = a[1]
            if b[0] in _CONSTANT:
                constant = b[1]
                return lambda frame: function(frame[v], constant)
            if b[0] == "var":
                w = b[1]
                return lambda frame: function(frame[v], frame[w])
            right = self.compiled(b)
            return lambda frame: function(frame[v], right(frame))
        left = self.compiled(a)
        if b[0] in _CONSTANT:
            constant = b[1]
            return lambda frame: function(left(frame), constant)
        right = self.compiled(b)
        return lambda frame: function(left(frame), right(frame))


def _inside(item: Any, items: Any) -> bool:
    return item in items


def size(e: JSON) -> int:
    """Number of parts in an expression."""
    found = 1
    for part in e:
        if type(part) is list:
            found += size(part)
    return found
