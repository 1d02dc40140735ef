"""shisen-sho-v0: lines and their corners, pairs, dead ends, what a message costs, and the score."""

from __future__ import annotations

from collections import deque
from itertools import combinations, pairwise, product
from typing import Any

import pytest

import envhub
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn
from envhub.envs.games.shisen_sho import tiles
from envhub.envs.games.shisen_sho.environment import ShisenSho, State

GAME = ShisenSho()


def game(*rows: str, corners: int = 2, messages: int = 9) -> Instance:
    return Instance({"board": [*rows], "corners": corners, "messages": messages}, key=[])


def say(inst: Instance, text: str, state: State | None = None) -> Turn:
    turn = GAME.advance(inst, state or GAME.begin(inst, Stream(b"unused")), text, Stream(b"unused"))
    assert isinstance(turn, Turn)
    return turn


def fewest_corners(board: tiles.Board, one: tiles.Cell, other: tiles.Cell) -> float:
    """The fewest corners of a line between two cells, by a search over cells and directions."""
    height, width = len(board), len(board[0])
    best: dict[Any, int] = {}
    queue = deque([(one, way, 0) for way in ((0, 1), (1, 0), (0, -1), (-1, 0))])
    found = float("inf")
    while queue:
        (row, column), way, corners = queue.popleft()
        if (row, column) == other:
            found = min(found, corners)
            continue
        if best.get(((row, column), way), 99) <= corners or corners > 4:
            continue
        best[(row, column), way] = corners
        inside = 0 <= row < height and 0 <= column < width
        if (row, column) != one and inside and board[row][column] != ".":
            continue
        for turn in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            to = row + turn[0], column + turn[1]
            if -1 <= to[0] <= height and -1 <= to[1] <= width and to != one:
                queue.append((to, turn, corners + (turn != way)))
    return found


def test_lines_agree_with_a_search_over_directions() -> None:
    rng = Stream(b"lines", "test")
    joined = 0
    for _ in range(25):
        board = tuple("".join(rng.choice("AB..") for _ in range(5)) for _ in range(4))
        cells = [cell for cell in product(range(4), range(5)) if tiles.at(board, cell) != "."]
        for one, other in combinations(cells, 2):
            fewest = fewest_corners(board, one, other)
            for corners in (1, 2):
                line = tiles.joined(board, one, other, corners)
                assert (line is not None) == (fewest <= corners), (board, one, other, corners)
                if line is not None:
                    joined += 1
                    assert (line[0], line[-1]) == (one, other)
                    assert len(line) - 2 <= corners
                    assert all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(line))
    assert joined > 40


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1, 1 and 1, 2", "not equal"),
        ("1, 1 and 2, 2", "No line"),
        ("1, 1 and 1, 1", "different cells"),
        ("3, 1 and 1, 1", "Rows go from 1 to 2"),
        ("pair", "could not be read"),
    ],
)
def test_what_is_no_pair_changes_nothing_and_is_used_up(text: str, said: str) -> None:
    turn = say(game("ABCC", "DADB"), text)
    assert said in turn.observation
    assert (turn.state.board, turn.state.left) == (("ABCC", "DADB"), 8)


def test_an_empty_cell_is_no_tile() -> None:
    turn = say(game("AAB", "BCC"), "1, 1 and 1, 2")
    assert turn.state.board == ("..B", "BCC")
    again = say(game("AAB", "BCC"), "1, 1 and 1, 2", turn.state)
    assert "empty" in again.observation
    assert again.state.left == 7


def test_only_an_empty_board_counts_and_a_dead_end_ends_the_game() -> None:
    assert not tiles.removable(("AB", "BA"), 1)
    inst = game("AAB", "CBC", corners=1)
    dead = say(inst, "1, 1 and 1, 2")
    assert dead.verdict is None  # B joins B around one corner
    won = say(inst, "2, 1 and 2, 3", say(inst, "1, 3 and 2, 2", dead.state).state)
    assert won.verdict is not None
    assert won.verdict.solved
    assert won.verdict.components["cleared"] == 1.0
    for inst in (game("AAB", "CDB", messages=1), game("AABC", "DDCB", "EEBC", "FFCB", corners=1)):
        turn = say(inst, "1, 1 and 1, 2")
        for at in (2, 3, 4):
            turn = turn if turn.verdict else say(inst, f"{at}, 1 and {at}, 2", turn.state)
        assert turn.verdict is not None
        assert (turn.verdict.score, turn.verdict.solved) == (0.0, False)
        assert 0 < turn.verdict.components["cleared"] < 1


@pytest.mark.parametrize("level", [1, 3, 5, 10])
def test_random_play_agrees_with_the_rules_written_again(level: int) -> None:
    ends = set()
    for seed in range(5):
        env = envhub.make("shisen-sho-v0", difficulty=level)
        env.reset(seed=seed)
        problem: Any = env.task.problem
        rng = Stream(bytes([seed, level]), "test")
        grid = {(r, c): tile for r, row in enumerate(problem["board"]) for c, tile in enumerate(row)}
        whole = len(grid)
        while not env.episode.over:
            board = env.episode.state.board
            one, other = rng.sample(sorted(grid), 2)
            if rng.below(8):
                one, other = rng.choice(tiles.removable(board, problem["corners"]))
            good = grid[one] == grid[other] and fewest_corners(board, *sorted((one, other))) <= problem["corners"]
            if good:
                del grid[one], grid[other]
            env.step(f"{one[0] + 1}, {one[1] + 1} and {other[0] + 1}, {other[1] + 1}")
            after = env.episode.state.board
            assert {(r, c): t for r, row in enumerate(after) for c, t in enumerate(row) if t != "."} == grid
        verdict = env.episode.turns[-1].verdict
        assert verdict is not None
        assert verdict.solved == (not grid)
        assert verdict.components["cleared"] == pytest.approx(1 - len(grid) / whole)
        ends.add(verdict.solved)
    assert ends


def test_the_key_clears_the_board() -> None:
    for level in (1, 6, 10):
        env = envhub.make("shisen-sho-v0", difficulty=level)
        env.reset(seed=8)
        board, corners = tuple(env.task.problem["board"]), env.task.problem["corners"]
        for one, other in env.episode.instance.key:
            assert fewest_corners(board, tuple(one), tuple(other)) <= corners
            board = tiles.without(board, (tuple(one), tuple(other)))
        assert tiles.left(board) == 0


def test_the_same_board_turned_or_with_other_letters_is_the_same_content() -> None:
    board = ["AABB", "CBCB", "ACCA"]
    turned = ["".join(column) for column in zip(*board[::-1], strict=True)]
    renamed = [row.translate(str.maketrans("ABC", "CAB")) for row in board]
    assert tiles.canonical(board) == tiles.canonical(turned) == tiles.canonical(renamed)
    assert tiles.canonical(board) != tiles.canonical(["ABAB", "CBCB", "ACCA"])
