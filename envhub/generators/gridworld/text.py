"""A view in text and as a picture; both show the same.

A view travels as rows of signs of two characters, which :func:`signs` writes and :func:`words` reads: ``rk`` is a red key,
``bD`` a closed blue door, ``##`` a wall, ``..`` floor, ``??`` a cell that is not visible, and ``^^`` the agent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Final

from envhub.generators.gridworld.model import COLOURS
from envhub.generators.gridworld.sight import SIDE, Cell, Sight
from envhub.scenes import Line, Rect, Scene, Shape
from envhub.scenes.grid import CELL, Tile, grid, middle

Signs = Sequence[str]
"""Rows of signs, separated by spaces."""
UNSEEN: Final = "??"
_COLOUR: Final = {colour: colour[0] if colour != "grey" else "e" for colour in COLOURS}
_KIND: Final = {"key": "k", "ball": "o", "box": "x"}
_DOOR: Final = {"open": "_", "closed": "D", "locked": "L"}
_PLAIN: Final = {"wall": "##", "floor": "..", "goal": "GG", "lava": "~~"}
_AGENT: Final = {"^^": "you", ">>": "you, facing east", "vv": "you, facing south", "<<": "you, facing west"}
FACING: Final = (">>", "vv", "<<", "^^")
LEGEND: Final = (
    "## wall, .. floor, ?? not visible, ^^ you; otherwise a colour (r red, g green, b blue, p purple, y yellow, e grey) and a "
    "kind (k key, o ball, x box, _ open door, D closed door, L locked door)"
)
LEGEND_OF_ALL: Final = LEGEND.replace("?? not visible, ^^ you", "^^ >> vv << you, facing north, east, south or west")


def signs(view: Sight) -> list[str]:
    """A view as rows of signs, the farthest first.

    The agent is in the middle of the last row.
    """
    rows = [[UNSEEN if cell is None else sign(cell) for cell in line] for line in view]
    rows[0][SIDE // 2] = "^^"
    return [" ".join(row) for row in reversed(rows)]


def signs_of_all(cells: Sight, at: tuple[int, int], facing: int) -> list[str]:
    """All cells as rows of signs, the northernmost first."""
    rows = [[UNSEEN if cell is None else sign(cell) for cell in line] for line in cells]
    rows[at[0]][at[1]] = FACING[facing]
    return [" ".join(row) for row in rows]


def sign(cell: Cell) -> str:
    """The two characters of a cell."""
    if cell.kind == "door":
        return _COLOUR[cell.colour] + _DOOR[cell.state]
    return _PLAIN[cell.kind] if cell.kind in _PLAIN else _COLOUR[cell.colour] + _KIND[cell.kind]


def words(text: str) -> str:
    """A sign in words: ``red key``, ``closed blue door``."""
    plain = {"##": "wall", "..": "floor", UNSEEN: "not visible", "GG": "goal", "~~": "lava", **_AGENT}
    if text in plain:
        return plain[text]
    colour = next(name for name, letter in _COLOUR.items() if letter == text[0])
    for state, letter in _DOOR.items():
        if letter == text[1]:
            return f"{state} {colour} door"
    return f"{colour} {next(name for name, letter in _KIND.items() if letter == text[1])}"


def as_rows(rows: Signs) -> str:
    """The signs row by row, with a legend."""
    return "\n".join([f"Your view, straight ahead is up ({LEGEND}):", *rows])


def as_places(rows: Signs) -> str:
    """What is where, by steps ahead and to the side."""
    things, walls, hidden = list[str](), list[str](), list[str]()
    for ahead, row in enumerate(reversed(rows)):
        column = -(SIDE // 2)
        for text, run in groupby(row.split(" ")):
            length = len(list(run))
            first, last = column, column + length - 1
            column += length
            if text in ("^^", ".."):
                continue
            if text in ("##", UNSEEN):
                (walls if text == "##" else hidden).append(_run(ahead, first, last))
            else:
                things += [f"{words(text)} {_place(ahead, side)}" for side in range(first, last + 1)]
    parts = (("Things", things), ("Walls", walls), ("Not visible", hidden))
    lines = [f"{name}: {'; '.join(found) if found else 'none'}." for name, found in parts]
    head = f"Your view reaches {SIDE - 1} steps ahead and {SIDE // 2} to each side; cells that are not named are floor."
    return "\n".join([head, *lines])


def as_json(rows: Signs) -> str:
    """The cells as JSON, by row."""
    named = {f"{ahead} ahead": [words(text) for text in row.split(" ")] for ahead, row in enumerate(reversed(rows))}
    return "Your view, each row from left to right:\n" + json.dumps(named)


def as_columns(rows: Signs) -> str:
    """The cells in words, column by column; reserved for evaluation."""
    lines = []
    for side in range(-(SIDE // 2), SIDE // 2 + 1):
        cells = [words(row.split(" ")[side + SIDE // 2]) for row in reversed(rows)]
        name = "your column" if side == 0 else f"{abs(side)} {'left' if side < 0 else 'right'}"
        lines.append(f"{name}: {' | '.join(cells)}")
    return "\n".join(["Columns of your view, each from near to far:", *lines])


def all_as_rows(rows: Signs) -> str:
    """The whole map, with a legend."""
    return "\n".join([f"The map, north is up ({LEGEND_OF_ALL}):", *rows])


def all_as_json(rows: Signs) -> str:
    """The whole map as JSON, with a legend."""
    return f"The map from north to south ({LEGEND_OF_ALL}):\n" + json.dumps([row.split(" ") for row in rows])


def all_as_columns(rows: Signs) -> str:
    """The whole map by columns; reserved for evaluation."""
    columns = zip(*(row.split(" ") for row in rows), strict=True)
    lines = [f"column {number}: {' '.join(column)}" for number, column in enumerate(columns, 1)]
    return "\n".join([f"Columns of the map from west to east, each from north to south ({LEGEND_OF_ALL}):", *lines])


VIEWS: Final[Sequence[Callable[[Signs], str]]] = (as_rows, as_places, as_json, as_columns)
MAPS: Final[Sequence[Callable[[Signs], str]]] = (all_as_rows, all_as_json, all_as_columns)


def picture(rows: Signs) -> Scene:
    """The same as a picture.

    A key is K, a ball O and a box X, after the letter of its colour.
    """
    cells = [row.split(" ") for row in rows]
    tiles = [[_tile(text) for text in row] for row in cells]
    over = [shape for y, row in enumerate(cells) for x, text in enumerate(row) for shape in _door(text, y, x)]
    return grid(tiles, over=over)


def _tile(text: str) -> Tile:
    if text == "##":
        return Tile(fill="dark")
    if text == UNSEEN:
        return Tile("?", "shade", "faint")
    if text == "..":
        return Tile()
    if text in FACING:
        return Tile("\u25b6\u25bc\u25c0\u25b2"[FACING.index(text)], disc="tint0")
    if text in ("GG", "~~"):
        return Tile(text, "tint5")
    return Tile(text[0] + {"k": "K", "o": "O", "x": "X"}.get(text[1], ""), _FILLS[text[0]])


_FILLS: Final = {"r": "tint3", "g": "tint2", "b": "tint0", "p": "tint4", "y": "tint5", "e": "tint7"}


def _door(text: str, row: int, column: int) -> Iterator[Shape]:
    """The frame of a door: thick if closed, barred if locked."""
    if len(text) != 2 or text[1] not in _DOOR.values() or text == "..":
        return
    x, y = column * CELL, row * CELL
    yield Rect(x + 4, y + 4, CELL - 8, CELL - 8, None, "ink", 1 if text[1] == "_" else 4)
    if text[1] == "L":
        across, down = middle(row, column)
        yield Line(((across - 14, down + 14), (across + 14, down + 14)), "ink", 3)


def _run(ahead: int, first: int, last: int) -> str:
    if first == last:
        return _place(ahead, first)
    return f"{_steps(ahead)}, {_side(first)} to {_side(last)}"


def _place(ahead: int, side: int) -> str:
    return _steps(ahead) if side == 0 else f"{_steps(ahead)} and {_side(side)}" if ahead else _side(side)


def _steps(ahead: int) -> str:
    return f"{ahead} ahead" if ahead else "in your row"


def _side(side: int) -> str:
    return "straight" if side == 0 else f"{abs(side)} {'left' if side < 0 else 'right'}"
