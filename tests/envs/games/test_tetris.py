"""tetris-v0: turns, drops, full lines, the order of the pieces, what a message costs, and the score."""

from __future__ import annotations

from typing import Any

import pytest

import envhub
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn
from envhub.envs.games.tetris import board as boards
from envhub.envs.games.tetris.environment import State, Tetris

GAME = Tetris()


def game(*rows: str, first: str = "IO", lines: int = 2, pieces: int = 9) -> Instance:
    problem = {"board": [*rows], "kinds": [*"IOT"], "lines": lines, "pieces": pieces, "first": [*first]}
    return Instance(problem, key=5)


def say(inst: Instance, text: str, state: State | None = None) -> Turn:
    turn = GAME.advance(inst, state or GAME.begin(inst, Stream(b"unused")), text, Stream(b"unused"))
    assert isinstance(turn, Turn)
    return turn


EMPTY = ("....",) * 6


def test_a_quarter_turn_is_clockwise() -> None:
    assert boards.turned("L", 1) == ("#.", "#.", "##")
    assert boards.turned("J", 1) == ("##", "#.", "#.")
    assert [len(boards.ways(piece)) for piece in "IOTLJSZ"] == [2, 1, 4, 4, 4, 2, 2]


def test_pieces_fall_and_full_lines_disappear() -> None:
    assert boards.dropped(EMPTY, "O", 0, 1) == ((*EMPTY[:4], ".OO.", ".OO."), 0)
    assert boards.dropped((*EMPTY[:5], "#..#"), "O", 0, 1) == ((*EMPTY[:5], ".OO."), 1)
    assert boards.dropped((*EMPTY[:4], "###.", "###."), "I", 1, 3) == ((*EMPTY[:4], "...I", "...I"), 2)
    overhang = (*EMPTY[:4], "##..", "#...")
    assert boards.dropped(overhang, "O", 0, 1) == ((*EMPTY[:2], ".OO.", ".OO.", "##..", "#..."), 0)  # never under it


def test_a_piece_that_sticks_out_loses() -> None:
    high = ("....", *("#...",) * 5)
    assert boards.dropped(high, "I", 1, 0) is None
    lost = say(game(*high), "1, 90")
    assert lost.verdict is not None
    assert (lost.verdict.solved, lost.verdict.score) == (False, 0.0)
    assert say(game(*high), "1, 0").verdict is None


@pytest.mark.parametrize("text", ["2, 0", "0, 0", "5, 90", "4, 45", "left", "1, 90 2, 90"])
def test_a_message_without_a_placement_is_used_up_and_the_piece_stays(text: str) -> None:
    turn = say(game(*EMPTY), text)
    assert turn.info["rejected"]
    assert (turn.state.piece, turn.state.board, turn.state.left) == ("I", EMPTY, 8)


def test_the_score_is_the_share_of_lines_and_the_target_ends_the_game() -> None:
    ready = (*EMPTY[:4], "###.", "###.")
    won = say(game(*ready), "4, 90")
    assert won.verdict is not None
    assert won.verdict.solved
    short = say(game(*ready, lines=4, pieces=1), "4, 90")
    assert short.verdict is not None
    assert (short.verdict.solved, short.verdict.score) == (False, 0.5)


def second(grid: list[list[str]], piece: str, degrees: int, column: int) -> int | None:
    """Drops a piece cell by cell on a taller board, which is changed; returns the lines, or None if it sticks out."""
    blocks = {
        *("I 0,0 0,1 0,2 0,3", "O 0,0 0,1 1,0 1,1", "T 0,1 1,0 1,1 1,2", "L 0,2 1,0 1,1 1,2"),
        *("J 0,0 1,0 1,1 1,2", "S 0,1 0,2 1,0 1,1", "Z 0,0 0,1 1,1 1,2"),
    }
    [found] = [block[2:] for block in blocks if block[0] == piece]
    cells = [(int(cell[0]), int(cell[2])) for cell in found.split()]
    for _ in range(degrees // 90):
        cells = [(column, -row) for row, column in cells]
    side, bottom = min(column for _, column in cells), max(row for row, _ in cells)
    cells = [(row - bottom, at - side + column - 1) for row, at in cells]  # the lowest row is row 0
    height = len(grid)
    drop = 0
    while all(row + drop + 1 < height and (row + drop + 1 < 0 or grid[row + drop + 1][at] == ".") for row, at in cells):
        drop += 1
    if any(row + drop < 0 for row, _ in cells) or any(grid[row + drop][at] != "." for row, at in cells):
        return None
    for row, at in cells:
        grid[row + drop][at] = piece
    full = [row for row in grid if "." not in row]
    rest = [row for row in grid if "." in row]
    grid[:] = [["."] * len(grid[0]) for _ in full] + rest
    return len(full)


@pytest.mark.parametrize("level", [1, 5, 10])
def test_random_play_agrees_with_the_rules_written_again(level: int) -> None:
    lost = won = 0
    for seed in range(6):
        env = envhub.make("tetris-v0", difficulty=level)
        env.reset(seed=seed)
        problem: Any = env.task.problem
        rng = Stream(bytes([seed, level]), "test")
        grid, lines = [[*row] for row in problem["board"]], 0
        wild = 2 + seed * 2
        while not env.episode.over:
            state = env.episode.state
            text = env.environment.solve(env.episode.instance, state)  # type: ignore[attr-defined]
            if not rng.below(wild):
                turns = rng.below(4)
                across = len(boards.turned(state.piece, turns)[0])
                text = f"{rng.between(1, len(grid[0]) - across + 1)}, {90 * turns}"
            column, degrees = map(int, text.split(", "))
            full = second(grid, state.piece, degrees, column)
            env.step(text)
            lines += full or 0
            if full is None:
                assert env.episode.over
                lost += 1
            elif not env.episode.over:
                after = env.episode.state
                assert list(after.board) == ["".join(row) for row in grid]
                assert (after.lines, after.left, after.piece) == (lines, state.left - 1, state.following)
        verdict = env.episode.turns[-1].verdict
        assert verdict is not None
        assert verdict.solved == (lines >= problem["lines"])
        assert verdict.score == min(1.0, lines / problem["lines"])
        won += bool(verdict.solved)
    assert won
    assert won < 6


def test_each_round_has_every_kind_once() -> None:
    env = envhub.make("tetris-v0", difficulty=5)
    env.reset(seed=4)
    seen = [env.episode.state.piece]
    while not env.episode.over and len(seen) < 14:
        env.step(env.solve())
        seen += [] if env.episode.over else [env.episode.state.piece]
    assert sorted(seen[:7]) == sorted(boards.PIECES)
    assert len(set(seen[7:])) == len(seen[7:])


def test_the_players_never_leave_the_board() -> None:
    rng = Stream(b"players", "test")
    for _ in range(60):
        tops = [rng.below(5) for _ in range(6)]
        rows = tuple("".join("#" if top >= row else "." for top in tops) for row in range(8, 0, -1))
        piece = rng.choice([*boards.PIECES])
        for column, turns in (boards.best(rows, piece, "T"), boards.lowest(rows, piece)):
            assert boards.fits(6, piece, turns, column)
            assert boards.dropped(rows, piece, turns, column) is not None
