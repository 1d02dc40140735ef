"""Graphs: the scene of nodes and edges.

The nodes of a graph are on a circle, so no edge runs through a node that it does not end at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import cos, hypot, pi, sin
from typing import Final

from envhub.scenes.grid import fitting
from envhub.scenes.shapes import Line, Oval, Polygon, Rect, Scene, Shape, Text

Point = tuple[int, int]
Edge = Sequence[object]
"""Two names of nodes, and a number if edges have one."""

_NODE: Final = 20
_STEP: Final = 60
_ARROW: Final = 11
_LABEL: Final = 13
_MARGIN: Final = 34
_ALONG: Final = (50, 38, 62, 28, 72, 20, 80)  # places of a number on its edge, in percent; the first free one is taken


def network(nodes: Sequence[str], edges: Sequence[Edge], *, directed: bool = False, title: str = "") -> Scene:
    """A graph with its nodes on a circle.

    Nodes are in the given order, clockwise from the top.
    """
    radius = max(110, 15 * len(nodes))
    middle = radius + _MARGIN
    shapes: list[Shape] = [Text(8, 12, title, 16, anchor="start")] if title else []
    turn = 2 * pi / max(1, len(nodes))
    at = {
        name: (middle + round(radius * sin(turn * k)), middle - round(radius * cos(turn * k)))
        for k, name in enumerate(nodes)
    }
    pairs = {(edge[0], edge[1]) for edge in edges}
    for edge in edges:
        both = directed and (edge[1], edge[0]) in pairs
        shapes += _edge(at[str(edge[0])], at[str(edge[1])], directed, both)
    shapes += _numbers(edges, at)
    for name, place in at.items():
        shapes += _node(name, place)
    return Scene(2 * middle, 2 * middle, tuple(shapes))


def tree(children: Mapping[str, Sequence[str]], root: str) -> Scene:
    """A rooted tree, with its root at the top.

    Children are in order from left to right.
    """
    order, depth = [root], {root: 0}
    for node in order:  # grows while it is walked: the nodes level by level
        order += children[node]
        depth |= dict.fromkeys(children[node], depth[node] + 1)
    across = _across(children, root)
    at = {node: (_MARGIN + across[node] * _STEP // 2, _MARGIN + depth[node] * _STEP) for node in order}
    shapes: list[Shape] = [Line((at[node], at[child]), "dark", 2) for node in order for child in children[node]]
    for name, place in at.items():
        shapes += _node(name, place)
    width, height = (max(place[axis] for place in at.values()) + _MARGIN for axis in (0, 1))
    return Scene(width, height, tuple(shapes))


def _across(children: Mapping[str, Sequence[str]], root: str) -> dict[str, int]:
    """The horizontal place of each node, in half steps.

    Leaves are side by side, other nodes over the middle of their children.
    """
    found: dict[str, int] = {}

    def place(node: str, first: int) -> int:
        """Places a node and those below; returns the next free place."""
        free = first
        for child in children[node]:
            free = place(child, free)
        below = [found[child] for child in children[node]]
        found[node] = (below[0] + below[-1]) // 2 if below else first
        return max(free, first + 2)

    place(root, 0)
    return found


def _node(name: str, place: Point) -> list[Shape]:
    return [Oval(*place, _NODE, _NODE, "tint0", "ink", 2), Text(*place, name, fitting(name, 2 * _NODE - 6, 16))]


def _edge(one: Point, other: Point, directed: bool, both: bool) -> Iterator[Shape]:
    """A line, with arrow heads if directed."""
    yield Line((one, other), "dark", 2)
    if directed:
        yield _arrow(one, other)
    if both:
        yield _arrow(other, one)


def _arrow(one: Point, other: Point) -> Polygon:
    length = hypot(other[0] - one[0], other[1] - one[1]) or 1.0
    right, down = (other[0] - one[0]) / length, (other[1] - one[1]) / length
    tip = other[0] - right * (_NODE + 1), other[1] - down * (_NODE + 1)
    base = tip[0] - right * _ARROW, tip[1] - down * _ARROW
    half = _ARROW / 2
    points = (tip, (base[0] - down * half, base[1] + right * half), (base[0] + down * half, base[1] - right * half))
    return Polygon(tuple((round(x), round(y)) for x, y in points), "dark")


def _numbers(edges: Sequence[Edge], at: dict[str, Point]) -> Iterator[Shape]:
    """The numbers of the edges, placed where they can be read.

    Away from other numbers and from other edges, as far as there is room.
    """
    lines = [(at[str(edge[0])], at[str(edge[1])]) for edge in edges]
    taken: list[Point] = []
    for number, edge in enumerate(edges):
        if len(edge) < 3:
            continue
        one, other = lines[number]
        places = [
            (one[0] + (other[0] - one[0]) * share // 100, one[1] + (other[1] - one[1]) * share // 100)
            for share in _ALONG
        ]
        others = [line for k, line in enumerate(lines) if k != number]
        x, y = max(places, key=lambda place: _space(place, taken, others))
        taken.append((x, y))
        text = str(edge[2])
        half = _LABEL * len(text) * 31 // 100 + 3
        yield Rect(x - half, y - _LABEL // 2 - 1, 2 * half, _LABEL + 2, "paper")
        yield Text(x, y, text, _LABEL)


def _space(place: Point, taken: Sequence[Point], lines: Sequence[tuple[Point, Point]]) -> int:
    """Free room around a place.

    The distance to other numbers and edges; beyond what is needed, more is no better.
    """
    numbers = min((int(hypot(place[0] - x, place[1] - y)) for x, y in taken), default=1000)
    near = min((_distance(place, line) for line in lines), default=1000)
    return min(numbers, 24) + min(near, 14)


def _distance(place: Point, line: tuple[Point, Point]) -> int:
    (ax, ay), (bx, by) = line
    dx, dy = bx - ax, by - ay
    share = ((place[0] - ax) * dx + (place[1] - ay) * dy) / ((dx * dx + dy * dy) or 1)
    share = min(1.0, max(0.0, share))
    return int(hypot(place[0] - ax - share * dx, place[1] - ay - share * dy))
