"""match-three-v0: runs, falls, rounds, rearranged tiles, what a move costs, and the score."""

from __future__ import annotations

from typing import Any

import pytest

import envhub
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn
from envhub.envs.games.match_three import tiles
from envhub.envs.games.match_three.environment import MatchThree, State

GAME = MatchThree()
BOARD = ("ABCDE", "BCDEA", "CDAEB", "DABAC", "AECDB")


def game(*rows: str, target: int = 9, moves: int = 5) -> Instance:
    return Instance({"board": [*rows], "kinds": 5, "target": target, "moves": moves}, key=3)


def say(inst: Instance, text: str, state: State | None = None) -> Turn:
    turn = GAME.advance(inst, state or GAME.begin(inst, Stream(b"unused")), text, Stream(b"unused"))
    assert isinstance(turn, Turn)
    return turn


def test_runs_are_three_or_more_equal_tiles_in_a_line() -> None:
    assert tiles.runs(("AAA", "BCB", "CBB")) == {(0, 0), (0, 1), (0, 2)}
    assert tiles.runs(("ABC", "ABC", "ACB")) == {(0, 0), (1, 0), (2, 0)}
    assert tiles.runs(("AAB", "ABA", "BAA")) == set()
    assert len(tiles.runs(("AAAA", "ABCB", "ACBC"))) == 6  # a corner counts once
    assert tiles.runs(("???", "ABC", "BCA")) == set()


def test_tiles_fall_into_gaps_and_new_ones_come_in_order() -> None:
    made = tiles.settled(("AAA", "BCD", "CDB"), lambda column, number: "XYZ"[column] if number == 0 else "W")
    assert made == (("XYZ", "BCD", "CDB"), 3, 1, (1, 1, 1))
    upright = tiles.settled(("BCA", "DBA", "CDA"), lambda column, number: "XYZ"[number])
    assert upright.board == ("BCZ", "DBY", "CDX")  # the first to fall is the lowest
    assert upright.fallen == (0, 0, 3)


@pytest.mark.parametrize(
    "text", ["1, 1 and 1, 3", "1, 1 and 2, 2", "0, 1 and 1, 1", "5, 5 and 5, 6", "swap", "1, 1 and 1, 1"]
)
def test_what_is_no_swap_uses_up_a_move(text: str) -> None:
    turn = say(game(*BOARD), text)
    assert turn.info["rejected"]
    assert (turn.state.board, turn.state.left, turn.state.points) == (BOARD, 4, 0)


def test_a_swap_without_a_run_is_undone() -> None:
    turn = say(game(*BOARD), "1, 1 and 1, 2")
    assert "rejected" not in turn.info
    assert (turn.state.board, turn.state.left, turn.state.points) == (BOARD, 4, 0)


def test_the_score_is_the_share_of_the_points() -> None:
    [swap, *_] = tiles.useful(BOARD)
    text = " and ".join(f"{row + 1}, {column + 1}" for row, column in swap)
    won = say(game(*BOARD, target=3), text)
    assert won.verdict is not None
    assert won.verdict.solved
    short = say(game(*BOARD, target=400, moves=1), text)
    assert short.verdict is not None
    assert not short.verdict.solved
    assert short.verdict.score == pytest.approx(int(short.state.points) / 400)
    assert short.state.points >= 3


def grouped(grid: list[list[str]]) -> set[tuple[int, int]]:
    """The cells in runs, found by looking at every window of three."""
    found = set()
    for row in range(len(grid)):
        for column in range(len(grid[0])):
            for down, right in ((0, 1), (1, 0)):
                cells = [(row + k * down, column + k * right) for k in range(3)]
                inside = all(r < len(grid) and c < len(grid[0]) for r, c in cells)
                if inside and len({grid[r][c] for r, c in cells}) == 1:
                    found |= {*cells}
    return found


def second(grid: list[list[str]], one: Any, other: Any, fill: Any, fallen: list[int]) -> int:
    """A swap by the rules written again, tile by tile; the grid is changed."""
    (a, b), (c, d) = one, other
    grid[a][b], grid[c][d] = grid[c][d], grid[a][b]
    points = 0
    while gone := grouped(grid):
        points += len(gone)
        for row, column in sorted(gone):  # from the top, so that each gap rises to the top of its column
            for at in range(row, 0, -1):
                grid[at][column] = grid[at - 1][column]
            grid[0][column] = ""
        for column in range(len(grid[0])):
            for row in reversed(range(len(grid))):
                if not grid[row][column]:
                    grid[row][column] = fill(column, fallen[column])
                    fallen[column] += 1
    if not points:
        grid[a][b], grid[c][d] = grid[c][d], grid[a][b]
    return points


@pytest.mark.parametrize("level", [1, 6])
def test_random_play_agrees_with_the_rules_written_again(level: int) -> None:
    useless = 0
    for seed in range(8):
        env = envhub.make("match-three-v0", difficulty=level)
        env.reset(seed=seed)
        problem: Any = env.task.problem
        key, rng = env.episode.instance.key, Stream(bytes([seed, level]), "test")
        grid, fallen, points = [[*row] for row in problem["board"]], [0] * len(problem["board"]), 0

        def fill(column: int, number: int, key: int = key, kinds: int = problem["kinds"]) -> str:
            return "ABCDEFG"[Stream(str(key).encode(), "match-three", column, number).below(kinds)]

        while not env.episode.over:
            state = env.episode.state
            if rng.below(3):
                one, other = rng.choice(tiles.useful(state.board))
            else:
                row, column = rng.below(len(grid)), rng.below(len(grid) - 1)
                one, other = (row, column), (row, column + 1)
            made = second(grid, one, other, fill, fallen)
            points, useless = points + made, useless + (made == 0)
            env.step(f"{one[0] + 1}, {one[1] + 1} and {other[0] + 1}, {other[1] + 1}")
            if not env.episode.over:
                after = env.episode.state
                if after.rearranged != state.rearranged:
                    assert sorted("".join(after.board)) == sorted(tile for row in grid for tile in row)
                    grid = [[*row] for row in after.board]
                assert [[*row] for row in after.board] == grid
                assert (after.points, list(after.fallen)) == (points, fallen)
        verdict = env.episode.turns[-1].verdict
        assert verdict is not None
        assert verdict.solved == (points >= problem["target"])
    assert useless


def test_useful_swaps_are_those_that_make_a_run() -> None:
    for seed in range(10):
        board = tiles.drawn(Stream(bytes([seed]), "test"), 6, 6)
        if board is None:
            continue
        pairs = [
            ((row, column), (row + down, column + right))
            for row in range(6)
            for column in range(6)
            for down, right in ((0, 1), (1, 0))
            if row + down < 6 and column + right < 6
        ]
        right = [pair for pair in pairs if grouped([[*row] for row in tiles.swapped(board, pair)])]
        assert tiles.useful(board) == sorted(right)
        assert not grouped([[*row] for row in board])


def test_a_board_without_useful_swaps_is_rearranged() -> None:
    stuck = ("ABAB", "CDCD", "ABAB", "CDCD")
    assert not tiles.useful(stuck)
    mixed = tiles.rearranged(Stream(b"mixed", "test"), stuck)
    assert mixed is not None
    assert sorted("".join(mixed)) == sorted("".join(stuck))
    assert tiles.useful(mixed)
    assert not tiles.runs(mixed)
