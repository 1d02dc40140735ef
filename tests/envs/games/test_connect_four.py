"""connect-four-v0: what a position promises, who has won, and games from the start."""

from __future__ import annotations

from collections import Counter

import pytest

import envhub
from envhub.core.statistics import NORMAL_999, wilson
from envhub.core.types import Instance
from envhub.envs.games.connect_four import board
from envhub.envs.games.connect_four.environment import ConnectFour, State

GAME = ConnectFour()


def at(moves: str) -> tuple[Instance, State]:
    inst = Instance({"moves": moves, "win_in": 0})
    return inst, GAME.start(inst)


@pytest.mark.parametrize(
    ("moves", "paid"),
    [
        ("1212121", (1, -1)),
        ("1122334", (1, -1)),
        ("51122334", (-1, 1)),
        ("71212121", (-1, 1)),
        ("4444", None),
        ("", None),
    ],
)
def test_who_made_four_has_won(moves: str, paid: tuple[float, float] | None) -> None:
    inst, s = at(moves)
    assert (GAME.to_move(s) is None) is s.won is (paid is not None)
    if paid is not None:
        assert tuple(GAME.payoffs(inst, s)) == paid


@pytest.mark.parametrize("win_in", [1, 2, 3])
def test_the_policy_can_force_a_win_in_so_many_moves_and_no_fewer(win_in: int) -> None:
    env = envhub.make("connect-four-v0", difficulty=None, win_in=win_in, opponent="minimax:4")
    for seed in range(12):
        _, info = env.reset(seed=seed)
        s = GAME.start(env.episode.instance)
        assert GAME.to_move(s) == info["player"]
        assert board.look_ahead(s.mine, s.other, 9).plies == 2 * win_in - 1
        turns, over = 0, False
        while not over:
            _, reward, over, _, _ = env.step(env.solve())
            turns += 1
        assert reward == 1.0
        assert turns <= win_in


def test_who_has_not_won_by_then_has_lost_whatever_the_board_says() -> None:
    env = envhub.make("connect-four-v0", difficulty=None, win_in=2, opponent="minimax:2", wording=0)
    for seed in range(8):
        prompt, info = env.reset(seed=seed)
        assert "within 2 moves of yours" in prompt
        assert "Moves left to win in: 2." in prompt
        inst, s = env.episode.instance, env.episode.state.s
        wrong = next(c for c in GAME.legal(inst, s) if c != env.environment.best(inst, s))
        observation, reward, over, _, more = env.step(f"<answer>{wrong}</answer>")
        while not over:
            observation, reward, over, _, more = env.step(env.solve())
        assert (reward, more["payoffs"][info["player"]]) == (0.0, -1.0)
        assert "You lost." in observation


def test_a_mirror_image_is_the_same_content() -> None:
    one, other, third = ({"moves": moves, "win_in": 0} for moves in ("4435261", "4453627", "4435262"))
    assert GAME.canonical(one) == GAME.canonical(other) != GAME.canonical(third)


def test_so_is_the_same_position_by_other_moves() -> None:
    one, other = ({"moves": moves, "win_in": 0} for moves in ("123", "321"))
    assert GAME.canonical(one) == GAME.canonical(other)


def test_without_a_promise_the_whole_game_is_played_and_a_draw_scores_nothing() -> None:
    env = envhub.make("connect-four-v0", difficulty=None, win_in=0, plies=2, opponent="random", seat=1)
    prompt, info = env.reset(seed=1)
    assert info["player"] == 1
    assert prompt.count("X") + prompt.count("O") > 3
    assert GAME.score(env.episode.instance, 0.0) == 0.0


def test_a_full_column_is_answered() -> None:
    env = envhub.make("connect-four-v0", difficulty=None, win_in=0, plies=0, opponent="self")
    env.reset(seed=3)
    for _ in range(6):
        env.step("<answer>4</answer>")
    observation, *_ = env.step("<answer>4</answer>")
    assert observation.startswith("4 is not a legal move. Legal moves: 1, 2, 3, 5, 6, 7.")


def test_perfect_play_is_refused_with_the_nearest() -> None:
    with pytest.raises(envhub.core.errors.InvalidParameters, match="Did you mean 'minimax:4'"):
        envhub.make("connect-four-v0", opponent="optimal")


@pytest.mark.parametrize("text", ["4", "column 4", "Column 4", " column  4"])
def test_a_column_may_be_called_so(text: str) -> None:
    assert GAME.answer.read(f"<answer>{text}</answer>").value == 4


@pytest.mark.parametrize("text", ["column", "4 column", "columns 4", "column 4 5"])
def test_what_is_no_column_is_not_read(text: str) -> None:
    assert GAME.answer.read(f"<answer>{text}</answer>").reason is not None


def test_one_column_is_as_good_as_another_at_level_1() -> None:
    """Column 4 won .24."""
    source = envhub.make("connect-four-v0", difficulty=1).source
    right = Counter(board.look_ahead(*GAME.start(source.draw(seed)[1])[:2], 1).column for seed in range(100))
    assert set(right) == set(range(1, 8))
    assert wilson(max(right.values()), 100, NORMAL_999)[0] <= 1 / 7


def test_no_column_is_right_twice_where_two_moves_win() -> None:
    """Column 4, repeated, won .19 of level 3."""
    source = envhub.make("connect-four-v0", difficulty=3).source
    for seed in range(40):
        _, inst = source.draw(seed)
        assert not repeats(inst, board.look_ahead(*GAME.start(inst)[:2], 3).column)


def repeats(inst: Instance, column: int) -> bool:
    """Whether a column wins again and again, whatever the other side does in between."""
    s = GAME.start(inst)
    if column not in GAME.legal(inst, s):
        return False
    after = GAME.play(inst, s, column)
    if GAME.to_move(after) is None:
        return after.won
    moves = f"{inst.problem['moves']}{column}"
    replies = [reply for reply in GAME.legal(inst, after) if GAME.to_move(GAME.play(inst, after, reply)) is not None]
    shorter = {"win_in": inst.problem["win_in"] - 1}
    return any(repeats(Instance({**inst.problem, **shorter, "moves": f"{moves}{reply}"}), column) for reply in replies)
