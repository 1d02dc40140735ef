"""Sudoku: what is rated and carved is what was asked for."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.envs.logic.sudoku import grid
from envhub.envs.logic.sudoku.grid import Technique
from envhub.envs.logic.sudoku.techniques import candidates, deduce, shape
from tests.envs.logic.sudoku.grids import LADDER, all_4x4, few, made, seeds, sizes, stream


@pytest.mark.parametrize(("size", "clues", "technique"), LADDER)
def test_carved_puzzles_are_what_was_asked_for(size: int, clues: int, technique: Technique) -> None:
    this = shape(size)
    for seed in range(4):
        puzzle, solution = made(size, clues, technique, seed)
        assert len(puzzle) - puzzle.count(0) == clues
        assert grid.fits(size, puzzle, solution)
        assert grid.count_solutions(size, puzzle) == 1
        assert grid.solve(size, puzzle) == solution
        assert grid.rate(size, puzzle).technique is technique
        for tried in list(Technique)[:-1]:
            done = deduce(this, *candidates(this, puzzle), tried)[1].bit_count() == this.area
            assert done == (tried >= technique), "the rating is the least technique that completes the puzzle"


def test_effort_grows_along_the_ladder() -> None:
    efforts = [[grid.rate(s, made(s, c, t, seed)[0]).effort for seed in range(4)] for s, c, t in LADDER]
    means = [sum(level) / len(level) for level in efforts]
    assert means == sorted(means)
    assert len(set(means)) == len(means)
    assert max(efforts[0]) < min(efforts[4])
    assert max(efforts[4]) < min(efforts[9])


@few
@given(sizes, seeds, st.data())
def test_plain_carving_keeps_one_solution(size: int, seed: int, data: st.DataObject) -> None:
    clues = data.draw(st.integers({4: 6, 6: 14, 9: 30}[size], size**2))
    rng = stream("plain", seed)
    solution = grid.random_solution(rng, size)
    puzzle = grid.carve(rng, solution, size, clues)
    assert puzzle is not None
    assert len(puzzle) - puzzle.count(0) == clues
    assert grid.fits(size, puzzle, solution)
    assert grid.count_solutions(size, puzzle) == 1


def test_carving_may_fail_and_slack_lets_it_come_near() -> None:
    solution = grid.random_solution(stream("slack"), 9)
    assert grid.carve(stream(1), solution, 9, 10) is None
    near = grid.carve(stream(1), solution, 9, 10, slack=20)
    assert near is not None
    assert 17 <= 81 - near.count(0) <= 30
    assert grid.count_solutions(9, near) == 1
    for c in (c for c in range(81) if near[c]):
        assert grid.count_solutions(9, (*near[:c], 0, *near[c + 1 :])) == 2, "no clue is left over"
    assert grid.carve(stream(1), solution, 9, 80, Technique.TRIAL) is None
    with pytest.raises(InvalidParameters):
        grid.carve(stream(1), near, 9, 30)


def test_hidden_singles_are_enough_however_few_clues_are_left() -> None:
    # on the last four a digit falls that comes back by a naked single only, unless that is guarded against
    for seed in (0, 1, 2, 3, 21, 211, 336, 387):
        rng = stream("hidden", seed)
        puzzle = grid.carve(rng, grid.random_solution(rng, 9), 9, 0, Technique.HIDDEN_SINGLE, slack=40)
        assert puzzle is not None
        assert grid.rate(9, puzzle).technique is Technique.HIDDEN_SINGLE


def test_a_complete_grid_takes_no_effort() -> None:
    rating = grid.rate(4, all_4x4()[0])
    assert (rating.technique, rating.steps, rating.effort) == (Technique.HIDDEN_SINGLE, 0, 0.0)


@few
@given(sizes, seeds)
def test_the_same_stream_gives_the_same_puzzle(size: int, seed: int) -> None:
    def make(seed: int) -> tuple[object, ...]:
        rng = stream("same", seed)
        solution = grid.random_solution(rng, size)
        return solution, grid.carve(rng, solution, size, {4: 7, 6: 16, 9: 32}[size], Technique.HIDDEN_SINGLE, slack=9)

    assert make(seed) == make(seed)
    assert size == 4 or make(seed) != make(seed + 1)
