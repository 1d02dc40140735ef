"""Programming tasks: a function described in words, its program, and test inputs.

A pipeline is a chain of parts (:mod:`envhub.generators.programs.part`) with parameters; the function returns the results of
all parts. It is drawn, described, run on the host as our own plain functions, and written as a program::

    pipeline, cases = draw_pipeline(rng, steps=2, rules=1, least=60, most=120)
    pipeline.spec()                  # the specification
    pipeline.run(([3, 1, 2],))       # its results, computed by our own functions
    pipeline.source()                # a program that does it

The cases are inputs that distinguish it from similar functions: omitting any rule, or changing any number of the
specification by one, changes a result. This is checked step by step, since no result is hidden by a later one.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.programs import numbers, shapes, sums, texts, walks, words
from envhub.generators.programs.kind import Args, Hints, Kind, draw_inputs
from envhub.generators.programs.kinds import INT
from envhub.generators.programs.part import Params, Part
from envhub.generators.programs.specialise import size_of, specialise
from envhub.generators.programs.wrong import unlike, wrong_programs

NAME: Final = "solve"
"""Name of a task's function."""
PARTS: Final[dict[str, Part]] = {
    part.name: part for module in (numbers, sums, texts, words, shapes, walks) for part in module.PARTS
}

_REMAINDERS: Final = "A remainder is never negative: -1 divided by 5 leaves the remainder 4."
_CHAINS: Final = 8
_STEPS: Final = 12
_POOL: Final = 42
_EDGES: Final = 4
_SWEEP: Final = 42
_SPARE: Final = 98
_FOR_CHANGES: Final = 35
_FELT: Final = 2
"""Minimum number of cases that must detect a missing rule or step."""
_PLAUSIBLE: Final = 5
"""Minimum number of plausible wrong programs that must fail at every step."""
_LONG: Final = 1_000

Step = tuple[Part, Params]


class Spec(NamedTuple):
    """A function in words.

    Attributes:
        names: Names of its arguments, with commas.
        type: Type of its arguments.
        limits: Range of its arguments.
        steps: What each step does.
        gives: What each step returns, with its type.
        note: A remark on remainders; may be empty.
    """

    names: str
    type: str
    limits: str
    steps: tuple[str, ...]
    gives: tuple[str, ...]
    note: str


@dataclass(frozen=True)
class Pipeline:
    """A chain of parts, each with its parameters.

    The first takes the inputs.
    """

    steps: tuple[Step, ...]

    @property
    def takes(self) -> Kind:
        """The kind of the inputs."""
        return self.steps[0][0].takes

    @cached_property
    def tree(self) -> ast.Module:
        """The program, as a syntax tree."""
        if len(self.steps) == 1:
            (part, params) = self.steps[0]
            return ast.Module([specialise(part.run, params, NAME)], [])
        made: list[ast.stmt] = [
            specialise(part.run, params, f"step_{number}") for number, (part, params) in enumerate(self.steps, 1)
        ]
        names = ", ".join(self.takes.names)
        results = [f"result_{number}" for number in range(1, len(self.steps) + 1)]
        lines = [f"def {NAME}({names}):"]
        for number, (given, result) in enumerate(zip([names, *results], results, strict=False), 1):
            lines.append(f"    {result} = step_{number}({given})")
        return ast.Module([*made, *ast.parse("\n".join([*lines, f"    return [{', '.join(results)}]"])).body], [])

    @cached_property
    def size(self) -> int:
        """Size of the program, in expressions and statements."""
        return size_of(self.tree)

    @cached_property
    def hints(self) -> Hints:
        """The numbers and characters in its parameters."""
        values = [value for _, params in self.steps for value in params.values()]
        numbers = sorted({value for value in values if type(value) is int})
        characters = sorted({char for value in values if type(value) is str and len(value) < 5 for char in value})
        return Hints(tuple(numbers), "".join(characters))

    def source(self) -> str:
        """The program."""
        return ast.unparse(self.tree)

    def run(self, args: Args) -> Any:
        """The program's results, computed by our own functions."""
        results = self.trace(args)
        return results[0] if len(results) == 1 else results

    def trace(self, args: Args) -> list[Any]:
        """The results of all steps."""
        results = []
        given = args
        for part, params in self.steps:
            results.append(part.run(*given, **params))
            given = (results[-1],)
        return results

    def spec(self) -> Spec:
        """The arguments, behaviour and results of the function, in words."""
        taken = self.takes
        steps = tuple(part.spec(params) for part, params in self.steps)
        return Spec(
            ", ".join(taken.names),
            taken.type,
            taken.limits,
            steps,
            tuple(f"{part.gives.words} ({part.gives.type})" for part, _ in self.steps),
            _REMAINDERS if any("remainder" in step for step in steps) else "",
        )

    def to_json(self) -> JSON:
        """The names of the parts, with their parameters."""
        return [[part.name, params] for part, params in self.steps]

    @classmethod
    def from_json(cls, content: JSON) -> Pipeline:
        """The pipeline that :meth:`to_json` wrote."""
        return cls(tuple((PARTS[name], dict(params)) for name, params in content))


