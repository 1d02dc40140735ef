"""What the tests of sudoku share: sizes, a published puzzle, all grids of 4 x 4, and puzzles that are carved once."""

from __future__ import annotations

from functools import cache
from itertools import permutations

from hypothesis import settings, strategies as st

from envhub.core.seeding import Stream
from envhub.envs.logic.sudoku import grid
from envhub.envs.logic.sudoku.grid import Technique

SIZES = (4, 6, 9)
BOXES = {4: (2, 2), 6: (2, 3), 9: (3, 3)}
LADDER = [
    (4, 8, Technique.HIDDEN_SINGLE),
    (4, 5, Technique.HIDDEN_SINGLE),
    (6, 20, Technique.HIDDEN_SINGLE),
    (6, 12, Technique.HIDDEN_SINGLE),
    (9, 45, Technique.HIDDEN_SINGLE),
    (9, 36, Technique.NAKED_SINGLE),
    (9, 30, Technique.NAKED_SINGLE),
    (9, 28, Technique.LOCKED),
    (9, 27, Technique.SUBSET),
    (9, 26, Technique.WING),
    (9, 25, Technique.TRIAL),
]
# a published puzzle and its published solution
KNOWN = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
KNOWN_SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
seeds = st.integers(0, 2**32)
sizes = st.sampled_from(SIZES)
few = settings(max_examples=60, deadline=None)


def stream(*purpose: str | int) -> Stream:
    return Stream(b"test-sudoku", *purpose)


def read(text: str) -> tuple[int, ...]:
    return tuple(map(int, text))


def groups(size: int) -> list[list[int]]:
    """Rows, columns and boxes, written out a second time and differently."""
    height, width = BOXES[size]
    found = []
    for i in range(size):
        found.append([i * size + j for j in range(size)])
        found.append([j * size + i for j in range(size)])
    for top in range(0, size, height):
        for left in range(0, size, width):
            found.append([(top + y) * size + left + x for y in range(height) for x in range(width)])
    return found


@cache
def made(size: int, clues: int, technique: Technique | None, seed: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A puzzle and its solution, from the first solution that gives one."""
    for attempt in range(1000):
        rng = stream("made", size, clues, int(technique or 0), seed, attempt)
        solution = grid.random_solution(rng, size)
        puzzle = grid.carve(rng, solution, size, clues, technique)
        if puzzle is not None:
            return puzzle, solution
    raise AssertionError("a thousand solutions, and no puzzle")


@cache
def all_4x4() -> list[tuple[int, ...]]:
    """Every valid 4x4 grid, by brute force."""
    rows = list(permutations(range(1, 5)))
    found = []
    for a in rows:
        for b in (b for b in rows if not {*a[:2]} & {*b[:2]}):
            for c in (c for c in rows if all(len({x, y, z}) == 3 for x, y, z in zip(a, b, c, strict=True))):
                d = tuple(10 - x - y - z for x, y, z in zip(a, b, c, strict=True))
                if {*c[:2]} | {*d[:2]} == {1, 2, 3, 4} and {*d} == {1, 2, 3, 4}:
                    found.append((*a, *b, *c, *d))
    return found
