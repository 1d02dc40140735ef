"""Missions in the words of BabyAI: tasks and their order.

A mission has one or two stages, which must be completed in order; a stage has one task, or two that are joined by ``and``.
Whether a task is complete depends on the position alone:

* ``go to X``: the agent stands in front of such a thing or door, facing it;
* ``pick up X``: it carries such a thing;
* ``open X``: such a door is open;
* ``put X next to Y``: such a thing lies beside such another thing or door, not diagonally.

Descriptions are resolved at the start: what matches then is meant to the end, wherever it is moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Self

from envhub.core.types import JSON
from envhub.generators.gridworld.model import DOOR, OPEN, Grid, Position

GO, PICK, OPENING, PUT = VERBS = ("go to", "pick up", "open", "put")
ANY: Final = "object"
WHERE: Final = {
    "front": " in front of you",
    "behind": " behind you",
    "left": " on your left",
    "right": " on your right",
}


class Described(NamedTuple):
    """A description of things or doors.

    Attributes:
        kind: The kind, or ``object`` for any.
        colour: The colour; empty for any.
        where: A key of ``WHERE``, as seen at the start in the agent's room; empty for anywhere.
    """

    kind: str
    colour: str = ""
    where: str = ""


class Task(NamedTuple):
    """One thing to do.

    Attributes:
        verb: One of ``VERBS``.
        what: What it is done to.
        beside: For ``put``: what it is put next to.
    """

    verb: str
    what: Described
    beside: Described | None = None


class Targets(NamedTuple):
    """What a description means: numbers of things, and numbers of doors."""

    things: frozenset[int]
    doors: frozenset[int]


class Aim(NamedTuple):
    """A task whose descriptions are resolved."""

    verb: str
    what: Targets
    beside: Targets


Stages = Sequence[Sequence[Task]]


class Mission:
    """A mission in a grid.

    Attributes:
        stages: The numbers of the tasks of each stage.
        aims: The tasks, resolved.
        text: The mission in words.
    """

    def __init__(self, grid: Grid, stages: Stages, order: str) -> None:
        self.aims: tuple[Aim, ...] = tuple(_aim(grid, task) for stage in stages for task in stage)
        first, everything = len(stages[0]), len(self.aims)
        self.stages: tuple[tuple[int, ...], ...] = (
            tuple(range(first)),
            *([tuple(range(first, everything))] if len(stages) > 1 else []),
        )
        said = [" and ".join(_said(grid, task) for task in stage) for stage in stages]
        self.text = f"{said[1]} after you {said[0]}" if order == "after" else ", then ".join(said)

    @classmethod
    def of_aims(cls, aims: tuple[Aim, ...]) -> Self:
        """A mission of resolved tasks in any order, without words."""
        mission = object.__new__(cls)
        mission.aims, mission.stages, mission.text = aims, (tuple(range(len(aims))),), ""
        return mission

    def open_tasks(self, confirmed: frozenset[int]) -> tuple[int, ...]:
        """The tasks of the first unconfirmed stage; empty at the end."""
        for stage in self.stages:
            left = tuple(number for number in stage if number not in confirmed)
            if left:
                return left
        return ()

    def fulfilled(self, grid: Grid, position: Position, confirmed: frozenset[int]) -> frozenset[int]:
        """The open tasks that are complete in a position."""
        return frozenset(number for number in self.open_tasks(confirmed) if complete(grid, self.aims[number], position))


def complete(grid: Grid, aim: Aim, position: Position) -> bool:
    """Whether a task is complete in a position."""
    front, spots = grid.front(position), position.spots
    if aim.verb == GO:
        return any(spots[thing] == front for thing in aim.what.things) or any(
            grid.doors[door].cell == front for door in aim.what.doors
        )
    if aim.verb == PICK:
        return position.held in aim.what.things
    if aim.verb == OPENING:
        return any(position.doors[door] == OPEN for door in aim.what.doors)
    fixed = {spots[thing] for thing in aim.beside.things} | {grid.doors[door].cell for door in aim.beside.doors}
    return any(spots[thing] + step in fixed for thing in aim.what.things if spots[thing] >= 0 for step in grid.steps)


def targets(grid: Grid, described: Described) -> Targets:
    """What a description means at the start; contents of boxes are excluded."""

    def fits(kind: str, colour: str, cell: int) -> bool:
        return (
            described.kind in (ANY, kind)
            and described.colour in ("", colour)
            and (not described.where or _is_where(grid, cell, described.where))
        )

    things = [
        n for n, thing in enumerate(grid.things) if thing.spot >= 0 and fits(thing.kind, thing.colour, thing.spot)
    ]
    doors = [n for n, door in enumerate(grid.doors) if fits(DOOR, door.colour, door.cell)]
    return Targets(frozenset(things), frozenset(doors))


def read_stages(value: JSON) -> Stages:
    """Stages from JSON values."""
    return [
        [Task(verb, Described(*what), None if beside is None else Described(*beside)) for verb, what, beside in stage]
        for stage in value
    ]


def write_stages(stages: Stages) -> JSON:
    """Stages as JSON values."""
    return [[[t.verb, list(t.what), None if t.beside is None else list(t.beside)] for t in stage] for stage in stages]


def _aim(grid: Grid, task: Task) -> Aim:
    none = Targets(frozenset(), frozenset())
    return Aim(task.verb, targets(grid, task.what), none if task.beside is None else targets(grid, task.beside))


def _said(grid: Grid, task: Task) -> str:
    text = f"{task.verb} {_noun(grid, task.what)}"
    return text if task.beside is None else f"{text} next to {_noun(grid, task.beside)}"


def _noun(grid: Grid, described: Described) -> str:
    found = targets(grid, described)
    article = "the" if len(found.things) + len(found.doors) == 1 else "a"
    colour = f"{described.colour} " if described.colour else ""
    if article == "a" and not colour and described.kind == ANY:
        article = "an"
    return f"{article} {colour}{described.kind}{WHERE.get(described.where, '')}"


def _is_where(grid: Grid, cell: int, where: str) -> bool:
    """Whether a cell of the first room is on a side."""
    if cell not in _room(grid):
        return False
    (y, x), (at_y, at_x) = divmod(cell, grid.width), divmod(grid.start.at, grid.width)
    facing = grid.start.facing
    ahead = (1, 0, -1, 0)[facing] * (x - at_x) + (0, 1, 0, -1)[facing] * (y - at_y)
    right = (1, 0, -1, 0)[facing] * (y - at_y) - (0, 1, 0, -1)[facing] * (x - at_x)
    return {"front": ahead > 0, "behind": ahead < 0, "left": right < 0, "right": right > 0}[where]


def _room(grid: Grid) -> set[int]:
    """The cells of the first room, without its doors."""
    found = [grid.start.at]
    known = {grid.start.at}
    for cell in found:
        near = {cell + step for step in grid.steps} - known - grid.walls - {*grid.door_at}
        known |= near
        found += sorted(near)
    return known