def draw_pipeline(rng: Stream, steps: int, rules: int, least: int, most: int) -> tuple[Pipeline, list[Args]] | None:
    """A pipeline and its distinguishing cases; None if not found.

    Args:
        rng: Source of randomness.
        steps: Number of parts.
        rules: Number of rules of each part, if it has enough.
        least: Minimum program size.
        most: Maximum program size.
    """
    firsts = [part.takes for part in PARTS.values()]
    for _ in range(_CHAINS):
        takes = rng.choice(firsts)
        pipeline = _grow(rng, takes, draw_inputs(rng, takes, _POOL, len(takes.edges) - _EDGES), steps, rules)
        if pipeline is not None and least <= pipeline.size <= most:
            cases = draw_cases(rng, pipeline)
            if cases is not None:
                return pipeline, cases
    return None


def draw_cases(rng: Stream, pipeline: Pipeline) -> list[Args] | None:
    """Arguments that expose every wrong program the pool exposes.

    None if too few. They include all edge cases and a sweep through all sizes; more are added for each wrong program of
    a step that these do not expose.
    """
    pool = draw_inputs(rng, pipeline.takes, len(pipeline.takes.edges) + _SWEEP + _SPARE, hints=pipeline.hints)
    traces = [pipeline.trace(args) for args in pool]
    base = len(pipeline.takes.edges) + _SWEEP
    chosen = list(range(min(base, len(pool))))[::-1]  # edge cases last: most wrong programs fail on any other
    spare = list(range(base, len(pool)))
    for number, (part, params) in enumerate(pipeline.steps):
        given = pool if number == 0 else [(trace[number - 1],) for trace in traces]
        right = [trace[number] for trace in traces]
        noticed = 0
        for wrong in wrong_programs(rng, part, params):
            if any(wrong.differs(given[at], right[at]) for at in chosen):
                noticed += wrong.plausible
                continue
            more = spare if wrong.plausible else spare[:_FOR_CHANGES]
            telling = next((at for at in more if wrong.differs(given[at], right[at])), None)
            if telling is not None:
                noticed += wrong.plausible
                chosen.append(telling)
        if noticed < _PLAUSIBLE:
            return None
        for other, felt in _near(part, params):
            if not _is_felt(part, other, [given[at] for at in chosen], [right[at] for at in chosen], felt):
                return None
    return [pool[at] for at in chosen]


def _grow(rng: Stream, takes: Kind, pool: list[Args], steps: int, rules: int) -> Pipeline | None:
    chain: list[Step] = []
    given, kind = pool, takes
    while len(chain) < steps:
        # parts from or to a single number are at an end: it carries too little to continue
        last = len(chain) == steps - 1
        names = {part.name for part, _ in chain}
        fitting = [
            part
            for part in PARTS.values()
            if part.takes is kind and part.name not in names and (last or part.gives is not INT)
        ]
        for _ in range(_STEPS if fitting else 0):
            part = rng.choice(fitting)
            params = part.draw(rng, rules)
            results = [part.run(*args, **params) for args in given]
            if _matters(part, params, given, results):
                break
        else:
            return None
        chain.append((part, params))
        given, kind = [(result,) for result in results], part.gives
    return Pipeline(tuple(chain))


def _matters(part: Part, params: Params, given: Sequence[Args], results: Sequence[Any]) -> bool:
    """Whether a step, with each of its settings, affects these inputs.

    Settings are rules and numbers.
    """
    counts = Counter(map(repr, results))
    if max(counts.values()) > len(results) // 3 or max(map(len, counts)) > _LONG:
        return False
    if part.takes is part.gives:
        changed = sum(args[0] != result for args, result in zip(given, results, strict=True))
        if changed < len(results) // 3:
            return False
    return all(_is_felt(part, other, given, results, felt) for other, felt in _near(part, params))


def _is_felt(part: Part, other: Params, given: Sequence[Args], results: Sequence[Any], felt: int) -> bool:
    """Whether enough results differ with other parameters."""
    pairs = zip(given, results, strict=True)
    differing = (result for args, result in pairs if unlike(_gives(part, other, args), result))
    return len(list(islice(differing, felt))) == felt


def _near(part: Part, params: Params) -> Iterator[tuple[Params, int]]:
    """Parameters with a rule less or a number off by one.

    Each comes with the detections that it requires.
    """
    for rule in part.rules:
        if rule in params:
            yield {name: value for name, value in params.items() if name != rule}, _FELT
    for name, value in params.items():
        if type(value) is int:
            for other in (value - 1, value + 1):
                if other not in (0, 1) or value == 0:  # some are never 0, and some never below 2
                    yield {**params, name: other}, 1


def _gives(part: Part, params: Params, args: Args) -> Any:
    """The result of a step.

    None if its parameters do not fit together.
    """
    try:
        return part.run(*args, **params)
    except (IndexError, ValueError):
        return None
