"""A snake on a board with walls, and a careful player.

A cell is a number, row by row; a snake is a tuple of cells, its head first::

    stepped(6, frozenset(), (14, 15, 16), frozenset({13}), "left")    # (13, 14, 15, 16): it ate
    way(6, frozenset(), (14, 15, 16), (13,))                          # the steps of a player to the next apple
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Final

from envhub.core.seeding import Stream

Snake = tuple[int, ...]

STEPS: Final = ("up", "left", "down", "right")
_MOVES: Final = {"up": (-1, 0), "left": (0, -1), "down": (1, 0), "right": (0, 1)}
_FEWEST_WAYS: Final = 2
_WALLS_TRIED: Final = 200


def neighbour(size: int, cell: int, step: str) -> int | None:
    """The cell beside another one; None off the board."""
    row, column = cell // size + _MOVES[step][0], cell % size + _MOVES[step][1]
    return row * size + column if 0 <= row < size and 0 <= column < size else None


@lru_cache(maxsize=16)
def _around(size: int) -> tuple[tuple[tuple[str, int], ...], ...]:
    """The steps from each cell, with the cells that they reach."""
    found = []
    for cell in range(size * size):
        ways = [(step, neighbour(size, cell, step)) for step in STEPS]
        found.append(tuple((step, to) for step, to in ways if to is not None))
    return tuple(found)


def stepped(size: int, walls: Collection[int], snake: Snake, apples: Collection[int], step: str) -> Snake | None:
    """The snake after a step; None if it dies.

    It grows by the cell of an apple. Its tail moves on otherwise, so the head may enter the cell that the tail leaves.
    """
    head = neighbour(size, snake[0], step)
    if head is None or head in walls:
        return None
    rest = snake if head in apples else snake[:-1]
    return None if head in rest else (head, *rest)


def free(size: int, walls: Collection[int], snake: Snake, apples: Collection[int]) -> list[int]:
    """The empty cells, in order."""
    taken = {*walls, *snake, *apples}
    return [cell for cell in range(size * size) if cell not in taken]


def walled(rng: Stream, size: int, count: int) -> frozenset[int] | None:
    """Walls that leave a connected board without dead ends.

    None if this try did not find enough of them.
    """
    walls: set[int] = set()
    for _ in range(_WALLS_TRIED):
        if len(walls) == count:
            return frozenset(walls)
        cell = rng.below(size * size)
        if cell not in walls and _open(size, walls | {cell}):
            walls.add(cell)
    return frozenset(walls) if len(walls) == count else None


def _open(size: int, walls: Collection[int]) -> bool:
    """Whether a board is connected and has no dead ends.

    Each free cell needs two free neighbours.
    """
    cells = [cell for cell in range(size * size) if cell not in walls]
    around = _around(size)
    if any(sum(to not in walls for _, to in around[cell]) < _FEWEST_WAYS for cell in cells):
        return False
    return len(_reach(size, walls, cells[0])) == len(cells)


def _reach(size: int, blocked: Collection[int], start: int) -> dict[int, tuple[int, str] | None]:
    """The cells that can be reached, nearest first.

    Each comes with the cell and the step that lead to it.
    """
    around = _around(size)
    found: dict[int, tuple[int, str] | None] = {start: None}
    queue = [start]
    for cell in queue:
        for step, to in around[cell]:
            if to not in found and to not in blocked:
                found[to] = cell, step
                queue.append(to)
    return found


def _path(found: dict[int, tuple[int, str] | None], end: int) -> list[str]:
    """The steps from the start of a search to a cell."""
    steps: list[str] = []
    at = found[end]
    while at is not None:
        steps.append(at[1])
        at = found[at[0]]
    return steps[::-1]


def way(size: int, walls: Collection[int], snake: Snake, apples: Sequence[int]) -> list[str]:
    """The steps of a player who keeps its tail in reach.

    It goes the shortest way to an apple if its head can then still reach its tail. If no apple is safe, it takes one
    step that keeps its tail in reach, by the longest way. It does not know where apples will appear.
    """
    found = _reach(size, {*walls, *snake[:-1]}, snake[0])
    order = {cell: number for number, cell in enumerate(found)}
    for apple in sorted((apple for apple in apples if apple in found), key=order.__getitem__):
        steps = _path(found, apple)
        after = _followed(size, walls, snake, apples, steps)
        if after is not None and _safe(size, walls, after):
            return steps
    ways = [(step, after) for step, after in _living(size, walls, snake, apples)]
    safe = [(step, after) for step, after in ways if _safe(size, walls, after)]
    if safe:
        return [max(safe, key=lambda found: _far(size, walls, found[1]))[0]]
    return [
        max(ways, key=lambda found: len(_reach(size, {*walls, *found[1][1:]}, found[1][0])))[0] if ways else STEPS[0]
    ]


def nearest(size: int, walls: Collection[int], snake: Snake, apples: Sequence[int]) -> str:
    """The step of a player who goes straight to an apple.

    It only avoids dying in this step.
    """
    ways = [(step, after[0]) for step, after in _living(size, walls, snake, apples)]

    def distance(cell: int) -> int:
        row, column = divmod(cell, size)
        return min((abs(row - apple // size) + abs(column - apple % size) for apple in apples), default=0)

    return min(ways, key=lambda found: distance(found[1]))[0] if ways else STEPS[0]


def _living(size: int, walls: Collection[int], snake: Snake, apples: Collection[int]) -> Iterator[tuple[str, Snake]]:
    """The steps that do not kill, with the snake after them."""
    for step in STEPS:
        after = stepped(size, walls, snake, apples, step)
        if after is not None:
            yield step, after


def _followed(
    size: int, walls: Collection[int], snake: Snake, apples: Collection[int], steps: Sequence[str]
) -> Snake | None:
    """The snake after several steps; None if it dies."""
    left = set(apples)
    for step in steps:
        after = stepped(size, walls, snake, left, step)
        if after is None:
            return None
        left.discard(after[0])
        snake = after
    return snake


def _safe(size: int, walls: Collection[int], snake: Snake) -> bool:
    """Whether the head can reach the tail."""
    return snake[-1] in _reach(size, {*walls, *snake[1:-1]}, snake[0])


def _far(size: int, walls: Collection[int], snake: Snake) -> int:
    """The steps from the head to the tail."""
    return len(_path(_reach(size, {*walls, *snake[1:-1]}, snake[0]), snake[-1]))
