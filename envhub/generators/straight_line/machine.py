"""Interpreter of programs: compiles the tree into closures over Python values.

Nothing is parsed and no text is executed, so a program can do only what this module implements. Each statement and
comprehension item costs as many steps as it has parts. A run raises :class:`TooMuch` if it needs too many
steps or makes too large a value::

    run(program, [[3, 1, 2]]).value

The forms of the tree, where ``v`` is the number of a variable in its function:

- program: ``{"takes": [domain, ...], "helpers": [function, ...], "main": function}``
- function: ``{"arguments": n, "names": [...], "body": [statement, ...]}``
- statements: ``set v e``, ``aug v op e``, ``append v e``, ``pop v``, ``put v key e``, ``for [v, ...] e body``,
  ``while cond body``, ``if cond body orelse``, ``break``, ``continue``, ``return e``
- expressions: ``int n``, ``str s``, ``var v``, ``bin op a b``, ``cmp op a b``, ``and a b``, ``or a b``, ``not a``, ``in a b``,
  ``either cond a b``, ``call name e...``, ``method name e...``, ``index e i``, ``slice e start stop step``, ``list e...``,
  ``tuple e...``, ``dict``, ``help number e...``, ``comp kind v e items cond``
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any, Final, NamedTuple

from envhub.core.types import JSON
from envhub.generators.straight_line.operations import BINARY, CALLS, COMPARE, GATHER, METHODS

Frame = dict[int, Any]  # for unset variables; reading one is a KeyError
Eval = Callable[[Frame], Any]
Act = Callable[[Frame], Any]

STEPS: Final = 200_000
"""Default limit of a run's steps: far above any program drawn here."""


class TooMuch(Exception):
    """A run exceeded its steps or its size of values."""


