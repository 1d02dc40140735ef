"""The picture of a grid puzzle, from the pieces of its data.

Boards, regions and numbers beside the board are drawn. Statements stay in the text, except the results of cages and rooms,
which are drawn in the first cell of their region.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from envhub.families.pieces import EMPTY, Facts, Numbers, Picture, Pieces, letters
from envhub.scenes import Scene, Shape
from envhub.scenes.grid import Sides, Tile, counted, grid

Signs = Mapping[str, Tile]
"""How symbols look that are not simply written."""

SIGNS: Final[Signs] = {"#": Tile(fill="dark"), EMPTY: Tile()}


def seen(
    height: int,
    width: int,
    pieces: Pieces,
    signs: Signs = SIGNS,
    over: Sequence[Shape] = (),
    sides: Sides | None = None,
    numbered: bool = False,
) -> Scene:
    """The board of a puzzle with everything that can be drawn.

    Args:
        height: Number of rows.
        width: Number of columns.
        pieces: The data of the prompt.
        signs: How symbols look that are not simply written.
        over: Further shapes on the board.
        sides: Clues beside the board, besides those among the pieces.
        numbered: Whether rows and columns have their numbers beside the board.
    """
    boards = [piece for piece in pieces if isinstance(piece, Picture)]
    regions = next((board.regions for board in boards if board.regions), ())
    symbols = next((board.symbols for board in boards if not board.regions), [[EMPTY] * width] * height)
    beside = {piece.side: piece.texts() for piece in pieces if isinstance(piece, Numbers)}
    first = {label: cell for cell, label in reversed(list(enumerate(regions)))}
    corners = {first[label]: text for label, text in _results(pieces, first).items()}
    rows = [
        [
            (signs.get(symbol) or SIGNS.get(symbol) or Tile(symbol))._replace(corner=corners.get(r * width + c, ""))
            for c, symbol in enumerate(row)
        ]
        for r, row in enumerate(symbols)
    ]
    columns, lines = (counted(width), counted(height)) if numbered else ((), ())
    return grid(rows, regions=regions, sides={**beside, **(sides or {})}, over=over, columns=columns, lines=lines)


def with_looks(pieces: Pieces, signs: Signs) -> Pieces:
    """The pieces, whose symbols say how the picture shows them."""
    looks = {symbol: _look(symbol, tile) for symbol, tile in {**SIGNS, **signs}.items()}
    return [piece._replace(looks=looks) if isinstance(piece, Picture) else piece for piece in pieces]


def _look(symbol: str, tile: Tile) -> str:
    """A tile in words."""
    if tile.text:
        return tile.text
    return _DISCS[tile.disc] if tile.disc else _CELLS.get(tile.fill or "", symbol)


_DISCS: Final = {"light": "A white disc", "deep": "A black disc"}
_CELLS: Final = {"dark": "A dark grey cell", "shade": "A light grey cell"}


def _results(pieces: Pieces, labels: Mapping[int, int]) -> dict[int, str]:
    """The letter and the stated result of each region.

    Empty if no results of regions are stated.
    """
    stated = [fact for piece in pieces if isinstance(piece, Facts) and not piece.located for fact in piece.facts]
    results = {name.split()[-1]: result for name, _, result in (fact.partition(": ") for fact in stated)}
    named = {label: letters(label) for label in labels}
    if not results.keys() & set(named.values()):
        return {}
    return {label: f"{name}: {results[name]}" if name in results else name for label, name in named.items()}
