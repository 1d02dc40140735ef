"""tic-tac-toe-v0: play matches of tic-tac-toe whose result can be forced.

Action: one number a turn, the cell. A match has one or more boards, played one after another. Each begins with a
position drawn by random moves, in which the policy's side does not lose under perfect play: where that side can force a
win, it must win; elsewhere a draw is enough. Score: 1 if every board ends as it must, else 0; the match is over at the
first that does not. With ``misere``, three in a row lose the board.

Difficulty: boards on which a simple rule fails (complete three in a row, else block it; ``rule``, exact), then
``misere``, then more boards. At every level a random player is very unlikely to succeed on any board (``luck``, exact,
in bits), and so is one who prefers the same cells on all of them.

Positions are few (765 up to symmetry), so splits are by seed: of the opponent's randomness as much as of the positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import log2, prod
from typing import Any, ClassVar, Final, NamedTuple, Self

from pydantic import Field

from envhub.authoring.game import Game, GameParams, KnownGame, Rulebook, solution
from envhub.authoring.game.exact import random_success_rate
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.games.tic_tac_toe import wording
from envhub.scenes import Scene
from envhub.scenes.grid import Tile, grid
from envhub.verifiers.answers.types import AnswerType, Integer

_LINES: Final = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
_LEVELS: Final = (  # boards, misere, least ``luck`` per board, share of matches that the rule of thumb wins
    (3, False, 2.2, 0.99, 1.01),
    (3, False, 2.2, 0.8, 0.99),
    (3, False, 2.2, 0.6, 0.8),
    (3, False, 2.2, 0.4, 0.6),
    (3, False, 2.2, 0.2, 0.4),
    (3, False, 2.2, 0.1, 0.2),
    (3, False, 2.2, 0.02, 0.1),
    (3, True, 2.6, 0.0, 0.02),
    (4, True, 2.6, 0.0, 0.01),
    (5, True, 2.6, 0.0, 0.005),
)
_TRIES: Final = 200
_HOPELESS: Final = 2.0**-10


class Params(GameParams):
    """The opponent, and the positions."""

    boards: int = Field(1, ge=1, le=6, description="boards of a match")
    plies: int = Field(5, ge=0, le=5, description="at most so many random moves before the policy's side is chosen")
    luck: tuple[float, float] = Field(
        (0.0, 30.0),
        description="bits of luck a random mover needs on a board against perfect play: at least, and less than",
    )
    rule: tuple[float, float] = Field(
        (0.0, 1.01),
        description="share of matches that the rule of thumb wins against perfect play: at least, and less than",
    )
    misere: bool = Field(False, description="whether three in a row lose")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        boards, misere, luck, low, high = _LEVELS[difficulty - 1]
        return cls(opponent="optimal", boards=boards, misere=misere, luck=(luck, 30.0), rule=(low, high))


class Cell(Integer):
    """The number of a cell."""

    noun: ClassVar[str] = "the number of one cell"
    example: ClassVar[str] = "5"


class Board(Game):
    """One board of nine cells with a text as state.

    :class:`TicTacToe` is a match of them.
    """

    answer: AnswerType = Cell(called=("cell",))
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    symbols: ClassVar[str] = "XO"

    def rulebook(self, problem: JSON) -> Rulebook:
        """The rules of a board, or of a match of several."""
        return wording.rulebook(problem, self.symbols)

    def start(self, inst: Instance) -> Any:
        """The position."""
        return str(inst.problem["board"])

    def to_move(self, s: Any) -> int | None:
        """X with an even number of marks, O with an odd one."""
        return _mover(s)

    def legal(self, inst: Instance, s: Any) -> Sequence[int]:
        """The empty cells."""
        return _empty(s)

    def play(self, inst: Instance, s: Any, move: int) -> Any:
        """The board with one more mark."""
        return f"{s[: move - 1]}{'XO'[(9 - s.count('.')) % 2]}{s[move:]}"

    def payoffs(self, inst: Instance, s: Any) -> Sequence[float]:
        """1 to the winner, -1 to the other."""
        won = {"X": 1.0, "O": -1.0}.get(_row(s), 0.0) * (-1 if inst.problem["misere"] else 1)
        return won, -won

    def observe(self, inst: Instance, s: Any, seat: int) -> str:
        """The board."""
        return _drawn(s)

    def beside(self, view: str) -> str:
        """The heading of the board; empty if there is only one."""
        return "\n".join(view.split("\n")[:-3])

    def picture(self, inst: Instance, s: Any, seat: int) -> Scene:
        """The board, with the numbers of its free cells."""
        cells = [Tile(str(at), ink="faint") if sign == "." else Tile(sign) for at, sign in enumerate(s, 1)]
        return grid([cells[at : at + 3] for at in (0, 3, 6)])

    def strategy(self, inst: Instance, s: Any) -> Sequence[tuple[int, int]]:
        """Every move that keeps the value, equally likely."""
        value = _solved(inst.problem["misere"])
        return [(move, 1) for move in self.legal(inst, s) if value(self.play(inst, s, move)) == value(s)]


class Match(NamedTuple):
    """The number of the current board, from 0, and its cells."""

    at: int
    cells: str


class TicTacToe(Board):
    """A match of one or more boards of tic-tac-toe."""

    Params = Params
    max_turns: ClassVar[int] = 60

    def setup(self, rng: Stream, p: Any) -> Instance | None:
        """Positions, and a side that does not lose them under perfect play."""
        seat = rng.below(2) if p.seat is None else p.seat
        boards: list[str] = []
        share = 1.0
        for left in reversed(range(p.boards)):
            found = next(filter(None, (self._position(rng, p, seat, share, left == 0) for _ in range(_TRIES))), None)
            if found is None:
                return None
            boards.append(found[0])
            share = found[1]
        value = _solved(p.misere)
        goals = [abs(value(board)) for board in boards]
        problem = {"boards": boards, "goals": goals, "misere": p.misere, "player": seat, "side": seat}
        return Instance({**problem, "target": goals[0] if p.boards == 1 else 1.0})

    def _position(self, rng: Stream, p: Any, seat: int, share: float, last: bool) -> tuple[str, float] | None:
        """A position for a seat, and the rule's share of won matches.

        The share is of the matches so far; None if it does not fit.
        """
        s, empty = "." * 9, Instance({"misere": p.misere})
        for _ in range(rng.between(0, p.plies)):
            if _BOARD.to_move(s) is not None:
                s = _BOARD.play(empty, s, rng.choice(_BOARD.legal(empty, s)))
        value = _solved(p.misere)(s)
        goal = value if seat == 0 else -value
        if _BOARD.to_move(s) is None or goal < 0 or not p.luck[0] <= _bits(p.misere, seat, goal, s) < p.luck[1]:
            return None
        share *= _by_rule(p.misere, seat, goal)(s)
        return (s, share) if p.rule[0] <= share and (not last or share < p.rule[1]) else None

    def start(self, inst: Instance) -> Match:
        """The first position."""
        return Match(0, inst.problem["boards"][0])

    def to_move(self, s: Any) -> int | None:
        """The seat to move on the current board."""
        return _mover(s.cells)

    def moves(self, p: Any) -> Sequence[int]:
        """All cells."""
        return range(1, 10)

    def legal(self, inst: Instance, s: Any) -> Sequence[int]:
        """The empty cells."""
        return _empty(s.cells)

    def play(self, inst: Instance, s: Any, move: int) -> Match:
        """Place a mark.

        Go to the next board if this one ended as required.
        """
        cells, boards = super().play(inst, s.cells, move), inst.problem["boards"]
        after = Match(s.at, cells)
        if s.at + 1 < len(boards) and _mover(cells) is None and self._held(inst, after):
            return Match(s.at + 1, boards[s.at + 1])
        return after

    def _held(self, inst: Instance, s: Match) -> bool:
        """Whether a finished board ended as required."""
        return bool(super().payoffs(inst, s.cells)[inst.problem["side"]] >= inst.problem["goals"][s.at])

    def payoffs(self, inst: Instance, s: Any) -> Sequence[float]:
        """The result of a single board.

        For a longer match, 1 to the side that reaches its goals, if it does.
        """
        if len(inst.problem["boards"]) == 1:
            return super().payoffs(inst, s.cells)
        won = 1.0 if self._held(inst, s) else -1.0
        return (won, -won) if inst.problem["side"] == 0 else (-won, won)

    def known(self) -> Iterator[KnownGame]:
        """Game counts and final positions of one board."""
        first = Instance({"boards": ["." * 9], "goals": [0], "misere": False, "player": 0, "side": 0})
        yield KnownGame(first, counts=(9, 72, 504, 3_024, 15_120))
        yield KnownGame(first, "5 1 2 8 7 3", counts=(3, 6), refused=("5", "0", "10"))
        for line in ("1 4 2 5 3", "1 2 4 5 7", "1 2 5 3 9", "3 1 5 2 7"):
            yield KnownGame(first, line, paid=(1.0, -1.0))
        yield KnownGame(first, "1 4 2 5 9 6", paid=(-1.0, 1.0))
        yield KnownGame(first, "5 1 2 8 7 3 6 4 9", paid=(0.0, 0.0))

    def whole(self, problem: JSON) -> str:
        """A match if there are several boards."""
        return "match" if len(problem["boards"]) > 1 else "game"

    def score(self, inst: Instance, gain: float) -> float:
        """Only the required result scores."""
        return 0.0

    def ending(self, inst: Instance, s: Any, paid: Sequence[float], seat: int) -> str:
        """The result of the match."""
        if len(inst.problem["boards"]) == 1:
            return super().ending(inst, s, paid, seat)
        return (
            "You won the match."
            if paid[seat] > 0
            else f"Board {s.at + 1} did not end as it had to. You lost the match."
        )

    def observe(self, inst: Instance, s: Any, seat: int) -> str:
        """The board; with several, also its number."""
        count, shown = len(inst.problem["boards"]), super().observe(inst, s.cells, seat)
        if count == 1:
            return shown
        need = "win" if inst.problem["goals"][s.at] else "win or draw"
        return f"Board {s.at + 1} of {count}; {self.symbols[inst.problem['side']]} must {need}:\n{shown}"

    def picture(self, inst: Instance, s: Any, seat: int) -> Scene:
        """The current board."""
        return super().picture(inst, s.cells, seat)

    def greedy(self, inst: Instance, s: Any, seat: int, rng: Stream) -> int:
        """The rule of thumb: complete three in a row, else block them.

        If they lose, avoid them.
        """
        return rng.choice(_rule(inst.problem["misere"], s.cells))

    def strategy(self, inst: Instance, s: Any) -> Sequence[tuple[int, int]]:
        """Every move that keeps the value of the board, equally likely."""
        return _BOARD.strategy(inst, s.cells)

    def effort(self, inst: Instance) -> float:
        """Bits of ``luck`` of a random player, plus the rule of thumb's.

        Against a perfect opponent. The rule's count eight times.
        """
        p = inst.problem
        pairs = list(zip(p["boards"], p["goals"], strict=True))
        share = prod(_by_rule(p["misere"], p["side"], goal)(board) for board, goal in pairs)
        return sum(_bits(p["misere"], p["side"], goal, board) for board, goal in pairs) - 8 * log2(
            max(share, _HOPELESS)
        )


@lru_cache(maxsize=8192)
def _row(s: str) -> str:
    """The mark that is three times in a row.

    Empty without such a row.
    """
    return next((s[a] for a, b, c in _LINES if s[a] == s[b] == s[c] != "."), "")


@lru_cache(maxsize=8192)
def _mover(s: str) -> int | None:
    """The seat to move; None if the board is over."""
    return None if _row(s) or "." not in s else (9 - s.count(".")) % 2


@lru_cache(maxsize=8192)
def _empty(s: str) -> tuple[int, ...]:
    """The numbers of the empty cells."""
    return tuple(cell + 1 for cell in range(9) if s[cell] == ".")


@lru_cache(maxsize=8192)
def _drawn(s: str) -> str:
    """The board as three lines."""
    return "\n".join(" ".join(s[at : at + 3]) for at in (0, 3, 6))


@lru_cache(maxsize=8192)
def _rule(misere: bool, s: str) -> list[int]:
    """The cells that the rule of thumb chooses between."""
    empty = [cell for cell in range(9) if s[cell] == "."]
    mine = "XO"[(9 - len(empty)) % 2]
    filled = {mark: [cell + 1 for cell in empty if _row(s[:cell] + mark + s[cell + 1 :])] for mark in "XO"}
    if misere:
        return [cell + 1 for cell in empty if cell + 1 not in filled[mine]] or [cell + 1 for cell in empty]
    return filled[mine] or filled["O" if mine == "X" else "X"] or [cell + 1 for cell in empty]


_BOARD: Final = Board()


@lru_cache(maxsize=2)
def _solved(misere: bool) -> Callable[[Any], float]:
    return solution(_BOARD, Instance({"misere": misere}))


@lru_cache(maxsize=8)
def _by_luck(misere: bool, seat: int, target: float) -> Callable[[Any], float]:
    """Probability that a random player reaches the required result."""
    return random_success_rate(_BOARD, Instance({"misere": misere}), seat, "optimal", 0, target)


def _bits(misere: bool, seat: int, target: float, s: str) -> float:
    return -log2(_by_luck(misere, seat, target)(s))


@lru_cache(maxsize=8)
def _by_rule(misere: bool, seat: int, target: float) -> Callable[[str], float]:
    """Probability that the rule of thumb reaches the required result.

    Against a perfect opponent.
    """
    inst = Instance({"misere": misere})

    @lru_cache(maxsize=8192)
    def chance(s: str) -> float:
        mover = _BOARD.to_move(s)
        if mover is None:
            return float(_BOARD.payoffs(inst, s)[seat] >= target)
        moves = _rule(misere, s) if mover == seat else [move for move, _ in _BOARD.strategy(inst, s)]
        return sum(chance(_BOARD.play(inst, s, move)) for move in moves) / len(moves)

    return chance
