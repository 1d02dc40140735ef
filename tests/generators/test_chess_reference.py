"""Our chess against python-chess, move by move over random games; it is GPL, so it is in the tests alone."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.envs.games.chess.environment import Chess
from envhub.generators.chess import board, mates, notation

try:
    import chess
except ImportError:
    if os.environ.get("CI"):
        raise
    pytest.skip("python-chess comes with the extra test", allow_module_level=True)

GAME = Chess()
SEEDS = st.integers(0, 10**6)
STARTS = (
    board.START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "4k3/1p2p1p1/8/P1P2P1P/p1p2p1p/8/1P2P1P1/4K3 w - - 0 1",
    "8/8/3k4/8/2b5/3K1B2/8/8 w - - 80 90",
    "8/8/3k4/8/2n5/3K1R2/8/8 w - - 90 90",
)


def alike(p: board.Position, theirs: chess.Board) -> None:
    """All that the rules say of one position."""
    legal = board.steps(p)
    assert sorted(map(board.write_uci, legal)) == sorted(move.uci() for move in theirs.legal_moves)
    assert board.write_fen(p) == theirs.fen(en_passant="legal")
    assert board.in_check(p) == theirs.is_check()
    assert board.stuck(p) == (not any(theirs.legal_moves))
    assert board.bare(p) == theirs.is_insufficient_material()
    checking = {board.write_uci(move) for move in board.checks(p)}
    assert checking == {move.uci() for move in theirs.legal_moves if theirs.gives_check(move)}
    for move in legal[::5]:
        uci = chess.Move.from_uci(board.write_uci(move))
        assert notation.write(p, move) == theirs.san(uci)
        assert board.write_uci(notation.read(p, theirs.san(uci))[0]) == uci.uci()


@settings(max_examples=25)
@given(seed=SEEDS, start=st.sampled_from(STARTS))
def test_positions_moves_checks_and_notation_agree_over_random_games(seed: int, start: str) -> None:
    rng = Stream(b"reference", seed)
    p, theirs = board.read_fen(start), chess.Board(start)
    for _ in range(60):
        alike(p, theirs)
        if board.stuck(p):
            break
        move = rng.choice(board.steps(p))
        theirs.push_uci(board.write_uci(move))
        p = board.step(p, move)


@settings(max_examples=25)
@given(seed=SEEDS, start=st.sampled_from(STARTS))
def test_games_end_where_theirs_do_and_pay_the_same(seed: int, start: str) -> None:
    """Few men and moves to and fro, so that repetitions, fifty moves and bare kings come about."""
    rng = Stream(b"ends", seed)
    inst = Instance({"fen": start, "moves": 100, "promised": False})
    s, theirs = GAME.start(inst)._replace(left=-1), chess.Board(start)
    for _ in range(150):
        outcome = theirs.outcome(claim_draw=False)
        over = outcome is not None or theirs.is_repetition(3) or theirs.halfmove_clock >= 100
        assert (GAME.to_move(s) is None) is over, theirs.fen()
        if over:
            winner = outcome.winner if outcome else None
            assert tuple(GAME.payoffs(inst, s)) == {None: (0, 0), True: (1, -1), False: (-1, 1)}[winner]
            return
        legal = GAME.legal(inst, s)
        back = theirs.move_stack[-2].uci() if len(theirs.move_stack) > 1 else ""
        back = back[2:4] + back[:2]
        move = back if back in legal and rng.below(2) else rng.choice(legal)
        theirs.push_uci(move)
        s = GAME.play(inst, s, move)


@settings(max_examples=15)
@given(seed=SEEDS, moves=st.integers(1, 2))
def test_mates_that_are_proved_are_mates_by_their_rules(seed: int, moves: int) -> None:
    rng = Stream(b"mates", seed)
    for _ in range(40):
        composed = mates.compose(rng, moves)
        p = composed and mates.shield(composed, rng, rng.below(4))
        if p and mates.fits(p, moves, None):
            assert forced(chess.Board(board.write_fen(p)), moves)
            assert not any(forced(chess.Board(board.write_fen(p)), fewer) for fewer in range(1, moves))
            return


def forced(at: chess.Board, moves: int) -> bool:
    """Whether mate can be forced in at most so many moves, by trying everything."""
    for move in list(at.legal_moves):
        at.push(move)
        held = at.is_stalemate()
        if not held and not at.is_checkmate():
            held = moves == 1 or any(not _lost(at, reply, moves - 1) for reply in list(at.legal_moves))
        at.pop()
        if not held:
            return True
    return False


def _lost(at: chess.Board, reply: chess.Move, moves: int) -> bool:
    at.push(reply)
    lost = forced(at, moves)
    at.pop()
    return lost
