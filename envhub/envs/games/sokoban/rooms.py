"""Sokoban rooms: drawing, and exact push distances of solvable positions.

A room is a width and bits: cell ``row * width + column`` is bit number that; its border is wall. A position is the
boxes and the cells that the player can walk to. Distances are found backwards: from the boxes on the goals, by pulls::

    room = carve(rng, 6, 6, walls=20)
    far = distances(room, goals, None)       # pushes to the end, by position; what is not in it cannot be solved
    solution(room, goals, boxes, player)     # "uurrdl", by fewest pushes
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from typing import Final, NamedTuple

from envhub.core.seeding import Stream

MOVES: Final = ("up", "left", "down", "right")
Position = tuple[int, int]
"""Boxes, and the player's reachable cells: both as bits."""


class Room(NamedTuple):
    """The cells per row, border included, and the floor as bits."""

    width: int
    floor: int

    @property
    def steps(self) -> tuple[int, int, int, int]:
        """The change of the cell index for each of :data:`MOVES`."""
        return -self.width, -1, self.width, 1


def carve(rng: Stream, columns: int, rows: int, walls: int) -> Room | None:
    """A connected room with about ``walls`` per cent inner wall.

    None if it falls apart.
    """
    width = columns + 2
    inner = [row * width + column for row in range(1, rows + 1) for column in range(1, columns + 1)]
    kept = rng.sample(inner, len(inner) - len(inner) * walls // 100)
    room = Room(width, sum(1 << cell for cell in kept))
    return room if walkable(room, 0, kept[0]) == room.floor else None


def walkable(room: Room, boxes: int, player: int) -> int:
    """The cells that the player can walk to, as bits."""
    width, free, reached = room.width, room.floor & ~boxes, 1 << player
    while True:
        wider = (reached | reached << 1 | reached >> 1 | reached << width | reached >> width) & free
        if wider == reached:
            return reached
        reached = wider


def cells(bits: int) -> list[int]:
    """The cells of bits, in order."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def distances(room: Room, goals: int, most: int | None) -> dict[Position, int]:
    """Fewest pushes to the end from every position within ``most``."""
    free = room.floor & ~goals
    far: dict[Position, int] = {}
    while free:  # the player may end on any side
        reached = walkable(room, goals, (free & -free).bit_length() - 1)
        far[goals, reached] = 0
        free &= ~reached
    queue = deque(far)
    parts: dict[int, list[int]] = {}
    while queue:
        position = queue.popleft()
        pushes = far[position] + 1
        if most is not None and pushes > most:
            break
        for before in _pulled(room, *position, parts):
            if before not in far:
                far[before] = pushes
                queue.append(before)
    return far


def _pulled(room: Room, boxes: int, reached: int, parts: dict[int, list[int]]) -> list[Position]:
    """The positions one push before this one.

    Args:
        room: The room.
        boxes: The boxes as bits.
        reached: The cells that the player can walk to.
        parts: By boxes, the parts of the floor found so far; most pulls lead to boxes seen before.
    """
    found = []
    free, width = room.floor & ~boxes, room.width
    # boxes with the player behind them and room behind the player, by direction as in MOVES
    up, left = boxes & reached << width & free << 2 * width, boxes & reached << 1 & free << 2
    down, right = boxes & reached >> width & free >> 2 * width, boxes & reached >> 1 & free >> 2
    pulls = tuple(zip((up, left, down, right), room.steps, strict=True))
    for box in cells(up | left | down | right):
        without = boxes ^ 1 << box
        for movable, step in pulls:
            if movable >> box & 1:
                moved, stand = without | 1 << box + step, box + 2 * step
                known = parts.setdefault(moved, [])
                for part in known:
                    if part >> stand & 1:
                        break
                else:
                    part = walkable(room, moved, stand)
                    known.append(part)
                found.append((moved, part))
    return found


@lru_cache(maxsize=16)
def _table(room: Room, goals: int) -> dict[Position, int]:
    return distances(room, goals, None)


def moved(room: Room, boxes: int, player: int, move: str) -> tuple[int, int]:
    """Boxes and player after a move; unchanged if it is blocked."""
    step = room.steps[MOVES.index(move)]
    to, beyond = player + step, player + 2 * step
    if not room.floor >> to & 1:
        return boxes, player
    if not boxes >> to & 1:
        return boxes, to
    if not room.floor >> beyond & 1 or boxes >> beyond & 1:
        return boxes, player
    return boxes ^ (1 << to | 1 << beyond), to


def solution(
    room: Room, goals: int, boxes: int, player: int, far: dict[Position, int] | None = None, pushes: int | None = None
) -> list[str] | None:
    """Moves of a solution by fewest pushes; None if unsolvable.

    With ``pushes``, only its first moves up to that number of pushes.
    """
    far = _table(room, goals) if far is None else far
    if (boxes, walkable(room, boxes, player)) not in far:
        return None
    moves: list[str] = []
    while boxes != goals and pushes != 0:
        ways = _ways(room, boxes, player)
        options = []
        for stand, walk in ways.items():
            for move, step in zip(MOVES, room.steps, strict=True):
                after, at = moved(room, boxes, stand, move)
                if after != boxes:
                    left = far.get((after, walkable(room, after, at)))
                    if left is not None:
                        options.append((left, len(walk), move, stand, step))
        _, _, move, stand, step = min(options)
        moves += [*ways[stand], move]
        boxes, player = moved(room, boxes, stand, move)
        pushes = None if pushes is None else pushes - 1
    return moves


def _ways(room: Room, boxes: int, player: int) -> dict[int, list[str]]:
    """The shortest walk to every cell that is reachable without a push."""
    ways: dict[int, list[str]] = {player: []}
    queue = deque([player])
    while queue:
        cell = queue.popleft()
        for move, step in zip(MOVES, room.steps, strict=True):
            to = cell + step
            if to not in ways and (room.floor & ~boxes) >> to & 1:
                ways[to] = [*ways[cell], move]
                queue.append(to)
    return ways


def draw(room: Room, goals: int, boxes: int, player: int) -> list[str]:
    """The rows of a room.

    # wall, - floor, . goal, $ box, * box on a goal, @ player, + player on a goal.
    """
    height = room.floor.bit_length() // room.width + 2
    rows = []
    for row in range(height):
        line = ""
        for cell in range(row * room.width, (row + 1) * room.width):
            goal = goals >> cell & 1
            if cell == player:
                line += "+" if goal else "@"
            elif boxes >> cell & 1:
                line += "*" if goal else "$"
            else:
                line += "." if goal else "-" if room.floor >> cell & 1 else "#"
        rows.append(line)
    return rows


def read(rows: list[str]) -> tuple[Room, int, int, int]:
    """Parse the output of :func:`draw`: room, goals, boxes, player."""
    text, width = "".join(rows), len(rows[0])
    bits = {mark: sum(1 << cell for cell, found in enumerate(text) if found == mark) for mark in "#.$*@+"}
    floor = ((1 << len(text)) - 1) & ~bits["#"]
    player = (bits["@"] | bits["+"]).bit_length() - 1
    return Room(width, floor), bits["."] | bits["*"] | bits["+"], bits["$"] | bits["*"], player
