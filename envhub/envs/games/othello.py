"""othello-v0: the end of a game of Othello, in which no disc is to be given away.

Action: a square, such as ``c4``. A game at random is taken up by the side that is to move when few squares are empty, and the
policy has to end as many discs ahead (or no more behind) as perfect play would. Score: 1 for that, else half a point less a
thirty-second for every disc that is missing; the payoff is the discs ahead. Difficulty: more empty squares, more of them open
to the first move, and a stronger opponent. A board is the same content however it is turned, and with colours exchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, Self

from pydantic import Field

from envhub.author import Staged
from envhub.game import GameParams
from envhub.game.endgame import Endgame
from envhub.generators.squares import WAYS, board_of, cell_of, cells_of, diagram, least, names_of, run, shifted
from envhub.seeding import Stream
from envhub.types import JSON, Instance
from envhub.verifiers.choices import Square

_TRIES, _MIDDLE = 60, 14
_LEVELS: Final = (  # opponent, slips, empty squares, moves to choose from at first
    *(("random", 0, 3, 2), ("random", 0, 3, 3), ("minimax:2", 60, 4, 3), ("minimax:2", 30, 4, 4)),
    *(("minimax:2", 0, 5, 3), ("optimal", 15, 5, 4), ("optimal", 5, 5, 5)),
    *(("optimal", 0, 6, 4), ("optimal", 0, 6, 5), ("optimal", 0, 6, 6)),
)


class Params(GameParams):
    """The opponent, and the position."""

    empty: int = Field(4, ge=2, le=8, description="empty squares")
    choice: int = Field(2, ge=1, le=8, description="moves to choose from at first, at least")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        opponent, slips, empty, choice = _LEVELS[difficulty - 1]
        return cls(opponent=opponent, slips=slips, empty=empty, choice=choice)


class State(NamedTuple):
    """The discs of X (seat 0) and of O, as bits, and the seat that can move; None if neither can."""

    discs: tuple[int, int]
    mover: int | None = 0


class Othello(Endgame):
    """Othello on a board of eight by eight."""

    Params, answer, max_turns = Params, Square(size=8), 16
    unit, most, marks = "disc", 64, "XO"

    def setup(self, rng: Stream, p: Any) -> Staged:
        """Random play until few squares are empty, from one middle game until there is enough to choose from."""
        middle = self.wander(State((1 << 28 | 1 << 35, 1 << 27 | 1 << 36)), rng, 60 - _MIDDLE)
        seat = rng.below(2) if p.seat is None else p.seat
        for _ in range(_TRIES):
            s = self.wander(middle, rng, _MIDDLE - p.empty)
            if len(self.legal(Instance({}), s)) >= p.choice:
                problem = {"board": board_of(*(s.discs if s.mover == seat else s.discs[::-1])), "player": seat}
                yield problem
                return self.taken_up(problem)
        return None

    def canonical(self, content: JSON) -> JSON:
        """The discs of who is to move and of the other, however the board is turned."""
        discs, seat = self.start(Instance(content)).discs, content["player"]
        return least(board_of(discs[seat], discs[1 - seat]))

    def rules(self, problem: JSON) -> str:
        """The rules."""
        return (
            "We play Othello. X and O place a disc on an empty square (a dot) in turn, so that straight lines of the other's "
            "discs, in any of eight directions, lie between it and another own disc; all of these are turned over. Who has no "
            "such move is passed over; when neither has one, the game is over. Columns are a to h, rows 1 to 8."
        )

    def start(self, inst: Instance) -> State:
        """The position; the policy is to move."""
        board = inst.problem["board"]
        return State((cells_of(board, "X"), cells_of(board, "O")), inst.problem["player"])

    def legal(self, inst: Instance, s: State) -> Sequence[str]:
        """The squares at which something is turned over."""
        return names_of(_open(s.discs, s.mover or 0))

    def play(self, inst: Instance, s: State, move: str) -> State:
        """A disc placed, others turned over, and who is next."""
        at, seat = cell_of(move), s.mover or 0
        mine, other = s.discs[seat], s.discs[1 - seat]
        turned = sum(line for way in WAYS if shifted(line := run(at, other, way), way) & mine)
        mine, other = mine | turned | at, other & ~turned
        discs = (other, mine) if seat else (mine, other)
        return State(discs, next((then for then in (1 - seat, seat) if _open(discs, then)), None))

    def ahead(self, s: State) -> int:
        """How many discs more X has than O."""
        return s.discs[0].bit_count() - s.discs[1].bit_count()

    def observe(self, inst: Instance, s: State, seat: int) -> str:
        """The board."""
        return diagram(board_of(*s.discs))


@lru_cache(maxsize=256)
def _open(discs: tuple[int, int], seat: int) -> int:
    """Where a disc of a seat turns something over."""
    found, mine, other = 0, discs[seat], discs[1 - seat]
    for way in WAYS:
        found |= shifted(run(mine, other, way), way)
    return found & ~(mine | other)
