"""Verify, solve, rate and make sudokus of size 4, 6 and 9.

Everything here is a function of its arguments; the rules are in :mod:`envhub.envs.logic.sudoku.rules`, the deductions
in :mod:`envhub.envs.logic.sudoku.techniques`. A grid is a flat sequence of ``size * size`` integers, row by row; 0 is a
blank. A solution is made first; then clues are removed while the puzzle stays unique, or solvable by the requested
techniques::

    solution = random_solution(rng, 9)
    puzzle = carve(rng, solution, 9, clues=28, technique=Technique.LOCKED)   # None: try another solution
    fits(9, puzzle, solution), rate(9, puzzle).effort
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from operator import itemgetter
from typing import Any, Final

from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.envs.logic.sudoku.rules import exchanged, fits, is_valid
from envhub.envs.logic.sudoku.techniques import (
    Shape,
    Technique,
    candidates,
    deduce,
    digits,
    eliminations,
    hidden_singles,
    naked_singles,
    place,
    propagate,
    shape,
)

__all__ = [
    "Rating",
    "Shape",
    "Technique",
    "canonical",
    "carve",
    "count_solutions",
    "exchanged",
    "fits",
    "is_valid",
    "random_solution",
    "rate",
    "shape",
    "solve",
]

WEIGHTS: Final = {
    Technique.HIDDEN_SINGLE: 1,
    Technique.NAKED_SINGLE: 3,
    Technique.LOCKED: 15,
    Technique.SUBSET: 30,
    Technique.WING: 60,
    Technique.TRIAL: 120,
}

MARGIN: Final = 1  # clues to dig beyond the request: more choice of what to give back, for more time


@dataclass(frozen=True, slots=True)
class Rating:
    """A puzzle's difficulty for a solver that always takes easiest steps.

    Attributes:
        technique: The hardest technique needed.
        steps: Number of rounds; each applies the easiest useful technique everywhere.
        effort: The digits to be found, plus the weight of the technique of every round (1, 3, 15, 30, 60; 120 for each
            position of the search, if there is one): few openings at a time and hard techniques both cost more.
    """

    technique: Technique
    steps: int
    effort: float


def solve(size: int, puzzle: Sequence[int]) -> tuple[int, ...] | None:
    """A solution of ``puzzle``, or None.

    Always the same one if there are several.

    Raises:
        InvalidParameters: ``puzzle`` is not a grid of this size.
    """
    this = _check(size, puzzle)
    found = next(_solutions(this, *candidates(this, puzzle)), None)
    return None if found is None else digits(this, found)


def count_solutions(size: int, puzzle: Sequence[int], limit: int = 2) -> int:
    """The number of solutions of ``puzzle``, counting no further than ``limit``.

    Raises:
        InvalidParameters: ``puzzle`` is not a grid of this size.
    """
    this = _check(size, puzzle)
    return sum(1 for _ in islice(_solutions(this, *candidates(this, puzzle)), limit))


def random_solution(rng: Stream, size: int) -> tuple[int, ...]:
    """A random complete grid.

    Every grid is possible, but not quite equally likely.

    Raises:
        InvalidParameters: ``size`` is not 4, 6 or 9.
    """
    this = shape(size)
    while True:
        x, placed = this.full, 0
        # boxes on the diagonal share no line; in the small sizes not every filling of them can be completed
        for i in range(min(this.height, this.width)):
            values = list(range(size))
            rng.shuffle(values)
            box = this.units[2 * size + i * (this.height + 1)]
            x, placed = place(this, x, placed, sum(1 << d * this.area + c for d, c in zip(values, box, strict=True)))
        found = next(_solutions(this, x, placed, rng), None)
        if found is not None:
            return digits(this, found)


def rate(size: int, puzzle: Sequence[int]) -> Rating:
    """Rate a puzzle.

    Uniqueness needs a search only where logic does not finish.

    Raises:
        InvalidParameters: ``puzzle`` is not a grid of this size, or has no solution, or has several.
    """
    this = _check(size, puzzle)
    x, placed = candidates(this, puzzle)
    needed, steps, effort = Technique.HIDDEN_SINGLE, 0, this.area - placed.bit_count()
    while x and placed.bit_count() < this.area:
        technique, x, placed = _step(this, x, placed)
        if technique is Technique.TRIAL:
            trail: list[int] = []
            if sum(1 for _ in islice(_solutions(this, x, placed, trail=trail), 2)) != 1:
                break
            return Rating(technique, steps + len(trail), float(effort + WEIGHTS[technique] * len(trail)))
        needed, steps, effort = max(needed, technique), steps + 1, effort + WEIGHTS[technique]
    if not x or placed.bit_count() < this.area:
        raise InvalidParameters("Only a puzzle with exactly one solution can be rated.")
    return Rating(needed, steps, float(effort))


def carve(
    rng: Stream,
    solution: Sequence[int],
    size: int,
    clues: int,
    technique: Technique | None = None,
    slack: int = 0,
) -> tuple[int, ...] | None:
    """Remove clues from ``solution``, in random order, until ``clues`` are left.

    Args:
        rng: Source of the random order.
        solution: A complete valid grid.
        size: 4, 6 or 9.
        clues: Number of clues to leave.
        technique: The hardest technique the puzzle needs, neither more nor less; None for any unique puzzle.
        slack: How many clues more than ``clues`` are still acceptable.

    Returns:
        A puzzle with exactly one solution, or None when this solution and order give none; try another solution.

    Raises:
        InvalidParameters: ``size`` is not 4, 6 or 9, or ``solution`` is not a valid grid of that size.
    """
    if not is_valid(size, solution):
        raise InvalidParameters(f"Clues are carved from a complete valid grid of size {size}.")
    this = shape(size)
    grid, order = list(solution), list(range(this.area))
    rng.shuffle(order)
    if technique is None or technique == Technique.HIDDEN_SINGLE:
        left = _dig(this, order, grid, clues, naked=technique is None)
        return tuple(grid) if left <= clues + slack else None
    # hard techniques are seldom needed with many clues: dig until one is, then give some clues back
    left = _dig(this, order, grid, clues - MARGIN, needed=technique)
    if left > clues + slack or not _needs(this, grid, technique):
        return None
    rng.shuffle(order)
    return _fill(this, order, grid, solution, max(clues - left, 0), technique)


def canonical(size: int, grid: Sequence[int]) -> list[int]:
    """Canonical form of ``grid`` under relabellings, rotations and reflections.

    Complete or not. Digits are renamed in order of first appearance, blanks stay. Symmetries of the square that keep
    the shape of the boxes (all 8 for sizes 4 and 9, the 4 without a quarter turn for 6) are folded by taking the
    smallest form. Exchanges of rows, columns or bands within the rules of Sudoku are *not* folded.

    Raises:
        InvalidParameters: ``grid`` is not a grid of this size.
    """
    _check(size, grid)
    cells = bytes(grid)
    return list(min(_relabelled(bytes(turn(cells))) for turn in _turns(size)))


def _check(size: int, grid: Sequence[int]) -> Shape:
    this = shape(size)
    if len(grid) != this.area or min(grid) < 0 or max(grid) > size:
        raise InvalidParameters(f"A Sudoku grid of size {size} is {this.area} integers 0..{size}.")
    return this


def _relabelled(cells: bytes) -> bytes:
    found = bytes(dict.fromkeys(cells)).replace(b"\0", b"")
    return cells.translate(bytes.maketrans(found, bytes(range(1, len(found) + 1))))


@cache
def _turns(size: int) -> tuple[itemgetter[Any], ...]:
    """The symmetries that keep the boxes.

    Each is a getter of the cells in their new order.
    """
    rows = [list(range(r * size, (r + 1) * size)) for r in range(size)]
    this, turns = shape(size), []
    for square in (rows, [list(r) for r in zip(*rows, strict=True)])[: 2 if this.height == this.width else 1]:
        for flipped in (square, square[::-1]):
            turns.append(itemgetter(*[c for row in flipped for c in row]))
            turns.append(itemgetter(*[c for row in flipped for c in row[::-1]]))
    return tuple(turns)


def _branch(this: Shape, x: int) -> int:
    """The candidates of an open cell, one with two candidates if possible."""
    one = two = three = 0
    for start in range(0, this.size * this.area, this.area):
        plane = x >> start & this.plane
        three |= two & plane
        two |= one & plane
        one |= plane
    pairs = two & ~three
    if pairs:
        return (pairs & -pairs) * this.cell.spread & x
    options = [(1 << c) * this.cell.spread & x for c in range(this.area) if two >> c & 1]
    return min(options, key=int.bit_count)


def _solutions(
    this: Shape, x: int, placed: int, rng: Stream | None = None, trail: list[int] | None = None
) -> Iterator[int]:
    """All solutions as sets of candidates, in random order with ``rng``.

    Visited positions are added to ``trail``.
    """
    stack = [(x, placed)]
    while stack:
        x, placed = propagate(this, *stack.pop())
        if trail is not None:
            trail.append(x)
        if not x:
            continue
        if placed.bit_count() == this.area:
            yield placed
            continue
        options = _branch(this, x)
        for _ in range(rng.below(options.bit_count()) if rng else 0):
            options &= options - 1
        pick = options & -options
        stack.append((x & ~pick, placed))
        stack.append((x & this.keep[pick.bit_length() - 1], placed | pick))


def _step(this: Shape, x: int, placed: int) -> tuple[Technique, int, int]:
    """Apply the easiest useful technique; ``TRIAL``, and no change, if none is."""
    for technique, singles in ((Technique.HIDDEN_SINGLE, hidden_singles), (Technique.NAKED_SINGLE, naked_singles)):
        new = singles(this, x)
        if new < 0:
            return technique, 0, placed
        if new & ~placed:
            return technique, *place(this, x, placed, new & ~placed)
    for technique, gone in eliminations(this, x):
        if gone:
            return technique, x & ~gone, placed
    return Technique.TRIAL, x, placed


def _dig(
    this: Shape,
    order: Sequence[int],
    grid: list[int],
    clues: int,
    naked: bool = True,
    needed: Technique | None = None,
) -> int:
    """Blank cells of ``grid`` in the given order while it stays unique.

    Without ``naked``, solvable by hidden singles. Stops when at most ``clues`` are left and, if a technique is
    ``needed``, nothing easier suffices.

    Returns:
        Number of clues left.
    """
    n, masks, everything = this.size, this.unit_masks, (1 << this.size) - 1
    clue_digits = [everything] * (3 * n)  # per unit
    homes: list[list[int]] = [[] for _ in range(n + 1)]  # per digit, the clues that show it
    for c, v in enumerate(grid):
        homes[v].append(c)
    blank, left = 0, this.area
    for c in order:
        if left <= clues and needed is None:
            break
        v = grid[c]
        i, j, k = c // n, n + c % n, 2 * n + this.box_of[c]
        homes[v].remove(c)
        # a digit that a single restores at once needs no search: the puzzle is equivalent
        seen = 0
        for home in homes[v]:
            seen |= this.peers[home]
        rivals = blank & ~seen
        single = not (rivals & masks[i] and rivals & masks[j] and rivals & masks[k])
        alone = naked and clue_digits[i] | clue_digits[j] | clue_digits[k] == everything
        grid[c] = 0
        if not (single or alone or (_is_forced(this, grid, c, v) if naked else _comes_out(this, grid))):
            grid[c] = v
            homes[v].append(c)
            continue
        blank |= 1 << c
        left -= 1
        for unit in (i, j, k):
            clue_digits[unit] ^= 1 << v - 1
        if needed is not None and not single and _needs(this, grid, needed):
            needed = None
    return left


def _fill(
    this: Shape, order: Sequence[int], grid: list[int], solution: Sequence[int], spare: int, technique: Technique
) -> tuple[int, ...] | None:
    """Restore ``spare`` clues so that ``grid`` needs exactly ``technique``.

    ``grid`` needs ``technique`` or harder before. Adding a clue only adds deductions, so none is repeated.
    """

    def add(bit: int, x: int, placed: int, hardest: Technique) -> tuple[int, int]:
        return deduce(this, *place(this, x, placed, bit & ~placed), hardest)

    below = Technique(technique - 1)
    easier = deduce(this, *candidates(this, grid), below)
    enough = easier if technique == Technique.TRIAL else deduce(this, *easier, technique)
    solved = technique == Technique.TRIAL or enough[1].bit_count() == this.area
    for c in order:
        if not spare:
            break
        bit = 1 << (solution[c] - 1) * this.area + c
        if grid[c] or (spare == 1 and not solved and enough[1] & bit):
            continue
        after = enough if solved else add(bit, *enough, technique)
        comes_out = solved or after[1].bit_count() == this.area
        if spare == 1 and not comes_out:
            continue
        easier_after = add(bit, *easier, below)
        if easier_after[1].bit_count() == this.area:
            continue
        grid[c] = solution[c]
        spare, enough, easier, solved = spare - 1, after, easier_after, comes_out
    return tuple(grid) if solved and not spare else None


def _is_forced(this: Shape, grid: list[int], c: int, v: int) -> bool:
    """Whether every solution of ``grid`` has digit ``v`` in cell ``c``."""
    x, placed = candidates(this, grid)
    return next(_solutions(this, x & ~(1 << (v - 1) * this.area + c), placed), None) is None


def _comes_out(this: Shape, grid: list[int]) -> bool:
    """Whether hidden singles alone complete ``grid``."""
    return propagate(this, *candidates(this, grid), naked=False)[1].bit_count() == this.area


def _needs(this: Shape, grid: list[int], technique: Technique) -> bool:
    """Whether no easier technique than ``technique`` completes ``grid``."""
    return deduce(this, *candidates(this, grid), Technique(technique - 1))[1].bit_count() < this.area
