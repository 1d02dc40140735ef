"""Finds programs worth asking about: no dead parts, and outputs that depend on the inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.straight_line.alive import alive, pruned
from envhub.generators.straight_line.draw import draw
from envhub.generators.straight_line.machine import Machine, TooMuch, size
from envhub.generators.straight_line.shape import Shape
from envhub.generators.straight_line.takes import draw_arguments, edge_arguments

_DIGITS: Final = 7
_ITEMS: Final = 200
_DIFFERENT: Final = 0.75
_INPUTS: Final = 12


@dataclass(frozen=True, slots=True)
class Sample:
    """A program, what it was run on, what it gave and what that cost.

    Attributes:
        program: The tree.
        inputs: Arguments, all different.
        outputs: A value for each.
        steps: The cost of each run.
    """

    program: JSON
    inputs: list[list[Any]]
    outputs: list[Any]
    steps: list[int]

    @property
    def varied(self) -> bool:
        """Whether most inputs give something of their own."""
        return len(set(map(repr, self.outputs))) >= _DIFFERENT * len(self.outputs)

    def more(self, rng: Stream, count: int) -> Sample | None:
        """The same program on more inputs, ``count`` in all; None where there are fewer, or where it would not do for them."""
        inputs = _different(self.program["takes"], rng, count, self.inputs)
        sample = _run(self.program, inputs) if len(inputs) == count else None
        return sample if sample is not None and sample.varied else None

    def edges(self, rng: Stream) -> Sample | None:
        """The same program on more inputs, those at the ends of their domains; None where it would not do for them."""
        more = {repr(arguments): arguments for arguments in edge_arguments(self.program["takes"], rng)}
        known = set(map(repr, self.inputs))
        return _run(self.program, self.inputs + [arguments for mark, arguments in more.items() if mark not in known])

    def exact(self, start: int, stop: int | None) -> bool:
        """Whether these runs tell this program from all its variants, other constants included."""
        return alive(self.program, self.inputs[start:stop], self.outputs[start:stop], True, _patience(self.steps))


def search(
    rng: Stream,
    shape: Shape,
    wanted: Callable[[Sample], bool] = lambda found: True,
    *,
    least: int = 0,
    parts: int = 0,
    tries: int = 40,
) -> Sample | None:
    """The first program of some that is alive and wanted, run on a dozen inputs.

    Args:
        rng: Where they come from.
        shape: What kind of programs.
        wanted: Whether one will do.
        least: What some run must cost at least.
        parts: How many parts a program must have before it is cut down.
        tries: How many are drawn.

    Returns:
        A program cut down to what matters on these inputs, or None. No argument of it is idle, hardly two inputs give the same,
        and no value is large.
    """
    for _ in range(tries):
        found = _attempt(rng, shape, least, parts)
        if found is not None and wanted(found):
            return found
    return None


def _attempt(rng: Stream, shape: Shape, least: int, parts: int) -> Sample | None:
    program = draw(rng, shape)
    if weight(program) < parts:
        return None
    inputs = _different(program["takes"], rng, _INPUTS)
    sample = _run(program, inputs)
    if sample is None or max(sample.steps) < least or not sample.varied:
        return None
    cut = pruned(program, inputs, sample.outputs, _patience(sample.steps))
    if cut is None:
        return None
    again = _run(cut, inputs)
    return again if again is not None and max(again.steps) >= least else None


def _patience(steps: list[int]) -> int:
    return 10 * max(steps) + 100


def _different(takes: JSON, rng: Stream, count: int, known: list[list[Any]] | None = None) -> list[list[Any]]:
    """Arguments without repetition, those that are known first; a few more are tried than asked for."""
    found = {repr(arguments): arguments for arguments in known or []}
    for _ in range(2 * count):
        arguments = draw_arguments(takes, rng)
        found.setdefault(repr(arguments), arguments)
        if len(found) == count:
            break
    return list(found.values())


def _run(program: JSON, inputs: list[list[Any]]) -> Sample | None:
    machine = Machine(program, digits=_DIGITS, items=_ITEMS)
    sample = Sample(program, inputs, [], [])
    try:
        for arguments in inputs:
            run = machine.run(arguments)
            sample.outputs.append(run.value)
            sample.steps.append(run.steps)
    except TooMuch:
        return None
    return sample


def weight(program: JSON) -> int:
    """How many parts a program has."""
    return size([[function["body"]] for function in [*program["helpers"], program["main"]]])
