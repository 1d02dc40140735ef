"""The rules of chess: the base of ``chess-v0`` and ``chess-mate-v0``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Final, NamedTuple

from envhub.authoring.game import Game, KnownGame
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.generators.chess import board, known, notation
from envhub.generators.chess.worth import by_promise, share
from envhub.scenes import Scene
from envhub.scenes.grid import Tile, counted, grid
from envhub.verifiers.answers.types import AnswerType, Unreadable


@dataclass(frozen=True)
class Move(AnswerType):
    """A chess move in SAN or UCI.

    Its value is the cleaned text; the position decides its meaning.
    """

    noun: ClassVar[str] = "one chess move"
    example: ClassVar[str] = "Nf3"

    def parse(self, text: str) -> str:
        """The move of a span."""
        found = notation.shape(text.replace("\\#", "#")) if len(text) <= 20 else None
        if found is None:
            raise Unreadable("write a move like Nf3, exd5, O-O, e8=Q, g1f3 or e7e8q.")
        return found

    def random(self, rng: Stream) -> str:
        """Two squares."""
        return rng.choice(board.SQUARES) + rng.choice(board.SQUARES)


_MEN: Final = dict(zip("KQRBNPkqrbnp", map(chr, range(0x2654, 0x2660)), strict=True))
"""The characters of chess men: white king to pawn, then black."""


class State(NamedTuple):
    """A position, with its history since the last irreversible move.

    Captures and pawn moves are irreversible. Also the plies left if limited.
    """

    p: board.Position
    past: tuple[Any, ...] = ()
    left: int = -1


class ChessGame(Game):
    """Chess from any position. White has seat 0."""

    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    answer: AnswerType = Move()
    most_plies: ClassVar[int] = 4
    most_playouts: ClassVar[int] = 500

    def start(self, inst: Instance) -> State:
        """The position of the task."""
        return State(board.read_fen(inst.problem["fen"]))

    def to_move(self, s: State) -> int | None:
        """White, Black, or nobody."""
        return None if not s.left or not moves(s.p) or drawn(s) else 1 - s.p.white

    def legal(self, inst: Instance, s: State) -> Sequence[str]:
        """The legal moves, captures first."""
        return moves(s.p)

    def score(self, inst: Instance, gain: float) -> float:
        """Only the required result scores."""
        return 0.0

    def play(self, inst: Instance, s: State, move: str) -> State:
        """The position after a move."""
        p = board.step(s.p, board.read_uci(move))
        past = (*s.past, s.p.same) if p.clock else ()
        return State(p, past, s.left - (s.left > 0))

    def payoffs(self, inst: Instance, s: State) -> Sequence[float]:
        """1 to the side that gave mate, -1 to the other."""
        if moves(s.p) or not board.in_check(s.p):
            return (0.0, 0.0)
        return (-1.0, 1.0) if s.p.white else (1.0, -1.0)

    def observe(self, inst: Instance, s: State, seat: int) -> str:
        """The board and the position as FEN."""
        return f"{board.drawn(s.p.board)}\n{board.write_fen(s.p)}"

    def beside(self, view: str) -> str:
        """The fields of the FEN after that of the board."""
        _, rest = view.rsplit("\n", 1)[-1].split(" ", 1)
        return f"FEN without the board: {rest}"

    def picture(self, inst: Instance, s: State, seat: int) -> Scene:
        """The board, White at the bottom."""
        men = s.p.board
        cells = [
            Tile(_MEN.get(sign, ""), "shade" if (at + at // 8) % 2 else "paper", size=36) for at, sign in enumerate(men)
        ]
        rows = [cells[at : at + 8] for at in range(0, 64, 8)]
        return grid(rows, columns=list("abcdefgh"), lines=counted(8)[::-1])

    def heuristic(self, inst: Instance, s: State, seat: int) -> float:
        """Material and placement."""
        return share(s.p) if seat == 0 else -share(s.p)

    def seat_name(self, problem: JSON, seat: int) -> str:
        """The colour of the seat."""
        return ("White", "Black")[seat]

    def read_move(self, inst: Instance, s: State, value: str) -> str:
        """The one legal move that a text denotes, in UCI notation.

        The text itself if it is not unique.
        """
        if value in moves(s.p):
            return value
        found = notation.read(s.p, value)
        return board.write_uci(found[0]) if len(found) == 1 else value

    def spellings(self, inst: Instance, s: State, move: str) -> Sequence[str]:
        """In UCI notation, in SAN, and in long notation."""
        become = f"={move[4:].upper()}" if move[4:] else ""
        return [move, notation.write(s.p, board.read_uci(move)), f"{move[:2]}-{move[2:4]}{become}"]

    def known(self) -> Iterator[KnownGame]:
        """Published game counts, ends of games, and illegal moves."""
        for fen, counts in known.COUNTS:
            yield KnownGame(_taken_up(fen), counts=counts)
        for fen, line, paid in known.ENDS:
            yield KnownGame(_taken_up(fen), line, paid=paid)
        for fen, line, refused in known.REFUSED:
            yield KnownGame(_taken_up(fen), line, refused=refused)
        for line, shown in known.SHOWN:
            yield KnownGame(_taken_up(board.START), line, shown=shown)

    def fault(self, inst: Instance, s: State, value: str) -> str:
        """Illegal, or several moves at once."""
        if self.read_move(inst, s, value) in moves(s.p):
            return ""
        found = [notation.both(s.p, move) for move in notation.read(s.p, value)]
        if found:
            return f"{value} may be {', '.join(found)}; say which."
        checked = " Your king is in check." if board.in_check(s.p) else ""
        return f"{value} is not a legal move.{checked}"


def _taken_up(fen: str) -> Instance:
    """A position with more moves to play than a known game has."""
    return Instance({"fen": fen, "moves": 60, "mate_in": 60})


@lru_cache(maxsize=4096)
def moves(p: board.Position) -> tuple[str, ...]:
    """The legal moves in UCI notation, captures first."""
    return tuple(map(board.write_uci, by_promise(p, board.steps(p))))


def drawn(s: State) -> bool:
    """Whether a rule other than mate and stalemate makes a draw."""
    if board.bare(s.p):
        return True
    if s.p.clock >= 100:
        return True
    return s.p.clock >= 8 and s.past.count(s.p.same) >= 2
