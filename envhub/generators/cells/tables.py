"""Tables of allowed rows that puzzles share: visible towers, cages with a result, runs in a line, counts of neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations
from typing import Final

from envhub.generators.cells.laws import Rows

_CACHED: Final = 4096


def seen(heights: Sequence[int]) -> list[int]:
    """The towers that are visible from the start of a line: those taller than all before them."""
    found: list[int] = []
    for height in heights:
        if not found or height > found[-1]:
            found.append(height)
    return found


@lru_cache(maxsize=_CACHED)
def visible(size: int, number: int, sums: bool) -> Rows:
    """Permutations of 1 to ``size`` whose visible towers have a number, or heights that add up to it."""
    return Rows([row for row in permutations(range(1, size + 1)) if clue_of(row, sums) == number])


def clue_of(heights: Sequence[int], sums: bool) -> int:
    """The number of visible towers, or the sum of their heights."""
    found = seen(heights)
    return sum(found) if sums else len(found)


@lru_cache(maxsize=_CACHED)
def runs(length: int, sizes: tuple[int, ...]) -> Rows:
    """Lines of 0 and 1 whose blocks of 1 have these sizes, from the start."""
    return Rows(list(_placed(length, sizes)))


def _placed(length: int, sizes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if not sizes:
        yield (0,) * length
        return
    first, rest = sizes[0], sizes[1:]
    tail = sum(rest) + len(rest)
    for start in range(length - tail - first + 1):
        head = (0,) * start + (1,) * first + ((0,) if rest else ())
        for end in _placed(length - len(head), rest):
            yield head + end
