"""Grids of cells: the scene of a board.

::

    grid([["7", ""], ["", "3"]], regions=(0, 0, 1, 1), sides={"right": ["5", "4"]})
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

from envhub.scenes.shapes import Line, Oval, Rect, Scene, Shape, Text, moved

CELL: Final = 44
_MARGIN: Final = 12
_LABEL: Final = 15
_TITLE: Final = 16
_TEXT: Final = 24
_CLUE: Final = 19
_ROW: Final = 22
_GAP: Final = 7
_GLYPH: Final = 62  # width of a character in hundredths of its size


class Tile(NamedTuple):
    """What a cell shows.

    Attributes:
        text: Its symbol.
        fill: Tone of its background; None for paper.
        ink: Tone of the symbol.
        disc: Tone of a disc that fills the cell, behind the symbol.
        corner: A small text in the upper left corner.
        size: Size of the symbol, where it fits.
    """

    text: str = ""
    fill: str | None = None
    ink: str = "ink"
    disc: str | None = None
    corner: str = ""
    size: int = _TEXT


Rows = Sequence[Sequence[Tile | str]]
Sides = Mapping[str, Sequence[str]]


def grid(
    rows: Rows,
    *,
    regions: Sequence[int] = (),
    sides: Sides | None = None,
    columns: Sequence[str] = (),
    lines: Sequence[str] = (),
    over: Sequence[Shape] = (),
    framed: bool = True,
    title: str = "",
) -> Scene:
    """A board with its clues.

    Args:
        rows: The cells, row by row; a text stands for a cell that shows it.
        regions: A label per cell, row by row; thick lines separate labels, and neighbours have different tints.
        sides: Texts beside the board, one per row (``left``, ``right``) or column (``top``, ``bottom``). Above and below it,
            the words of a text are stacked.
        columns: Names of the columns, in small letters above the board.
        lines: Names of the rows, in small letters at its left.
        over: Further shapes on the board, whose corner is at the origin (:func:`middle`).
        framed: Whether there is a thick line around the board.
        title: A line above all.
    """
    height, width, sides = len(rows), len(rows[0]), sides or {}
    left = _MARGIN + (_LABEL if lines else 0) + _across(sides.get("left", ()))
    head = _TITLE + _MARGIN if title else 0
    top = _MARGIN + head + (_LABEL if columns else 0) + _down(sides.get("top", ()))
    across = max(left + width * CELL + _across(sides.get("right", ())) + _MARGIN, _width(title, _TITLE) + 2 * _MARGIN)
    down = top + height * CELL + _down(sides.get("bottom", ())) + _MARGIN
    shapes: list[Shape] = [Text(_MARGIN, _MARGIN + _TITLE // 2, title, _TITLE, anchor="start")] if title else []
    frame = [Rect(0, 0, width * CELL, height * CELL, None, "ink", 3)] if framed else []
    shapes += (moved(shape, left, top) for shape in chain(_board(rows, regions), frame, over))
    outer = left - _across(sides.get("left", ())), top - _down(sides.get("top", ()))
    shapes += _names(columns, lines, left, top, outer)
    shapes += _beside(sides, left, top, width, height)
    return Scene(across, down, tuple(shapes))


def lettered(rows: Sequence[str], signs: Mapping[str, Tile]) -> list[list[Tile | str]]:
    """Tiles from lines of signs.

    A sign that is not explained is shown as it is.
    """
    return [[signs.get(sign, sign) for sign in row] for row in rows]


def middle(row: float, column: float) -> tuple[int, int]:
    """The middle of a cell on its board.

    Halves are on the sides and corners between cells.
    """
    return round((column + 0.5) * CELL), round((row + 0.5) * CELL)


def counted(number: int) -> list[str]:
    """The names 1 to ``number``, for rows and columns."""
    return [str(at) for at in range(1, number + 1)]


def _board(rows: Rows, regions: Sequence[int]) -> Iterator[Shape]:
    """The board itself, its corner at the origin."""
    height, width = len(rows), len(rows[0])
    tints = _tints(regions, height, width)
    for row, cells in enumerate(rows):
        for column, shown in enumerate(cells):
            cell = Tile(shown) if isinstance(shown, str) else shown
            fill = cell.fill or (tints[row * width + column] if tints else "paper")
            yield Rect(column * CELL, row * CELL, CELL, CELL, fill, "faint")
            yield from _content(cell, *middle(row, column))
    yield from _walls(regions, height, width)


def _content(cell: Tile, x: int, y: int) -> Iterator[Shape]:
    if cell.disc is not None:
        yield Oval(x, y, CELL * 2 // 5, CELL * 2 // 5, cell.disc, "ink", 2)
    if cell.corner:
        yield Text(x - CELL // 2 + 4, y - CELL // 2 + 9, cell.corner, 11, anchor="start")
    if cell.text:
        y += 4 if cell.corner else 0
        yield Text(x, y, cell.text, fitting(cell.text, CELL - 6, cell.size), cell.ink)


def _walls(regions: Sequence[int], height: int, width: int) -> Iterator[Shape]:
    """A thick line between cells of different regions."""
    for cell in range(height * width if regions else 0):
        row, column = divmod(cell, width)
        x, y = column * CELL, row * CELL
        if column + 1 < width and regions[cell] != regions[cell + 1]:
            yield Line(((x + CELL, y), (x + CELL, y + CELL)), "ink", 3)
        if row + 1 < height and regions[cell] != regions[cell + width]:
            yield Line(((x, y + CELL), (x + CELL, y + CELL)), "ink", 3)


def _tints(regions: Sequence[int], height: int, width: int) -> list[str]:
    """The tone of each cell's region.

    Regions that touch, also at a corner, differ as far as the tones suffice.
    """
    if not regions:
        return []
    near: dict[int, set[int]] = {label: set() for label in regions}
    for cell, label in enumerate(regions):
        row, column = divmod(cell, width)
        beside = [(row, column + 1), (row + 1, column - 1), (row + 1, column), (row + 1, column + 1)]
        for other in (regions[r * width + c] for r, c in beside if r < height and 0 <= c < width):
            near[label].add(other)
            near[other].add(label)
    chosen: dict[int, int] = {}
    for label in sorted(near):
        taken = {chosen.get(other) for other in near[label] - {label}}
        chosen[label] = next((tint for tint in range(7) if tint not in taken), 7)
    return [f"tint{chosen[label]}" for label in regions]


def _names(
    columns: Sequence[str], lines: Sequence[str], left: int, top: int, outer: tuple[int, int]
) -> Iterator[Shape]:
    """Names of columns and rows, further out than the clues."""
    for at, name in enumerate(columns):
        yield Text(left + at * CELL + CELL // 2, outer[1] - _LABEL // 2 - 2, name, 12, "faint")
    for at, name in enumerate(lines):
        yield Text(outer[0] - _LABEL // 2 - 2, top + at * CELL + CELL // 2, name, 12, "faint")


def _beside(sides: Sides, left: int, top: int, width: int, height: int) -> Iterator[Shape]:
    """Clues beside the board."""
    for side, texts in sides.items():
        for at, text in enumerate(texts):
            x, y = middle(at, at)
            if side == "left":
                yield Text(left - _GAP, top + y, text, _CLUE, anchor="end")
            elif side == "right":
                yield Text(left + width * CELL + _GAP, top + y, text, _CLUE, anchor="start")
            else:
                lines = text.split()
                first = top - _ROW * len(lines) if side == "top" else top + height * CELL + _GAP // 2
                for row, word in enumerate(lines):
                    yield Text(left + x, first + row * _ROW + _ROW // 2, word, fitting(word, CELL - 4, _CLUE))


def _across(texts: Sequence[str]) -> int:
    """Width of clues at the left or right."""
    return max(_width(text, _CLUE) for text in texts) + 2 * _GAP if texts else 0


def _down(texts: Sequence[str]) -> int:
    """Height of clues above or below: their words are stacked."""
    return max(len(text.split()) for text in texts) * _ROW + _GAP // 2 if texts else 0


def _width(text: str, size: int) -> int:
    return len(text) * size * _GLYPH // 100


def fitting(text: str, room: int, size: int) -> int:
    """The largest font size at which a text fits.

    At most ``size``, and at least 9.
    """
    return max(9, min(size, room * 100 // (_GLYPH * max(1, len(text)))))
