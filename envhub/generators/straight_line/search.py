"""Finds suitable programs.

No dead parts, and outputs that depend on the inputs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.straight_line.alive import alive, pruned
from envhub.generators.straight_line.draw import draw
from envhub.generators.straight_line.expressions import TooMuch, size
from envhub.generators.straight_line.machine import Machine
from envhub.generators.straight_line.shape import Shape
from envhub.generators.straight_line.takes import draw_arguments, edge_arguments

_DIGITS: Final = 7
_ITEMS: Final = 200
_DIFFERENT: Final = 0.75
_INPUTS: Final = 12


@dataclass(frozen=True, slots=True)
class Sample:
    """A program with its inputs, outputs and costs.

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

    def more(self, rng: Stream, count: int) -> Sample | None:
        """The same program on ``count`` inputs; None if unavailable or unsuitable."""
        inputs = _different(self.program["takes"], rng, count, self.inputs)
        return _run(self.program, inputs, varied=True) if len(inputs) == count else None

    def edges(self, rng: Stream) -> Sample | None:
        """The same program with added inputs, at the ends of their domains.

        None if unsuitable.
        """
        more = {repr(arguments): arguments for arguments in edge_arguments(self.program["takes"], rng)}
        known = set(map(repr, self.inputs))
        return _run(self.program, self.inputs + [arguments for text, arguments in more.items() if text not in known])

    def exact(self, start: int, stop: int | None) -> bool:
        """Whether these runs distinguish the program from all variants, including other constants."""
        runs = slice(start, stop)
        inputs, outputs = _cheapest_first(self.inputs[runs], self.outputs[runs], self.steps[runs])
        return alive(self.program, inputs, outputs, True, _patience(self.steps))


def search(
    rng: Stream,
    shape: Shape,
    wanted: Callable[[Sample], bool] = lambda found: True,
    *,
    least: int = 0,
    parts: int = 0,
    tries: int = 40,
) -> Sample | None:
    """The first drawn program that is alive and wanted.

    It is run on a dozen inputs.

    Args:
        rng: Source of randomness.
        shape: Their features.
        wanted: Accepts a program.
        least: Minimum cost of the longest run.
        parts: Minimum number of parts.
        tries: Number of draws.

    Returns:
        A program pruned for these inputs, or None. All arguments matter, outputs are mostly distinct, and values are
        small.
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
    sample = _run(program, inputs, varied=True)
    if sample is None or max(sample.steps) < least:
        return None
    cheap = _cheapest_first(inputs, sample.outputs, sample.steps)
    cut = pruned(program, *cheap, _patience(sample.steps), lambda smaller: weight(smaller) >= parts)
    if cut is None:
        return None
    again = _run(cut, inputs)
    return again if again is not None and max(again.steps) >= least else None


def _cheapest_first(inputs: list[list[Any]], outputs: list[Any], steps: list[int]) -> tuple[list[list[Any]], list[Any]]:
    """Inputs and outputs by the cost of their runs.

    One input that tells a variant from the program suffices.
    """
    order = sorted(range(len(steps)), key=steps.__getitem__)
    return [inputs[at] for at in order], [outputs[at] for at in order]


def _patience(steps: list[int]) -> int:
    return 10 * max(steps) + 100


def _different(takes: JSON, rng: Stream, count: int, known: list[list[Any]] | None = None) -> list[list[Any]]:
    """Distinct arguments, known ones first; tries a few more than requested."""
    found = {repr(arguments): arguments for arguments in known or []}
    for _ in range(2 * count):
        arguments = draw_arguments(takes, rng)
        found.setdefault(repr(arguments), arguments)
        if len(found) == count:
            break
    return list(found.values())


def _run(program: JSON, inputs: list[list[Any]], varied: bool = False) -> Sample | None:
    """The program's runs; None if one is too long or large.

    Args:
        program: The program.
        inputs: Its inputs.
        varied: Whether to give up, with None, as soon as too many outputs are equal.
    """
    machine = Machine(program, digits=_DIGITS, items=_ITEMS)
    sample = Sample(program, inputs, [], [])
    different = set[str]()
    try:
        for arguments in inputs:
            run = machine.run(arguments)
            sample.outputs.append(run.value)
            sample.steps.append(run.steps)
            if varied:
                different.add(repr(run.value))
                equal = len(sample.outputs) - len(different)
                if len(inputs) - equal < _DIFFERENT * len(inputs):
                    return None
    except TooMuch:
        return None
    return sample


def weight(program: JSON) -> int:
    """Number of parts in a program."""
    return size([[function["body"]] for function in [*program["helpers"], program["main"]]])
