"""Graphs: the scene of nodes and edges.

The nodes are on a circle, so no edge runs through a node that it does not end at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import cos, hypot, pi, sin
from typing import Final

from envhub.scenes.grid import fitting
from envhub.scenes.shapes import Line, Oval, Polygon, Rect, Scene, Shape, Text

Point = tuple[int, int]
Edge = Sequence[object]
"""Two names of nodes, and a number if edges have one."""

_NODE: Final = 20
_ARROW: Final = 11
_LABEL: Final = 13
_MARGIN: Final = 34
_ALONG: Final = (50, 38, 62, 28, 72, 20, 80)  # places of a number on its edge, in percent; the first free one is taken


def network(nodes: Sequence[str], edges: Sequence[Edge], *, directed: bool = False) -> Scene:
    """A graph on a circle, its nodes in the given order, clockwise from the top."""
    radius = max(90, 13 * len(nodes))
    middle = radius + _MARGIN
    turn = 2 * pi / max(1, len(nodes))
    at = {
        name: (middle + round(radius * sin(turn * k)), middle - round(radius * cos(turn * k)))
        for k, name in enumerate(nodes)
    }
    pairs = {(edge[0], edge[1]) for edge in edges}
    shapes: list[Shape] = []
    for edge in edges:
        both = directed and (edge[1], edge[0]) in pairs
        shapes += _edge(at[str(edge[0])], at[str(edge[1])], directed, both)
    shapes += _numbers(edges, at)
    for name, (x, y) in at.items():
        shapes += [Oval(x, y, _NODE, _NODE, "tint0", "ink", 2), Text(x, y, name, fitting(name, 2 * _NODE - 6, 16))]
    return Scene(2 * middle, 2 * middle, tuple(shapes))


def tree(nodes: Sequence[str], children: Callable[[str], Sequence[str]], root: str) -> Scene:
    """A rooted tree, the root at the top and children from left to right."""
    across: dict[str, int] = {}
    depth = {root: 0}
    order: list[str] = []
    stack = [root]
    while stack:
        order.append(node := stack.pop())
        for child in reversed(children(node)):
            depth[child] = depth[node] + 1
            stack.append(child)
    leaves = 0
    for node in order:
        if not children(node):
            across[node], leaves = leaves * 2, leaves + 1
    for node in reversed(order):
        below = [across[child] for child in children(node)]
        if below:
            across[node] = (below[0] + below[-1]) // 2
    step = 3 * _NODE
    at = {node: (_MARGIN + across[node] * step // 2, _MARGIN + depth[node] * step) for node in nodes if node in depth}
    shapes: list[Shape] = [Line((at[node], at[child])) for node in order for child in children(node)]
    for name, (x, y) in at.items():
        shapes += [Oval(x, y, _NODE, _NODE, "tint0", "ink", 2), Text(x, y, name, fitting(name, 2 * _NODE - 6, 16))]
    width = max(x for x, _ in at.values()) + _MARGIN
    return Scene(width, max(y for _, y in at.values()) + _MARGIN, tuple(shapes))


def _edge(one: Point, other: Point, directed: bool, both: bool) -> Iterator[Shape]:
    """A line, with an arrow head at its end if directed, and at each end if there are both directions."""
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
    """The numbers of the edges, each where it covers no other and no other edge is as near, if there is such a place."""
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
    """Room around a place: distance to numbers, or to other edges where this is less; enough room is as good as more."""
    numbers = min((int(hypot(place[0] - x, place[1] - y)) for x, y in taken), default=1000)
    near = min((_distance(place, line) for line in lines), default=1000)
    return min(numbers, 24) + min(near, 14)


def _distance(place: Point, line: tuple[Point, Point]) -> int:
    (ax, ay), (bx, by) = line
    dx, dy = bx - ax, by - ay
    share = ((place[0] - ax) * dx + (place[1] - ay) * dy) / ((dx * dx + dy * dy) or 1)
    share = min(1.0, max(0.0, share))
    return int(hypot(place[0] - ax - share * dx, place[1] - ay - share * dy))
