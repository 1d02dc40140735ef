"""The rules of chess.

Positions as values, legal moves, and the end of a game. A position is sets of squares, one per kind of piece and one
per side (bit 0 is a8, bit 63 is h1, as in FEN), with the side to move, castling rights, the en passant square, and two
counters. A move is from, to, and the promotion piece; its text is UCI notation: ``e2e4``, ``e7e8q``; castling is the
king's move::

    p = read_fen(START)
    p = step(p, read_uci("e2e4"))      # one of steps(p)
    p.board                            # 64 letters, as in FEN; a dot is an empty square
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from envhub.generators.chess.attacks import KING, KNIGHT, PAWN, between, slanted, squares, straight, through

START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
SQUARES: Final = tuple(f"{file}{rank}" for rank in "87654321" for file in "abcdefgh")
NAMES: Final = {name: at for at, name in enumerate(SQUARES)}
KINDS: Final = "pnbrqk"
_ALL: Final = (1 << 64) - 1
_LAST: Final = 0xFF | 0xFF << 56
_HOME: Final = (0xFF << 8, 0xFF << 48)  # pawn directions: Black's, White's
_CORNERS: Final = {0: "q", 7: "k", 56: "Q", 63: "K", 4: "kq", 60: "KQ"}
_CASTLES: Final = (  # right, king's path, squares that must be empty, and must not be attacked
    ("K", 60, 62, 1 << 61 | 1 << 62, (61, 62)),
    ("Q", 60, 58, 1 << 59 | 1 << 58 | 1 << 57, (59, 58)),
    ("k", 4, 6, 1 << 5 | 1 << 6, (5, 6)),
    ("q", 4, 2, 1 << 3 | 1 << 2 | 1 << 1, (3, 2)),
)

Step = tuple[int, int, str]
"""From, to, and the promotion piece (a lower-case letter, or empty)."""


class Position(NamedTuple):
    """A position.

    Attributes:
        pawns: Of both sides, like the other kinds.
        whites: White's men.
        blacks: Black's men.
        white: Whether it is White's move.
        castling: A part of ``KQkq``.
        passant: The square a pawn has just passed, if an enemy pawn is placed to capture there; else -1.
        clock: Half moves since a pawn move or capture.
        number: Move number, from 1.
    """

    pawns: int
    knights: int
    bishops: int
    rooks: int
    queens: int
    kings: int
    whites: int
    blacks: int
    white: bool = True
    castling: str = ""
    passant: int = -1
    clock: int = 0
    number: int = 1

    @property
    def board(self) -> str:
        """64 letters, White's pieces in capitals; a dot is an empty square."""
        letters = ["."] * 64
        for kind, men in zip(KINDS, self[:6], strict=True):
            for at in squares(men):
                letters[at] = kind.upper() if self.whites >> at & 1 else kind
        return "".join(letters)

    @property
    def same(self) -> tuple[object, ...]:
        """The key of the repetition rule: equal for repeated positions."""
        return (*self[:10], self.passant if may_take_in_passing(self) else -1)

    def man(self, at: int) -> str:
        """The piece on a square in lower case, empty if none."""
        return next((kind for kind, men in zip(KINDS, self[:6], strict=True) if men >> at & 1), "")


def placed(board: str, white: bool = True, castling: str = "", passant: int = -1) -> Position:
    """The position of 64 letters."""
    men = dict.fromkeys("pnbrqkPNBRQK", 0)
    for at, letter in enumerate(board):
        if letter != ".":
            men[letter] |= 1 << at
    sides = (sum(men[kind.upper()] for kind in KINDS), sum(men[kind] for kind in KINDS))
    pawns, knights, bishops, rooks, queens, kings = (men[kind] | men[kind.upper()] for kind in KINDS)
    return Position(pawns, knights, bishops, rooks, queens, kings, *sides, white, castling, passant)


def read_fen(fen: str) -> Position:
    """The position of a FEN.

    Raises:
        ValueError: Not a FEN.
    """
    if fen.count(" ") not in (3, 5):
        raise ValueError(f"{fen!r} is no position")
    rows, side, castling, passant, clock, number = [*fen.split(), "0", "1"][:6]
    board = "".join("." * int(c) if c.isdigit() else c for c in rows.replace("/", ""))
    if len(board) != 64 or set(board) - set(".PNBRQKpnbrqk") or board.count("K") != 1 or board.count("k") != 1:
        raise ValueError(f"{fen!r} is no position")
    p = placed(board, side == "w", castling.replace("-", ""), NAMES.get(passant, -1))
    return p._replace(clock=int(clock), number=int(number))


def write_fen(p: Position) -> str:
    """A position as FEN, en passant only if capture is legal."""
    rows, board = [], p.board
    for row in range(0, 64, 8):
        text, empty = "", 0
        for c in board[row : row + 8]:
            if c == ".":
                empty += 1
                continue
            text, empty = text + (str(empty) if empty else "") + c, 0
        rows.append(text + (str(empty) if empty else ""))
    where = SQUARES[p.passant] if may_take_in_passing(p) else "-"
    return f"{'/'.join(rows)} {'w' if p.white else 'b'} {p.castling or '-'} {where} {p.clock} {p.number}"


