"""The picture of tetris-v0."""

from __future__ import annotations

from typing import Final

from envhub.envs.games.tetris import board
from envhub.scenes import Rect, Scene, Shape, Text
from envhub.scenes.grid import Tile, counted, grid
from envhub.scenes.shapes import moved

TONES: Final = {
    **dict(zip(board.PIECES, ("cyan", "yellow", "purple", "orange", "blue", "green", "red"), strict=True)),
    "#": "dark",
}
_BLOCK: Final = 22
_GAP: Final = 14
_LABEL: Final = 15


def drawn(shown: board.Board, piece: str, following: str) -> Scene:
    """The board, and the known pieces at its right.

    The current piece is shown in each of its turns.
    """
    rows = [[Tile(fill=TONES.get(sign)) for sign in row] for row in shown]
    left = grid(rows, columns=counted(len(shown[0])))
    shapes, x, y = list(left.shapes), left.width + _GAP, _GAP
    shapes += [Text(x, y + 8, "Piece, by degrees:", _LABEL, anchor="start")]
    y += 16 + _GAP
    for turns in range(4):
        corner = x + turns % 2 * 5 * _BLOCK, y + turns // 2 * 6 * _BLOCK
        shapes += [Text(corner[0], corner[1] + 6, str(90 * turns), _LABEL, anchor="start")]
        shapes += _blocks(piece, turns, corner[0], corner[1] + 18)
    y += 12 * _BLOCK
    shapes += [Text(x, y + 8, "Next piece:", _LABEL, anchor="start"), *_blocks(following, 0, x, y + 24)]
    return Scene(x + 10 * _BLOCK, max(left.height, y + 24 + 3 * _BLOCK), tuple(shapes))


def _blocks(piece: str, turns: int, x: int, y: int) -> list[Shape]:
    """A turned piece as squares, from its upper left corner."""
    return [
        moved(Rect(right * _BLOCK, down * _BLOCK, _BLOCK, _BLOCK, TONES[piece], "ink", 2), x, y)
        for down, row in enumerate(board.turned(piece, turns))
        for right, sign in enumerate(row)
        if sign == "#"
    ]
