"""Parts on graphs, commands and single numbers."""

from __future__ import annotations

from typing import Any, Final

from envhub.generators.programs.kinds import INT, INTS
from envhub.generators.programs.part import Part, always, between, one_of
from envhub.generators.programs.walk_kinds import GRAPH, MOVES


def distances(
    count: int, edges: list[list[int]], start: int, missing: int, both: bool = False, closed: int | None = None
) -> list[int]:
    found = [missing] * count
    found[start] = 0
    queue = [start]
    while queue:
        node = queue.pop(0)
        if closed is not None and node != start and node % closed == 0:
            continue
        for a, b in edges:
            if a == node and found[b] == missing and b != start:
                found[b] = found[node] + 1
                queue.append(b)
            if both and b == node and found[a] == missing and a != start:
                found[a] = found[node] + 1
                queue.append(a)
    return found


def _distances(p: Any) -> str:
    ways = "in both directions" if p.both else "only from a to b"
    closed = (
        f" A path may not go on from a node whose number is divisible by {p.closed} (0 is), unless it is the start; "
        "it may end there."
        if p.closed
        else ""
    )
    return (
        f"An edge [a, b] may be walked {ways}. The result is a list with, for every node from 0 to count - 1, the "
        "smallest number of edges on a "
        f"path from start to it: 0 for start itself, {p.missing} where there is no path.{closed}"
    )


def walk(
    count: int, edges: list[list[int]], start: int, high: bool = False, most: int | None = None, back: bool = False
) -> list[int]:
    seen = [start]
    path = [start]
    while path:
        node = path[-1]
        ways = [b for a, b in edges if a == node and b not in seen] + [
            a for a, b in edges if b == node and a not in seen
        ]
        if most is not None and len(seen) > most:
            ways = []
        if ways:
            found = max(ways) if high and len(seen) % 2 == 1 else min(ways)
            seen.append(found)
            path.append(found)
        elif back:
            path.pop()
        else:
            path = []
    return seen


def _walk(p: Any) -> str:
    which = (
        "the largest such node if the number of nodes visited so far is odd, and the smallest if it is even"
        if p.high
        else "the smallest such node"
    )
    stuck = (
        "When there is none, go back to the node from which the current one was first reached and continue there; at "
        "start the walk then ends."
        if p.back
        else "When there is none, the walk ends."
    )
    most = f" No new node is visited once more than {p.most} nodes have been visited." if p.most else ""
    return (
        "Edges may be walked in both directions. A walk begins at start, which counts as visited. From the current "
        "node it goes to a node that an "
        f"edge joins to it and that has not been visited: to {which}. {stuck}{most} The result is the list of "
        "visited nodes in the order of their "
        "first visit, with start in front."
    )


def robot(
    commands: list[str], size: int, ring: bool = False, bounce: bool = False, tax: int | None = None
) -> list[int]:
    x = 0
    y = 0
    dx = 0
    dy = 1
    for at, command in enumerate(commands):
        if command == "L":
            dx, dy = -dy, dx
        elif command == "R":
            dx, dy = dy, -dx
        else:
            for _ in range(int(command[1:])):
                if ring:
                    x = (x + dx) % size
                    y = (y + dy) % size
                elif 0 <= x + dx < size and 0 <= y + dy < size:
                    x += dx
                    y += dy
                elif bounce:
                    dx, dy = -dx, -dy
                else:
                    break
        if tax is not None and at % tax == tax - 1:
            x, y = y, x
    return [x, y, dx, dy]


def _robot(p: Any) -> str:
    if p.ring:
        edge = "The field is closed: a step over an edge leads to the opposite edge."
    elif p.bounce:
        edge = "A step that would lead out of the field is not made; the robot turns around instead (that uses up the step)."
    else:
        edge = "A step that would lead out of the field is not made, and the rest of this command is dropped."
    tax = (
        f" After every {p.tax} commands (counted from the first, turns included) x and y are exchanged; the "
        "direction stays."
        if p.tax
        else ""
    )
    return (
        f"A robot moves on a field of {p.size} by {p.size} cells with coordinates x and y from 0 to {p.size - 1}. It "
        "starts at (0, 0) with the "
        "direction (dx, dy) = (0, 1). 'L' changes the direction from (dx, dy) to (-dy, dx), 'R' to (dy, -dx). 'F' "
        "followed by a number makes so "
        f"many steps, each adding dx to x and dy to y. {edge}{tax} The result is the list [x, y, dx, dy] at the end."
    )


def iterate(number: int, steps: int, m: int, c: int, odd: int = 3, stop: int | None = None) -> list[int]:
    value = number % m
    found = [value]
    for _ in range(steps):
        if stop is not None and value < stop:
            break
        if value % 2 == 0:
            value = (value // 2 + c) % m
        else:
            value = (odd * value + 1) % m
        found.append(value)
    return found


def _iterate(p: Any) -> str:
    stop = f" It ends sooner, before a step, if v is less than {p.stop}." if p.stop is not None else ""
    return (
        f"Start with v = the remainder of the number when divided by {p.m}. Do {p.steps} steps: if "
        "v is even, v becomes v / 2 + "
        f"{p.c}, otherwise {p.odd or 3} * v + 1; in both cases reduced to its remainder when divided by {p.m}.{stop} "
        "The result is the list of "
        "all values of v, with the first one."
    )


PARTS: Final = (
    Part(
        distances,
        GRAPH,
        INTS,
        _distances,
        {"missing": one_of(-1, -2, -5, -9, -10)},
        {"both": always, "closed": between(2, 4)},
    ),
    Part(walk, GRAPH, INTS, _walk, {}, {"high": always, "most": between(2, 6), "back": always}),
    Part(
        robot, MOVES, INTS, _robot, {"size": between(3, 12)}, {"ring": always, "bounce": always, "tax": between(2, 5)}
    ),
    Part(
        iterate,
        INT,
        INTS,
        _iterate,
        {"steps": between(4, 12), "m": between(60, 999), "c": between(0, 40)},
        {"odd": one_of(5, 7, 9), "stop": between(5, 30)},
    ),
)
