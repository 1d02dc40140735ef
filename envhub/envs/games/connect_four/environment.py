"""connect-four-v0: play a forced win, or a full game, against an opponent.

Action: the number of a column. With ``win_in`` the policy is to move, and exactly one move forces four in a row within
``win_in`` of its own moves, against any defence. It must win within them, else it loses. With ``win_in=0`` the game
starts after ``plies`` random moves and is played to its end, with no guarantee of a win. Score: 1 for a win, else 0.
Difficulty: moves to the win, the search needed to see it, and the opponent. Perfect play of the whole game is not known
here.

Positions are drawn so that always playing the same column seldom wins: wins that begin in the middle are kept less
often, and a win in two moves never takes the same column twice. No column is full where one move wins, and at most one
elsewhere. A position is its discs; its mirror image is the same content.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import log2
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field

from envhub.authoring import Staged
from envhub.authoring.game import Game, GameParams, KnownGame, Rulebook
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.games.connect_four import board, wording
from envhub.scenes import Scene
from envhub.scenes.grid import Tile, counted, grid, lettered
from envhub.verifiers.answers.types import AnswerType, Integer

_KEPT: Final = ((), (100, 73, 77, 73), (100, 100, 75, 50), (100, 100, 70, 40), (100, 100, 70, 40))
"""Percentage of wins kept, by number of moves and distance of the first column from the nearer side."""
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


class Column(Integer):
    """The number of a column."""

    noun: ClassVar[str] = "the number of one column"
    example: ClassVar[str] = "4"


class State(NamedTuple):
    """Discs of both sides, and whether the last mover has four.

    The side to move comes first. Also the plies left if limited.
    """

    mine: int = 0
    other: int = 0
    won: bool = False
    left: int = -1


class ConnectFour(Game):
    """Four in a row on a board of six by seven.

    Six rows and seven columns.
    """

    Params = Params
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    answer: AnswerType = Column(called=("column", "col"))
    split_by: ClassVar[Literal["content", "seed", "none"]] = "content"
    slow: ClassVar[bool] = True
    guessable: ClassVar[Mapping[int, tuple[float, str]]] = dict.fromkeys(
        (1, 2, 3), (1 / 7, "one of seven open columns is right at first")
    )
    symbols: ClassVar[str] = "XO"
    max_turns: ClassVar[int] = 48  # both seats may be the policy's

    def setup(self, rng: Stream, p: Any) -> Instance | Staged | None:
        """A position of a random game.

        With ``win_in``, one whose win can be forced.
        """
        if p.win_in:
            return self._promised(rng, p)
        moves = self._game(rng, p.plies, careful=False)
        return Instance({"moves": moves, "win_in": 0}) if len(moves) == p.plies else None

    def _promised(self, rng: Stream, p: Any) -> Staged:
        moves = self._game(rng, board.COLUMNS * board.ROWS, careful=True)[: 1 - 2 * p.win_in]
        if rng.below(2):
            moves = moves.translate(_MIRROR)
        problem = {"moves": moves, "win_in": p.win_in}
        s = self.start(Instance(problem))
        if len(board.columns(s.mine | s.other)) < board.COLUMNS - (p.win_in > 1):
            return None
        yield problem
        seen = board.look_ahead(s.mine, s.other, 2 * p.win_in - 1)
        if not (seen.sole and seen.plies == 2 * p.win_in - 1 and p.work[0] <= seen.work < p.work[1]):
            return None
        side = min(seen.column, board.COLUMNS + 1 - seen.column)
        if rng.below(100) >= _KEPT[p.win_in][side - 1] or (p.win_in == 2 and self._again(s, seen.column)):
            return None
        return Instance({**problem, "player": len(moves) % 2})

    def _again(self, s: State, column: int) -> bool:
        """Whether some answer to the first move lets the same column win."""
        after = self.play(_ANY, s, column)
        then = (self.play(_ANY, after, reply) for reply in self.legal(_ANY, after))
        return any(column in self.legal(_ANY, at) and self.play(_ANY, at, column).won for at in then)

    def searches(self, p: Any) -> bool:
        """Only forced wins are searched for."""
        return bool(p.win_in)

    def _game(self, rng: Stream, plies: int, careful: bool) -> str:
        """The moves of a game that is over or has this length.

        Careful players miss no win and no threat.
        """
        s, moves = State(), ""
        while self.to_move(s) is not None and len(moves) < plies:
            forced = careful and (board.win_now(s.mine, s.other) or board.win_now(s.other, s.mine))
            move = forced or rng.choice(board.columns(s.mine | s.other))
            s, moves = self.play(_ANY, s, move), moves + str(move)
        return moves

    def canonical(self, content: JSON) -> JSON:
        """The discs, up to mirroring."""
        s = self.start(Instance(content))
        rows = board.rows(s.mine, s.other)
        return min(rows, [row[::-1] for row in rows])

    def rulebook(self, problem: JSON) -> Rulebook:
        """The rules and the goal."""
        return wording.rulebook(problem)

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
        """Drop a disc."""
        mine, other = board.drop(s.mine, s.other, move)
        return State(mine, other, board.four(other), s.left - (s.left > 0))

    def payoffs(self, inst: Instance, s: State) -> Sequence[float]:
        """1 to the winner, who moved last, -1 to the other.

        Missing the limit on moves loses.
        """
        last = ((s.mine | s.other).bit_count() + 1) % 2
        if not s.won and s.left:
            return (0.0, 0.0)
        return (1.0, -1.0) if (last == 0) is s.won else (-1.0, 1.0)

    def known(self) -> Iterator[KnownGame]:
        """Counts of games, a four in each direction, and a full column.

        The counts are from https://oeis.org/A212693.
        """
        first = Instance({"moves": "", "win_in": 0})
        yield KnownGame(first, counts=(7, 49, 343, 2_401))
        yield KnownGame(first, "4 4 4 4 4 4", counts=(6, 36), refused=("4", "0", "8"))
        for line in ("1 2 1 2 1 2 1", "4 4 5 5 6 6 7", "1 2 2 3 3 4 3 4 4 6 4", "7 6 6 5 5 4 5 4 4 2 4"):
            yield KnownGame(first, line, paid=(1.0, -1.0))
        yield KnownGame(first, "1 2 1 2 1 2 3 2", paid=(-1.0, 1.0))

    def score(self, inst: Instance, gain: float) -> float:
        """Only a win scores."""
        return 0.0

    def observe(self, inst: Instance, s: State, seat: int) -> str:
        """The board, and the number of moves left to win."""
        drawn = f"1 2 3 4 5 6 7\n{board.drawing(s.mine, s.other)}"
        return f"{drawn}\nMoves left to win in: {(s.left + 1) // 2}." if s.left > 0 else drawn

    def beside(self, view: str) -> str:
        """The number of moves left to win, if it is limited."""
        return "\n".join(view.split("\n")[7:])

    def picture(self, inst: Instance, s: State, seat: int) -> Scene:
        """The discs of X and O, under the numbers of the columns."""
        return grid(lettered(board.rows(s.mine, s.other), _DISCS), columns=counted(7))

    def heuristic(self, inst: Instance, s: State, seat: int) -> float:
        """Open fours, weighted by the discs in them."""
        worth = board.promise(s.mine, s.other) / 2000
        return worth if (s.mine | s.other).bit_count() % 2 == seat else -worth

    def best(self, inst: Instance, s: State) -> int:
        """The move of the quickest forced win, if one is in sight."""
        return board.look_ahead(s.mine, s.other, 9).column or int(super().best(inst, s))

    def effort(self, inst: Instance) -> float:
        """The logarithm of the positions searched until the win is seen."""
        s = self.start(inst)
        return log2(board.look_ahead(s.mine, s.other, 7).work)


_DISCS: Final = {".": Tile(), "X": Tile("X", disc="tint1"), "O": Tile("O", disc="tint0")}
_ANY: Final = Instance({})
_MIRROR: Final = str.maketrans("1234567", "7654321")
