"""chess-v0: how games end, what is promised, and games from any position."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import envhub
from envhub.core.seeding import Stream
from envhub.core.statistics import NORMAL_999, wilson
from envhub.core.types import Instance
from envhub.envs.games.chess.environment import Chess, Params
from envhub.envs.games.chess.rules import State
from envhub.generators.chess import board, mates

GAME = Chess()


def told(fen: str, moves: int = 40) -> Instance:
    problem = {
        "fen": fen,
        "moves": moves,
        "promised": False,
        "player": 0,
        "target": 1.0,
        "opponent": "random",
        "slips": 0,
    }
    return Instance(problem)


def played(inst: Instance, moves: str) -> State:
    s = GAME.start(inst)
    for move in moves.split():
        assert GAME.fault(inst, s, move) == ""
        s = GAME.play(inst, s, GAME.read_move(inst, s, move))
    return s


@pytest.mark.parametrize(
    ("fen", "moves", "paid"),
    [
        (board.START, "f3 e5 g4 Qh4", (-1, 1)),
        (board.START, "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7", (1, -1)),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "Qg6", (0, 0)),
        ("8/8/8/8/8/4k3/3p4/3K3N w - - 0 1", "Ng3 Kf3 Kxd2", (0, 0)),
        ("8/8/8/4k3/8/8/8/K6R w - - 99 90", "Rh2", (0, 0)),
        (board.START, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", (0, 0)),
        (board.START, "e4 e5 Nf3", None),
        ("4k3/8/8/8/8/8/8/4K2R w K - 99 80", "O-O", (0, 0)),
        ("8/8/8/4k3/8/P7/8/K6R w - - 99 90", "a4", None),
    ],
)
def test_how_games_end(fen: str, moves: str, paid: tuple[int, int] | None) -> None:
    inst = told(fen)
    s = played(inst, moves)
    assert (GAME.to_move(s) is None) is (paid is not None)
    if paid is not None:
        assert tuple(GAME.payoffs(inst, s)) == paid


def test_a_position_with_other_rights_is_another_one() -> None:
    """The rook's way out and back loses the right to castle, so the first position does not count."""
    inst = told("4k3/7p/8/8/8/8/7P/4K2R w K - 0 1")
    assert GAME.to_move(played(inst, "Rg1 Ke7 Rh1 Ke8 Rg1 Ke7 Rh1 Ke8")) is not None
    assert GAME.to_move(played(inst, "Rg1 Ke7 Rh1 Ke8 Rg1 Ke7 Rh1 Ke8 Rg1")) is None


def test_mate_on_the_hundredth_ply_is_mate() -> None:
    inst = told("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 90")
    assert tuple(GAME.payoffs(inst, played(inst, "Ra8"))) == (1, -1)


def test_who_runs_out_of_moves_has_not_won() -> None:
    inst = told("8/8/8/4k3/8/8/8/KQ5R w - - 0 1", moves=1)
    s = played(inst, "Rh2 Kf4")
    assert GAME.to_move(s) is None
    assert tuple(GAME.payoffs(inst, s)) == (0, 0)


def test_a_draw_scores_nothing() -> None:
    inst = told(board.START)
    assert GAME.score(inst, 0.0) == 0.0
    assert GAME.score(Instance({**inst.problem, "promised": True}), 0.0) == 0.0


@pytest.mark.parametrize(
    ("text", "read"), [("E2E4", "e2e4"), ("E7E8Q", "e7e8q"), ("B4c5", "B4c5"), ("Nxf5\\#", "Nxf5#")]
)
def test_moves_in_capitals_and_an_escaped_mate_are_read(text: str, read: str) -> None:
    assert GAME.answer.parse(text) == read


def test_legal_moves_at_random_hardly_ever_mate_at_level_1() -> None:
    """With 40 moves they solved .12."""
    source, solved = envhub.make("chess-v0", difficulty=1).source, 0
    for seed in range(30):
        _, inst = source.draw(seed)
        state, rng = GAME.begin(inst, Stream(b"unused")), Stream(b"blind", seed)
        for turn in range(GAME.max_turns):
            move = rng.choice(GAME.legal_answers(inst, state))
            after: Any = GAME.advance(inst, state, move, Stream(b"turn", seed, turn))
            if after.verdict is not None:
                solved += after.verdict.solved
                break
            state = after.state
    assert wilson(solved, 30, NORMAL_999)[0] <= 0.05


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), level=st.integers(1, 10))
def test_positions_are_legal_and_nothing_hangs(seed: int, level: int) -> None:
    p = Params.at(level)
    for attempt in range(40):
        made = GAME.sample(Stream(b"chess", seed, attempt), p)
        if isinstance(made, Instance):
            s = GAME.start(made)
            assert GAME.to_move(s) == made.problem["player"]
            assert not board.in_check(s.p)
            men = (s.p if s.p.white else board.swapped(s.p)).board
            assert sorted(men.replace(".", "")) == sorted(p.men)
            held = [at for at, man in enumerate(s.p.board) if man != "." and man.isupper() is s.p.white]
            loose = [at for at in held if s.p.man(at) != "p" and board.attackers(s.p, at, not s.p.white)]
            assert not loose  # nobody attacks a piece of the policy's
            assert not mates.Search().mated(s.p, 1)
            return
    raise AssertionError("no position in forty attempts")


@pytest.mark.parametrize(("level", "seeds"), [(1, 4), (6, 3), (10, 3)])
def test_the_oracle_mates_in_time_whatever_the_opponents_luck(level: int, seeds: int) -> None:
    env = envhub.make("chess-v0", difficulty=level)
    for seed in range(seeds):
        env.reset(seed=seed)
        for twin in (env, env.fork(turn_seed=1)):
            over = False
            while not over:
                _, reward, over, _, info = twin.step(twin.solve())
            assert reward == 1.0, info


def test_the_whole_game_can_be_played_from_the_start_by_either_side() -> None:
    env = envhub.make("chess-v0", difficulty=None, fen="start", seat=1, opponent="greedy", moves=3)
    prompt, info = env.reset(seed=1)
    assert info["player"] == 1
    assert "b KQkq" in prompt
    over, turns = False, 0
    while not over:
        _, reward, over, _, _ = env.step(env.random_action(Stream(b"r", turns)))
        turns += 1
    assert reward in (0.0, 0.5, 1.0)
    assert turns <= 3


@pytest.mark.parametrize(
    "params",
    [{"men": "QRk"}, {"men": "KkX"}, {"men": "Kk"}, {"fen": "nonsense"}, {"fen": "4k3/8/8/8/8/8/8/4K2r b - - 0 1"}],
)
def test_what_makes_no_game_is_refused(params: dict[str, str]) -> None:
    with pytest.raises(envhub.core.errors.InvalidParameters):
        envhub.make("chess-v0", difficulty=None, **params)
