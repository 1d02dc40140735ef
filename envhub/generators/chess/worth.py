"""Evaluation of a position.

Material, placement, and progress in mating a bare king.
"""

from __future__ import annotations

from typing import Final

from envhub.generators.chess.attacks import squares
from envhub.generators.chess.board import KINDS, Position, Step, king_of

MEN: Final = {"p": 100, "n": 320, "b": 330, "r": 500, "q": 900, "k": 0}
_SCALE: Final = 8000.0
_BARE: Final = 500
"""Against less material than this, the king is driven to the edge."""


def _centre(at: int) -> int:
    """Distance of a square from the centre, 0 to 6."""
    row, column = divmod(at, 8)
    return max(3 - row, row - 4) + max(3 - column, column - 4)


_PLACES: Final = {  # square values for White's pieces
    "p": [4 * (6 - at // 8) * (1 + (at // 8 < 4)) + 2 * (6 - _centre(at)) for at in range(64)],
    "n": [8 * (5 - _centre(at)) for at in range(64)],
    "b": [4 * (5 - _centre(at)) for at in range(64)],
    "r": [12 * (at // 8 == 1) for at in range(64)],
    "q": [2 * (5 - _centre(at)) for at in range(64)],
}


def points(p: Position) -> int:
    """Estimated value for White, in centipawns."""
    placed = white = black = 0
    for kind, men in zip(KINDS[:5], p[:5], strict=True):
        places, worth = _PLACES[kind], MEN[kind]
        for at in squares(men & p.whites):
            white += worth
            placed += places[at]
        for at in squares(men & p.blacks):
            black += worth
            placed -= places[at ^ 56]
    total = white - black + placed
    if min(white, black) < _BARE <= abs(white - black) + 1:
        kings = king_of(p, True), king_of(p, False)
        weak = kings[1] if white > black else kings[0]
        apart = max(abs(kings[0] // 8 - kings[1] // 8), abs(kings[0] % 8 - kings[1] % 8))
        drive = 20 * _centre(weak) - 10 * apart
        total += drive if white > black else -drive
    return total


def share(p: Position) -> float:
    """The value scaled to -1 to 1, always less than a win."""
    return max(-0.99, min(0.99, points(p) / _SCALE))


def by_promise(p: Position, moves: list[Step]) -> list[Step]:
    """Moves in search order.

    Valuable captures by cheap pieces, and promotions to queen, first.
    """
    other = p.blacks if p.white else p.whites
    if not any(other >> to & 1 or become for _, to, become in moves):
        return moves
    return sorted(moves, key=lambda move: _promise(p, move))


def _promise(p: Position, move: Step) -> int:
    taken = p.man(move[1])
    return -(8 * MEN[taken] - MEN[p.man(move[0])] if taken else 0) - 800 * (move[2] == "q")
