"""Sources: games, whose engines are those of their environments."""

from __future__ import annotations

from typing import ClassVar, Final

from envhub.authoring.wording import Phrase
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.games.connect_four import board as four
from envhub.envs.games.connect_four.environment import ConnectFour, State as FourState
from envhub.envs.games.minesweeper import minefield
from envhub.envs.games.othello.environment import Othello, State as OthelloState
from envhub.envs.games.twenty48 import tiles
from envhub.envs.pictures.picture_qa import wording
from envhub.envs.pictures.picture_qa.source import Played, Source, View, board, cell_name, plain_board
from envhub.families.pieces import EMPTY, Facts
from envhub.generators.boards.squares import board_of, cells_of, rows
from envhub.generators.chess import board as chess, mates
from envhub.scenes.grid import Tile, counted, grid

_ANY: Final = Instance({"moves": "", "win_in": 0})
_DISCS: Final = {EMPTY: Tile(), "X": Tile("X", ink="light", disc="deep"), "O": Tile("O", disc="light")}
_DISC_WORDS: Final = {"X": "X", "O": "O"}


class ConnectFourBoard(Played):
    """Connect four: the moves so far are the state."""

    name = "a position of Connect Four"
    rules: ClassVar[tuple[Phrase, ...]] = wording.CONNECT_FOUR
    goal = wording.CONNECT_FOUR_BEST
    written = wording.COLUMNS
    _game: Final = ConnectFour()

    def draw(self, rng: Stream, level: int) -> JSON | None:
        """Some moves of careful players."""
        moves = self._game._game(rng, rng.between(6 + level, 12 + 2 * level), True)
        return {"moves": moves} if self._game.to_move(self._at({"moves": moves})) is not None else None

    def _at(self, state: JSON) -> FourState:
        return self._game.start(Instance({"moves": state["moves"], "win_in": 0}))

    def view(self, state: JSON) -> View:
        """The discs."""
        s = self._at(state)
        shown = four.rows(s.mine, s.other)
        return View(shown, _DISC_WORDS, [board(shown, {})], plain_board(shown, _DISCS))

    def legal(self, state: JSON) -> list[str]:
        """The columns that are not full."""
        s = self._at(state)
        return [] if self._game.to_move(s) is None else sorted(map(str, self._game.legal(_ANY, s)))

    def candidates(self, state: JSON) -> list[str]:
        """All columns."""
        return counted(7)

    def play(self, state: JSON, move: str) -> JSON:
        """One more move."""
        return {"moves": state["moves"] + move}

    def best(self, state: JSON) -> tuple[str, str] | None:
        """The only column that forces the quickest win.

        The moves that it takes.
        """
        s = self._at(state)
        seen = four.look_ahead(s.mine, s.other, 5)
        return (str(seen.column), str((seen.plies + 1) // 2)) if seen.column and seen.sole else None


class OthelloBoard(Played):
    """Othello: the board and the side to move are the state."""

    name = "a position of Othello"
    rules: ClassVar[tuple[Phrase, ...]] = wording.OTHELLO
    goal = wording.OTHELLO_BEST
    written = wording.SQUARES
    _game: Final = Othello()
    _start: Final = OthelloState((1 << 28 | 1 << 35, 1 << 27 | 1 << 36))

    def draw(self, rng: Stream, level: int) -> JSON | None:
        """Random moves."""
        s = self._game.play_randomly(self._start, rng, rng.between(4 + 2 * level, 14 + 3 * level))
        return None if s.mover is None else {"board": board_of(*s.discs), "mover": s.mover}

    def _at(self, state: JSON) -> OthelloState:
        cells = state["board"]
        return OthelloState((cells_of(cells, "X"), cells_of(cells, "O")), state["mover"])

    def view(self, state: JSON) -> View:
        """The discs and the side to move."""
        shown = rows(state["board"])
        return View(shown, _DISC_WORDS, [board(shown, {}), _to_move("XO"[state["mover"]])], plain_board(shown, _DISCS))

    def legal(self, state: JSON) -> list[str]:
        """The squares where a disc turns others over."""
        if state["mover"] is None:
            return []
        return [_as_cell(name) for name in self._game.legal(_ANY, self._at(state))]

    def candidates(self, state: JSON) -> list[str]:
        """The empty squares beside a disc."""
        cells = state["board"]
        near = [at for at in range(64) if cells[at] == "." and any(cells[b] != "." for b in minefield.around(8, 8)[at])]
        return [cell_name(divmod(at, 8)) for at in near]

    def play(self, state: JSON, move: str) -> JSON:
        """Place a disc and turn others over."""
        s = self._game.play(_ANY, self._at(state), _as_square(move))
        return {"board": board_of(*s.discs), "mover": s.mover}

    def best(self, state: JSON) -> tuple[str, str] | None:
        """The only move that turns most discs over, and how many."""
        turned = {}
        for move in self.legal(state):
            after = self.play(state, move)["board"]
            turned[move] = sum(a != b for a, b in zip(state["board"], after, strict=True)) - 1
        most = max(turned.values(), default=0)
        found = [move for move, count in turned.items() if count == most]
        return (found[0], str(most)) if len(found) == 1 else None


class ChessBoard(Played):
    """Chess without castling: a FEN is the state."""

    name = "a position of chess"
    rules: ClassVar[tuple[Phrase, ...]] = wording.CHESS
    goal = wording.CHESS_BEST
    written = wording.UCI
    _men: Final = dict(zip("KQRBNPkqrbnp", map(chr, range(0x2654, 0x2660)), strict=True))
    _words: Final = {
        **{
            s: f"white {w}"
            for s, w in zip("PNBRQK", ("pawn", "knight", "bishop", "rook", "queen", "king"), strict=True)
        },
        **{
            s: f"black {w}"
            for s, w in zip("pnbrqk", ("pawn", "knight", "bishop", "rook", "queen", "king"), strict=True)
        },
    }

    def draw(self, rng: Stream, level: int) -> JSON | None:
        """Random moves from the first position, captures preferred at low levels."""
        p = chess.read_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1")
        for _ in range(rng.between(20, 70 - 4 * level)):
            moves = chess.steps(p)
            if not moves:
                return None
            taking = [move for move in moves if p.man(move[1])]
            p = chess.step(p, rng.choice(taking if taking and rng.below(10) < 8 - level // 2 else moves))
        p = p._replace(passant=-1)
        return {"fen": chess.write_fen(p)} if chess.steps(p) else None

    def view(self, state: JSON) -> View:
        """The men and the side to move."""
        p = chess.read_fen(state["fen"])
        shown = [p.board[at : at + 8] for at in range(0, 64, 8)]
        tinted = [
            [Tile(self._men.get(sign, ""), "shade" if (r + c) % 2 else "paper", size=36) for c, sign in enumerate(row)]
            for r, row in enumerate(shown)
        ]
        scene = grid(tinted, columns=list("abcdefgh"), lines=counted(8)[::-1])
        return View(shown, self._words, [board(shown, self._words), _to_move("White" if p.white else "Black")], scene)

    def legal(self, state: JSON) -> list[str]:
        """The legal moves in UCI notation."""
        return sorted(map(chess.write_uci, chess.steps(chess.read_fen(state["fen"]))))

    def candidates(self, state: JSON) -> list[str]:
        """Legal moves, and moves that an empty board would allow."""
        p, found = chess.read_fen(state["fen"]), set(self.legal(state))
        own = p.whites if p.white else p.blacks
        for at in range(64):
            kind = p.man(at) if own >> at & 1 else ""
            reach = [to for to in range(64) if kind and _could(kind, p.white, at, to) and not own >> to & 1]
            found |= {chess.write_uci((at, to, "")) for to in reach if kind != "p" or 8 <= to < 56}
        return sorted(found)

    def play(self, state: JSON, move: str) -> JSON:
        """The position after a move."""
        return {"fen": chess.write_fen(chess.step(chess.read_fen(state["fen"]), chess.read_uci(move)))}

    def critical(self, rng: Stream, level: int) -> JSON | None:
        """A position of chess-mate-v0 with a mate in one."""
        p = mates.compose(rng, 1)
        return {"fen": chess.write_fen(p)} if p else None

    def best(self, state: JSON) -> tuple[str, str] | None:
        """The only move that checkmates, and the number of legal moves."""
        p = chess.read_fen(state["fen"])
        found = [m for m in chess.checks(p) if not chess.steps(chess.step(p, m))]
        return (chess.write_uci(found[0]), str(len(chess.steps(p)))) if len(found) == 1 else None


class SlidingTiles(Played):
    """2048 without new tiles."""

    name = "a position of 2048"
    rules: ClassVar[tuple[Phrase, ...]] = wording.TWENTY48
    written = wording.WAYS

    def draw(self, rng: Stream, level: int) -> JSON | None:
        """A board after random moves."""
        size = 4 + level // 5
        made: tiles.Board = ((0,) * size,) * size
        for _ in range(rng.between(8 * size, 16 * size)):
            free = tiles.empty(made)
            if free:
                made = tiles.put(made, rng.choice(free), 1 if rng.below(10) else 2)
            made = tiles.slide(made, rng.choice(tiles.MOVES))
        return {"board": [list(row) for row in made]} if tiles.movable(made) else None

    def view(self, state: JSON) -> View:
        """The tiles."""
        shown = [[str(1 << tile) if tile else EMPTY for tile in row] for row in state["board"]]
        tinted = [
            [Tile(str(1 << tile), f"tint{(tile - 1) % 8}") if tile else Tile() for tile in row]
            for row in state["board"]
        ]
        names = counted(len(shown))
        return View(shown, {}, [board(shown, {})], grid(tinted, columns=names, lines=names))

    def legal(self, state: JSON) -> list[str]:
        """The directions in which something moves."""
        made = tuple(map(tuple, state["board"]))
        return [move for move in tiles.MOVES if tiles.slide(made, move) != made]

    def candidates(self, state: JSON) -> list[str]:
        """All directions."""
        return list(tiles.MOVES)

    def play(self, state: JSON, move: str) -> JSON:
        """The board after a slide."""
        return {"board": [list(row) for row in tiles.slide(tuple(map(tuple, state["board"])), move)]}


def games() -> dict[str, Source]:
    """The sources by their short names."""
    return {
        "connect-four": ConnectFourBoard(),
        "othello": OthelloBoard(),
        "chess": ChessBoard(),
        "2048": SlidingTiles(),
    }


def _to_move(side: str) -> Facts:
    return Facts("To move", [side], located=False)


def _as_cell(square: str) -> str:
    """``r4c3`` for the square c4."""
    return cell_name((int(square[1:]) - 1, "abcdefgh".index(square[0])))


def _as_square(name: str) -> str:
    row, column = name[1:].split("c")
    return f"{'abcdefgh'[int(column) - 1]}{row}"


def _could(kind: str, white: bool, at: int, to: int) -> bool:
    """Whether a piece could move so on an empty board.

    Pawns also as if they took.
    """
    (r, c), (row, column) = divmod(at, 8), divmod(to, 8)
    down, right = row - r, column - c
    flat, steep = (down == 0) != (right == 0), abs(down) == abs(right) != 0
    if kind == "p":
        ahead = -1 if white else 1
        return down == ahead and abs(right) <= 1
    if kind == "n":
        return {abs(down), abs(right)} == {1, 2}
    if kind == "k":
        return max(abs(down), abs(right)) == 1
    return (flat and kind in "rq") or (steep and kind in "bq")
