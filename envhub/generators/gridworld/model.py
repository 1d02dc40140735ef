"""Rooms with doors and things: positions and the seven actions.

The rules are those of MiniGrid. The agent turns, walks forward, and acts on the cell in front of it: it picks up a thing if
its hand is free, drops the thing that it carries on an empty cell, opens or closes a door, unlocks a door with a key of the
same colour in its hand, and opens a box, which is destroyed and replaced by its contents::

    now = after(grid, grid.start, "forward")    # the same position if nothing changes

Cells are numbered row by row. The outermost cells are walls.
"""

from __future__ import annotations

import json
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from envhub.core.types import JSON

ACTIONS: Final = ("turn left", "turn right", "forward", "pick up", "drop", "toggle", "done")
COLOURS: Final = ("red", "green", "blue", "purple", "yellow", "grey")
THINGS: Final = ("key", "ball", "box")
DOOR: Final = "door"
OPEN, CLOSED, LOCKED = range(3)
DOOR_STATES: Final = ("open", "closed", "locked")
HELD: Final = -1
GONE: Final = -2
INSIDE: Final = -3
EAST, SOUTH, WEST, NORTH = range(4)


class Position(NamedTuple):
    """What may change in a grid.

    Attributes:
        at: The agent's cell.
        facing: Its direction.
        spots: The cell of each thing, or HELD, GONE or INSIDE.
        doors: The state of each door.
    """

    at: int
    facing: int
    spots: tuple[int, ...]
    doors: tuple[int, ...]

    @property
    def held(self) -> int | None:
        """The thing in the agent's hand, by its number."""
        return self.spots.index(HELD) if HELD in self.spots else None


class Door(NamedTuple):
    """A door."""

    cell: int
    colour: str
    state: int


class Thing(NamedTuple):
    """A key, ball or box.

    Attributes:
        kind: What it is.
        colour: Its colour.
        spot: Its cell at the start; INSIDE if it is in a box.
        box: The box that contains it, by its number; -1 if none does.
    """

    kind: str
    colour: str
    spot: int
    box: int = -1


class Grid:
    """What never changes, and the start.

    Attributes:
        width: Cells of a row.
        height: Cells of a column.
        walls: The cells with walls.
        doors: The doors.
        things: The things.
        start: The position at the start.
        steps: What to add to a cell for the next one in each direction.
    """

    def __init__(self, content: JSON) -> None:
        rows: list[str] = content["rows"]
        self.width, self.height = len(rows[0]), len(rows)
        self.walls = frozenset(cell for cell, sign in enumerate("".join(rows)) if sign == "#")
        self.doors = tuple(Door(*door) for door in content["doors"])
        self.things = tuple(Thing(*thing) for thing in content["things"])
        at, facing = content["start"]
        spots, states = (thing.spot for thing in self.things), (door.state for door in self.doors)
        self.start = Position(at, facing, tuple(spots), tuple(states))
        self.steps = (1, self.width, -1, -self.width)

    @cached_property
    def door_at(self) -> dict[int, int]:
        """The number of the door in each cell that has one."""
        return {door.cell: number for number, door in enumerate(self.doors)}

    @cached_property
    def contents(self) -> dict[int, int]:
        """What each box that is not empty contains."""
        return {thing.box: number for number, thing in enumerate(self.things) if thing.box >= 0}

    def front(self, position: Position) -> int:
        """The cell in front of the agent."""
        return position.at + self.steps[position.facing]


def after(grid: Grid, position: Position, action: str) -> Position:
    """The position after an action; the same object if nothing changes."""
    at, facing, spots, doors = position
    if action == "turn left":
        return Position(at, (facing - 1) % 4, spots, doors)
    if action == "turn right":
        return Position(at, (facing + 1) % 4, spots, doors)
    front = at + grid.steps[facing]
    if front in grid.walls:
        return position
    door = grid.door_at.get(front)
    if action == "forward":
        blocked = front in spots or (door is not None and doors[door] != OPEN)
        return position if blocked else Position(front, facing, spots, doors)
    if action == "toggle" and door is not None:
        if doors[door] == LOCKED and not _has_key(grid, position, grid.doors[door].colour):
            return position
        state = CLOSED if doors[door] == OPEN else OPEN
        return position._replace(doors=(*doors[:door], state, *doors[door + 1 :]))
    thing = spots.index(front) if front in spots else None
    if action == "toggle" and thing is not None and grid.things[thing].kind == "box":
        inside = grid.contents.get(thing)
        moved = {thing: GONE} if inside is None else {thing: GONE, inside: front}
        return position._replace(spots=_moved(spots, moved))
    if action == "pick up" and thing is not None and HELD not in spots:
        return position._replace(spots=_moved(spots, {thing: HELD}))
    if action == "drop" and HELD in spots and thing is None and door is None:
        return position._replace(spots=_moved(spots, {spots.index(HELD): front}))
    return position


def effective(grid: Grid, position: Position) -> list[str]:
    """The actions that change something, in a fixed order."""
    return [action for action in ACTIONS[:-1] if after(grid, position, action) is not position]


def reason(grid: Grid, position: Position, action: str) -> str:
    """Why an action changes nothing."""
    front = grid.front(position)
    what = named(grid, position, front)
    if action == "forward":
        return f"{what.capitalize()} is in the way."
    if action == "pick up":
        held = position.held
        if held is not None:
            return f"You already carry {with_article(grid, held)}."
        return "There is nothing in front of you to pick up." if front not in position.spots else ""
    if action == "drop":
        return "You carry nothing." if position.held is None else f"{what.capitalize()} is in the way."
    if front in grid.door_at:
        return f"{what.capitalize()} needs a key of its colour in your hand."
    return "There is no door or box in front of you."


def named(grid: Grid, position: Position, cell: int) -> str:
    """What is in a cell, in words: ``a red ball``, ``a closed blue door``."""
    if cell in grid.walls:
        return "a wall"
    if cell in grid.door_at:
        door = grid.door_at[cell]
        state = DOOR_STATES[position.doors[door]]
        return f"{'an' if state == 'open' else 'a'} {state} {grid.doors[door].colour} door"
    return with_article(grid, position.spots.index(cell)) if cell in position.spots else "nothing"


def with_article(grid: Grid, thing: int) -> str:
    """A thing in words: ``a red ball``."""
    return f"a {grid.things[thing].colour} {grid.things[thing].kind}"


def grid_of(content: JSON) -> Grid:
    """The grid of a content; recent ones are kept."""
    return _kept(json.dumps(content, sort_keys=True))


@lru_cache(maxsize=64)
def _kept(text: str) -> Grid:
    content: Any = json.loads(text)
    return Grid(content)


def _has_key(grid: Grid, position: Position, colour: str) -> bool:
    held = position.held
    return held is not None and grid.things[held].kind == "key" and grid.things[held].colour == colour


def _moved(spots: tuple[int, ...], new: dict[int, int]) -> tuple[int, ...]:
    return tuple(new.get(number, spot) for number, spot in enumerate(spots))
