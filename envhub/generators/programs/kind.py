"""Kinds of values: their description, and how arguments of a kind are drawn.

Arguments are numbered. The first ones are edge cases (empty, one item, the longest, extreme values, ties); later numbers go
through all sizes in turn. Drawing is told the numbers and characters of the specification, so that its boundaries are met.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from envhub.core.seeding import Stream

Args = tuple[Any, ...]


@dataclass(frozen=True)
class Hints:
    """What a specification mentions: arguments near it tell its boundaries.

    Attributes:
        numbers: The integers in it.
        characters: The single characters in it.
    """

    numbers: tuple[int, ...] = ()
    characters: str = ""


@dataclass(frozen=True, eq=False)
class Kind:
    """What kind of value a part takes or gives.

    Attributes:
        type: As Python writes it.
        words: What it is, in words.
        names: Of the arguments that it makes when it is the input of a task.
        limits: What inputs there are, in words.
        edges: Fixed edge cases, each made by a function of a stream; they have the first numbers.
        draw: The arguments with a number, which decides their size.
    """

    type: str
    words: str
    names: tuple[str, ...]
    limits: str
    edges: tuple[Callable[[Stream], Args], ...] = field(repr=False)
    draw: Callable[[Stream, int, Hints], Args] = field(repr=False)

    def arguments(self, rng: Stream, number: int, hints: Hints) -> Args:
        """The arguments with this number."""
        edge = number < len(self.edges)
        return self.edges[number](rng) if edge else self.draw(rng, number - len(self.edges), hints)


NO_HINTS: Final = Hints()


def draw_inputs(
    rng: Stream,
    takes: Kind,
    count: int,
    first: int = 0,
    without: Sequence[Args] = (),
    hints: Hints = NO_HINTS,
) -> list[Args]:
    """Different arguments of a kind, by number from ``first`` on.

    Args:
        rng: Where they are drawn from.
        takes: The kind.
        count: How many; fewer where the kind has hardly more.
        first: The number of the first one; the edge cases have the lowest.
        without: Arguments that are not wanted.
        hints: What the specification mentions.
    """
    seen = set(map(repr, without))
    found: list[Args] = []
    for number in range(first, first + 4 * count):
        args = takes.arguments(rng, number, hints)
        mark = repr(args)
        if mark not in seen:
            seen.add(mark)
            found.append(args)
        if len(found) == count:
            break
    return found


def within(low: int, value: int, high: int) -> int:
    """The number of a range that is nearest to a value."""
    return min(max(low, value), high)


def always_given(*args: Any) -> Callable[[Stream], Args]:
    """An edge case without randomness."""
    return lambda rng: args