def king_of(p: Position, white: bool) -> int:
    """The square of a side's king."""
    return (p.kings & (p.whites if white else p.blacks)).bit_length() - 1


def attackers(p: Position, at: int, by_white: bool, occupied: int | None = None) -> int:
    """A side's attackers of a square; all pieces are obstacles by default."""
    if occupied is None:
        occupied = p.whites | p.blacks
    pawns, knights, bishops, rooks, queens, kings = p[:6]
    found = PAWN[not by_white][at] & pawns | KNIGHT[at] & knights | KING[at] & kings
    found |= straight(at, occupied) & (rooks | queens) | slanted(at, occupied) & (bishops | queens)
    return found & (p.whites if by_white else p.blacks)


def in_check(p: Position) -> bool:
    """Whether the side to move is in check."""
    return attackers(p, king_of(p, p.white), not p.white) != 0


def covered(p: Position, by_white: bool, occupied: int) -> int:
    """All squares that a side attacks, given the occupied squares."""
    pawns, knights, bishops, rooks, queens, kings = p[:6]
    side = p.whites if by_white else p.blacks
    found = KING[(side & kings).bit_length() - 1]
    if side & pawns:
        for at in squares(side & pawns):
            found |= PAWN[by_white][at]
    if side & knights:
        for at in squares(side & knights):
            found |= KNIGHT[at]
    if slanting := side & (bishops | queens):
        for at in squares(slanting):
            found |= slanted(at, occupied)
    if going := side & (rooks | queens):
        for at in squares(going):
            found |= straight(at, occupied)
    return found


def screens(p: Position, king: int, side: int, snipers: int) -> int:
    """One side's pieces that alone block a slider's line to the king."""
    found, occupied = 0, p.whites | p.blacks
    aimed = straight(king, 0) & (p.rooks | p.queens) | slanted(king, 0) & (p.bishops | p.queens)
    for at in squares(aimed & snipers):
        shield = between(king, at) & occupied
        if shield & side and not shield & (shield - 1):
            found |= shield
    return found


def steps(p: Position, only: Mapping[int, int] | None = None) -> list[Step]:
    """The legal moves; with ``only``, those of a piece to some squares."""
    white = p.white
    own, other = (p.whites, p.blacks) if white else (p.blacks, p.whites)
    occupied, king = own | other, king_of(p, white)
    checking = attackers(p, king, not white, occupied)
    found: list[Step] = [(king, to, "") for to in squares(flights(p) & (_ALL if only is None else only[king]))]
    if checking & (checking - 1):
        return found  # two pieces give check
    wanted = checking | between(king, checking.bit_length() - 1) if checking else _ALL
    bound = screens(p, king, own, other)
    for men, reach in ((p.knights, _jump), (p.bishops | p.queens, slanted), (p.rooks | p.queens, straight)):
        for at in squares(men & own):
            ends = reach(at, occupied) & ~own & wanted
            if only is not None:
                ends &= only[at]
            if bound >> at & 1:
                ends &= through(king, at)
            if ends:
                found += [(at, to, "") for to in squares(ends)]
    for at in squares(p.pawns & own):
        _pawn_steps(p, at, king, wanted & through(king, at) if bound >> at & 1 else wanted, found)
    if p.castling and not checking:
        for right, at, to, empty, safe in _CASTLES:
            if right not in p.castling or right.isupper() is not white or empty & occupied:
                continue
            if not any(attackers(p, x, not white, occupied) for x in safe):
                found.append((at, to, ""))
    return found


def flights(p: Position) -> int:
    """Where the king to move may flee to, without castling."""
    king = king_of(p, p.white)
    free = KING[king] & ~(p.whites if p.white else p.blacks)
    return free & ~covered(p, not p.white, (p.whites | p.blacks) ^ 1 << king) if free else 0


def stuck(p: Position) -> bool:
    """Whether the side to move has no legal move.

    Usually checks only the king.
    """
    king = king_of(p, p.white)
    occupied = (p.whites | p.blacks) ^ 1 << king
    for to in squares(KING[king] & ~(p.whites if p.white else p.blacks)):
        if not attackers(p, to, not p.white, occupied):
            return False
    return not steps(p)


def checks(p: Position) -> list[Step]:
    """The legal moves that give check."""
    white = p.white
    own, other = (p.whites, p.blacks) if white else (p.blacks, p.whites)
    occupied, king = own | other, king_of(p, not white)
    lines, slants = straight(king, occupied), slanted(king, occupied)
    near = (
        _ALL,
        KNIGHT[king],
        slants,
        lines,
        lines | slants,
        0,
    )  # the squares from which a piece of each kind gives check
    moving = screens(p, king, own, own)
    ends: dict[int, int] = {}
    for men, here in zip(p[:6], near, strict=True):
        for at in squares(men & own):
            ends[at] = here | (~through(king, at) if moving >> at & 1 else 0)
    # promotions, en passant and castling must be tried
    return [m for m in steps(p, ends) if not (p.pawns | p.kings) >> m[0] & 1 or in_check(step(p, m))]


