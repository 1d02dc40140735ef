"""Colourings with the fewest colours: the most constrained node first, with backtracking."""

from __future__ import annotations

from envhub.generators.graphs.graph import Graph, Node
from envhub.generators.optimum import Optimum


def fewest_colors(graph: Graph, limit: int) -> Optimum | None:
    """A proper colouring with the fewest colours, numbered from 1.

    None if the search takes too long.

    A step is a neighbour compared with a colour.

    Args:
        graph: A graph.
        limit: Greatest number of steps.
    """
    steps = 0
    for count in range(1, len(graph.nodes) + 1):
        found, tried = _coloring(graph, count, limit - steps)
        steps += tried
        if steps > limit:
            return None
        if found is not None:
            return Optimum(count, tuple((node, found[node]) for node in graph.nodes), steps)
    raise AssertionError("as many colours as nodes are always enough")


def _coloring(graph: Graph, count: int, limit: int) -> tuple[dict[Node, int] | None, int]:
    """A proper colouring with at most ``count`` colours, and the steps.

    None without such a colouring, or after ``limit`` steps.
    """
    color: dict[Node, int] = {}
    steps = 0

    def pressure(node: Node) -> tuple[int, int]:
        near = graph.near[node]
        return len({color[other] for other in near if other in color}), len(near)

    def search() -> bool:
        nonlocal steps
        left = [node for node in graph.nodes if node not in color]
        if not left:
            return True
        node = max(left, key=pressure)
        used = {color[other] for other in graph.near[node] if other in color}
        for number in range(1, min(count, max(color.values(), default=0) + 1) + 1):
            steps += len(graph.near[node])
            if steps > limit:
                return False
            if number not in used:
                color[node] = number
                if search():
                    return True
                del color[node]
        return False

    return (color if search() else None), steps


def greedy_coloring(graph: Graph) -> tuple[tuple[Node, int], ...]:
    """Each node in order, with its smallest free colour."""
    color: dict[Node, int] = {}
    for node in graph.nodes:
        used = {color[other] for other in graph.near[node] if other in color}
        color[node] = next(number for number in range(1, len(graph.nodes) + 1) if number not in used)
    return tuple((node, color[node]) for node in graph.nodes)
