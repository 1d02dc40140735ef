"""Sudoku: the canonical form folds relabelling and symmetry, and nothing else."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given, strategies as st

from envhub.envs.logic.sudoku import grid as sudoku
from tests.envs.logic.sudoku.grids import all_4x4, few, groups, seeds, sizes, stream


def quarter_turn(grid: tuple[int, ...], size: int) -> tuple[int, ...]:
    return tuple(grid[(size - 1 - c % size) * size + c // size] for c in range(size**2))


def mirror(grid: tuple[int, ...], size: int) -> tuple[int, ...]:
    return tuple(grid[c // size * size + size - 1 - c % size] for c in range(size**2))


@few
@given(sizes, seeds, st.integers(0, 3), st.booleans(), st.booleans())
def test_canonical_form_folds_relabelling_and_symmetry(
    size: int, seed: int, turns: int, flip: bool, partial: bool
) -> None:
    rng = stream("canonical", seed)
    grid = sudoku.random_solution(rng, size)
    if partial:
        grid = tuple(v if rng.below(2) else 0 for v in grid)
    labels = list(range(1, size + 1))
    rng.shuffle(labels)
    other = tuple(labels[v - 1] if v else 0 for v in grid)
    for _ in range(turns if size != 6 else turns * 2):
        other = quarter_turn(other, size)
    if flip:
        other = mirror(other, size)
    form = sudoku.canonical(size, grid)
    assert form == sudoku.canonical(size, other) == sudoku.canonical(size, form)
    assert form.count(0) == grid.count(0)
    assert len(form) == size**2
    assert sudoku.is_valid(size, form) == (0 not in grid)
    assert all(
        len(shown) == len(set(shown)) for group in groups(size) if (shown := [form[c] for c in group if form[c]])
    )


@few
@given(sizes, seeds)
def test_canonical_form_tells_grids_apart(size: int, seed: int) -> None:
    rng = stream("apart", seed)
    grid = sudoku.random_solution(rng, size)
    form = sudoku.canonical(size, grid)
    blanked = (0, *grid[1:])
    assert sudoku.canonical(size, blanked) != form
    if size > 4:  # there are only a few essentially different grids of size 4
        assert sudoku.canonical(size, sudoku.random_solution(rng, size)) != form


def test_canonical_forms_of_all_4x4_grids() -> None:
    """They are as many as the orbits that explicit search finds."""
    left, orbits = set(all_4x4()), 0
    while left:
        orbits += 1
        grid = left.pop()
        images = [grid, mirror(grid, 4)]
        for _ in range(3):
            images += [quarter_turn(image, 4) for image in images[-2:]]
        for labels in permutations(range(1, 5)):
            left -= {tuple(labels[v - 1] for v in image) for image in images}
    assert orbits == len({tuple(sudoku.canonical(4, grid)) for grid in all_4x4()})
