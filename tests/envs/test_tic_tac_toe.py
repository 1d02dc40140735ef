"""tic-tac-toe-v0: the rules by counting, the value of positions, who may win."""

from __future__ import annotations

from itertools import product

import pytest

import envhub
from envhub.envs.games.tic_tac_toe import Params, TicTacToe
from envhub.game import solution
from envhub.seeding import Stream
from envhub.types import Instance
from tests.game.tables import play_off

GAME = TicTacToe()
INST = Instance({"board": "." * 9, "misere": False})


def test_all_games_and_all_positions() -> None:
    """255,168 games, of which X wins 131,184 and O 77,904; 5,478 positions (Schaefer 2002)."""
    seen: dict[str, tuple[int, int, int]] = {}

    def count(s: str) -> tuple[int, int, int]:
        if s not in seen:
            if GAME.to_move(s) is None:
                x, _ = GAME.payoffs(INST, s)
                seen[s] = (int(x > 0), int(x == 0), int(x < 0))
            else:
                parts = [count(GAME.play(INST, s, move)) for move in GAME.legal(INST, s)]
                seen[s] = (sum(p[0] for p in parts), sum(p[1] for p in parts), sum(p[2] for p in parts))
        return seen[s]

    assert count("." * 9) == (131_184, 46_080, 77_904)
    assert len(seen) == 5_478


def test_perfect_play_draws_and_misere_too() -> None:
    assert solution(GAME, INST)("." * 9) == 0
    assert solution(GAME, Instance({"misere": True}))("." * 9) == 0


@pytest.mark.parametrize(("board", "paid"), [("XXXOO....", (1, -1)), ("OOOXX.X..", (-1, 1)), ("XOXXOOOXX", (0, 0))])
def test_what_ends_pay(board: str, paid: tuple[int, int]) -> None:
    assert GAME.to_move(board) is None
    assert tuple(GAME.payoffs(INST, board)) == paid
    assert tuple(GAME.payoffs(Instance({"misere": True}), board)) == (-paid[0], -paid[1])


@pytest.mark.parametrize("misere", [False, True])
def test_the_policy_has_a_side_that_can_hold_its_own_and_must_win_where_it_can(misere: bool) -> None:
    targets = set()
    for seed in range(60):
        made = GAME.sample(Stream(b"sides", seed), Params(opponent="optimal", misere=misere))
        if not isinstance(made, Instance):
            continue
        problem = made.problem
        value = solution(GAME, Instance({"misere": misere}))(problem["board"])
        assert problem["target"] == (value if problem["player"] == 0 else -value) >= 0
        targets.add(problem["target"])
        if problem["target"] == 1.0:
            assert "You succeed if you win." in GAME.prompt(problem)
        else:
            assert "You succeed if you win or draw." in GAME.prompt(problem)
    assert targets == {0.0, 1.0}


def test_a_draw_that_should_have_been_a_win_is_half_a_point_and_not_solved() -> None:
    inst = Instance({"board": "." * 9, "misere": False, "target": 1.0, "player": 0, "opponent": "optimal", "slips": 0})
    assert GAME.score(inst, 0.0) == 0.5


def test_optimal_keeps_the_value_and_never_loses_to_anybody() -> None:
    for number, (one, other) in enumerate(product(("random", "greedy", "minimax:2", "mcts:30"), repeat=2)):
        assert play_off(GAME, INST, ("optimal", one), Stream(b"x", number))[0] >= 0
        assert play_off(GAME, INST, (other, "optimal"), Stream(b"o", number))[1] >= 0


@pytest.mark.parametrize("opponent", ["random", "greedy", "minimax:6", "mcts:20", "optimal"])
def test_the_oracle_solves_whoever_plays(opponent: str) -> None:
    for level in (1, 10):
        env = envhub.make("tic-tac-toe-v0", difficulty=level, opponent=opponent)
        for seed in range(6):
            env.reset(seed=seed)
            over = False
            while not over:
                _, reward, over, _, _ = env.step(env.solve())
            assert reward == 1.0


def test_misere_can_be_played() -> None:
    env = envhub.make("tic-tac-toe-v0", difficulty=None, misere=True, opponent="optimal")
    prompt, _ = env.reset(seed=2)
    assert "first loses" in prompt
    over = False
    while not over:
        _, reward, over, _, _ = env.step(env.solve())
    assert reward == 1.0


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_that_is_asked_for_is_never_a_lost_one(seat: int) -> None:
    env = envhub.make("tic-tac-toe-v0", difficulty=None, seat=seat, opponent="optimal")
    for seed in range(60):
        env.reset(seed=seed)
        assert env.task.problem["target"] >= 0
