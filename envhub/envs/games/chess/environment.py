"""chess-v0: win an endgame with extra material, or play from any position.

Action: one move a turn, in algebraic or UCI notation. Levels place the men of an endgame at random, with the policy's
side much stronger, and ask for checkmate within ``moves`` moves. With ``fen`` the game starts from any position, with
no guarantee of a win (``start`` is the first position). Score: 1 for mate, else 0. Difficulty: an opponent that looks
further ahead and slips less, and a smaller lead.

These positions are not proved to be won, but such material is known to win, and the oracle is measured to win them. The
opponent's moves are hidden, so splits are by seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final, Self

from pydantic import Field, field_validator

from envhub.authoring.game import GameParams, KnownGame, Position, Rulebook
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.games.chess import wording
from envhub.envs.games.chess.rules import ChessGame, State
from envhub.generators.chess import board, mates
from envhub.generators.chess.hunt import hunt

_MEN: Final = "QRBNPKqrbnpk"
_LEVELS: Final = (
    ("random", 0, "KQRRk", 12),
    ("random", 0, "KQRk", 14),
    ("greedy", 50, "KQRkp", 16),
    ("greedy", 20, "KQRkp", 16),
    ("greedy", 0, "KQRkn", 18),
    ("minimax:2", 30, "KQRkn", 18),
    ("minimax:2", 0, "KQRkn", 18),
    ("minimax:2", 0, "KQRPkbp", 20),
    ("minimax:3", 20, "KQRPkbp", 20),
    ("minimax:3", 0, "KQRPknp", 20),
)


class Params(GameParams):
    """The opponent, and the position."""

    men: str = Field(
        "KQRk", max_length=16, description="the men of an ending as letters of FEN, the policy's in capitals"
    )
    moves: int = Field(
        40, ge=1, le=100, description="the policy has to mate in so many moves; without promise if fen is given"
    )
    fen: str | None = Field(
        None, max_length=100, description="where a game is taken up instead; start is the first position"
    )

    @field_validator("men")
    @classmethod
    def _men(cls, men: str) -> str:
        if set(men) - set(_MEN) or men.count("K") != 1 or men.count("k") != 1 or len(men) < 3:
            raise ValueError("one K and one k, and some of QRBNPqrbnp")
        return men

    @field_validator("fen")
    @classmethod
    def _fen(cls, fen: str | None) -> str | None:
        if fen is not None:
            p = board.read_fen(board.START if fen == "start" else fen)
            if board.in_check(p._replace(white=not p.white)) or not board.steps(p) or board.bare(p) or p.clock > 99:
                raise ValueError("no game can be taken up there")
        return fen

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        opponent, slips, men, count = _LEVELS[difficulty - 1]
        return cls(opponent=opponent, slips=slips, men=men, moves=count)


class Chess(ChessGame):
    """Chess against an opponent."""

    Params = Params
    max_turns: ClassVar[int] = 208  # of 100 moves; both seats may be the policy's

    def setup(self, rng: Stream, p: Any) -> Instance | None:
        """Random men of an endgame, or the given position.

        Nothing hangs and nobody is in check.
        """
        if p.fen is not None:
            return Instance({"fen": board.START if p.fen == "start" else p.fen, "moves": p.moves, "promised": False})
        men = ["."] * 64
        squares = list(range(64))
        rng.shuffle(squares)
        for piece in p.men:
            at = next(at for at in squares if men[at] == "." and (piece not in "Pp" or 1 < at // 8 < 6))
            men[at] = piece
        position = board.placed("".join(men))
        if any(board.in_check(position._replace(white=white)) for white in (True, False)):
            return None
        hanging = any(board.attackers(position, at, False) for at in range(64) if men[at] in "QRBNK")
        if hanging or mates.Search().mated(position, 1):
            return None
        player = rng.below(2) if p.seat is None else p.seat
        fen = board.write_fen(board.swapped(position) if player else position)
        return Instance({"fen": fen, "moves": p.moves, "promised": True, "player": player, "target": 1.0})

    def start(self, inst: Instance) -> State:
        """The position and the remaining plies; both sides are counted."""
        return super().start(inst)._replace(left=2 * inst.problem["moves"])

    def known(self) -> Iterator[KnownGame]:
        """As in chess.

        A game without mate is a draw after the last move.
        """
        yield from super().known()
        inst = Instance({"fen": "8/8/8/4k3/8/8/8/KQ5R w - - 0 1", "moves": 1})
        yield KnownGame(inst, "Rh2")
        yield KnownGame(inst, "Rh2 Kf6", paid=(0.0, 0.0))

    def rulebook(self, problem: JSON) -> Rulebook:
        """The rules, and the number of moves to mate."""
        return wording.rulebook("moves", problem["moves"])

    def reference_action(self, inst: Instance, state: Position, rng: Stream) -> str:
        """The oracle's move: all information is public."""
        return self.answer.wrap(self.write_move(self.best(inst, state.s)))

    def best(self, inst: Instance, s: State) -> str:
        """A mate in sight, else the move of an endgame search."""
        return board.write_uci(hunt(s.p, s.past))
