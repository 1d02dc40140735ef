"""Mazes: carving, distances, symmetry, and what is drawn."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.seeding import Stream
from envhub.envs.games.maze import grid

SIZES = st.tuples(st.integers(1, 7), st.integers(1, 7), st.integers(0, 10**9))


@given(SIZES, st.sampled_from([0, 30, 100]))
@settings(max_examples=60)
def test_every_cell_is_reached_openings_agree_and_a_perfect_maze_is_a_tree(
    size: tuple[int, int, int], loops: int
) -> None:
    width, height, seed = size
    cells = grid.carve(Stream(b"maze", seed), width, height, loops)
    far = grid.distances(width, cells, 0)
    assert min(far) == 0
    openings = sum(int(c, 16).bit_count() for c in cells)
    most = 2 * (width * (height - 1) + height * (width - 1))
    assert openings == {0: 2 * (width * height - 1), 100: most}.get(loops, openings)
    for cell in range(len(cells)):
        beside = [to for way in grid.DIRECTIONS if (to := grid.step(width, cells, cell, way)) is not None]
        assert all(abs(far[to] - far[cell]) <= 1 for to in beside)
        assert far[cell] == 0 or min(far[to] for to in beside) == far[cell] - 1
        assert all(cell in [grid.step(width, cells, to, way) for way in grid.DIRECTIONS] for to in beside)


@given(SIZES)
def test_turned_and_mirrored_mazes_are_one_and_still_mazes(size: tuple[int, int, int]) -> None:
    width, height, seed = size
    cells = grid.carve(Stream(b"maze", seed), width, height, 20)
    form = (width, cells, 0, len(cells) - 1)
    far = sorted(grid.distances(width, cells, 0))
    for table in (grid._QUARTER, grid._MIRROR):
        turned = grid._turned(*form, table)
        assert grid.canonical(*turned) == grid.canonical(*form)
        assert sorted(grid.distances(turned[0], turned[1], turned[2])) == far
    again = form
    for _ in range(4):
        again = grid._turned(*again, grid._QUARTER)
    assert again == form


def test_the_view_shows_walls_ways_and_numbers() -> None:
    assert grid.view(2, "2c29", 0, 2, 5) == "    1 2\n   #####\n 1 #A .#\n   ### #\n 2 #E .#\n   #####"


@given(st.integers(0, 10**6), st.integers(1, 9))
@settings(max_examples=40)
def test_the_walker_arrives_and_is_never_faster_than_the_shortest_way(seed: int, radius: int) -> None:
    cells = grid.carve(Stream(b"walk", seed), 6, 6, 10)
    least = grid.distances(6, cells, 35)[0]
    steps = grid.explore(6, cells, 0, 35, radius)
    assert steps == least if radius > 5 else steps >= least


@given(seed=st.integers(0, 10_000), size=st.integers(2, 9), loops=st.integers(0, 100), least=st.integers(1, 40))
def test_the_goals_that_are_far_enough_are_found_as_by_walking_from_all(
    seed: int, size: int, loops: int, least: int
) -> None:
    rng = Stream(b"reaching", seed)
    cells = grid.carve(rng, size, size, loops)
    order = rng.sample(range(len(cells)), len(cells))
    plainly = [(goal, far) for goal in order if max(far := grid.distances.__wrapped__(size, cells, goal)) >= least]
    assert list(grid.reaching(size, cells, order, least)) == plainly


def test_few_goals_are_walked_from_where_none_is_far_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    walked = []
    plain = grid.distances.__wrapped__

    class Counting:
        @staticmethod
        def __wrapped__(width: int, cells: str, goal: int) -> tuple[int, ...]:
            walked.append(goal)
            return plain(width, cells, goal)

    cells = grid.carve(Stream(b"few"), 30, 30, 10)
    monkeypatch.setattr(grid, "distances", Counting)
    assert not list(grid.reaching(30, cells, range(900), 148))
    assert len(walked) < 60


@pytest.mark.parametrize(
    ("size", "loops", "least", "there"),
    [
        (30, 100, 58, True),  # opposite corners
        (30, 100, 59, False),
        (30, 10, 300, False),
        (30, 10, 90, True),
        (17, 0, 160, True),
        (3, 0, 8, True),
        (3, 0, 9, False),
    ],
)
def test_whether_a_maze_may_be_so_long(size: int, loops: int, least: int, there: bool) -> None:
    assert grid.reaches(size, loops, least) is there
