"""Grid mazes: carving, distances, symmetry.

A maze is a width and a text of one hexadecimal digit per cell, row by row from the north-west: the sum of 1 (open to
the north), 2 (east), 4 (south) and 8 (west). A cell is its index in that text::

    cells = carve(rng, 5, 5, loops=0)
    distances(5, cells, goal=24)[0]     # steps from the north-west corner to the south-east one
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from envhub.core.seeding import Stream

DIRECTIONS: Final = {"north": (0, -1, 1), "east": (1, 0, 2), "south": (0, 1, 4), "west": (-1, 0, 8)}
"""Steps by name: column change, row change, and the bit of an opening."""

_CARVED: Final = 24
_OPPOSITE: Final = {1: 4, 2: 8, 4: 1, 8: 2}


def carve(rng: Stream, width: int, height: int, loops: int) -> str:
    """Carve a perfect maze, then remove some walls.

    Args:
        rng: Source of randomness.
        width: Cells per row.
        height: Rows.
        loops: Percentage of the remaining inner walls to remove; 0 leaves a perfect maze.
    """
    opened = [0] * (width * height)
    stack = [rng.below(width * height)]
    seen = {stack[0]}
    while stack:
        cell = stack[-1]
        free = [(to, bit) for to, bit in _beside(cell, width, height) if to not in seen]
        if not free:
            stack.pop()
            continue
        to, bit = rng.choice(free)
        _open(opened, cell, to, bit)
        seen.add(to)
        stack.append(to)
    walls = [
        (cell, to, bit)
        for cell in range(width * height)
        for to, bit in _beside(cell, width, height)
        if cell < to and not opened[cell] & bit
    ]
    for cell, to, bit in rng.sample(walls, len(walls) * loops // 100):
        _open(opened, cell, to, bit)
    return "".join(f"{bits:x}" for bits in opened)


def _beside(cell: int, width: int, height: int) -> list[tuple[int, int]]:
    y, x = divmod(cell, width)
    return [
        (cell + dx + dy * width, bit)
        for dx, dy, bit in DIRECTIONS.values()
        if 0 <= x + dx < width and 0 <= y + dy < height
    ]


def _open(opened: list[int], cell: int, to: int, bit: int) -> None:
    opened[cell] |= bit
    opened[to] |= _OPPOSITE[bit]


def step(width: int, cells: str, cell: int, direction: str) -> int | None:
    """The cell that a step leads to; None at a wall."""
    dx, dy, bit = DIRECTIONS[direction]
    return cell + dx + dy * width if int(cells[cell], 16) & bit else None


@lru_cache(maxsize=64)
def distances(width: int, cells: str, goal: int) -> tuple[int, ...]:
    """Steps to the goal from every cell; -1 if unreachable."""
    found = [-1] * len(cells)
    found[goal] = 0
    queue = deque([goal])
    while queue:
        cell = queue.popleft()
        for direction in DIRECTIONS:
            to = step(width, cells, cell, direction)
            if to is not None and found[to] < 0:
                found[to] = found[cell] + 1
                queue.append(to)
    return tuple(found)


def reaching(width: int, cells: str, goals: Iterable[int], least: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The goals with a cell at this distance, in order.

    With their :func:`distances`. A goal too near to everything bounds the distances of the others (through it), so few
    of them are searched from.
    """
    most = [len(cells)] * len(cells)
    for goal in goals:
        if most[goal] < least:
            continue
        far = distances.__wrapped__(width, cells, goal)
        longest = max(far)
        if longest >= least:
            yield goal, far
        else:
            most = [min(bound, longest + steps) for bound, steps in zip(most, far, strict=True)]


@lru_cache(maxsize=256)
def reaches(size: int, loops: int, least: int) -> bool:
    """Whether square mazes can have two cells this far apart.

    Proved, or seen in a sample.
    """
    if least <= 2 * (size - 1):
        return True  # opposite corners are
    mazes = (carve(Stream(b"reaches", size, loops, number), size, size, loops) for number in range(_CARVED))
    return any(next(reaching(size, cells, range(len(cells)), least), None) for cells in mazes)


def canonical(width: int, cells: str, start: int, goal: int) -> list[object]:
    """The least of the eight rotations and reflections."""
    forms: list[tuple[int, str, int, int]] = []
    form = (width, cells, start, goal)
    for _ in range(4):
        forms.append(form)
        forms.append(_turned(*form, _MIRROR))
        form = _turned(*form, _QUARTER)
    return list(min(forms))


