"""Draw rooms, things and a mission."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.gridworld.missions import (
    ANY,
    GO,
    OPENING,
    PICK,
    PUT,
    WHERE,
    Described,
    Mission,
    Task,
    complete,
    targets,
    write_stages,
)
from envhub.generators.gridworld.model import CLOSED, COLOURS, DOOR, INSIDE, LOCKED, OPEN, THINGS, Grid

_TRIES: Final = 30
_BOXES_OF_KEYS: Final = 3
"""One key in this many is in a box, if boxes may hold keys."""


class Plan(NamedTuple):
    """What to draw.

    Attributes:
        rows: Rows of rooms.
        columns: Columns of rooms.
        size: Cells of a room's side, walls included.
        things: Number of things, keys of locked doors not counted.
        locked: Number of locked doors.
        blocked: Number of doors that a ball blocks.
        boxed: Whether keys may be in boxes.
        verbs: The verbs of tasks.
        tasks: Number of tasks.
        vague: Descriptions, in percent, that leave something out or say where it is.
    """

    rows: int
    columns: int
    size: int
    things: int
    locked: int
    blocked: int
    boxed: bool
    verbs: tuple[str, ...]
    tasks: int
    vague: int


def draw(rng: Stream, plan: Plan) -> JSON | None:
    """A grid with a mission as JSON values; None if nothing fitted."""
    width, height = (plan.size - 1) * plan.columns + 1, (plan.size - 1) * plan.rows + 1
    step = plan.size - 1
    rows = [["#" if x % step == 0 or y % step == 0 else "." for x in range(width)] for y in range(height)]
    doors = _doors(rng, plan, width)
    for cell, _, _, _ in doors:
        rows[cell // width][cell % width] = "."
    inner = [y * width + x for y in range(height) for x in range(width) if x % step and y % step]
    beside = {cell + side for cell, _, _, across in doors for side in (across, -across)}
    free = [cell for cell in inner if cell not in beside]
    things = _things(rng, plan, doors, free)
    if things is None:
        return None
    start = [rng.choice(free), rng.below(4)]
    free.remove(start[0])
    content: dict[str, Any] = {
        "rows": ["".join(row) for row in rows],
        "doors": [[cell, colour, state] for cell, colour, state, _ in doors],
        "things": things,
        "start": start,
    }
    if any(thing[2] == start[0] for thing in things):
        return None
    mission = _mission(rng, plan, Grid(content))
    return None if mission is None else {**content, **mission}


def _doors(rng: Stream, plan: Plan, width: int) -> list[tuple[int, str, int, int]]:
    """The cell, colour, state and direction of each door.

    Doors connect all rooms; one more in four pairs of neighbours without one.
    """
    step = plan.size - 1
    pairs = [
        (row * plan.columns + column, (row + down) * plan.columns + column + 1 - down, row, column, down)
        for row in range(plan.rows)
        for column in range(plan.columns)
        for down in (0, 1)
        if row + down < plan.rows and column + 1 - down < plan.columns
    ]
    part = list(range(plan.rows * plan.columns))
    doors = []
    for one, other, row, column, down in rng.sample(pairs, len(pairs)):
        joined = part[one] == part[other]
        if joined and rng.below(4):
            continue
        part = [part[one] if each == part[other] else each for each in part]
        along = 1 + rng.below(step - 1)
        y, x = (row * step + (step if down else along)), (column * step + (along if down else step))
        state = CLOSED if rng.below(4) else OPEN
        doors.append((y * width + x, rng.choice(COLOURS), state, width if down else 1))
    for number in rng.sample(range(len(doors)), min(plan.locked, len(doors))):
        doors[number] = (doors[number][0], doors[number][1], LOCKED, doors[number][3])
    return sorted(doors)


def _things(rng: Stream, plan: Plan, doors: list[tuple[int, str, int, int]], free: list[int]) -> list[list[Any]] | None:
    """Keys of locked doors, balls that block doors, and others."""
    things: list[list[Any]] = []
    cells = rng.sample(free, len(free))
    if len(cells) <= plan.things + 2 * plan.locked + 1:
        return None
    for _, colour, state, _ in doors:
        if state != LOCKED:
            continue
        if plan.boxed and rng.below(_BOXES_OF_KEYS) == 0:
            things.append(["box", rng.choice(COLOURS), cells.pop(), -1])
            things.append(["key", colour, INSIDE, len(things) - 1])
        else:
            things.append(["key", colour, cells.pop(), -1])
    for cell, _, _, across in rng.sample(doors, min(plan.blocked, len(doors))):
        side = cell + (across if rng.below(2) else -across)
        things.append(["ball", rng.choice(COLOURS), side, -1])
    things += [[rng.choice(THINGS), rng.choice(COLOURS), cells.pop(), -1] for _ in range(plan.things)]
    spots = [thing[2] for thing in things if thing[2] >= 0]
    return things if len(spots) == len({*spots}) else None


def _mission(rng: Stream, plan: Plan, grid: Grid) -> JSON | None:
    """Stages of tasks, none of which is complete at the start."""
    tasks: list[Task] = []
    for _ in range(_TRIES):
        if len(tasks) == plan.tasks:
            break
        task = _task(rng, plan, grid)
        if task is not None and _suits(grid, task, tasks):
            tasks.append(task)
    if len(tasks) < plan.tasks:
        return None
    if (len(tasks) == 2 and rng.below(2)) or len(tasks) == 1:
        stages, order = [tasks], "then"
    else:
        first = len(tasks) // 2 + (rng.below(2) if len(tasks) == 3 else 0)
        stages, order = [tasks[:first], tasks[first:]], rng.choice(("then", "after"))
    return {"stages": write_stages(stages), "order": order}


def _suits(grid: Grid, task: Task, others: list[Task]) -> bool:
    """Whether a task is incomplete, unambiguous and new."""
    mine = targets(grid, task.what)
    kept = Mission(grid, [[task]], "then").aims[0]
    if not (mine.things or mine.doors) or complete(grid, kept, grid.start):
        return False
    if task.verb == OPENING and any(grid.doors[door].state == OPEN for door in mine.doors):
        return False
    if task.verb in (PICK, PUT) and (mine.doors or _hidden_alike(grid, task.what)):
        return False
    if task.beside is not None and (
        kept.beside.things & mine.things
        or not (kept.beside.things or kept.beside.doors)
        or _hidden_alike(grid, task.beside)
    ):
        return False
    if task.verb == GO and _hidden_alike(grid, task.what):
        return False
    return all((task.verb, task.what) != (other.verb, other.what) for other in others)


def _hidden_alike(grid: Grid, described: Described) -> bool:
    """Whether something in a box could be taken for what is described."""
    return not described.where and any(
        thing.spot == INSIDE and described.kind in (ANY, thing.kind) and described.colour in ("", thing.colour)
        for thing in grid.things
    )


def _task(rng: Stream, plan: Plan, grid: Grid) -> Task | None:
    verb = rng.choice(plan.verbs)
    lying = [(thing.kind, thing.colour) for thing in grid.things if thing.spot >= 0]
    doors = [(DOOR, door.colour) for door in grid.doors if verb != OPENING or door.state != OPEN]
    if verb == OPENING:
        return Task(verb, _described(rng, plan, *rng.choice(doors))) if doors else None
    if verb == PUT:
        beside = rng.choice(lying)
        return Task(verb, _described(rng, plan, *rng.choice(lying)), _described(rng, plan, *beside))
    choices = lying if verb == PICK or not doors or rng.below(3) else doors
    return Task(verb, _described(rng, plan, *rng.choice(choices)))


def _described(rng: Stream, plan: Plan, kind: str, colour: str) -> Described:
    """A description that fits a thing.

    It may leave out the colour or kind, or name a side.
    """
    if rng.below(100) >= plan.vague:
        return Described(kind, colour)
    left_out = rng.below(4)
    if left_out == 0:
        return Described(kind)
    if left_out == 1 and kind != DOOR:
        return Described(ANY, colour)
    return Described(kind, colour if rng.below(2) else "", rng.choice(tuple(WHERE)))


def cells_of_rooms(grid: Grid) -> Iterator[int]:
    """The cells that are neither walls nor doors."""
    for cell in range(grid.width * grid.height):
        if cell not in grid.walls and cell not in grid.door_at:
            yield cell
