"""2048-v0: slides, the tiles that appear, what a move costs, and the score."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.seeding import Stream
from envhub.core.statistics import NORMAL_999, wilson
from envhub.core.types import Instance, Turn
from envhub.envs.games.twenty48 import tiles
from envhub.envs.games.twenty48.environment import Params, State, Twenty48

GAME = Twenty48()
BOARDS = st.integers(3, 5).flatmap(
    lambda size: st.tuples(*[st.tuples(*[st.integers(0, 3)] * size)] * size)  # small tiles, so that many merge
)


def game(*rows: str, target: int = 16, moves: int = 10) -> Instance:
    """A game from rows of values, ``"2 2 0"``."""
    board = [[max(0, int(value).bit_length() - 1) for value in row.split()] for row in rows]
    return Instance({"target": target, "moves": moves, "board": board})


def say(inst: Instance, text: str, state: State | None = None, luck: int = 0) -> Turn:
    inst = Instance(inst.problem, key=luck)
    state = GAME.begin(inst, Stream(b"unused")) if state is None else state
    turn = GAME.advance(inst, state, text, Stream(b"unused"))
    assert isinstance(turn, Turn)
    return turn


def by_hand(row: list[int]) -> list[int]:
    """A row of values after a slide to the left, one tile at a time."""
    out: list[int] = []
    closed = 0
    for value in row:
        if value == 0:
            continue
        if len(out) > closed and out[-1] == value:
            out[-1] = 2 * value
            closed = len(out)
        else:
            out.append(value)
    return out + [0] * (len(row) - len(out))


@pytest.mark.parametrize(
    ("row", "left", "right"),
    [
        ((1, 1, 1, 1), (2, 2, 0, 0), (0, 0, 2, 2)),
        ((1, 1, 1, 0), (2, 1, 0, 0), (0, 0, 1, 2)),
        ((2, 0, 0, 2), (3, 0, 0, 0), (0, 0, 0, 3)),
        ((1, 1, 2, 0), (2, 2, 0, 0), (0, 0, 2, 2)),
        ((2, 1, 1, 0), (2, 2, 0, 0), (0, 0, 2, 2)),
        ((1, 2, 1, 2), (1, 2, 1, 2), (1, 2, 1, 2)),
    ],
)
def test_known_slides(row: tiles.Row, left: tiles.Row, right: tiles.Row) -> None:
    rest = ((0, 0, 0, 0),) * 3
    assert tiles.slide((row, *rest), "left")[0] == left
    assert tiles.slide((row, *rest), "right")[0] == right


@given(BOARDS)
def test_slides_agree_with_sliding_by_hand_and_keep_the_sum(board: tiles.Board) -> None:
    def value(tile: int) -> int:
        return 1 << tile if tile else 0

    for move in tiles.MOVES:
        after = tiles.slide(board, move)
        assert sum(value(tile) for row in after for tile in row) == sum(value(tile) for row in board for tile in row)
        lines, moved = (board, after) if move in ("left", "right") else (tuple(zip(*board)), tuple(zip(*after)))  # noqa: B905
        for line, slid in zip(lines, moved, strict=True):
            way = 1 if move in ("left", "up") else -1
            assert [value(tile) for tile in slid[::way]] == by_hand([value(tile) for tile in line[::way]])


@given(BOARDS, st.integers(0, 10**6), st.sampled_from(tiles.MOVES))
@settings(max_examples=60)
def test_a_move_brings_one_tile_in_an_empty_cell_and_one_that_changes_nothing_none(
    board: tiles.Board, luck: int, move: str
) -> None:
    inst = Instance({"target": 2048, "moves": 10, "board": [list(row) for row in board]})
    slid, after = tiles.slide(board, move), say(inst, move, luck=luck).state
    assert after.left == 9
    if slid == board:
        assert after.board == board
        return
    changed = [(y, x) for y, row in enumerate(slid) for x, tile in enumerate(row) if after.board[y][x] != tile]
    assert len(changed) == 1
    y, x = changed[0]
    assert slid[y][x] == 0
    assert after.board[y][x] in (1, 2)


def test_one_tile_in_ten_is_a_4_and_every_empty_cell_is_as_likely() -> None:
    inst = game("2 0 0", "0 0 0", "0 0 0")
    after = [say(inst, "right", luck=luck).state.board for luck in range(2000)]
    fours = sum(any(2 in row for row in board) for board in after)
    assert 140 <= fours <= 260
    for cell in range(9):
        if cell != 2:
            assert 190 <= sum(board[cell // 3][cell % 3] > 0 for board in after) <= 310


@pytest.mark.parametrize(
    "text", ["left", "up", "", "jump", "left or right", "<answer>down</answer><answer>up</answer>"]
)
def test_what_moves_nothing_or_is_no_move_costs_a_move_and_brings_no_tile(text: str) -> None:
    inst = game("2 0 0", "0 0 0", "0 0 0", moves=2)
    first = say(inst, text)
    assert first.state == State(((1, 0, 0), (0, 0, 0), (0, 0, 0)), 1)
    assert first.observation.endswith("Moves left: 1.")
    last = say(inst, text, first.state)
    assert last.verdict is not None
    assert (last.verdict.score, last.verdict.solved, last.verdict.status) == (0.0, False, "graded")


def test_the_target_wins_with_the_last_move_and_nothing_less_does() -> None:
    inst = game("8 8 0", "0 0 0", "0 0 0", moves=1)
    won, lost = say(inst, "left").verdict, say(inst, "down").verdict
    assert won is not None
    assert lost is not None
    assert (won.score, won.solved) == (1.0, True)
    assert (lost.score, lost.solved) == (4 / 12, False)


def test_a_full_board_that_cannot_move_is_lost() -> None:
    inst = game("2 4 8", "8 16 2", "4 32 0", target=64)
    for luck in range(50):
        turn = say(inst, "right", luck=luck)
        if turn.verdict is not None:
            assert not turn.verdict.solved
            assert turn.verdict.score == 28 / 60
            assert turn.observation.endswith("Nothing can move any more.")
            assert not tiles.movable(turn.state.board)
            break
    else:
        raise AssertionError("it never got stuck")


@pytest.mark.parametrize("loop", [["left", "right"], ["up"], ["left"], ["nothing"]])
def test_looping_yields_less_than_finishing(loop: list[str]) -> None:
    for seed in range(5):
        inst: Any = GAME.sample(Stream(b"test", seed), Params(target=128, moves=120, winnable=False))
        state, verdict, turns = GAME.begin(inst, Stream(b"unused")), None, 0
        while verdict is None:
            turn: Any = GAME.advance(inst, state, loop[turns % len(loop)], Stream(b"luck", seed, turns))
            state, verdict, turns = turn.state, turn.verdict, turns + 1
        assert verdict.score == max(0, tiles.largest(state.board) - 4) / 124 < 0.6
        assert not verdict.solved


def test_the_oracle_reaches_the_target_and_the_observation_shows_the_board() -> None:
    drawn = [GAME.sample(Stream(b"test", seed), Params.at(3)) for seed in range(9)]
    for seed, inst in enumerate(filter(None, drawn)):
        state, verdict, turns = GAME.begin(inst, Stream(b"unused")), None, 0
        while verdict is None:
            turn: Any = GAME.advance(inst, state, GAME.oracle(inst, state), Stream(b"unused", seed))
            state, verdict, turns = turn.state, turn.verdict, turns + 1
            if verdict is None:
                shown = [
                    [0 if cell == "." else int(cell) for cell in line.split()]
                    for line in turn.observation.split("\n")[: len(state.board)]
                ]
                assert shown == [[1 << tile if tile else 0 for tile in row] for row in state.board]
        assert verdict.solved
        assert turns <= 90


def test_only_tasks_that_the_oracle_wins_without_knowing_the_tiles_are_kept() -> None:
    kept = list(filter(None, (GAME.sample(Stream(b"kept", seed), Params.at(1)) for seed in range(40))))
    assert 0 < len(kept) < 40
    for inst in kept:
        state, verdict = GAME.begin(inst, Stream(b"unused")), None
        other = Instance(inst.problem, key="hidden from the oracle")
        while verdict is None:
            action = GAME.oracle(inst, state)
            assert action == GAME.oracle(other, state)
            after: Any = GAME.advance(inst, state, action, Stream(b"another"))
            state, verdict = after.state, after.verdict
        assert verdict.solved


@pytest.mark.parametrize(
    "bad",
    [
        {"target": 100},
        {"size": 2},
        {"target": 256, "moves": 20},
        {"target": 4096},
        {"size": 3, "target": 512, "moves": 300},
    ],
)
def test_parameters_that_make_no_game_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"power|hold|greater|less|at most"):
        Params(**bad)


@pytest.mark.parametrize("level", [1, 5, 10])
def test_no_fixed_sequence_of_moves_reaches_the_target_often(level: int) -> None:
    """Left, down, right, down solved 29 of 30 at level 1, and 17 of 20 at level 10."""
    drawn = [GAME.sample(Stream(b"blind", seed), Params.at(level)) for seed in range(80 if level < 10 else 30)]
    drawn = list(filter(None, drawn))
    for cycle in GAME.cycles:
        solved = 0
        for seed, inst in enumerate(drawn):
            state, verdict, turn = GAME.begin(inst, Stream(b"unused")), None, 0
            while verdict is None:
                after: Any = GAME.advance(inst, state, cycle[turn % len(cycle)], Stream(b"turn", seed, turn))
                state, verdict, turn = after.state, after.verdict, turn + 1
            solved += verdict.solved
        assert wilson(solved, len(drawn), NORMAL_999)[0] <= 0.05
