"""Walks through everything: cheapest tours, Hamiltonian paths, Eulerian trails."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from envhub.generators.graphs.graph import Graph, Node
from envhub.generators.optimum import Optimum


def cheapest_tour(graph: Graph) -> Optimum:
    """A cheapest closed tour of a complete graph (Held and Karp).

    A step is a partial tour extended.
    """
    count = len(graph.nodes)
    cost = [[graph.near[one].get(other, 0) for other in graph.nodes] for one in graph.nodes]
    last = count - 1  # tours begin and end there
    best: list[dict[int, int]] = [{} for _ in range(1 << last)]
    before: dict[tuple[int, int], int] = {}
    for node in range(last):
        best[1 << node][node] = cost[last][node]
    steps = last
    for mask in range(1, 1 << last):
        for node, spent in best[mask].items():
            for other in range(last):
                if mask >> other & 1:
                    continue
                steps += 1
                reach, grown = best[mask | 1 << other], spent + cost[node][other]
                if other not in reach or grown < reach[other]:
                    reach[other] = grown
                    before[mask | 1 << other, other] = node
    mask = (1 << last) - 1
    value, node = min((spent + cost[node][last], node) for node, spent in best[mask].items())
    tour = [last, node]
    while (mask, node) in before:
        mask, node = mask & ~(1 << node), before[mask, node]
        tour.append(node)
    return Optimum(value, tuple(graph.nodes[at] for at in (*tour, last)), steps)


def nearest_tour(graph: Graph) -> tuple[Node, ...]:
    """From the first node always to the nearest new node, and back."""
    tour = [graph.nodes[0]]
    while len(tour) < len(graph.nodes):
        near = graph.near[tour[-1]]
        tour.append(min((node for node in graph.nodes if node not in tour), key=lambda node: near[node]))
    return (*tour, tour[0])


def hamiltonian(graph: Graph, *, closed: bool, limit: int) -> Optimum | None:
    """A path or cycle through every node.

    None if no such path exists, or if the search takes too long.

    It continues with the neighbour that has the fewest free neighbours, and returns from dead ends. A step is a node tried.

    Args:
        graph: A graph.
        closed: Whether to find a cycle, which is returned with its first node at both ends.
        limit: Greatest number of steps.
    """
    steps = 0
    near = graph.near

    def search(path: list[Node], free: dict[Node, None]) -> bool:
        nonlocal steps
        if not free:
            return not closed or path[0] in near[path[-1]]
        options = [node for node in near[path[-1]] if node in free]
        for node in sorted(options, key=lambda node: sum(other in free for other in near[node])):
            steps += 1
            if steps > limit:
                return False
            path.append(node)
            if search(path, {other: None for other in free if other != node}):
                return True
            path.pop()
        return False

    for start in graph.nodes[:1] if closed else sorted(graph.nodes, key=lambda node: len(near[node])):
        path = [start]
        if search(path, {other: None for other in graph.nodes if other != start}):
            return Optimum(0, (*path, start) if closed else tuple(path), steps)
    return None


def eulerian_trail(graph: Graph) -> Optimum | None:
    """A trail that uses every edge once (Hierholzer).

    The graph must be connected and undirected. A step is an edge passed.
    """
    left = {node: dict.fromkeys(graph.near[node]) for node in graph.nodes}
    odd = [node for node in graph.nodes if len(left[node]) % 2]
    if len(odd) > 2:
        return None
    stack, trail, steps = [odd[0] if odd else graph.nodes[0]], [], 0
    while stack:
        node = stack[-1]
        if left[node]:
            other = next(iter(left[node]))
            del left[node][other], left[other][node]
            stack.append(other)
            steps += 1
        else:
            trail.append(stack.pop())
    return Optimum(0, tuple(trail), steps)


def fault(graph: Graph, route: Sequence[Node]) -> str:
    """The first missing edge of a route; empty if all exist."""
    for one, other in pairwise(route):
        if other not in graph.near[one]:
            return f"There is no edge from {one} to {other}."
    return ""


def length(graph: Graph, route: Sequence[Node]) -> int:
    """The total weight of the edges of a route."""
    return sum(graph.near[one][other] for one, other in pairwise(route))
