"""Search: it agrees with the exact value, breaks ties by luck alone, and stronger names are stronger."""

from __future__ import annotations

from collections import Counter

import pytest

from envhub.authoring.game import CHANCE, exploitability, solution
from envhub.authoring.game.exact import move_probabilities, random_success_rate
from envhub.authoring.game.opponents import choose, read_opponent
from envhub.authoring.game.search import mcts, minimax, one_ply, search_value
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.envs.games.connect_four.environment import ConnectFour
from envhub.envs.games.tic_tac_toe.environment import Board as TicTacToe
from tests.authoring.game.tables import Dice, Nim, instance, mean

TTT = TicTacToe()
INST = Instance({"board": "." * 9, "misere": False})


def boards(count: int) -> list[str]:
    found, number = [], 0
    while len(found) < count:
        rng, s = Stream(b"boards", number), "." * 9
        number += 1
        for _ in range(rng.between(1, 6)):
            if TTT.to_move(s) is not None:
                s = TTT.play(INST, s, rng.choice(TTT.legal(INST, s)))
        if TTT.to_move(s) is not None:
            found.append(s)
    return found


def test_alpha_beta_to_the_end_is_the_exact_value_and_plays_it() -> None:
    value = solution(TTT, INST)
    for s in boards(60):
        seat = TTT.to_move(s)
        assert isinstance(seat, int)
        sign = 1 if seat == 0 else -1
        assert search_value(TTT, INST, s, seat, 9) == sign * value(s)
        move = minimax(TTT, INST, s, seat, 9, Stream(b"any"))
        assert value(TTT.play(INST, s, move)) == value(s)


def test_equal_moves_are_equally_likely_and_a_stream_decides() -> None:
    counts = Counter(minimax(TTT, INST, "." * 9, 0, 2, Stream(b"ties", i)) for i in range(900))
    assert set(counts) == set(range(1, 10))
    assert min(counts.values()) > 60
    assert minimax(TTT, INST, "." * 9, 0, 2, Stream(b"x")) == minimax(TTT, INST, "." * 9, 0, 2, Stream(b"x"))


def test_one_ply_takes_a_win_and_two_stop_one() -> None:
    assert all(one_ply(TTT, INST, "XX.OO....", 0, Stream(b"w", i)) == 3 for i in range(8))
    assert all(minimax(TTT, INST, "X...O...X", 1, 2, Stream(b"w", i)) in range(1, 10) for i in range(8))
    assert all(minimax(TTT, INST, "XX..O....", 1, 2, Stream(b"w", i)) == 3 for i in range(8))


def test_chance_is_averaged() -> None:
    game = Dice()
    inst = instance(game)
    # who sees the die ties where it is 3, and wins otherwise
    assert abs(search_value(game, inst, (3,), 0, 4) - -5 / 6) < 1e-12
    assert search_value(game, inst, (3,), 1, 4) == -search_value(game, inst, (3,), 0, 4)
    assert game.to_move((3,)) == CHANCE


def test_mcts_finds_what_is_forced() -> None:
    game = Nim()
    inst = instance(game)
    for heap in (5, 6, 7):
        assert mcts(game, inst, (heap, 0), 0, 600, Stream(b"mcts", heap)) == heap % 4


@pytest.mark.parametrize("name", ["random", "greedy", "minimax:2", "optimal"])
def test_what_is_likely_is_what_happens(name: str) -> None:
    s = "X...O...."
    chances = dict(move_probabilities(TTT, INST, s, 0, name))
    assert abs(sum(chances.values()) - 1) < 1e-12
    seen = Counter(choose(TTT, INST, s, 0, read_opponent(name), Stream(b"likely", i)) for i in range(600))
    assert set(seen) == {move for move, chance in chances.items() if chance}
    assert all(abs(seen[move] / 600 - chance) < 0.08 for move, chance in chances.items())


def test_what_is_likely_is_not_guessed_for_others() -> None:
    with pytest.raises(ValueError, match="are not known"):
        move_probabilities(TTT, INST, "." * 9, 0, "mcts:10")


def test_the_luck_a_random_player_needs() -> None:
    chance = random_success_rate(TTT, INST, 0, "random", 0, 1.0)
    assert abs(chance("." * 9) - 0.584920634920635) < 1e-12  # 737/1260, as is well known


STARTS = [INST] * 60


@pytest.mark.parametrize(
    ("stronger", "weaker", "margin"),
    [
        ("greedy", "random", 0.2),
        ("minimax:2", "greedy", 0.1),
        ("optimal", "random", 0.6),
        ("optimal", "greedy", 0.2),
        ("mcts:60", "random", 0.3),
    ],
)
def test_stronger_names_win_at_tic_tac_toe(stronger: str, weaker: str, margin: float) -> None:
    assert mean(TTT, STARTS, stronger, weaker) > margin


def test_the_optimal_player_never_loses() -> None:
    assert mean(TTT, STARTS, "optimal", "minimax:2") >= 0
    assert mean(TTT, STARTS[:20], "optimal", "optimal") == 0


@pytest.mark.parametrize(
    ("stronger", "weaker", "games"),
    [("greedy", "random", 16), ("minimax:2", "greedy", 16), ("minimax:3", "greedy", 8), ("mcts:60", "random", 6)],
)
def test_stronger_names_win_at_connect_four(stronger: str, weaker: str, games: int) -> None:
    game = ConnectFour()
    insts = [instance(game, seed, win_in=0, plies=4) for seed in range(games)]
    assert mean(game, insts, stronger, weaker) > 0.15


def test_exploitability_tells_an_equilibrium_from_what_is_none() -> None:
    class Pennies(Nim):
        """Seat 1 does not see what seat 0 has chosen; equal choices are seat 0's."""

        hidden = True

        def start(self, inst: Instance) -> tuple[int, ...]:
            return ()

        def to_move(self, s: tuple[int, ...]) -> int | None:
            return len(s) if len(s) < 2 else None

        def legal(self, inst: Instance, s: tuple[int, ...]) -> tuple[int, int]:
            return (1, 2)

        def play(self, inst: Instance, s: tuple[int, ...], move: int) -> tuple[int, ...]:
            return (*s, move)

        def payoffs(self, inst: Instance, s: tuple[int, ...]) -> tuple[float, float]:
            return (1.0, -1.0) if s[0] == s[1] else (-1.0, 1.0)

        def observe(self, inst: Instance, s: tuple[int, ...], seat: int) -> str:
            return f"seat {seat}"

    game = Pennies()
    assert exploitability(game, Instance({}), (), lambda s: [(1, 1), (2, 1)]) == 0
    assert exploitability(game, Instance({}), (), lambda s: [(1, 3), (2, 1)]) == 0.5
