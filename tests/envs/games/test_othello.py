"""othello-v0: the rules by counting and against a plain board, perfect play, and what is lost by anything else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import envhub
from envhub.audit import oracle_actions
from envhub.authoring.game.exact import optimal_moves, random_success_rate
from envhub.authoring.game.mechanics import draw_weighted
from envhub.core.difficulty import LEVELS
from envhub.core.seeding import Stream
from envhub.core.statistics import NORMAL_999, wilson
from envhub.core.types import Instance
from envhub.envs.games.othello.environment import Othello, Params, State
from envhub.generators.boards.squares import board_of, cells_of, names, rows

GAME = Othello()
ANY = Instance({})
START = State((1 << 28 | 1 << 35, 1 << 27 | 1 << 36))


def games(s: State, plies: int) -> int:
    if not plies or s.mover is None:
        return 1
    return sum(games(GAME.play(ANY, s, move), plies - 1) for move in GAME.legal(ANY, s))


def drawn(seed: int, p: Params) -> Instance:
    for attempt in range(100):
        staged: Any = GAME.sample(Stream(b"test", seed, attempt), p)
        try:
            next(staged)
            next(staged)
        except StopIteration as stop:
            if stop.value is not None:
                return stop.value  # type: ignore[no-any-return]
    raise AssertionError("nothing drawn")


def turned_by_hand(board: str, name: str, mine: str) -> set[str]:
    """What a disc turns over, square by square on a board of letters."""
    cells = dict(zip(names(8), board, strict=True))
    found: set[str] = set()
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            column, row, line = ord(name[0]) + right, int(name[1]) + down, list[str]()
            while cells.get(f"{chr(column)}{row}", ".") not in (".", mine) and (down or right):
                line.append(f"{chr(column)}{row}")
                column, row = column + right, row + down
            if cells.get(f"{chr(column)}{row}") == mine:
                found.update(line)
    return found if cells[name] == "." else set()


def worth(s: State) -> int:
    """What a position is worth to X, by trying everything."""
    if s.mover is None:
        return GAME.ahead(s)
    values = [worth(GAME.play(ANY, s, move)) for move in GAME.legal(ANY, s)]
    return max(values) if s.mover == 0 else min(values)


def test_as_many_games_as_published() -> None:
    """https://www.aartbik.com/strategy.php"""
    assert [games(START, plies) for plies in range(1, 6)] == [4, 12, 56, 244, 1_396]


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6))
def test_every_move_of_a_game_is_as_by_hand(seed: int) -> None:
    rng, s = Stream(b"o", seed), START
    while s.mover is not None:
        mine, board = "XO"[s.mover], board_of(*s.discs)
        legal = GAME.legal(ANY, s)
        assert list(legal) == [name for name in names(8) if turned_by_hand(board, name, mine)]
        move = rng.choice(legal)
        then = GAME.play(ANY, s, move)
        expected = {**dict(zip(names(8), board, strict=True)), move: mine}
        expected |= dict.fromkeys(turned_by_hand(board, move, mine), mine)
        after = board_of(*then.discs)
        assert after == "".join(expected.values())
        can = [any(turned_by_hand(after, name, disc) for name in names(8)) for disc in "XO"]
        assert then.mover == (1 - s.mover if can[1 - s.mover] else s.mover if can[s.mover] else None)
        s = then
    assert GAME.payoffs(ANY, s) == (GAME.ahead(s), -GAME.ahead(s))


@pytest.mark.parametrize("seed", range(6))
def test_the_target_and_the_moves_that_keep_it_by_plain_search(seed: int) -> None:
    inst = drawn(seed, Params(opponent="optimal", empty=4))
    s, sign = GAME.start(inst), 1 - 2 * inst.problem["player"]
    assert s.mover == inst.problem["player"]
    assert inst.problem["target"] == sign * worth(s)
    kept = [move for move in GAME.legal(ANY, s) if worth(GAME.play(ANY, s, move)) == worth(s)]
    assert optimal_moves(GAME, ANY, s) == kept
    assert len(kept) < len(GAME.legal(ANY, s))


def test_no_task_is_one_in_which_every_first_move_is_as_good() -> None:
    for seed in range(40):
        inst = drawn(seed, Params(empty=3))
        assert len(optimal_moves(GAME, ANY, GAME.start(inst))) < len(GAME.legal(ANY, GAME.start(inst)))


@pytest.mark.parametrize("level", LEVELS)
def test_positions_are_as_the_parameters_say(level: int) -> None:
    p = Params.at(level)
    for seed in range(3):
        inst = drawn(seed, p)
        assert len(inst.problem["boards"]) == p.boards
        share = 1.0
        for board, target in zip(inst.problem["boards"], inst.problem["targets"], strict=True):
            assert board.count(".") == p.empty
            s = GAME.start(Instance({"board": board, "player": inst.problem["side"]}))
            assert len(GAME.legal(ANY, s)) >= p.choice
            assert target == (1 - 2 * inst.problem["side"]) * worth(s)
            by_luck, by_rule = GAME.odds(s)
            assert by_luck == pytest.approx(random_success_rate(GAME, ANY, s.mover or 0, "optimal", 0, target)(s))
            assert by_luck <= 2**-p.luck
            share *= by_rule
        assert p.rule[0] <= share < p.rule[1]


