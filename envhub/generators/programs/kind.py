"""Kinds of values: their description, and how arguments are drawn.

Arguments are numbered. The first ones are edge cases (empty, one item, the longest, extreme values, ties); later
numbers cycle through all sizes. Drawing uses the numbers and characters of the specification, to test its boundaries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from envhub.core.seeding import Stream

Args = tuple[Any, ...]


@dataclass(frozen=True)
class Hints:
    """Constants in a specification; arguments near them test its boundaries.

    Attributes:
        numbers: The integers in it.
        characters: The single characters in it.
    """

    numbers: tuple[int, ...] = ()
    characters: str = ""


@dataclass(frozen=True, eq=False)
class Kind:
    """The kind of value that a part takes or returns.

    Attributes:
        type: Its Python type.
        words: Its description.
        names: Argument names when it is the input of a task.
        limits: The range of inputs, in words.
        edges: Edge cases, each a function of a stream; they have the first numbers.
        draw: Draws the arguments of a number, which decides their size.
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
    """Distinct arguments of a kind, by number from ``first`` on.

    Args:
        rng: Source of randomness.
        takes: The kind.
        count: Their number; fewer if the kind has hardly more.
        first: The number of the first one; the edge cases have the lowest.
        without: Arguments to exclude.
        hints: Constants of the specification.
    """
    seen = set(map(repr, without))
    found: list[Args] = []
    for number in range(first, first + 4 * count):
        args = takes.arguments(rng, number, hints)
        shown = repr(args)
        if shown not in seen:
            seen.add(shown)
            found.append(args)
        if len(found) == count:
            break
    return found


def within(low: int, value: int, high: int) -> int:
    """The number of a range that is closest to a value."""
    return min(max(low, value), high)


def always_given(*args: Any) -> Callable[[Stream], Args]:
    """An edge case without randomness."""
    return lambda rng: args