class _Meter:
    """The remaining steps of a run."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = 0

    def spend(self, cost: int) -> None:
        self.left -= cost
        if self.left < 0:
            raise TooMuch("too many steps")


class Run(NamedTuple):
    """The value and cost of a run."""

    value: Any
    steps: int


_NEXT: Final = object()
_BREAK: Final = object()
_CONTINUE: Final = object()


def run(program: JSON, arguments: list[Any], steps: int = STEPS, digits: int = 200, items: int = 20_000) -> Run:
    """The value of a program for some arguments, which are not modified.

    Args:
        program: The tree; it must be one that :func:`envhub.generators.straight_line.draw` makes.
        arguments: One value for each of ``program["takes"]``, of the type that it names.
        steps: Maximum cost.
        digits: Maximum digits of an integer kept in a variable.
        items: Maximum length of a list or text kept in a variable.

    Raises:
        TooMuch: A bound was hit.
    """
    return Machine(program, steps, digits, items).run(arguments)


class Machine:
    """A program compiled for repeated runs.

    Args:
        program: The tree.
        steps: Maximum cost of a run.
        digits: Maximum digits of an integer kept in a variable.
        items: Maximum length of a list or text kept in a variable.
    """

    def __init__(self, program: JSON, steps: int = STEPS, digits: int = 200, items: int = 20_000) -> None:
        self._most, self._largest, self._items = steps, 10**digits, items
        self._meter = _Meter()
        self._known: dict[int, Act] = {}
        self._making: dict[int, Act] = {}
        self._program = program  # keeps the statements alive, so that ids in _known stay valid
        self._helpers: list[Act] = []
        self._helpers += [self._function(helper, {}) for helper in program["helpers"]]
        made: dict[int, Act] = {}
        self._main = self._function(program["main"], made)
        self._known = made

    def variant(self, body: JSON) -> Machine:
        """A machine with another main body; compiles only new statements.

        They share counters and helpers, so only one may run at a time.
        """
        twin = copy(self)
        twin._making = {}  # later objects may be freed and their ids reused
        twin._main = twin._block(body)
        return twin

    @contextmanager
    def helped(self, number: int, body: JSON) -> Iterator[Machine]:
        """This machine, temporarily with another body for one of its helpers."""
        kept, self._making = self._helpers[number], {}
        self._helpers[number] = self._block(body)
        try:
            yield self
        finally:
            self._helpers[number] = kept

    def run(self, arguments: list[Any]) -> Run:
        """The value for some arguments, and its cost.

        Raises:
            TooMuch: A bound was hit.
        """
        self._meter.left = self._most
        value = self._main(dict(enumerate(map(_copied, arguments))))
        return Run(value, self._most - self._meter.left)

    def _function(self, function: JSON, made: dict[int, Act]) -> Act:
        self._making = made
        return self._block(function["body"])

    # -- statements: each gives _NEXT, _BREAK, _CONTINUE or the value that is returned -------------------------------

    def _block(self, body: JSON) -> Act:
        acts = [self._known.get(id(statement)) or self._act(statement) for statement in body]
        if len(acts) == 1:
            return acts[0]

        def block(frame: Frame) -> Any:
            for act in acts:
                told = act(frame)
                if told is not _NEXT:
                    return told
            return _NEXT

        return block

    def _act(self, statement: JSON) -> Act:
        act: Act = getattr(self, f"_{statement[0]}")(*statement[1:])
        self._making[id(statement)] = act
        return act

    def _kept(self, value: Any) -> Any:
        if type(value) is int:
            if not -self._largest < value < self._largest:
                raise TooMuch("an integer is too large")
        elif len(value) > self._items:
            raise TooMuch("a value is too long")
        return value

    def _set(self, v: int, e: JSON) -> Act:
        spend = self._meter.spend
        value, cost = self._expr(e), size(e) + 1

        def act(frame: Frame) -> Any:
            spend(cost)
            frame[v] = self._kept(value(frame))
            return _NEXT

        return act

    def _aug(self, v: int, op: str, e: JSON) -> Act:
        return self._set(v, ["bin", op, ["var", v], e])

    def _append(self, v: int, e: JSON) -> Act:
        spend = self._meter.spend
        value, cost = self._expr(e), size(e) + 1

        def act(frame: Frame) -> Any:
            spend(cost)
            items = frame[v]
            items.append(value(frame))
            if len(items) > self._items:
                raise TooMuch("a list is too long")
            return _NEXT

        return act

    def _pop(self, v: int) -> Act:
        spend = self._meter.spend

        def act(frame: Frame) -> Any:
            spend(1)
            frame[v].pop()
            return _NEXT

        return act

    def _put(self, v: int, key: JSON, e: JSON) -> Act:
        spend = self._meter.spend
        name, value, cost = self._expr(key), self._expr(e), size(key) + size(e) + 1

        def act(frame: Frame) -> Any:
            spend(cost)
            # Python evaluates the right side first; the order does not matter, as neither side has effects
            frame[v][name(frame)] = self._kept(value(frame))
            return _NEXT

        return act

    def _for(self, targets: list[int], e: JSON, body: JSON) -> Act:
        spend = self._meter.spend
        items, block, cost = self._expr(e), self._block(body), size(e)

        def act(frame: Frame) -> Any:
            spend(cost)
            for item in items(frame):
                spend(1)
                if len(targets) == 1:
                    frame[targets[0]] = item
                else:
                    for target, part in zip(targets, item, strict=True):
                        frame[target] = part
                told = block(frame)
                if told is _BREAK:
                    break
                if told is not _NEXT and told is not _CONTINUE:
                    return told
            return _NEXT

        return act

    def _while(self, condition: JSON, body: JSON) -> Act:
        spend = self._meter.spend
        holds, block, cost = self._expr(condition), self._block(body), size(condition)

        def act(frame: Frame) -> Any:
            while True:
                spend(cost)
                if not holds(frame):
                    return _NEXT
                told = block(frame)
                if told is _BREAK:
                    return _NEXT
                if told is not _NEXT and told is not _CONTINUE:
                    return told

        return act

    def _if(self, condition: JSON, body: JSON, orelse: JSON) -> Act:
        spend = self._meter.spend
        holds, then, other, cost = self._expr(condition), self._block(body), self._block(orelse), size(condition)

        def act(frame: Frame) -> Any:
            spend(cost)
            return then(frame) if holds(frame) else other(frame)

        return act

    def _break(self) -> Act:
        return lambda frame: _BREAK

    def _continue(self) -> Act:
        return lambda frame: _CONTINUE

    def _return(self, e: JSON) -> Act:
        spend = self._meter.spend
        value, cost = self._expr(e), size(e)

        def act(frame: Frame) -> Any:
            spend(cost)
            return value(frame)

        return act

    # -- expressions -------------------------------------------------------------------------------------------------

    def _expr(self, e: JSON) -> Eval:
        made: Eval = getattr(self, f"_e_{e[0]}")(*e[1:])
        return made

    def _e_int(self, value: int) -> Eval:
        return lambda frame: value

    def _e_str(self, value: str) -> Eval:
        return lambda frame: value

    def _e_var(self, v: int) -> Eval:
        return operator.itemgetter(v)

    def _e_bin(self, op: str, a: JSON, b: JSON) -> Eval:
        apply, left, right = BINARY[op], self._expr(a), self._expr(b)
        return lambda frame: apply(left(frame), right(frame))

    def _e_cmp(self, op: str, a: JSON, b: JSON) -> Eval:
        apply, left, right = COMPARE[op], self._expr(a), self._expr(b)
        return lambda frame: apply(left(frame), right(frame))

    def _e_and(self, a: JSON, b: JSON) -> Eval:
        left, right = self._expr(a), self._expr(b)
        return lambda frame: left(frame) and right(frame)

    def _e_or(self, a: JSON, b: JSON) -> Eval:
        left, right = self._expr(a), self._expr(b)
        return lambda frame: left(frame) or right(frame)

    def _e_not(self, a: JSON) -> Eval:
        inner = self._expr(a)
        return lambda frame: not inner(frame)

    def _e_in(self, a: JSON, b: JSON) -> Eval:
        item, items = self._expr(a), self._expr(b)
        return lambda frame: item(frame) in items(frame)

    def _e_either(self, condition: JSON, a: JSON, b: JSON) -> Eval:
        holds, then, other = self._expr(condition), self._expr(a), self._expr(b)
        return lambda frame: then(frame) if holds(frame) else other(frame)

    def _e_call(self, name: str, *given: JSON) -> Eval:
        return _applied(CALLS[name], [self._expr(e) for e in given])

    def _e_method(self, name: str, *given: JSON) -> Eval:
        return _applied(METHODS[name], [self._expr(e) for e in given])

    def _e_index(self, e: JSON, i: JSON) -> Eval:
        return _applied(operator.getitem, [self._expr(e), self._expr(i)])

    def _e_slice(self, e: JSON, start: int | None, stop: int | None, step: int | None) -> Eval:
        items, part = self._expr(e), slice(start, stop, step)
        return lambda frame: items(frame)[part]

    def _e_list(self, *given: JSON) -> Eval:
        items = [self._expr(e) for e in given]
        return lambda frame: [item(frame) for item in items]

    def _e_tuple(self, *given: JSON) -> Eval:
        items = [self._expr(e) for e in given]
        return lambda frame: tuple([item(frame) for item in items])

    def _e_dict(self) -> Eval:
        return lambda frame: {}

    def _e_help(self, number: int, *given: JSON) -> Eval:
        helpers, items = self._helpers, [self._expr(e) for e in given]
        return lambda frame: helpers[number](dict(enumerate([item(frame) for item in items])))

    def _e_comp(self, kind: str, v: int, e: JSON, items: JSON, condition: JSON) -> Eval:
        spend = self._meter.spend
        value, source = self._expr(e), self._expr(items)
        holds = self._expr(condition) if condition is not None else None
        cost = size(e) + (size(condition) if condition is not None else 0)
        gather = GATHER[kind]

        def comprehend(frame: Frame) -> Any:
            found = []
            for item in source(frame):
                spend(cost)
                frame[v] = item
                if holds is None or holds(frame):
                    found.append(value(frame))
            return gather(found)

        return comprehend


def _applied(function: Callable[..., Any], given: list[Eval]) -> Eval:
    if len(given) == 1:
        (only,) = given
        return lambda frame: function(only(frame))
    if len(given) == 2:
        one, two = given
        return lambda frame: function(one(frame), two(frame))
    return lambda frame: function(*[e(frame) for e in given])


def size(e: JSON) -> int:
    """Number of parts in an expression."""
    found = 1
    for part in e:
        if type(part) is list:
            found += size(part)
    return found


def _copied(value: Any) -> Any:
    return value.copy() if type(value) in (list, dict) else value
