"""Boards as text and as pictures.

Each cell is written as the signs of its objects, from the lowest layer up, and ``.`` if only the background is there. An
object keeps its glyph where it has one; others get a free letter. The background is left out unless there are several. ::

    signs = signs_of(game)
    grid_text(cells_of(machine, board), signs)
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from envhub.generators.rewriting.machine import Board, Machine
from envhub.generators.rewriting.syntax import Game
from envhub.scenes import Scene
from envhub.scenes.grid import Tile, grid

Cells = list[list[tuple[str, ...]]]
_POOL: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#$%&*+=~^!?;:<>/"


def shown_objects(game: Game) -> tuple[str, ...]:
    """The objects that are drawn, from the lowest layer up."""
    ground = game.members("background")
    hidden = ground if len(ground) == 1 else ()
    return tuple(name for layer in game.layers for name in layer if name not in hidden)


def signs_of(game: Game) -> dict[str, str]:
    """The sign of each drawn object."""
    own = {objects[0]: sign for sign, objects in reversed(game.signs.items()) if len(objects) == 1}
    names = shown_objects(game)
    found = {name: own[name] for name in names if own.get(name, ".") != "." and own[name].isprintable()}
    free = (sign for sign in _POOL if sign not in found.values())
    return {name: found.get(name) or next(free, name) for name in names}


def cells_of(machine: Machine, board: Board) -> Cells:
    """The drawn objects of each cell, row by row."""
    order = _order(machine)
    return [
        [
            tuple(name for name, at in order if board[at] >> column * machine.height + row & 1)
            for column in range(machine.width)
        ]
        for row in range(machine.height)
    ]


@lru_cache(maxsize=64)
def _order(machine: Machine) -> tuple[tuple[str, int], ...]:
    game = machine.program.game
    return tuple((name, game.objects.index(name)) for name in shown_objects(game))


def board_of(machine: Machine, cells: Cells) -> Board:
    """The board of drawn objects; the opposite of :func:`cells_of`."""
    game = machine.program.game
    planes = dict.fromkeys(game.objects, 0)
    for row, line in enumerate(cells):
        for column, names in enumerate(line):
            for name in names:
                planes[name] |= 1 << column * machine.height + row
    ground = game.members("background")
    if len(ground) == 1:
        planes[ground[0]] = machine.full
    return tuple(planes.values())


def grid_text(cells: Cells, signs: dict[str, str]) -> str:
    """Rows of cells, separated by spaces."""
    words = [["".join(signs[name] for name in cell) or "." for cell in line] for line in cells]
    width = max(len(word) for line in words for word in line)
    return "\n".join(" ".join(word.ljust(width) for word in line).rstrip() for line in words)


def bars_text(cells: Cells, signs: dict[str, str]) -> str:
    """Rows of cells between bars."""
    words = [["".join(signs[name] for name in cell) or " " for cell in line] for line in cells]
    width = max(len(word) for line in words for word in line)
    return "\n".join("|" + "|".join(word.ljust(width) for word in line) + "|" for line in words)


def list_text(cells: Cells, signs: dict[str, str]) -> str:
    """The cells of each object, as row and column."""
    found: dict[str, list[str]] = {}
    for row, line in enumerate(cells, 1):
        for column, names in enumerate(line, 1):
            for name in names:
                found.setdefault(name, []).append(f"{row},{column}")
    size = (
        f"{len(cells)} rows, {len(cells[0])} columns; cells are given as row,column, starting at 1,1 in the upper left."
    )
    return "\n".join([size, *(f"{name}: {' '.join(found[name])}" for name in signs if name in found)])


def picture(cells: Cells, signs: dict[str, str], low: frozenset[str], player: frozenset[str]) -> Scene:
    """A board with its signs.

    Args:
        cells: The cells.
        signs: The sign of each object.
        low: Objects that tint their cell.
        player: Objects that are drawn on a disc.
    """
    names = list(signs)

    def tile(cell: tuple[str, ...]) -> Tile:
        text = "".join(signs[name] for name in cell)
        if "wall" in cell or text == "#":
            return Tile(text, "dark", "paper")
        ground = next((name for name in cell if name in low), None)
        fill = None if ground is None else f"tint{names.index(ground) % 8}"
        return Tile(text, fill, disc="faint" if player & set(cell) else None)

    return grid([[tile(cell) for cell in line] for line in cells])
