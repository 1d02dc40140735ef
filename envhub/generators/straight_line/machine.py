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

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from envhub.core.types import JSON
from envhub.generators.straight_line.expressions import ENDLESS, Expressions, Frame, Meter, TooMuch, size
from envhub.generators.straight_line.loops import steering

Act = Callable[[Frame], Any]

STEPS: Final = 200_000
"""Default limit of a run's steps: far above any program drawn here."""
_TURNS: Final = 32
"""Number of iterations after which a ``while`` loop is checked for being endless."""


class Run(NamedTuple):
    """The value and cost of a run."""

    value: Any
    steps: int


_LARGE: Final = "an integer is too large"
_LONG: Final = "a value is too long"
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
        self._meter = Meter()
        self._known: dict[int, Act] = {}
        self._making: dict[int, Act] = {}
        self._program = program  # keeps the statements alive, so that ids in _known stay valid
        self._helpers: list[Act] = []
        self._expr = Expressions(self._meter, self._helpers).compiled
        self._helpers += [self._function(helper, {}) for helper in program["helpers"]]
        made: dict[int, Act] = {}
        self._main = self._function(program["main"], made)
        self._known = made

    def variant(self, body: JSON) -> Machine:
        """A machine with another main body; compiles only new statements.

        They share counters and helpers, so only one may run at a time.
        """
        twin = object.__new__(Machine)
        twin.__dict__.update(self.__dict__)
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

    def _set(self, v: int, e: JSON) -> Act:
        meter, largest, longest = self._meter, self._largest, self._items
        value, cost = self._expr(e), size(e) + 1

        def act(frame: Frame) -> Any:
            meter.left -= cost
            if meter.left < 0:
                raise TooMuch(ENDLESS)
            made = frame[v] = value(frame)
            if type(made) is int:
                if not -largest < made < largest:
                    raise TooMuch(_LARGE)
            elif len(made) > longest:
                raise TooMuch(_LONG)
            return _NEXT

        return act

    def _aug(self, v: int, op: str, e: JSON) -> Act:
        return self._set(v, ["bin", op, ["var", v], e])

    def _append(self, v: int, e: JSON) -> Act:
        meter, longest = self._meter, self._items
        value, cost = self._expr(e), size(e) + 1

        def act(frame: Frame) -> Any:
            meter.left -= cost
            if meter.left < 0:
                raise TooMuch(ENDLESS)
            items = frame[v]
            items.append(value(frame))
            if len(items) > longest:
                raise TooMuch(_LONG)
            return _NEXT

        return act

    def _pop(self, v: int) -> Act:
        meter = self._meter

        def act(frame: Frame) -> Any:
            meter.left -= 1
            if meter.left < 0:
                raise TooMuch(ENDLESS)
            frame[v].pop()
            return _NEXT

        return act

    def _put(self, v: int, key: JSON, e: JSON) -> Act:
        meter, largest, longest = self._meter, self._largest, self._items
        name, value, cost = self._expr(key), self._expr(e), size(key) + size(e) + 1

        def act(frame: Frame) -> Any:
            meter.left -= cost
            if meter.left < 0:
                raise TooMuch(ENDLESS)
            # Python evaluates the right side first; the order does not matter, as neither side has effects
            made = frame[v][name(frame)] = value(frame)
            if type(made) is int:
                if not -largest < made < largest:
                    raise TooMuch(_LARGE)
            elif len(made) > longest:
                raise TooMuch(_LONG)
            return _NEXT

        return act

    def _for(self, targets: list[int], e: JSON, body: JSON) -> Act:
        meter = self._meter
        items, block, cost = self._expr(e), self._block(body), size(e)
        only = targets[0] if len(targets) == 1 else None

        def act(frame: Frame) -> Any:
            meter.left -= cost
            for item in items(frame):
                meter.left -= 1
                if meter.left < 0:
                    raise TooMuch(ENDLESS)
                if only is not None:
                    frame[only] = item
                else:
                    for target, part in zip(targets, item, strict=True):
                        frame[target] = part
                told = block(frame)
                if told is not _NEXT and told is not _CONTINUE:
                    if told is _BREAK:
                        break
                    return told
            return _NEXT

        return act

    def _while(self, condition: JSON, body: JSON) -> Act:
        meter = self._meter
        holds, block, cost = self._expr(condition), self._block(body), size(condition)

        def act(frame: Frame) -> Any:
            turns, before = 0, ""
            steers: tuple[int, ...] = ()
            while True:
                meter.left -= cost
                if meter.left < 0:
                    raise TooMuch(ENDLESS)
                if not holds(frame):
                    return _NEXT
                turns += 1
                if turns > _TURNS:
                    steers = steers or steering(condition, body)
                    now = repr([frame.get(v) for v in steers])
                    if now == before:
                        raise TooMuch(ENDLESS)
                    before = now
                told = block(frame)
                if told is not _NEXT and told is not _CONTINUE:
                    return _NEXT if told is _BREAK else told

        return act

    def _if(self, condition: JSON, body: JSON, orelse: JSON) -> Act:
        meter = self._meter
        holds, then, other, cost = self._expr(condition), self._block(body), self._block(orelse), size(condition)

        def act(frame: Frame) -> Any:
            meter.left -= cost
            return then(frame) if holds(frame) else other(frame)

        return act

    def _break(self) -> Act:
        return lambda frame: _BREAK

    def _continue(self) -> Act:
        return lambda frame: _CONTINUE

    def _return(self, e: JSON) -> Act:
        meter = self._meter
        value, cost = self._expr(e), size(e)

        def act(frame: Frame) -> Any:
            meter.left -= cost
            if meter.left < 0:  # this also checks for the statements before it that only count down
                raise TooMuch(ENDLESS)
            return value(frame)

        return act


def _copied(value: Any) -> Any:
    return value.copy() if type(value) in (list, dict) else value
