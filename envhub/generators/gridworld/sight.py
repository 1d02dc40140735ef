"""What an agent sees: seven by seven cells in front of it.

Walls and doors that are not open hide what is behind them.

The agent is in the middle of the nearest row and looks along the columns. A cell is visible if it is beside or ahead of a
visible cell that does not block the view, as in MiniGrid; things do not block it. ::

    visible(grid, position)    # rows from near to far, each from left to right; None for a cell that is not visible

Cells beyond the edge count as walls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from envhub.generators.gridworld.model import DOOR, DOOR_STATES, OPEN, Grid, Position

SIDE: Final = 7
_HALF: Final = SIDE // 2


class Cell(NamedTuple):
    """What is in a cell that is visible.

    Attributes:
        kind: ``floor``, ``wall``, ``door``, ``key``, ``ball``, ``box``, ``goal`` or ``lava``.
        colour: The colour of a door or thing.
        state: ``open``, ``closed`` or ``locked`` for a door.
    """

    kind: str
    colour: str = ""
    state: str = ""

    @property
    def words(self) -> str:
        """The cell in words: ``red ball``, ``blue door (closed)``."""
        text = f"{self.colour} {self.kind}" if self.colour else self.kind
        return f"{text} ({self.state})" if self.state else text


Sight = list[list[Cell | None]]
FLOOR: Final = Cell("floor")
WALL: Final = Cell("wall")


def seen_cells(grid: Grid, position: Position) -> dict[int, tuple[int, int]]:
    """The visible cells, with their row and column in the view."""
    lines = _lines(grid, position)
    clear = _clear(grid, position)
    shown = lit(lambda row, column: (cell := lines[row][column]) is not None and clear(cell))
    return {
        cell: (row, column)
        for row, line in enumerate(lines)
        for column, cell in enumerate(line)
        if cell is not None and shown[row][column]
    }


def visible(grid: Grid, position: Position) -> Sight:
    """The view, from near to far."""
    lines, clear = _lines(grid, position), _clear(grid, position)
    shown = lit(lambda row, column: (cell := lines[row][column]) is not None and clear(cell))
    return [
        [
            (WALL if cell is None else content(grid, position, cell)) if shown[row][column] else None
            for column, cell in enumerate(line)
        ]
        for row, line in enumerate(lines)
    ]


def whole(grid: Grid, position: Position) -> Sight:
    """All cells, row by row from north to south."""
    cells = [content(grid, position, cell) for cell in range(grid.width * grid.height)]
    return [list(cells[row * grid.width : (row + 1) * grid.width]) for row in range(grid.height)]


def content(grid: Grid, position: Position, cell: int) -> Cell:
    """What is in a cell, the agent not counted."""
    if cell in grid.walls:
        return WALL
    if cell in grid.door_at:
        number = grid.door_at[cell]
        return Cell(DOOR, grid.doors[number].colour, DOOR_STATES[position.doors[number]])
    if cell in position.spots:
        thing = grid.things[position.spots.index(cell)]
        return Cell(thing.kind, thing.colour)
    return FLOOR


def lit(clear: Callable[[int, int], bool]) -> list[list[bool]]:
    """The rows and columns that can be seen.

    Args:
        clear: Whether one can see past a cell, by row and column.
    """
    shown = [[False] * SIDE for _ in range(SIDE)]
    shown[0][_HALF] = True
    for row in range(SIDE):
        for step, columns in ((1, range(SIDE - 1)), (-1, range(SIDE - 1, 0, -1))):
            for column in columns:
                if shown[row][column] and clear(row, column):
                    shown[row][column + step] = True
                    if row + 1 < SIDE:
                        shown[row + 1][column] = shown[row + 1][column + step] = True
    return shown


def _clear(grid: Grid, position: Position) -> Callable[[int], bool]:
    def clear(cell: int) -> bool:
        door = grid.door_at.get(cell)
        return cell not in grid.walls and (door is None or position.doors[door] == OPEN)

    return clear


def _lines(grid: Grid, position: Position) -> list[list[int | None]]:
    """The cells of the view; None outside the grid."""
    ahead = (1, 0, -1, 0)[position.facing], (0, 1, 0, -1)[position.facing]
    right = -ahead[1], ahead[0]
    y, x = divmod(position.at, grid.width)
    lines: list[list[int | None]] = []
    for row in range(SIDE):
        line: list[int | None] = []
        for column in range(-_HALF, _HALF + 1):
            across, down = x + row * ahead[0] + column * right[0], y + row * ahead[1] + column * right[1]
            inside = 0 <= across < grid.width and 0 <= down < grid.height
            line.append(down * grid.width + across if inside else None)
        lines.append(line)
    return lines
