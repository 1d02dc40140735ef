"""The rules of Sudoku; grading needs nothing else.

A grid is a flat sequence of ``size * size`` integers, row by row; 0 is a blank.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from typing import Final

from envhub.core.errors import InvalidParameters

BOXES: Final = {4: (2, 2), 6: (2, 3), 9: (3, 3)}
"""Rows and columns of a box, for each size."""


@cache
def units(size: int) -> tuple[tuple[int, ...], ...]:
    """The cells of each row, then column, then box of a grid.

    Raises:
        InvalidParameters: ``size`` is not 4, 6 or 9.
    """
    if size not in BOXES:
        raise InvalidParameters(f"A Sudoku grid has size {', '.join(map(str, BOXES))}, got {size!r}.")
    height, width = BOXES[size]
    cells, across = range(size * size), size // width
    rows = [tuple(c for c in cells if c // size == i) for i in range(size)]
    columns = [tuple(c for c in cells if c % size == i) for i in range(size)]
    boxes = [tuple(c for c in cells if c // size // height * across + c % size // width == i) for i in range(size)]
    return tuple(rows + columns + boxes)


def is_valid(size: int, grid: Sequence[int]) -> bool:
    """Whether ``grid`` is complete and obeys every rule.

    Every digit is once in every row, column and box. It never raises for integers, however many and however large.

    Raises:
        InvalidParameters: ``size`` is not 4, 6 or 9.
    """
    rules = units(size)
    if len(grid) != size * size or any(type(v) is not int or not 1 <= v <= size for v in grid):
        return False
    return all(len({grid[c] for c in unit}) == size for unit in rules)


def fits(size: int, clues: Sequence[int], grid: Sequence[int]) -> bool:
    """Whether ``grid`` is valid and contains every clue of ``clues``.

    Raises:
        InvalidParameters: ``size`` is not 4, 6 or 9.
    """
    if not is_valid(size, grid) or len(clues) != len(grid):
        return False
    return all(clue in (0, grid[c]) for c, clue in enumerate(clues))


def exchanged(grid: Sequence[int], cells: Collection[int], kept: Sequence[Sequence[int]]) -> list[int] | None:
    """Exchange two digits in some of ``cells``, else None.

    The units ``kept`` stay valid. A unit has both digits, so changing one cell forces a change in the cell of the other
    digit.
    """
    units_of = [[unit for unit in kept if c in unit] for c in range(len(grid))]
    for first in cells:
        for digit in sorted(set(grid) - {grid[first]}):
            exchange = {grid[first]: digit, digit: grid[first]}
            chain, due = {first}, [first]
            while due:
                near = {c for unit in units_of[due.pop()] for c in unit if grid[c] in exchange} - chain
                chain |= near
                due += sorted(near)
            if chain.issubset(cells):
                return [exchange[digit] if c in chain else digit for c, digit in enumerate(grid)]
    return None
