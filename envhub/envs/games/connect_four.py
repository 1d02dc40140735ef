"""connect-four-v0: connect four, taken up where the policy can force a win, or from a random position.

Action: the number of a column. With ``win_in`` the policy is to move, and one move and no other forces four in a row in so many
moves of its own; it has to win within them, else it loses. Whoever sees how wins against any defence. With ``win_in=0`` the
game is taken up after ``plies`` random moves and played to its end, and nothing is promised. Score: 1 for a win, a half for a
draw, 0 for a loss. Difficulty: moves to the win, how much must be searched to see it, and the opponent. Perfect play of the
whole game is not known here.

A position is its discs; its mirror image is the same content.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field

from envhub.game import Game, GameParams
from envhub.generators import connect_four as board
from envhub.seeding import Stream
from envhub.types import JSON, Instance
from envhub.verifiers.answers import AnswerType, Integer

_GAMES: Final = 8
_LEVELS: Final = (
    ("minimax:2", 1, 0, 99),
    ("greedy", 2, 0, 6),
    ("minimax:2", 2, 0, 6),
    ("minimax:2", 2, 6, 16),
    ("minimax:3", 2, 8, 20),
    ("minimax:3", 3, 18, 60),
    ("minimax:4", 3, 26, 100),
    ("minimax:3", 3, 48, 400),
    ("minimax:4", 3, 56, 400),
    ("minimax:4", 4, 120, 9999),
)


class Params(GameParams):
    """The opponent, and the position."""

    win_in: int = Field(1, ge=0, le=4, description="moves to a forced win; 0: no promise")
    work: tuple[int, int] = Field(
        (0, 1 << 30), description="positions looked at to see the win, the least and the most"
    )
    plies: int = Field(
        8, ge=0, le=30, description="random moves before the game is taken up, where nothing is promised"
    )

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        opponent, win_in, least, most = _LEVELS[difficulty - 1]
        return cls(opponent=opponent, win_in=win_in, work=(least, most))


class State(NamedTuple):
    """The discs of whoever is to move and of the other; whether the other has four; plies to play, where they are limited."""

    mine: int = 0
    other: int = 0
    won: bool = False
    left: int = -1


class ConnectFour(Game):
    """Four in a row on a board of six rows and seven columns."""

    Params = Params
    answer: AnswerType = Integer(called=("column", "col"))
    split_by: ClassVar[Literal["content", "seed", "none"]] = "content"
    slow: ClassVar[bool] = True
    guessable: ClassVar[tuple[float, str]] = (0.4, "one of seven columns wins, and four discs in any column do")
    marks: ClassVar[str] = "XO"
    max_turns: ClassVar[int] = 48  # both seats may be the policy's

    def setup(self, rng: Stream, p: Any) -> Instance | None:
        """A position of a random game; with a promise, one that was won from there and whose win can be forced."""
        if not p.win_in:
            moves = self._game(rng, p.plies, careful=False)
            return Instance({"moves": moves, "win_in": 0}) if len(moves) == p.plies else None
        for _ in range(_GAMES):
            moves = self._game(rng, board.COLUMNS * board.ROWS, careful=True)[: 1 - 2 * p.win_in]
            s = self.start(Instance({"moves": moves, "win_in": 0}))
            seen = board.look_ahead(s.mine, s.other, 2 * p.win_in - 1)
            if seen.sole and seen.plies == 2 * p.win_in - 1 and p.work[0] <= seen.work < p.work[1]:
                return Instance({"moves": moves, "win_in": p.win_in, "player": len(moves) % 2})
        return None

    def searches(self, p: Any) -> bool:
        """Only what can be forced is searched for."""
        return bool(p.win_in)

    def _game(self, rng: Stream, plies: int, careful: bool) -> str:
        """The moves of a game that is over or so long; who is careful misses no win and no threat."""
        s, moves = State(), ""
        while self.to_move(s) is not None and len(moves) < plies:
            forced = careful and (board.win_now(s.mine, s.other) or board.win_now(s.other, s.mine))
            move = forced or rng.choice(board.columns(s.mine | s.other))
            s, moves = self.play(_ANY, s, move), moves + str(move)
        return moves

    def canonical(self, content: JSON) -> JSON:
        """The discs, as they are or mirrored."""
        s = self.start(Instance(content))
        rows = board.rows(s.mine, s.other)
        return min(rows, [row[::-1] for row in rows])

    def rules(self, problem: JSON) -> str:
        """The rules."""
        return (
            "We play connect four on a board of six rows and seven columns. X and O drop a disc into a column in turn, X "
            "first; it falls to the lowest empty cell. Whoever first has four discs in a row, a column or a diagonal wins; a "
            "full board without that is a draw. Columns are numbered 1 to 7 from the left; a dot is an empty cell. A move is "
            "the number of a column that is not full."
        )

    def start(self, inst: Instance) -> State:
        """The position."""
        s = State()
        for move in inst.problem["moves"]:
            s = self.play(inst, s, int(move))
        return s._replace(left=2 * inst.problem["win_in"] - 1)

    def to_move(self, s: State) -> int | None:
        """X with an even number of discs, O with an odd one."""
        taken = s.mine | s.other
        return None if s.won or not s.left or taken == board.FULL else taken.bit_count() % 2

    def moves(self, p: Any) -> Sequence[int]:
        """All columns."""
        return range(1, 8)

    def legal(self, inst: Instance, s: State) -> Sequence[int]:
        """The columns that are not full."""
        return board.columns(s.mine | s.other)

    def play(self, inst: Instance, s: State, move: int) -> State:
        """One more disc."""
        mine, other = board.drop(s.mine, s.other, move)
        return State(mine, other, board.four(other), s.left - (s.left > 0))

    def payoffs(self, inst: Instance, s: State) -> Sequence[float]:
        """1 to the winner, who has moved last, -1 to the other; who had to win within some moves and has not loses."""
        last = ((s.mine | s.other).bit_count() + 1) % 2
        if not s.won and s.left:
            return (0.0, 0.0)
        return (1.0, -1.0) if (last == 0) is s.won else (-1.0, 1.0)

    def observe(self, inst: Instance, s: State, seat: int) -> str:
        """The board, and how many moves there are to win in."""
        left = f"Moves left to win in: {(s.left + 1) // 2}." if s.left > 0 else ""
        return "\n".join(["1 2 3 4 5 6 7", *map(" ".join, board.rows(s.mine, s.other)), left]).rstrip()

    def goal(self, problem: JSON) -> str:
        """To win, and in how many moves."""
        moves = f"{problem['win_in']} moves" if problem["win_in"] > 1 else "one move"
        within = f" within {moves} of yours, which can be forced; if you have not by then, you lose"
        return f"You succeed if you win{within if problem['win_in'] else ''}."

    def heuristic(self, inst: Instance, s: State, seat: int) -> float:
        """Fours that are still open, counted by the discs in them."""
        worth = board.promise(s.mine, s.other) / 2000
        return worth if (s.mine | s.other).bit_count() % 2 == seat else -worth

    def best(self, inst: Instance, s: State) -> int:
        """The move of the quickest forced win, if there is one in sight."""
        return board.look_ahead(s.mine, s.other, 9).column or int(super().best(inst, s))

    def effort(self, inst: Instance) -> float:
        """The logarithm of the positions that a search looks at before it sees the win."""
        s = self.start(inst)
        return log2(board.look_ahead(s.mine, s.other, 7).work)


_ANY: Final = Instance({})
