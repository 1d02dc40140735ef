"""Perfect play by search alone: it says what a table of all positions says, and counts what it looks at."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st

from envhub.authoring.game import solution
from envhub.authoring.game.exact import count_positions, optimal_moves, perfect_value
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.envs.games.othello.environment import Othello, State
from envhub.envs.games.tic_tac_toe.environment import Board as TicTacToe

GAME = TicTacToe()
ANY = Instance({"misere": False})
TABLE = solution(GAME, ANY)


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), plies=st.integers(2, 8))
def test_values_and_the_moves_that_keep_them_are_those_of_the_table(seed: int, plies: int) -> None:
    rng, s = Stream(b"exact", seed), "." * 9
    for _ in range(plies):
        if GAME.to_move(s) is not None:
            s = GAME.play(ANY, s, rng.choice(GAME.legal(ANY, s)))
    assert perfect_value(GAME, ANY, s) == TABLE(s)
    if GAME.to_move(s) is None:
        return
    kept = [move for move in GAME.legal(ANY, s) if TABLE(GAME.play(ANY, s, move)) == TABLE(s)]
    assert optimal_moves(GAME, ANY, s) == optimal_moves(GAME, ANY, s, TABLE(s)) == kept


def test_what_is_looked_at_is_every_position_once_where_nothing_is_cut_off() -> None:
    assert count_positions(GAME, ANY, "XOXOXO.X.") == 1 + 2 + 2  # two moves, and the last cell after each
    assert count_positions(GAME, ANY, "XXXOO....") == 1
    assert 1 < count_positions(GAME, ANY, "XO.......") < 5_000


def test_random_play_stops_where_it_is_told_or_the_game_is_over() -> None:
    game, start = Othello(), State((1 << 28 | 1 << 35, 1 << 27 | 1 << 36))
    assert (sum(game.play_randomly(start, Stream(b"w"), 10).discs)).bit_count() == 14
    assert game.play_randomly(start, Stream(b"w"), 100).mover is None
    assert game.play_randomly(start, Stream(b"w"), 0) == start
