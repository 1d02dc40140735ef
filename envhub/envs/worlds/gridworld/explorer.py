"""A scripted policy that explores, and acts on what it sees.

It knows the cells that have been seen, the mission, and nothing else. If a task can be planned among these cells, it follows a
shortest plan; else it walks to the nearest cell from which something new is seen, unlocks a door, or opens a box.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from heapq import heappop, heappush
from typing import Any, Final, NamedTuple

from envhub.core.types import JSON
from envhub.generators.gridworld.missions import GO, OPENING, Aim, Mission, Targets
from envhub.generators.gridworld.model import CLOSED, GONE, LOCKED, Grid, Position, after, effective
from envhub.generators.gridworld.search import SearchLimit, shortest

_BUDGET: Final = 1500
_NONE: Final = Targets(frozenset(), frozenset())
_HINDERED: Final = 6
"""Cost of a thing in the way if the hand is full."""


class Known(NamedTuple):
    """What the policy knows.

    Attributes:
        content: The grid; only seen cells may be read.
        mission: The mission; of its targets only those in seen cells may be read.
        position: The position; only seen things and doors may be read.
        confirmed: The tasks that have been confirmed.
        seen: The seen cells, as bits.
    """

    content: JSON
    mission: Mission
    position: Position
    confirmed: frozenset[int]
    seen: int


def next_action(known: Known) -> str:
    """The next action of the script."""
    grid, mission, position = (
        _seen_grid(json.dumps(known.content, sort_keys=True), known.seen),
        known.mission,
        known.position,
    )
    if mission.fulfilled(grid, position, known.confirmed):
        return "done"
    position = _seen_position(grid, known)
    for task in mission.open_tasks(known.confirmed):
        plan = _planned(grid, _seen_aim(grid, known, mission.aims[task]), position)
        if plan:
            return plan[0]
    return _explored(grid, known, position)


def _explored(grid: Grid, known: Known, position: Position) -> str:
    """Towards something new."""
    unknown = [
        cell
        for cell in range(grid.width * grid.height)
        if not known.seen >> cell & 1
        and _inner(grid, cell)
        and any(_open(grid, known, cell - step) for step in grid.steps)
    ]
    action = _towards(grid, position, unknown)
    if action is not None:
        return action
    locked = [n for n, door in enumerate(grid.doors) if known.seen >> door.cell & 1 and position.doors[n] == LOCKED]
    for number in locked:
        plan = _planned(grid, Aim(OPENING, Targets(frozenset(), frozenset({number})), _NONE), position)
        if plan:
            return plan[0]
    boxes = [n for n, thing in enumerate(grid.things) if thing.kind == "box" and position.spots[n] >= 0]
    for box in boxes:
        if position.spots[box] == grid.front(position):
            return "toggle"
        plan = _planned(grid, Aim(GO, Targets(frozenset({box}), frozenset()), _NONE), position)
        if plan and plan[0] != "done":
            return plan[0]
    choices = effective(grid, position)
    return "drop" if "drop" in choices else choices[0]


def _towards(grid: Grid, position: Position, cells: Iterable[int]) -> str | None:
    """The first action of a cheap way to face a cell.

    None if no cell can be reached.
    """
    goals = frozenset(cells)
    if not goals:
        return None
    start = (position.at, position.facing)
    costs, firsts = {start: 0}, {start: ""}
    waiting = [(0, start)]
    while waiting:
        cost, pose = heappop(waiting)
        if cost > costs[pose]:
            continue
        at, facing = pose
        if at + grid.steps[facing] in goals:
            return firsts[pose] or "forward"
        for action, other, more in _moves(grid, position, at, facing):
            if cost + more < costs.get(other, 1 << 20):
                costs[other] = cost + more
                firsts[other] = firsts[pose] or action
                heappush(waiting, (cost + more, other))
    return None


def _moves(grid: Grid, position: Position, at: int, facing: int) -> Iterator[tuple[str, tuple[int, int], int]]:
    """The moves from a pose: action, following pose, cost."""
    yield "turn left", (at, (facing - 1) % 4), 1
    yield "turn right", (at, (facing + 1) % 4), 1
    front = at + grid.steps[facing]
    if front in grid.walls:
        return
    door = grid.door_at.get(front)
    if door is not None and position.doors[door] == LOCKED:
        if after(grid, position._replace(at=at, facing=facing), "toggle").doors != position.doors:
            yield "toggle", (front, facing), 2
    elif door is not None and position.doors[door] == CLOSED:
        yield "toggle", (front, facing), 2
    elif front not in position.spots:
        yield "forward", (front, facing), 1
    elif position.held is None:
        yield "pick up", (front, facing), 2
    else:
        yield _laid_aside(grid, position), (front, facing), _HINDERED


def _laid_aside(grid: Grid, position: Position) -> str:
    """Drop what is carried, after a turn to a free cell."""
    return "drop" if "drop" in effective(grid, position) else "turn left"


def _planned(grid: Grid, aim: Aim | None, position: Position) -> list[str] | None:
    """A shortest plan for one task among the seen cells."""
    if aim is None:
        return None
    try:
        return shortest(grid, Mission.of_aims((aim,)), position, frozenset(), _BUDGET)
    except SearchLimit:
        return None


def _seen_aim(grid: Grid, known: Known, aim: Aim) -> Aim | None:
    """A task with its seen targets; None if one is missing."""
    what, beside = _seen_targets(grid, known, aim.what), _seen_targets(grid, known, aim.beside)
    missing = not (what.things or what.doors) or (bool(aim.beside.things or aim.beside.doors) and not any(beside))
    return None if missing else Aim(aim.verb, what, beside)


def _seen_targets(grid: Grid, known: Known, targets: Targets) -> Targets:
    things = (thing for thing in targets.things if known.seen >> grid.things[thing].spot & 1)
    return Targets(frozenset(things), frozenset(d for d in targets.doors if known.seen >> grid.doors[d].cell & 1))


def _seen_position(grid: Grid, known: Known) -> Position:
    """The position without the things that have not been seen."""
    spots = (spot if spot < 0 or known.seen >> spot & 1 else GONE for spot in known.position.spots)
    return known.position._replace(spots=tuple(spots))


def _inner(grid: Grid, cell: int) -> bool:
    y, x = divmod(cell, grid.width)
    return 0 < y < grid.height - 1 and 0 < x < grid.width - 1


def _open(grid: Grid, known: Known, cell: int) -> bool:
    """Whether a seen cell is not a wall."""
    return bool(known.seen >> cell & 1) and cell not in grid.walls


@lru_cache(maxsize=64)
def _seen_grid(content: str, seen: int) -> Grid:
    """The grid in which cells that have not been seen are walls."""
    grid: Any = json.loads(content)
    width = len(grid["rows"][0])
    rows = [
        "".join(sign if seen >> (y * width + x) & 1 else "#" for x, sign in enumerate(row))
        for y, row in enumerate(grid["rows"])
    ]
    return Grid({**grid, "rows": rows})
