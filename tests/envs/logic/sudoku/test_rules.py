"""Sudoku: what is verified and solved is what the rules of the game say."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.envs.logic.sudoku import grid as sudoku
from envhub.envs.logic.sudoku.rules import exchanged
from tests.envs.logic.sudoku.grids import (
    BOXES,
    KNOWN,
    KNOWN_SOLUTION,
    SIZES,
    all_4x4,
    few,
    groups,
    read,
    seeds,
    sizes,
    stream,
)

# -- verifying ---------------------------------------------------------------------------------------------------------


@few
@given(sizes, seeds, st.integers(0, 2))
def test_an_exchange_breaks_one_kind_of_rule_alone(size: int, seed: int, kind: int) -> None:
    grid = sudoku.random_solution(stream(seed), size)
    units = groups(size)
    rows, columns, boxes = units[: 2 * size : 2], units[1 : 2 * size : 2], units[2 * size :]
    kept = [unit for at, units in enumerate((rows, columns, boxes)) if at != kind for unit in units]
    found = exchanged(grid, range(size * size), kept)
    assert found is not None
    assert sorted(found) == sorted(grid)
    assert found != list(grid)
    assert all(len({found[c] for c in unit}) == size for unit in kept)
    assert exchanged(grid, [0], kept) is None


@few
@given(sizes, seeds)
def test_random_solutions_are_valid_grids(size: int, seed: int) -> None:
    grid = sudoku.random_solution(stream(seed), size)
    assert all(sorted(grid[c] for c in group) == list(range(1, size + 1)) for group in groups(size))
    assert sudoku.is_valid(size, grid)
    assert sudoku.fits(size, (0,) * size**2, grid)
    assert sudoku.fits(size, grid, grid)


@few
@given(sizes, seeds, st.data())
def test_fits_rejects_every_single_change(size: int, seed: int, data: st.DataObject) -> None:
    grid = sudoku.random_solution(stream(seed), size)
    cell = data.draw(st.integers(0, size**2 - 1))
    other = data.draw(st.integers(-1, size + 1).filter(lambda v: v != grid[cell]))
    wrong = (*grid[:cell], other, *grid[cell + 1 :])
    blank = (0,) * size**2
    assert not sudoku.fits(size, blank, wrong)
    assert sudoku.fits(size, wrong, grid) == (other == 0)
    assert not sudoku.fits(size, blank, grid[:-1])
    assert not sudoku.fits(size, blank, (*grid, 1))
    assert not sudoku.fits(size, blank[:-1], grid)


@few
@given(sizes, seeds, st.data())
def test_fits_rejects_a_clue_moved_by_a_swap_and_broken_boxes(size: int, seed: int, data: st.DataObject) -> None:
    grid = sudoku.random_solution(stream(seed), size)
    height = BOXES[size][0]
    i, j = data.draw(st.lists(st.integers(0, size - 1), min_size=2, max_size=2, unique=True))
    rows = [grid[r * size : (r + 1) * size] for r in range(size)]
    rows[i], rows[j] = rows[j], rows[i]
    swapped = tuple(v for row in rows for v in row)
    # rows and columns are as good as before; boxes only if the rows come from one band
    assert sudoku.is_valid(size, swapped) == all(len({swapped[c] for c in group}) == size for group in groups(size))
    assert sudoku.is_valid(size, swapped) or i // height != j // height
    assert not sudoku.fits(size, grid, swapped)


def test_a_latin_square_with_broken_boxes_is_not_valid() -> None:
    for size in SIZES:
        cyclic = tuple((r + c) % size + 1 for r in range(size) for c in range(size))
        assert not sudoku.is_valid(size, cyclic)


@settings(max_examples=100, deadline=None)
@given(sizes, st.lists(st.integers()), st.lists(st.integers()))
def test_fits_never_raises(size: int, clues: list[int], grid: list[int]) -> None:
    assert sudoku.fits(size, tuple(clues), tuple(grid)) is False
    padded = tuple((grid * size**2 or [0] * size**2)[: size**2])
    assert sudoku.fits(size, (0,) * size**2, padded) in (True, False)


@pytest.mark.parametrize("size", [0, 1, 5, 8, 16, -4])
def test_other_sizes_are_refused(size: int) -> None:
    with pytest.raises(InvalidParameters, match="4, 6, 9"):
        sudoku.is_valid(size, ())
    with pytest.raises(InvalidParameters):
        sudoku.random_solution(stream(), size)


@pytest.mark.parametrize("grid", [(), (0,) * 15, (0,) * 17, (5,) + (0,) * 15, (-1,) + (0,) * 15])
def test_grids_of_another_size_are_refused(grid: tuple[int, ...]) -> None:
    for function in (sudoku.solve, sudoku.count_solutions, sudoku.rate, sudoku.canonical):
        with pytest.raises(InvalidParameters):
            function(4, grid)
    with pytest.raises(InvalidParameters):
        sudoku.carve(stream(), grid, 4, 8)


# -- solving -----------------------------------------------------------------------------------------------------------


@few
@given(st.lists(st.sampled_from([0, 0, 0, 1, 2, 3, 4]), min_size=16, max_size=16), st.integers(1, 300))
def test_counts_agree_with_brute_force(puzzle: list[int], limit: int) -> None:
    solutions = [g for g in all_4x4() if all(p in (0, v) for p, v in zip(puzzle, g, strict=True))]
    assert sudoku.count_solutions(4, puzzle, limit) == min(len(solutions), limit)
    assert (sudoku.solve(4, puzzle) in solutions) if solutions else sudoku.solve(4, puzzle) is None


@few
@given(seeds, st.integers(0, 16))
def test_counts_agree_with_brute_force_where_there_are_solutions(seed: int, clues: int) -> None:
    rng = stream(seed)
    grid = rng.choice(all_4x4())
    shown = rng.sample(range(16), clues)
    puzzle = [v if c in shown else 0 for c, v in enumerate(grid)]
    count = sum(all(p in (0, v) for p, v in zip(puzzle, g, strict=True)) for g in all_4x4())
    assert sudoku.count_solutions(4, puzzle, 1000) == count


def test_every_4x4_grid_is_counted_and_comes_out_of_the_generator() -> None:
    assert len(all_4x4()) == 288 == sudoku.count_solutions(4, (0,) * 16, 1000)
    drawn = Counter(sudoku.random_solution(stream("all", i), 4) for i in range(4000))
    assert set(drawn) == set(all_4x4())


def test_a_published_puzzle() -> None:
    assert sudoku.solve(9, read(KNOWN)) == read(KNOWN_SOLUTION)
    assert sudoku.count_solutions(9, read(KNOWN)) == 1


def test_contradictions_have_no_solution() -> None:
    twice = [0] * 81
    twice[0] = twice[8] = 5
    assert sudoku.count_solutions(9, twice) == 0
    assert sudoku.solve(9, twice) is None
    starved = [1, 2, 3, 4, 5, 6, 7, 8, 0] + [0] * 72  # the last cell of the row needs a 9 ...
    assert sudoku.count_solutions(9, starved) == 2
    starved[17] = 9  # ... which its column already has
    assert sudoku.count_solutions(9, starved) == 0
    with pytest.raises(InvalidParameters):
        sudoku.rate(9, starved)


@few
@given(sizes, seeds)
def test_an_exchangeable_rectangle_gives_two_solutions(size: int, seed: int) -> None:
    """Two rows of a band and two columns of different boxes with digits ab/ba: blank all four and both ways fit."""
    rng = stream(seed)
    while True:
        grid = sudoku.random_solution(rng, size)
        n, (_, width) = size, BOXES[size]
        found = [
            (i, j, i + n, j + n)
            for i in range(0, n**2, n * BOXES[size][0])
            for i in range(i, i + n)
            for j in range(i + 1, i - i % n + n)
            if i % n // width != j % n // width and (grid[i], grid[j]) == (grid[j + n], grid[i + n])
        ]
        if found:
            break
    puzzle = list(grid)
    for c in found[0]:
        puzzle[c] = 0
    assert sudoku.count_solutions(size, puzzle) == 2 == sudoku.count_solutions(size, puzzle, 10)
    with pytest.raises(InvalidParameters, match="exactly one"):
        sudoku.rate(size, puzzle)
    puzzle[found[0][0]] = grid[found[0][0]]
    assert sudoku.count_solutions(size, puzzle) == 1
