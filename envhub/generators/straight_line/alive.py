"""Liveness: whether every part of a program matters.

Dead parts can be removed. A *variant* of a program has one statement removed, one branch always or never taken, only
one side of a sum, a minimum or a condition, or (optionally) one constant changed a little. A program is alive if each
variant changes some output::

    program = pruned(program, inputs, outputs)      # the same outputs without dead parts; or None
    alive(program, inputs, outputs, constants=True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from envhub.core.types import JSON
from envhub.generators.straight_line.expressions import TooMuch
from envhub.generators.straight_line.machine import Machine
from envhub.generators.straight_line.operations import BINARY

_STEPS: Final = 20_000
_MOST_IDLE: Final = 40
_FAILS: Final = (TooMuch, TypeError, IndexError, KeyError, ValueError, AttributeError, ZeroDivisionError)


def alive(
    program: JSON, inputs: Sequence[list[Any]], outputs: Sequence[Any], constants: bool = False, steps: int = _STEPS
) -> bool:
    """Whether every variant of the program differs from it on some input.

    Args:
        program: The program.
        inputs: Its inputs.
        outputs: Its outputs.
        constants: Whether a constant changed by one must differ as well.
        steps: Maximum cost of a variant before it counts as endless.
    """
    return not any(True for _ in _idle(program, inputs, outputs, constants, steps, 0))


def pruned(
    program: JSON,
    inputs: Sequence[list[Any]],
    outputs: Sequence[Any],
    steps: int = _STEPS,
    wanted: Callable[[JSON], bool] = lambda smaller: True,
) -> JSON | None:
    """The program without dead parts.

    None if an argument or too much is dead, or as soon as what is left is not wanted.

    Args:
        program: The program.
        inputs: Its inputs.
        outputs: Its outputs, which pruning keeps.
        steps: Maximum cost of a variant before it counts as endless.
        wanted: Whether a program may be pruned further; must not become true by removing parts.
    """
    past, since = 0, 0
    for _ in range(_MOST_IDLE):
        found = next(_idle(program, inputs, outputs, False, steps, past), None)
        if found is not None:
            past, program = found
            since += 1
            if not wanted(program):
                return None
        elif since:  # parts needed before another one was removed may be dead now
            past = since = 0
        else:
            break
    else:
        return None
    program = _without_idle_helpers(program)
    whole = all(set(range(f["arguments"])) <= set(_read(f["body"])) for f in [*program["helpers"], program["main"]])
    return _folded(program) if whole else None


def _folded(part: Any) -> Any:
    """The program with constant folding after a removal."""
    if type(part) is dict:
        return {name: _folded(child) for name, child in part.items()}
    if type(part) is not list:
        return part
    part = list(map(_folded, part))
    if part and part[0] == "bin" and part[2][0] == part[3][0] == "int":
        return ["int", BINARY[part[1]](part[2][1], part[3][1])]
    return part


def _idle(
    program: JSON, inputs: Sequence[list[Any]], outputs: Sequence[Any], constants: bool, steps: int, past: int
) -> Iterator[tuple[int, JSON]]:
    """The variants from ``past`` on that change no output, numbered."""
    machine, number, helpers = Machine(program, steps), -1, program["helpers"]
    for body in _bodies(program["main"]["body"], constants):
        number += 1
        if number >= past and not _differs(machine.variant(body), inputs, outputs):
            yield number, {**program, "main": {**program["main"], "body": body}}
    for at, helper in enumerate(helpers):
        for body in _bodies(helper["body"], constants):
            number += 1
            if number < past:
                continue
            with machine.helped(at, body):
                idle = not _differs(machine, inputs, outputs)
            if idle:
                yield number, {**program, "helpers": [*helpers[:at], {**helper, "body": body}, *helpers[at + 1 :]]}


def _read(part: Any) -> Iterator[int]:
    """The numbers of the variables that are read."""
    if type(part) is list and part:
        if part[0] == "var":
            yield part[1]
        else:
            for child in part:
                yield from _read(child)


def _without_idle_helpers(program: JSON) -> JSON:
    called = sorted(set(_called(program["main"]["body"])))
    if len(called) == len(program["helpers"]):
        return program
    places = {number: at for at, number in enumerate(called)}

    def walk(part: Any) -> Any:
        if type(part) is not list:
            return part
        if part and part[0] == "help":
            return ["help", places[part[1]], *map(walk, part[2:])]
        return list(map(walk, part))

    main = {**program["main"], "body": walk(program["main"]["body"])}
    return {**program, "helpers": [program["helpers"][number] for number in called], "main": main}


def _called(part: Any) -> Iterator[int]:
    if type(part) is list and part:
        if part[0] == "help":
            yield part[1]
        for child in part:
            yield from _called(child)


def _differs(machine: Machine, inputs: Sequence[list[Any]], outputs: Sequence[Any]) -> bool:
    try:
        return any(machine.run(given).value != output for given, output in zip(inputs, outputs, strict=True))
    except _FAILS:
        return True


def _bodies(body: JSON, constants: bool) -> Iterator[JSON]:
    for at, statement in enumerate(body):
        before, after = body[:at], body[at + 1 :]
        if statement[0] != "return":
            yield [*before, *after]
        if statement[0] == "if":
            yield [*before, *statement[2], *after]
            yield [*before, *statement[3], *after]
        for changed in _statements(statement, constants):
            yield [*before, changed, *after]


def _statements(statement: JSON, constants: bool) -> Iterator[JSON]:
    """The statement with one change.

    Emptying a block equals removing the statement, tried elsewhere.
    """
    for at, part in enumerate(statement):
        if type(part) is not list or not part or type(part[0]) is int:
            continue
        if type(part[0]) is not list:
            for changed in _expressions(part, constants):
                yield [*statement[:at], changed, *statement[at + 1 :]]
            continue
        for changed in _bodies(part, constants):
            if changed or (statement[0] == "if" and at == 3):
                yield [*statement[:at], changed, *statement[at + 1 :]]
            elif statement[0] == "if" and statement[3]:
                yield ["if", ["not", statement[1]], statement[3], []]


def _expressions(e: JSON, constants: bool) -> Iterator[JSON]:
    if e[0] == "int" and constants:
        yield ["int", e[1] + 1]
        yield ["int", e[1] - 1]
    if e[0] == "str" and constants:
        for at, character in enumerate(e[1]):
            yield ["str", e[1][:at] + ("b" if character == "a" else "a") + e[1][at + 1 :]]
    if e[0] == "either" and e[1][0] != "var":  # an emptiness test of a list is a guard
        yield e[2]
        yield e[3]
    if e[0] in ("and", "or") and e[1][0] != "var":
        yield e[1]
        yield e[2]
    if e[0] == "bin" and e[1] in ("+", "-", "*", "//") and e[2] != ["int", 97]:
        yield e[2]
    if e[0] == "help":
        yield from e[2:]
    if e[0] == "comp" and e[5] is not None:
        yield [*e[:5], None]
    if e[0] == "call" and e[1] in ("min", "max") and len(e) == 4:
        yield e[2]
        yield e[3]
    for at, part in enumerate(e):
        if type(part) is list and part:
            for changed in _expressions(part, constants):
                yield [*e[:at], changed, *e[at + 1 :]]


def neighbours(arguments: list[Any], letters: str = "ab") -> Iterator[list[Any]]:
    """The arguments with one number or character changed, possibly outside their domains.

    Args:
        arguments: The arguments.
        letters: Replacement characters.
    """
    for at, argument in enumerate(arguments):
        for changed in _nearby(argument, letters):
            yield [*arguments[:at], changed, *arguments[at + 1 :]]


def _nearby(value: Any, letters: str) -> Iterator[Any]:
    """A value with one part slightly changed."""
    if type(value) is int:
        yield value + 1
        yield value - 1
        sign, digits = ("-", str(-value)) if value < 0 else ("", str(value))
        for at, digit in enumerate(digits):
            yield int(f"{sign}{digits[:at]}{(int(digit) + 1) % 10}{digits[at + 1 :]}")
    elif type(value) is str:
        for at, character in enumerate(value):
            for other in letters:
                if other != character:
                    yield value[:at] + other + value[at + 1 :]
    elif type(value) is list:
        for at, item in enumerate(value):
            for changed in _nearby(item, letters):
                yield [*value[:at], changed, *value[at + 1 :]]
    else:
        for key, item in value.items():
            for changed in _nearby(item, letters):
                yield {**value, key: changed}
            for other in letters:
                if other not in value:
                    yield {(other if name == key else name): kept for name, kept in value.items()}
