"""tic-tac-toe-v0: tic-tac-toe from a random position, against an opponent.

Action: one number a turn, the cell. The position is drawn by random moves, and the policy has a side that can still hold its
own: where perfect play wins, it has to win; where perfect play draws, a draw is enough. Score: 1 for that, a half for a draw
that should have been a win, 0 for a loss. With ``misere`` three in a row lose. Difficulty: a stronger opponent, and
positions in which a player who moves at random would need more luck against a perfect one (``luck``, exact, in bits).

Positions are few (765 up to symmetry), so splits are by seed: of the opponent's luck as much as of the position.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import log2
from typing import Any, ClassVar, Final, Self

from pydantic import Field

from envhub.game import Game, GameParams, solution
from envhub.game.exact import against
from envhub.seeding import Stream
from envhub.types import JSON, Instance
from envhub.verifiers.answers import AnswerType, Integer

_LINES: Final = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
_LEVELS: Final = (
    ("minimax:2", 40, 1.0, 1.5),
    ("minimax:2", 30, 1.5, 2.0),
    ("minimax:2", 20, 2.0, 2.4),
    ("minimax:2", 10, 2.4, 2.8),
    ("minimax:2", 0, 2.8, 3.2),
    ("optimal", 20, 3.2, 3.6),
    ("optimal", 10, 3.6, 4.0),
    ("optimal", 0, 4.0, 4.5),
    ("optimal", 0, 4.5, 5.1),
    ("optimal", 0, 5.1, 6.5),
)


class Params(GameParams):
    """The opponent, and how far the game has come."""

    plies: int = Field(3, ge=0, le=5, description="at most so many random moves before the policy's side is chosen")
    luck: tuple[float, float] = Field(
        (0.0, 30.0), description="bits of luck a random mover needs against perfect play: at least, and less than"
    )
    misere: bool = Field(False, description="whether three in a row lose")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        opponent, slips, least, most = _LEVELS[difficulty - 1]
        return cls(opponent=opponent, slips=slips, luck=(least, most))


class TicTacToe(Game):
    """Three in a row on a board of nine cells."""

    Params = Params
    answer: AnswerType = Integer(called=("cell",))
    marks: ClassVar[str] = "XO"
    max_turns: ClassVar[int] = 16

    def setup(self, rng: Stream, p: Any) -> Instance | None:
        """A position, and a side that does not lose under perfect play."""
        s = "." * 9
        for _ in range(rng.between(0, p.plies)):
            if self.to_move(s) is None:
                return None
            s = self.play(_EMPTY, s, rng.choice(self.legal(_EMPTY, s)))
        if self.to_move(s) is None:
            return None
        value = _solved(p.misere)(s)
        seat = p.seat if p.seat is not None else (0 if value > 0 else 1 if value < 0 else rng.below(2))
        target = value if seat == 0 else -value
        inst = Instance({"board": s, "misere": p.misere, "player": seat, "target": target + 0.0})
        return inst if target >= 0 and p.luck[0] <= self.effort(inst) < p.luck[1] else None

    def rules(self, problem: JSON) -> str:
        """The rules."""
        end = "loses" if problem["misere"] else "wins"
        return (
            "We play tic-tac-toe on a board of three rows and three columns. X and O mark an empty cell in turn, X first. "
            f"Whoever has three marks in a row, a column or a diagonal first {end}; a full board without that is a draw. The "
            "cells are numbered 1 to 9, row by row from the top left; a dot is an empty cell. A move is the number of a cell."
        )

    def start(self, inst: Instance) -> str:
        """The position."""
        return str(inst.problem["board"])

    def to_move(self, s: str) -> int | None:
        """X with an even number of marks, O with an odd one."""
        return None if _row(s) or "." not in s else (9 - s.count(".")) % 2

    def moves(self, p: Any) -> Sequence[int]:
        """All cells."""
        return range(1, 10)

    def legal(self, inst: Instance, s: str) -> Sequence[int]:
        """The empty cells."""
        return [cell + 1 for cell in range(9) if s[cell] == "."]

    def play(self, inst: Instance, s: str, move: int) -> str:
        """The board with one more mark."""
        return f"{s[: move - 1]}{'XO'[(9 - s.count('.')) % 2]}{s[move:]}"

    def payoffs(self, inst: Instance, s: str) -> Sequence[float]:
        """1 to the winner, -1 to the other."""
        won = {"X": 1.0, "O": -1.0}.get(_row(s), 0.0) * (-1 if inst.problem["misere"] else 1)
        return won, -won

    def observe(self, inst: Instance, s: str, seat: int) -> str:
        """The board."""
        cells = " ".join(s)
        return f"{cells[:5]}\n{cells[6:11]}\n{cells[12:]}"

    def strategy(self, inst: Instance, s: str) -> Sequence[tuple[int, int]]:
        """Every move that keeps the value, alike."""
        value = _solved(inst.problem["misere"])
        return [(move, 1) for move in self.legal(inst, s) if value(self.play(inst, s, move)) == value(s)]

    def effort(self, inst: Instance) -> float:
        """Bits of luck that a player needs who moves at random, against a perfect opponent."""
        p = inst.problem
        return -log2(_by_luck(p["misere"], p["player"], p["target"])(p["board"]))


@lru_cache(maxsize=8192)
def _row(s: str) -> str:
    """Whose mark stands three times in a row; empty if nobody's does."""
    return next((s[a] for a, b, c in _LINES if s[a] == s[b] == s[c] != "."), "")


_GAME: Final = TicTacToe()
_EMPTY: Final = Instance({"misere": False})


@lru_cache(maxsize=2)
def _solved(misere: bool) -> Callable[[Any], float]:
    return solution(_GAME, Instance({"misere": misere}))


@lru_cache(maxsize=8)
def _by_luck(misere: bool, seat: int, target: float) -> Callable[[Any], float]:
    """How often a player at random does as well as has to be done."""
    return against(_GAME, Instance({"misere": misere}), seat, "optimal", 0, target)
