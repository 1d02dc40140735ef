"""What the player sees: a window of cells, smaller in the dark.

The window has nine columns and seven rows around the player. At night only cells near the player and near lamps can be seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from envhub.envs.worlds.crafting import terrain
from envhub.envs.worlds.crafting.rules import CREATURES, State as WorldState, World
from envhub.envs.worlds.crafting.terrain import LAMP

ACROSS: Final = 4
DOWN: Final = 3
CLOSE: Final = 2
"""Rows and columns that the player sees at night."""
LIGHT: Final = 3
"""Rows and columns that a lamp lights."""
YOU: Final = "@"
UNSEEN: Final = "?"
OUTSIDE: Final = "#"
PROWLER: Final = "!"
LURKER: Final = "&"
_FIXED: Final = {".": "grass", ":": "sand", "_": "floor", "~": "water", "o": "berry bush", "*": "bare bush"}


def visible(world: World, state: WorldState) -> frozenset[int]:
    """The cells that can be seen."""
    if not world.dark(state.step):
        return _window(world.width, world.height, state.at, ACROSS, DOWN)
    seen = set(_window(world.width, world.height, state.at, CLOSE, CLOSE))
    for cell in _window(world.width, world.height, state.at, ACROSS + LIGHT, DOWN + LIGHT):
        if state.cells[cell] == LAMP:
            seen |= _window(world.width, world.height, cell, LIGHT, LIGHT)
    return frozenset(seen) & _window(world.width, world.height, state.at, ACROSS, DOWN)


@lru_cache(maxsize=8192)
def _window(width: int, height: int, at: int, across: int, down: int) -> frozenset[int]:
    row, column = divmod(at, width)
    rows = range(max(0, row - down), min(height, row + down + 1))
    columns = range(max(0, column - across), min(width, column + across + 1))
    return frozenset(y * width + x for y in rows for x in columns)


@lru_cache(maxsize=64)
def _letters(cells: tuple[str, ...], stations: int, lamp: str) -> Mapping[str, str]:
    """The sign of each character: initials of sources, digits of stations."""
    taken, found = set[str](), {}
    for number, name in enumerate(cells):
        letters = [letter.upper() for letter in name if letter.isalpha()] + list("ABCDEFGHIJKMN")
        found[terrain.SOURCES[number]] = next(letter for letter in letters if letter not in taken)
        taken.add(found[terrain.SOURCES[number]])
    found |= {terrain.STATIONS[number]: str(number + 1) for number in range(stations)}
    return found | ({LAMP: "l"} if lamp else {})


def letters(world: World) -> Mapping[str, str]:
    """The sign that shows each character of the map, where they differ."""
    technology = world.technology
    return _letters(tuple(source.cell for source in technology.sources), len(technology.stations), technology.lamp)


def legend(world: World) -> dict[str, str]:
    """The name of each sign."""
    shown = letters(world)
    own = {shown[sign]: world.named(sign) for sign in shown}
    others = {PROWLER: CREATURES[0], LURKER: CREATURES[1]} if world.content["creatures"] else {}
    fixed = {sign: name for sign, name in _FIXED.items() if world.content["needs"] or sign != "*"}
    return {YOU: "you", **fixed, **own, **others, UNSEEN: "too dark to see", OUTSIDE: "outside the map"}


def rows(world: World, state: WorldState) -> list[str]:
    """The window as rows of signs, the northernmost first."""
    seen, shown = visible(world, state), letters(world)
    there = {creature.at: (PROWLER, LURKER)[creature.kind] for creature in state.creatures}
    there[state.at] = YOU
    row, column = divmod(state.at, world.width)
    found = []
    for y in range(row - DOWN, row + DOWN + 1):
        line = []
        for x in range(column - ACROSS, column + ACROSS + 1):
            cell = y * world.width + x
            if not (0 <= y < world.height and 0 <= x < world.width):
                line.append(OUTSIDE)
            elif cell not in seen:
                line.append(UNSEEN)
            else:
                line.append(there.get(cell) or shown.get(state.cells[cell], state.cells[cell]))
        found.append("".join(line))
    return found


def ahead(world: World, state: WorldState) -> str:
    """The name of what is ahead of the player."""
    cell = world.near[state.at][state.facing]
    if cell < 0:
        return "the edge of the map"
    creature: Sequence[str] = [CREATURES[each.kind] for each in state.creatures if each.at == cell]
    return creature[0] if creature else world.named(state.cells[cell])