def test_no_move_that_ignores_the_board_wins_many_matches() -> None:
    """The first legal move solved .60 of single boards at level 1."""
    source = envhub.make("othello-v0", difficulty=1).source
    drawn_ = [source.draw(seed)[1] for seed in range(24)]
    for at in (0, -1):
        solved = 0
        for seed, inst in enumerate(drawn_):
            s, rng = GAME.start(inst), Stream(b"blind", seed)
            while s.mover is not None:
                mine = s.mover == inst.problem["side"]
                s = GAME.play(inst, s, GAME.legal(inst, s)[at] if mine else draw_weighted(GAME.strategy(inst, s), rng))
            solved += GAME.payoffs(inst, s)[inst.problem["side"]] > 0
        assert wilson(solved, len(drawn_), NORMAL_999)[0] <= 0.05


def test_a_match_stops_at_the_first_board_that_ends_worse_than_it_must() -> None:
    inst = drawn(1, Params.at(2))
    s, side = GAME.start(inst), inst.problem["side"]
    wrong = next(move for move in GAME.legal(ANY, s) if move not in optimal_moves(GAME, ANY, s))
    after = GAME.play(inst, s, wrong)
    while after.mover is not None:
        after = GAME.play(inst, after, optimal_moves(GAME, ANY, after)[0])
    assert after.at == 0
    assert GAME.payoffs(inst, after)[side] == -1.0
    while s.mover is not None:
        s = GAME.play(inst, s, optimal_moves(GAME, ANY, s)[0])
    assert s.at == 2
    assert GAME.payoffs(inst, s)[side] == 1.0


@pytest.mark.parametrize("opponent", ["random", "greedy", "minimax:3", "optimal", "mcts:20"])
def test_the_oracle_solves_whoever_plays(opponent: str) -> None:
    env = envhub.make("othello-v0", difficulty=5, opponent=opponent)
    for seed in range(4):
        env.reset(seed=seed)
        oracle_actions(env)


def test_a_disc_that_is_given_away_is_missed_and_nothing_is_scored() -> None:
    env = envhub.make("othello-v0", difficulty=None, opponent="optimal", empty=5)
    for seed in range(6):
        env.reset(seed=seed)
        inst = env.episode.instance
        s = GAME.start(inst)
        wrong = next(move for move in GAME.legal(ANY, s) if move not in optimal_moves(GAME, ANY, s))
        reply: Any = env.step(wrong)
        while not reply[2]:
            reply = env.step(env.solve())
        missing = inst.problem["target"] - reply[4]["verdict"]["payoff"]
        assert missing > 0
        assert not reply[4]["verdict"]["solved"]
        assert reply[1] == 0.0


@pytest.mark.parametrize(
    ("target", "said"), [(3, "at least 3 discs ahead"), (-1, "at most 1 disc behind"), (0, "level")]
)
def test_the_goal_in_words(target: int, said: str) -> None:
    assert said in GAME.goal({"target": float(target)})


def test_turned_mirrored_and_recoloured_positions_are_the_same_content() -> None:
    board = "XO" + "." * 61 + "X"
    mirrored = "".join(row[::-1] for row in rows(board))
    other = board.translate(str.maketrans("XO", "OX"))
    forms = {str(GAME.canonical({"board": each, "player": 0})) for each in (board, board[::-1], mirrored)}
    forms.add(str(GAME.canonical({"board": other, "player": 1})))
    assert len(forms) == 1
    assert str(GAME.canonical({"board": board, "player": 1})) not in forms
    assert str(GAME.canonical({"board": "OX" + board[2:], "player": 0})) not in forms


def test_illegal_moves_are_told_and_the_third_loses() -> None:
    env = envhub.make("othello-v0", difficulty=3)
    env.reset(seed=1)
    taken = names(8)[cells_of(env.task.problem["boards"][0], "X").bit_length() - 1]
    for text in (taken, "i9"):
        told, reward, over, _, _ = env.step(text)
        assert not over
        assert reward == 0.0
    assert f"{taken} is not a legal move" in env.episode.turns[-2].observation
    assert "last square is h8" in told
    _, reward, over, _, info = env.step("")
    assert over
    assert (reward, info["verdict"]["payoff"]) == (0.0, -1.0)


def test_either_seat_can_be_asked_for() -> None:
    for seat in (0, 1):
        env = envhub.make("othello-v0", difficulty=2, seat=seat)
        _, info = env.reset(seed=3)
        assert info["player"] == seat
        assert f"You are {'XO'[seat]} in a match" in env.environment.worded(env.task.problem)
