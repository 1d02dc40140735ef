"""Tasks on programs: a function described in words, with a program that does it and inputs to try it on.

A plan is a chain of parts (:mod:`envhub.generators.programs.part`) with parameters; the function gives the results of all of
them. It is drawn, said in words, run on the host as our own plain functions, and written as a program::

    plan, cases = draw_plan(rng, steps=2, rules=1, least=60, most=120)
    plan.spec()                  # what the function is to do
    plan.run(([3, 1, 2],))       # what it gives, computed by our own functions
    plan.source()                # a program that does it

The cases are inputs that tell it from what is nearly the same: each rule left out, each number of the specification changed by
one gives something else for one of them. That is seen at every step by itself, since no result is hidden by a later one.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Final

from envhub.generators.programs import numbers, shapes, sums, texts, walks, words
from envhub.generators.programs.part import INT, Kind, Params, Part
from envhub.generators.programs.specialise import size_of, specialise
from envhub.seeding import Stream
from envhub.types import JSON

NAME: Final = "solve"
"""What the function of a task is called."""
PARTS: Final[dict[str, Part]] = {
    part.name: part for module in (numbers, sums, texts, words, shapes, walks) for part in module.PARTS
}

_CHAINS: Final = 8
_STEPS: Final = 12
_POOL: Final = 72
_FIRST: Final = 16
_FELT: Final = 2
"""So many cases must notice when a rule or a step is left out."""
_LONG: Final = 2_000

Args = tuple[Any, ...]
Step = tuple[Part, Params]


@dataclass(frozen=True)
class Plan:
    """A chain of parts, each with its parameters; the first has the inputs."""

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
        """How much its program says."""
        return size_of(self.tree)

    def source(self) -> str:
        """The program."""
        return ast.unparse(self.tree)

    def run(self, args: Args) -> Any:
        """What the program gives, computed by our own functions."""
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

    def spec(self) -> str:
        """What the function takes, does and gives, in words."""
        taken = self.takes
        names = ", ".join(taken.names)
        head = f"The argument{'s are' if ',' in names else ' is'} {names} ({taken.type}): {taken.limits}."
        if len(self.steps) == 1:
            ((part, params),) = self.steps
            return f"{head}\n\n{part.spec(params)}\n\nThe function returns {part.gives.words} ({part.gives.type})."
        rows = [
            f"{number}. {part.spec(params)} This gives {part.gives.words} ({part.gives.type})."
            for number, (part, params) in enumerate(self.steps, 1)
        ]
        return (
            f"{head}\n\nThere are {len(self.steps)} steps; the first is applied to what is given, and every other "
            "one to the result of "
            "the step before it.\n\n"
            + "\n".join(rows)
            + "\n\nThe function returns a list with the results of all steps, in order."
        )

    def to_json(self) -> JSON:
        """The names of the parts, with their parameters."""
        return [[part.name, params] for part, params in self.steps]

    @classmethod
    def from_json(cls, content: JSON) -> Plan:
        """The plan that :meth:`to_json` wrote."""
        return cls(tuple((PARTS[name], dict(params)) for name, params in content))


def draw_plan(rng: Stream, steps: int, rules: int, least: int, most: int) -> tuple[Plan, list[Args]] | None:
    """A plan and the cases that tell what it is; None if none was found.

    Args:
        rng: Where it is drawn from.
        steps: How many parts.
        rules: How many rules each part has, where it has so many.
        least: The size of the program, at least.
        most: The size of the program, at most.
    """
    firsts = [part.takes for part in PARTS.values() if part.takes.draw is not None]
    for _ in range(_CHAINS):
        takes = rng.choice(firsts)
        pool = draw_inputs(rng, takes, _POOL)
        grown = _grow(rng, takes, pool, steps, rules)
        if grown is not None:
            plan, chosen = grown
            if least <= plan.size <= most:
                return plan, [pool[at] for at in chosen]
    return None


def draw_inputs(rng: Stream, takes: Kind, count: int, first: int = 0, without: Sequence[Args] = ()) -> list[Args]:
    """Different arguments of a kind, edge cases first; none of those that are not wanted."""
    assert takes.draw is not None
    seen = set(map(repr, without))
    found: list[Args] = []
    for number in range(first, first + 4 * count):
        args = takes.draw(rng, number)
        mark = repr(args)
        if mark not in seen:
            seen.add(mark)
            found.append(args)
        if len(found) == count:
            break
    return found


def _grow(rng: Stream, takes: Kind, pool: list[Args], steps: int, rules: int) -> tuple[Plan, list[int]] | None:
    chain: list[Step] = []
    given, kind, chosen = pool, takes, set(range(_FIRST))
    while len(chain) < steps:
        # what gives or takes a single number stands at an end: it says too little to go on with
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
            telling = _telling(part, params, given, results)
            if telling is not None:
                break
        else:
            return None
        chosen |= telling
        chain.append((part, params))
        given, kind = [(result,) for result in results], part.gives
    return Plan(tuple(chain)), sorted(chosen & set(range(len(pool))))


def _telling(part: Part, params: Params, given: Sequence[Args], results: Sequence[Any]) -> set[int] | None:
    """The inputs that tell a step from others that are near; None if these inputs do not."""
    marks = Counter(map(repr, results))
    if max(marks.values()) > len(results) // 3 or max(map(len, marks)) > _LONG:
        return None
    found: set[int] = set()
    if part.takes is part.gives:
        changed = [at for at, (args, result) in enumerate(zip(given, results, strict=True)) if args[0] != result]
        if len(changed) < len(results) // 3:
            return None
    for other, felt in _near(part, params):
        differ = (at for at, args in enumerate(given) if _gives(part, other, args) != results[at])
        telling = list(islice(differ, felt))
        if len(telling) < felt:
            return None
        found.update(telling)
    return found


def _near(part: Part, params: Params) -> Iterator[tuple[Params, int]]:
    """Parameters with a rule less or a number changed by one, and how many cases must notice."""
    for rule in part.rules:
        if rule in params:
            yield {name: value for name, value in params.items() if name != rule}, _FELT
    for name, value in params.items():
        if type(value) is int:
            for other in (value - 1, value + 1):
                if other not in (0, 1) or value == 0:  # some are never 0, and some never less than 2
                    yield {**params, name: other}, 1


def _gives(part: Part, params: Params, args: Args) -> Any:
    """What a step gives; None where its parameters do not fit each other."""
    try:
        return part.run(*args, **params)
    except (IndexError, ValueError):
        return None
