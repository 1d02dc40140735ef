"""What a message says: the view in several styles, and the status.

A view travels as JSON: ``rows`` of signs, the ``legend`` of the signs in it, and the ``status``, a few sentences.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from envhub.core.types import JSON
from envhub.envs.worlds.crafting import sight
from envhub.envs.worlds.crafting.rules import DIRECTIONS, NEEDS, State, World
from envhub.envs.worlds.crafting.sight import ACROSS, DOWN, LURKER, OUTSIDE, PROWLER, UNSEEN, YOU
from envhub.scenes import Scene
from envhub.scenes.grid import Tile, grid

_GRASS: Final = "."
_ARROWS: Final = "\u25b2\u25b6\u25bc\u25c0"


def view(world: World, state: State) -> JSON:
    """The view as JSON, with the legend of the signs that occur."""
    rows = sight.rows(world, state)
    shown = set("".join(rows))
    legend = {sign: name for sign, name in sight.legend(world).items() if sign in shown}
    return {"rows": rows, "legend": legend, "facing": DIRECTIONS[state.facing]}


def status(world: World, state: State) -> str:
    """Where the player is, and how well, and what is carried."""
    row, column = divmod(state.at, world.width)
    carried = [f"{count} {item}" for item, count in zip(world.technology.items, state.items, strict=True) if count]
    values = ", ".join(f"{name} {value}" for name, value in zip(NEEDS, state.needs, strict=False))
    parts = [
        f"You are in row {row + 1}, column {column + 1}, facing {DIRECTIONS[state.facing]}: {sight.ahead(world, state)}.",
        f"Health {state.health}{', ' + values if values else ''}.",
        *(["It is night." if world.dark(state.step) else "It is day."] if world.night else []),
        f"You carry {', '.join(carried) if carried else 'nothing'}.",
    ]
    return " ".join(parts)


def as_rows(shown: JSON) -> str:
    """The rows of signs, with a legend."""
    legend = ", ".join(f"{sign} {name}" for sign, name in shown["legend"].items())
    return "\n".join([f"Your view, north is up ({legend}):", *(" ".join(row) for row in shown["rows"])])


def as_places(shown: JSON) -> str:
    """What is where, by rows and columns from the player."""
    found: dict[str, list[str]] = {}
    for down, row in enumerate(shown["rows"], -DOWN):
        column = -ACROSS
        for sign, run in groupby(row):
            length = len(list(run))
            if sign not in (_GRASS, YOU):
                found.setdefault(shown["legend"][sign], []).append(_place(down, column, column + length - 1))
            column += length
    lines = [f"{name}: {'; '.join(places)}." for name, places in found.items()]
    head = f"Your view reaches {DOWN} rows north and south and {ACROSS} columns east and west. All else in it is grass."
    return "\n".join([head, *lines])


def as_json(shown: JSON) -> str:
    """The names of the cells as JSON, row by row."""
    named = [[shown["legend"][sign] for sign in row] for row in shown["rows"]]
    return "Your view, rows from north to south, you in the middle:\n" + json.dumps(named)


def as_columns(shown: JSON) -> str:
    """The names of the cells, column by column; reserved for evaluation."""
    lines = []
    for number, column in enumerate(zip(*shown["rows"], strict=True), -ACROSS):
        side = "your column" if not number else f"{abs(number)} {'west' if number < 0 else 'east'}"
        runs = ((shown["legend"][sign], len(list(run))) for sign, run in groupby(column))
        lines.append(f"{side}: {' | '.join(name if many == 1 else f'{many} x {name}' for name, many in runs)}")
    return "\n".join(["Columns of your view, from west to east, each from north to south:", *lines])


VIEWS: Final[Sequence[Callable[[JSON], str]]] = (as_rows, as_places, as_json, as_columns)


def _place(down: int, first: int, last: int) -> str:
    """A run of cells in one row."""
    row = f"{abs(down)} {'north' if down < 0 else 'south'}" if down else "your row"
    return f"{row}, {_column(first)}" + (f" to {_column(last)}" if last > first else "")


def _column(side: int) -> str:
    return f"{abs(side)} {'west' if side < 0 else 'east'}" if side else "your column"


_FILLS: Final[Mapping[str, Any]] = {
    ".": Tile(fill="tint2"),
    ":": Tile(fill="tint5"),
    "_": Tile(fill="tint7"),
    "~": Tile("~", fill="tint0"),
    "o": Tile("o", fill="tint2", ink="red"),
    "*": Tile("*", fill="tint2"),
    UNSEEN: Tile("?", fill="dark", ink="paper"),
    OUTSIDE: Tile("#", fill="dark", ink="paper"),
    PROWLER: Tile("!", fill="tint3", disc="red"),
    LURKER: Tile("&", fill="tint3", disc="purple"),
    "l": Tile("l", fill="yellow"),
}


def picture(shown: JSON) -> Scene:
    """The view as a picture, with the signs of the text."""
    facing = _ARROWS[DIRECTIONS.index(shown["facing"])]
    tiles = [
        [
            Tile(facing, disc="paper", fill="tint2")
            if sign == YOU
            else _FILLS.get(sign) or Tile(sign, fill="tint1" if sign.isdigit() else "shade")
            for sign in row
        ]
        for row in shown["rows"]
    ]
    return grid(tiles)
