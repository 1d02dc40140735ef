"""chess-mate-v0: what is promised can be done, anything else loses."""

from __future__ import annotations

import pytest

import envhub
from envhub.core.types import Instance
from envhub.envs.games.chess.mate import ChessMate
from envhub.generators.chess import board, mates, notation

GAME = ChessMate()


def told(fen: str, mate_in: int, opponent: str = "optimal") -> Instance:
    player = 1 if " b " in fen else 0
    return Instance({"fen": fen, "mate_in": mate_in, "player": player, "target": 1.0, "opponent": opponent, "slips": 0})


@pytest.mark.parametrize("mate_in", [1, 2, 3])
def test_mate_can_be_forced_in_so_many_moves_and_no_fewer(mate_in: int) -> None:
    env = envhub.make("chess-mate-v0", difficulty=None, mate_in=mate_in, opponent="optimal")
    for seed in range(4):
        _, info = env.reset(seed=seed)
        s = GAME.start(env.episode.instance)
        assert GAME.to_move(s) == info["player"]
        assert not any(mates.Search().mated(s.p, moves) for moves in range(1, min(mate_in, 3)))
        turns, over = 0, False
        while not over:
            p = env.episode.state.s.p
            move = board.read_uci(env.solve().removeprefix("<answer>").removesuffix("</answer>"))
            _, reward, over, _, _ = env.step(f"<answer>{notation.write(p, move)}</answer>")  # in SAN as well
            turns += 1
        assert reward == 1.0
        assert turns == mate_in


def test_a_move_that_does_not_mate_loses_and_so_does_stalemate() -> None:
    inst = told("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", 1)
    s = GAME.start(inst)
    for move, paid in (("g1g7", (1, -1)), ("g1g6", (-1, 1)), ("g1a1", (-1, 1))):
        end = GAME.play(inst, s, move)
        assert GAME.to_move(end) is None
        assert tuple(GAME.payoffs(inst, end)) == paid


def test_black_mates_too() -> None:
    inst = told("r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1", 1)
    end = GAME.play(inst, GAME.start(inst), "a8a1")
    assert tuple(GAME.payoffs(inst, end)) == (-1, 1)
    assert "within 1 move of yours" in GAME.goal(inst.problem)


def test_the_defence_lasts_as_long_as_it_can() -> None:
    inst = told("k7/8/2K5/8/8/8/8/1R6 w - - 0 1", 2)
    s = GAME.play(inst, GAME.start(inst), "c6d7")  # lets the king out
    for reply, _ in GAME.strategy(inst, s):
        after = GAME.play(inst, s, reply)
        assert not mates.Search().mated(after.p, 1)


def test_mirrors_and_colours_are_the_same_content() -> None:
    p = board.read_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    twins = [p, board.swapped(p), board.placed(board.mirrored(p.board))]
    assert len({GAME.canonical({"fen": board.write_fen(q)}) for q in twins}) == 1
    assert GAME.canonical({"fen": "6k1/5ppp/8/8/8/8/8/1R2K3 w - - 0 1"}) != GAME.canonical({"fen": board.write_fen(p)})


def test_so_are_positions_that_differ_in_the_defenders_men_alone() -> None:
    fens = ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "6k1/5p1p/6p1/8/8/8/8/R3K3 w - - 0 1")
    assert GAME.canonical({"fen": fens[0]}) == GAME.canonical({"fen": fens[1]})


def test_faults_say_what_is_wrong() -> None:
    inst = told("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", 1)
    s = GAME.start(inst)
    assert "e8=Q (e7e8q)" in GAME.fault(inst, s, "e8")
    assert GAME.fault(inst, s, "Nf3") == "Nf3 is not a legal move."
    assert GAME.fault(inst, s, "e8=Q") == GAME.fault(inst, s, "e7e8q") == ""
