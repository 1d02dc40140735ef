"""tic-tac-toe-v0: the rules by counting, the value of positions, who may win."""

from __future__ import annotations

from itertools import product

import pytest

import envhub
from envhub.authoring.game import solution
from envhub.authoring.game.exact import random_success_rate
from envhub.authoring.game.mechanics import draw_weighted
from envhub.core.difficulty import LEVELS
from envhub.core.seeding import Stream
from envhub.core.statistics import NORMAL_999, wilson
from envhub.core.types import Instance
from envhub.envs.games.tic_tac_toe.environment import Board, Params, TicTacToe
from tests.authoring.game.tables import play_off

GAME = Board()
MATCH = TicTacToe()
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
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
        made = MATCH.sample(Stream(b"sides", seed), Params(opponent="optimal", misere=misere))
        if not isinstance(made, Instance):
            continue  # the opponent moves first and ends it
        problem = made.problem
        value = solution(GAME, Instance({"misere": misere}))(problem["boards"][0])
        assert problem["target"] == (value if problem["player"] == 0 else -value) >= 0
        targets.add(problem["target"])
        if problem["target"] == 1.0:
            assert "You succeed if you win." in MATCH.worded(problem)
        else:
            assert "You succeed if you win or draw." in MATCH.worded(problem)
    assert targets == {0.0, 1.0}


def test_a_draw_that_should_have_been_a_win_scores_nothing() -> None:
    inst = Instance(
        {"boards": ["." * 9], "misere": False, "target": 1.0, "player": 0, "opponent": "optimal", "slips": 0}
    )
    assert MATCH.score(inst, 0.0) == 0.0


def match(boards: list[str], goals: list[float], side: int) -> Instance:
    return Instance({"boards": boards, "goals": goals, "misere": False, "side": side, "player": side, "target": 1.0})


def test_a_match_goes_on_while_every_board_ends_as_it_must_and_stops_at_the_first_that_does_not() -> None:
    inst = match(["XX.OO....", "XX.OO...."], [1.0, 1.0], 0)
    s = MATCH.play(inst, MATCH.start(inst), 3)
    assert s == (1, "XX.OO....")
    won = MATCH.play(inst, s, 3)
    assert MATCH.to_move(won) is None
    assert MATCH.payoffs(inst, won) == (1.0, -1.0)
    lost = MATCH.play(inst, MATCH.play(inst, s, 9), 6)
    assert MATCH.to_move(lost) is None
    assert MATCH.payoffs(inst, lost) == (-1.0, 1.0)
    needs_a_draw = match(["XX.OO....", "XX.OO...."], [0.0, 0.0], 1)
    assert MATCH.payoffs(needs_a_draw, MATCH.play(needs_a_draw, MATCH.start(needs_a_draw), 3)) == (1.0, -1.0)


@pytest.mark.parametrize("level", LEVELS)
def test_boards_of_a_level_need_luck_and_the_rule_of_thumb_does_as_declared(level: int) -> None:
    """The shares are counted again, by playing with a plain strategy for each side."""
    p = Params.at(level)
    inst = Instance({"misere": p.misere})
    made = next(
        one for one in (MATCH.sample(Stream(b"level", level, n), p) for n in range(50)) if isinstance(one, Instance)
    )
    problem = made.problem
    assert len(problem["boards"]) == p.boards > 1
    share = 1.0
    for board, goal in zip(problem["boards"], problem["goals"], strict=True):
        assert random_success_rate(GAME, inst, problem["side"], "optimal", 0, goal)(board) <= 2 ** -p.luck[0]
        share *= by_thumb(inst, problem["side"], goal, board)
    assert p.rule[0] - 1e-9 <= share < p.rule[1]


def by_thumb(inst: Instance, seat: int, goal: float, s: str) -> float:
    mover = GAME.to_move(s)
    if mover is None:
        return float(GAME.payoffs(inst, s)[seat] >= goal)
    moves = list(GAME.legal(inst, s))
    if mover != seat:
        moves = [move for move, _ in GAME.strategy(inst, s)]
    else:

        def ends(mark: str) -> list[int]:
            after = {move: s[: move - 1] + mark + s[move:] for move in moves}
            return [m for m, then in after.items() if any({then[a], then[b], then[c]} == {mark} for a, b, c in LINES)]

        mine, theirs = ends("XO"[seat]), ends("OX"[seat])
        others = [move for move in moves if move not in mine]
        moves = (others if inst.problem["misere"] else mine or theirs) or moves
    return sum(by_thumb(inst, seat, goal, GAME.play(inst, s, move)) for move in moves) / len(moves)


def test_no_order_of_cells_and_no_legal_move_at_random_wins_many_matches() -> None:
    """The same cells in the same order solve .57 of single boards at level 1 by accident; of matches hardly any."""
    orders = [(5, 1, 3, 7, 9, 2, 4, 6, 8), (1, 2, 3, 4, 5, 6, 7, 8, 9), (9, 8, 7, 6, 5, 4, 3, 2, 1)]
    for level in (1, 5, 10):
        source = envhub.make("tic-tac-toe-v0", difficulty=level).source
        drawn = [source.draw(seed)[1] for seed in range(60)]
        for order in orders:
            solved = sum(plays(inst, order, seed) for seed, inst in enumerate(drawn))
            assert wilson(solved, len(drawn), NORMAL_999)[0] <= 0.05


def plays(inst: Instance, order: tuple[int, ...], seed: int) -> bool:
    s, rng = MATCH.start(inst), Stream(b"order", seed)
    while (mover := MATCH.to_move(s)) is not None:
        legal = MATCH.legal(inst, s)
        mine = next(cell for cell in order if cell in legal)
        s = MATCH.play(inst, s, mine if mover == inst.problem["side"] else draw_weighted(MATCH.strategy(inst, s), rng))
    return MATCH.payoffs(inst, s)[inst.problem["side"]] > 0


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
    env = envhub.make("tic-tac-toe-v0", difficulty=None, misere=True, opponent="optimal", wording=0)
    prompt, _ = env.reset(seed=2)
    assert "a diagonal loses the board" in prompt
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
