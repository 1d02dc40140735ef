"""Mates in n moves.

Proved by full search, with the longest defence, composed of few pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.generators.chess.attacks import KING
from envhub.generators.chess.board import Position, Step, checks, flights, in_check, king_of, placed, step, steps, stuck

_POOLS: Final = ("QRRBN", "QRBNN", "RRBBN", "QRBP", "RRNP", "QBNP", "QNNP", "QBBP")
_LONGER: Final = ("QRBNN", "RRBBN", "QRRBN", "QBBN", "RRBNN", "QRBNNP", "QRNN")
"""Pieces with which mates in three are common."""
_SHIELD: Final = "rbnppp"
_DRAWS: Final = 40
_ANYWHERE: Final = range(64)
_EDGE: Final = tuple(at for at in _ANYWHERE if at // 8 in (0, 7) or at % 8 in (0, 7))
_NEAR: Final = tuple(  # the squares at most two from one
    tuple(at for at in _ANYWHERE if max(abs(at // 8 - of // 8), abs(at % 8 - of % 8)) <= 2) for of in _ANYWHERE
)


class Search:
    """Searches for mates; counts the positions it visits."""

    def __init__(self) -> None:
        self.work = 0
        self._refutes: dict[int, Step] = {}  # by moves left: the reply that last refuted

    def now(self, p: Position) -> Iterator[Step]:
        """The moves that mate immediately."""
        self.work += 1
        for move in checks(p):
            if stuck(step(p, move)):
                yield move

    def mating(self, p: Position, moves: int, checking: bool = False) -> Iterator[Step]:
        """The moves that force mate within ``moves`` moves.

        With ``checking``, only by checks.
        """
        if moves == 1:
            yield from self.now(p)
            return
        self.work += 1
        first = checks(p)
        quiet = [] if checking else [move for move in steps(p) if move not in first]
        for move in (*first, *quiet):
            if self.lost(step(p, move), moves - 1, checking):
                yield move

    def lost(self, p: Position, moves: int, checking: bool = False) -> bool:
        """Whether the side to move is mated within ``moves`` moves.

        By any defence.
        """
        self.work += 1
        replies = steps(p)
        if not replies:
            return in_check(p)
        helped = self._refutes.get(moves)
        if helped in replies:
            replies.remove(helped)
            replies.insert(0, helped)
        for reply in replies:
            if not self.mated(step(p, reply), moves, checking):
                self._refutes[moves] = reply
                return False
        return True

    def mated(self, p: Position, moves: int, checking: bool = False) -> bool:
        """Whether the side to move can force mate within ``moves`` moves."""
        return any(next(self.mating(p, depth, checking), None) for depth in range(1, moves + 1))


class Found(NamedTuple):
    """The quickest mate found.

    Its length, positions visited, and first moves (one, for three).
    """

    moves: int
    work: int
    first: tuple[Step, ...]


def quickest(p: Position, most: int) -> Found:
    """The quickest mate within ``moves`` moves, else zero moves.

    From three moves on by checks alone.
    """
    search = Search()
    for moves in range(1, most + 1):
        found = tuple(search.mating(p, moves)) if moves < 3 else tuple(_first(search, p, moves))
        if found:
            return Found(moves, search.work, found)
    return Found(0, search.work, ())


def _first(search: Search, p: Position, moves: int) -> Iterator[Step]:
    move = next(search.mating(p, moves, checking=True), None)
    if move:
        yield move


def best(p: Position, moves: int) -> Step:
    """A move to the quickest visible mate, or any legal move.

    Visible is within ``moves`` moves.
    """
    found = quickest(p, moves)
    if not found.first and moves > 2:
        return next(Search().mating(p, moves), steps(p)[0])
    return found.first[0] if found.first else steps(p)[0]


def defences(p: Position, moves: int) -> Sequence[Step]:
    """The replies that delay mate longest within the moves left.

    One escape is enough.
    """
    search, delays = Search(), dict[Step, int]()
    for reply in steps(p):
        then = step(p, reply)
        delay = next((depth for depth in range(1, moves + 1) if next(search.mating(then, depth), None)), 0)
        if not delay:
            return [reply]
        delays[reply] = delay
    longest = max(delays.values())
    return [reply for reply, delay in delays.items() if delay == longest]


def fits(p: Position, moves: int, quiet: bool | None) -> bool:
    """Whether mate is forced in exactly ``moves`` moves.

    Starting with a quiet move or a check. From three moves on only checks are searched, and ``quiet`` does not matter.
    Kings with many flights, or that can hardly be checked, are rarely mated so soon, and skipped.
    """
    if moves > 1 and (len(checks(p)) < 2 or flights(p._replace(white=not p.white)).bit_count() > moves):
        return False
    search = Search()
    at_once = next(search.now(p), None)
    if moves == 1 or at_once:
        return moves == 1 and at_once is not None
    by_check = next(search.mating(p, 2, checking=True), None)
    if moves == 2:
        if by_check or quiet is False:
            return by_check is not None and not quiet
        return next(search.mating(p, 2), None) is not None
    if by_check or next(search.mating(p, moves, checking=True), None) is None:
        return False
    return not search.mated(p, moves - 1)


def compose(rng: Stream, moves: int) -> Position | None:
    """White's king and some pieces, and a black king.

    The black king is often at the edge; White moves. The pieces are chosen so that mates of this length are common.
    """
    board = ["."] * 64
    board[rng.choice(_EDGE if rng.below(4) else _ANYWHERE)] = "k"
    for piece in "K" + rng.choice(_LONGER if moves > 2 else _POOLS):
        _place(rng, _ANYWHERE, board, piece)
    return _legal(placed("".join(board)))


def shield(p: Position, rng: Stream, men: int) -> Position | None:
    """The position with more black pieces beside the king."""
    board, near = list(p.board), _NEAR[king_of(p, False)]
    for _ in range(men):
        if not _place(rng, near, board, rng.choice(_SHIELD)):
            return None
    return _legal(placed("".join(board)))


def _legal(p: Position) -> Position | None:
    """The position, if legal.

    The kings are not adjacent and neither is in check.
    """
    apart = not KING[king_of(p, True)] >> king_of(p, False) & 1
    return p if apart and not in_check(p._replace(white=False)) and not in_check(p) else None


def _place(rng: Stream, squares: Sequence[int], board: list[str], piece: str) -> bool:
    """Place a piece on a free square.

    False if a few draws find none.
    """
    for _ in range(_DRAWS):
        at = rng.choice(squares)
        if board[at] == "." and (piece not in "Pp" or 0 < at // 8 < 7):
            board[at] = piece
            return True
    return False