_QUARTER: Final = str.maketrans("0123456789abcdef", "".join(f"{(b << 1 | b >> 3) & 15:x}" for b in range(16)))
_MIRROR: Final = str.maketrans(
    "0123456789abcdef", "".join(f"{b & 5 | (b & 2) << 2 | (b & 8) >> 2:x}" for b in range(16))
)


def _turned(width: int, cells: str, start: int, goal: int, table: dict[int, int]) -> tuple[int, str, int, int]:
    """A quarter turn clockwise, or a reflection, by its opening table.

    The reflection exchanges east and west.
    """
    height = len(cells) // width
    rows = [list(range(y * width, (y + 1) * width)) for y in range(height)]
    new = [list(row) for row in zip(*rows[::-1], strict=True)] if table is _QUARTER else [row[::-1] for row in rows]
    order = [cell for row in new for cell in row]
    text = "".join([cells[cell] for cell in order]).translate(table)
    return len(new[0]), text, order.index(start), order.index(goal)


def view(width: int, cells: str, cell: int, goal: int, radius: int) -> str:
    """The view around a cell, with numbered columns and rows.

    ``maze-v0`` has the legend.
    """
    y, x = divmod(cell, width)
    height = len(cells) // width
    left, right = max(0, x - radius), min(width - 1, x + radius)
    top, bottom = max(0, y - radius), min(height - 1, y + radius)
    columns = range(left + 1, right + 2)
    tens = ["   " + "".join(f" {column // 10 or ' '}" for column in columns).rstrip()] if right >= 9 else []
    lines = [*tens, "   " + "".join(f" {column % 10}" for column in columns)]
    for row in range(top, bottom + 1):
        above, along = "   #", f"{row + 1:>2} "
        for at in range(row * width + left, row * width + right + 1):
            bits = int(cells[at], 16)
            above += (" " if bits & 1 else "#") + "#"
            if at == row * width + left:
                along += " " if bits & 8 else "#"
            along += "A" if at == cell else "E" if at == goal else "."
            along += " " if bits & 2 else "#"
        lines += [above, along]
    last = range(bottom * width + left, bottom * width + right + 1)
    return "\n".join([*lines, "   #" + "".join((" " if int(cells[at], 16) & 4 else "#") + "#" for at in last)])


def explore(width: int, cells: str, start: int, goal: int, radius: int) -> int:
    """Steps of a walker with limited sight and perfect memory.

    It assumes that unseen walls are open, and always follows a shortest path to the goal. Sets of cells are bit sets here.
    """
    count = len(cells)
    inner_east, inner_south = _walled(width, count, "f" * count)
    open_east, open_south = _walled(width, count, cells)
    seen, cell, steps = 0, start, 0
    while cell != goal:
        seen |= _window(width, count, cell, radius)
        known_east, known_south = seen | seen >> 1, seen | seen >> width  # a wall is seen from either side
        east = inner_east & ~known_east | open_east & known_east
        south = inner_south & ~known_south | open_south & known_south
        nearer = _nearer(width, east, south, goal, cell)
        ways = (
            (cell - width, south, cell - width),
            (cell + 1, east, cell),
            (cell + width, south, cell),
            (cell - 1, east, cell - 1),
        )
        cell = next(to for to, opened, at in ways if at >= 0 and opened >> at & nearer >> to & 1)
        steps += 1
    return steps


def _walled(width: int, count: int, cells: str) -> tuple[int, int]:
    """The cells open to the east, and to the south."""
    east = sum(1 << at for at, bits in enumerate(cells) if int(bits, 16) & 2 and (at + 1) % width)
    south = sum(1 << at for at, bits in enumerate(cells) if int(bits, 16) & 4 and at + width < count)
    return east, south


def _window(width: int, count: int, cell: int, radius: int) -> int:
    """The cells seen from a cell."""
    y, x = divmod(cell, width)
    left, right = max(0, x - radius), min(width - 1, x + radius)
    line = (1 << right + 1) - (1 << left)
    return sum(line << row * width for row in range(max(0, y - radius), min(count // width, y + radius + 1)))


def _nearer(width: int, east: int, south: int, goal: int, cell: int) -> int:
    """All cells one step nearer to the goal."""
    here, before, frontier, reached = 1 << cell, 0, 1 << goal, 1 << goal
    while not frontier & here:
        sideways = (frontier & east) << 1 | frontier >> 1 & east
        upright = (frontier & south) << width | frontier >> width & south
        before, frontier = frontier, (sideways | upright) & ~reached
        reached |= frontier
    return before