def _jump(at: int, occupied: int) -> int:
    return KNIGHT[at]


def _pawn_steps(p: Position, at: int, king: int, wanted: int, found: list[Step]) -> None:
    """The legal moves of a pawn to some squares."""
    white = p.white
    occupied, ahead = p.whites | p.blacks, -8 if white else 8
    ends = PAWN[white][at] & (p.blacks if white else p.whites)
    if not occupied >> (at + ahead) & 1:
        ends |= 1 << at + ahead
        if _HOME[white] >> at & 1 and not occupied >> (at + 2 * ahead) & 1:
            ends |= 1 << at + 2 * ahead
    for to in squares(ends & wanted):
        if _LAST >> to & 1:
            found += [(at, to, become) for become in "qrbn"]
        else:
            found.append((at, to, ""))
    if p.passant >= 0 and _passes(p, at, king):
        found.append((at, p.passant, ""))


def _passes(p: Position, at: int, king: int) -> bool:
    """Whether an en passant capture is legal.

    Without both pawns the king is safe.
    """
    if not PAWN[p.white][at] >> p.passant & 1:
        return False
    taken = 1 << p.passant + (8 if p.white else -8)
    occupied = (p.whites | p.blacks) ^ 1 << at ^ taken | 1 << p.passant
    return not attackers(p, king, not p.white, occupied) & ~taken


def may_take_in_passing(p: Position) -> bool:
    """Whether a legal move captures en passant."""
    if p.passant < 0:
        return False
    own = p.pawns & (p.whites if p.white else p.blacks)
    return any(_passes(p, at, king_of(p, p.white)) for at in squares(own))


def step(p: Position, move: Step) -> Position:
    """The position after a move."""
    at, to, become = move
    white, gone = p.white, 1 << to
    own, other = (p.whites, p.blacks) if white else (p.blacks, p.whites)
    kinds, kind = list(p[:6]), 0
    while not kinds[kind] >> at & 1:
        kind += 1
    if kind == 0 and to == p.passant:
        gone = 1 << to + (8 if white else -8)
    taken = other & gone
    if taken:
        other ^= taken
        kinds = [men & ~taken for men in kinds]
    way = 1 << at | 1 << to
    own ^= way
    kinds[kind] ^= way
    if become:
        kinds[0] ^= 1 << to
        kinds[KINDS.index(become)] |= 1 << to
    elif kind == 5 and abs(at - to) == 2:
        way = 1 << at + 3 | 1 << at + 1 if to > at else 1 << at - 4 | 1 << at - 1
        own ^= way
        kinds[3] ^= way
    castling = p.castling
    if castling:
        lost = _CORNERS.get(at, "") + _CORNERS.get(to, "")
        castling = "".join(right for right in castling if right not in lost)
    passant = (at + to) // 2 if kind == 0 and abs(at - to) == 16 else -1
    if passant >= 0 and not PAWN[white][passant] & kinds[0] & other:
        passant = -1  # no enemy pawn can capture
    pawns, knights, bishops, rooks, queens, kings = kinds
    whites, blacks = (own, other) if white else (other, own)
    men = (pawns, knights, bishops, rooks, queens, kings, whites, blacks)
    clock = 0 if kind == 0 or taken else p.clock + 1
    return Position(*men, not white, castling, passant, clock, p.number + (not white))


def write_uci(move: Step) -> str:
    """A move in UCI notation."""
    return SQUARES[move[0]] + SQUARES[move[1]] + move[2]


def read_uci(text: str) -> Step:
    """The move of a text in UCI notation, legal or not.

    Raises:
        KeyError: Not a move.
    """
    return NAMES[text[:2]], NAMES[text[2:4]], text[4:5]


_LIGHT: Final = sum(1 << at for at in range(64) if (at // 8 + at) % 2 == 0)


def bare(p: Position) -> bool:
    """Whether neither side can mate.

    Bare kings, one minor piece, or same-coloured bishops.
    """
    if p.pawns or p.rooks or p.queens:
        return False
    minor = p.knights | p.bishops
    if not minor & (minor - 1):
        return True
    return not p.knights and (not minor & _LIGHT or not minor & ~_LIGHT)


def perft(p: Position, depth: int) -> int:
    """Number of games of some plies from a position (perft)."""
    moves = steps(p)
    return len(moves) if depth == 1 else sum(perft(step(p, move), depth - 1) for move in moves)


def mirrored(board: str) -> str:
    """A board with its files reversed."""
    return "".join(board[row : row + 8][::-1] for row in range(0, 64, 8))


def swapped(p: Position) -> Position:
    """A position without castling rights, seen from the other side."""
    board = p.board
    rows = [board[row : row + 8].swapcase() for row in range(56, -8, -8)]
    turned = placed("".join(rows), not p.white, "", -1 if p.passant < 0 else p.passant ^ 56)
    return turned._replace(clock=p.clock, number=p.number)


def drawn(board: str) -> str:
    """A board as a diagram with coordinates."""
    rows = [f"{8 - row} {' '.join(board[8 * row : 8 * row + 8])}" for row in range(8)]
    return "\n".join([*rows, "  a b c d e f g h"])
