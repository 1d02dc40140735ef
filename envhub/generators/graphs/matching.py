"""Matchings of the greatest weight, by dynamic programming over the free nodes."""

from __future__ import annotations

from envhub.generators.graphs.graph import Graph, Node
from envhub.generators.optimum import Optimum

Best = tuple[int, tuple[tuple[Node, Node], ...]]


def heaviest_matching(graph: Graph) -> Optimum:
    """A matching of the greatest weight.

    A step is a choice for the first free node.
    """
    place = {node: number for number, node in enumerate(graph.nodes)}
    near = [[(place[other], weight) for other, weight in graph.near[node].items()] for node in graph.nodes]
    known: dict[int, Best] = {0: (0, ())}
    steps = 0

    def best(free: int) -> Best:
        nonlocal steps
        if free in known:
            return known[free]
        node = (free & -free).bit_length() - 1
        rest = free & (free - 1)
        steps += 1
        found = best(rest)
        for other, weight in near[node]:
            if rest >> other & 1:
                steps += 1
                value, pairs = best(rest & ~(1 << other))
                if value + weight > found[0]:
                    found = (value + weight, (*pairs, (graph.nodes[node], graph.nodes[other])))
        known[free] = found
        return found

    value, pairs = best((1 << len(graph.nodes)) - 1)
    return Optimum(value, pairs, steps)


def greedy_matching(graph: Graph) -> tuple[tuple[Node, Node], ...]:
    """Always the heaviest edge between free nodes."""
    used: set[Node] = set()
    found = []
    for one, other, _ in sorted(graph.edges, key=lambda edge: -edge[2]):
        if one not in used and other not in used:
            used |= {one, other}
            found.append((one, other))
    return tuple(found)
