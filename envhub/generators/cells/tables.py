"""Tables of allowed rows: towers, cages, runs and neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import permutations, product
from math import prod
from typing import Final

from envhub.generators.cells.laws import Rows

_CACHED: Final = 4096


NOT_GREATER: Final = Rows([(0, 0), (1, 0), (1, 1)])
"""Two cells of 0 or 1, of which the second is not greater than the first."""
EQUAL: Final = Rows([(0, 0), (1, 1)])
"""Two equal cells of 0 or 1."""


def seen(heights: Sequence[int]) -> list[int]:
    """The towers that are taller than all before them."""
    found: list[int] = []
    for height in heights:
        if not found or height > found[-1]:
            found.append(height)
    return found


@lru_cache(maxsize=_CACHED)
def visible(size: int, number: int, sums: bool) -> Rows:
    """Permutations whose visible towers, or their heights, give a number."""
    return Rows([row for row in permutations(range(1, size + 1)) if clue_of(row, sums) == number])


def clue_of(heights: Sequence[int], sums: bool) -> int:
    """The number of visible towers, or the sum of their heights."""
    found = seen(heights)
    return sum(found) if sums else len(found)


@lru_cache(maxsize=_CACHED)
def runs(length: int, sizes: tuple[int, ...]) -> Rows:
    """Lines of 0 and 1 whose blocks have these sizes."""
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


def _difference(numbers: Sequence[int]) -> int | None:
    return max(numbers) - min(numbers) if len(numbers) == 2 else None


def _quotient(numbers: Sequence[int]) -> int | None:
    exact = len(numbers) == 2 and not max(numbers) % min(numbers)
    return max(numbers) // min(numbers) if exact else None


OPERATIONS: Final[Mapping[str, Callable[[Sequence[int]], int | None]]] = {
    "": lambda numbers: numbers[0],
    "+": sum,
    "*": prod,
    "-": _difference,
    "/": _quotient,
}
"""The result of an operation on the numbers of a cage; None where it does not apply."""


@lru_cache(maxsize=_CACHED)
def calculated(most: int, length: int, sign: str, result: int) -> Rows:
    """Numbers from 1 to ``most`` that an operation combines to a result."""
    operation = OPERATIONS[sign]
    return Rows([row for row in product(range(1, most + 1), repeat=length) if operation(row) == result])


@lru_cache(maxsize=_CACHED)
def adding_up(most: int, length: int, total: int) -> Rows:
    """Different numbers from 1 to ``most`` with a sum."""
    return Rows([row for row in permutations(range(1, most + 1), length) if sum(row) == total])


@lru_cache(maxsize=_CACHED)
def sides(others: int, number: int) -> Rows:
    """A cell and its neighbours, of which a number differ from it."""
    rows = product((0, 1), repeat=others + 1)
    return Rows([row for row in rows if sum(v != row[0] for v in row[1:]) + row[0] * (4 - others) == number])


def groups(ring: Sequence[int]) -> list[int]:
    """Lengths of the groups of 1 in a ring, in ascending order."""
    if all(ring):
        return [len(ring)]
    start = next(at for at, value in enumerate(ring) if not value)
    lengths = [len(part) for part in "".join(map(str, (*ring[start:], *ring[:start]))).split("0")]
    return sorted(length for length in lengths if length)


@lru_cache(maxsize=_CACHED)
def circled(inside: tuple[bool, ...], lengths: tuple[int, ...]) -> Rows:
    """An open cell and the groups of given lengths around it."""
    rows = []
    for row in product((0, 1), repeat=sum(inside)):
        values = iter(row)
        if groups([next(values) if there else 0 for there in inside]) == list(lengths):
            rows.append((0, *row))
    return Rows(rows)
