"""chess-mate-v0: find a forced mate in one to three moves.

Action: one move a turn, in algebraic or UCI notation. The position has few pieces, and a search has proved that mate
can be forced in exactly this number of moves. Any forced mate counts: it is played out against the longest defence.
Score: 1 for mate within the moves given, else 0. Difficulty: moves to the mate, whether a mate in two begins with a
check (mates in three use checks only), and the number of legal moves and positions to search.

Positions with the same attacker's men and the same king are the same content, and so are mirror images and exchanged colours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import log2
from typing import Any, ClassVar, Final, Literal, Self

from pydantic import Field

from envhub.authoring import Staged
from envhub.authoring.game import GameParams, KnownGame, Rulebook
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.games.chess import wording
from envhub.envs.games.chess.rules import ChessGame, State, moves
from envhub.generators.chess import board, mates

_TRIES: Final = (16, 12, 12)  # of the squares around the king, by moves to the mate
_ANY: Final = (0.0, 99.0)
_LEVELS: Final = (  # moves, whether the first is no check, bits of effort
    (1, None, 4.33, 4.9),  # at most one legal move in twenty mates
    (1, None, 4.9, 5.3),
    (1, None, 5.3, 99),
    (2, False, 0, 15),
    (2, False, 14.5, 99),
    (2, None, 15.5, 99),
    (2, True, 0, 99),
    (3, None, 0, 99),
    (3, None, 22.6, 99),
    (3, None, 23.2, 99),
)


class Params(GameParams):
    """The opponent, and the position."""

    mate_in: int = Field(1, ge=1, le=3, description="moves to the forced mate")
    quiet: bool | None = Field(
        None, description="of mates in two: whether the first move gives no check; null for either"
    )
    effort: tuple[float, float] = Field(
        _ANY, description="bits of choice and search to the mate: at least, and less than"
    )

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        mate_in, quiet, least, most = _LEVELS[difficulty - 1]
        return cls(opponent="optimal", mate_in=mate_in, quiet=quiet, effort=(least, most))


class ChessMate(ChessGame):
    """Mate in a given number of moves."""

    Params = Params
    split_by: ClassVar[Literal["content", "seed", "none"]] = "content"
    slow: ClassVar[bool] = True  # 4 to 20 ms a task on a quiet machine (`envhub audit`: generate_per_s)
    max_turns: ClassVar[int] = 8

    def setup(self, rng: Stream, p: Any) -> Staged:
        """Men drawn until the wanted mate exists.

        The attacker's men and the other king first, then more men for the defender.
        """
        position = next(filter(None, (mates.compose(rng, p.mate_in) for _ in range(50))), None)
        if position is None:
            return None
        yield {"fen": board.write_fen(position)}
        for _ in range(_TRIES[p.mate_in - 1]):
            found = mates.shield(position, rng, rng.between(p.mate_in // 3, 4))
            if found is None or not mates.fits(found, p.mate_in, p.quiet):
                continue
            if p.effort == _ANY or p.effort[0] <= _effort(found, p.mate_in) < p.effort[1]:
                black = rng.below(2)
                fen = board.write_fen(board.swapped(found) if black else found)
                return Instance({"fen": fen, "mate_in": p.mate_in, "player": black})
        return None

    def canonical(self, content: JSON) -> JSON:
        """The attacker's men (as White) and the other king, up to mirroring."""
        position = board.read_fen(content["fen"])
        men = (position if position.white else board.swapped(position)).board
        bare = "".join(c if c.isupper() or c == "k" else "." for c in men)
        return min(bare, board.mirrored(bare))

    def rulebook(self, problem: JSON) -> Rulebook:
        """The rules, and the number of moves to the forced mate."""
        return wording.rulebook("mate_in", problem["mate_in"])

    def start(self, inst: Instance) -> State:
        """The position, and the plies left to mate."""
        return State(board.read_fen(inst.problem["fen"]), (), 2 * inst.problem["mate_in"] - 1)

    def payoffs(self, inst: Instance, s: State) -> Sequence[float]:
        """The attacker wins only by mate."""
        paid = super().payoffs(inst, s)
        attacker = 1 if inst.problem["fen"].split()[1] == "b" else 0
        return paid if any(paid) else (1.0, -1.0) if attacker else (-1.0, 1.0)

    def known(self) -> Iterator[KnownGame]:
        """As in chess.

        A game without a winner is lost for the side that moves first.
        """
        for game in super().known():
            lost = (1.0, -1.0) if " b " in game.inst.problem["fen"] else (-1.0, 1.0)
            yield game if game.paid is None or any(game.paid) else game._replace(paid=lost)
        inst = Instance({"fen": "8/8/8/4k3/8/8/8/KQ5R w - - 0 1", "mate_in": 2})
        yield KnownGame(inst, "Rh2 Kf6")
        yield KnownGame(inst, "Rh2 Kf6 Rh1", paid=(-1.0, 1.0))

    def strategy(self, inst: Instance, s: State) -> Sequence[tuple[str, int]]:
        """The attacker mates as fast as possible.

        The defender lasts as long as possible.
        """
        if s.left % 2:
            return [(board.write_uci(mates.best(s.p, (s.left + 1) // 2)), 1)]
        return [(board.write_uci(move), 1) for move in _defences(s.p, s.left // 2)]

    def effort(self, inst: Instance) -> float:
        """Bits of choosing the right moves at random, plus search cost.

        The cost is the logarithm of the positions searched.
        """
        return _effort(board.read_fen(inst.problem["fen"]), inst.problem["mate_in"])


@lru_cache(maxsize=4096)
def _defences(p: board.Position, left: int) -> Sequence[board.Step]:
    return mates.defences(p, left)


def _effort(p: board.Position, mate_in: int) -> float:
    found = mates.quickest(p, mate_in)
    return found.moves * log2(len(moves(p)) / len(found.first)) + log2(found.work)
