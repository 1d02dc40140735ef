"""Extremal sets of nodes, by branch and bound.

A clique is an independent set of the complement, and a vertex cover is the complement of an independent set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from envhub.generators.graphs.graph import Graph, Node, distances
from envhub.generators.optimum import Optimum


def largest_independent_set(graph: Graph) -> Optimum:
    """A largest set of nodes without an edge between them."""
    size, mask, steps = _independent(graph.masks)
    return Optimum(size, graph.named(mask), steps)


def largest_clique(graph: Graph) -> Optimum:
    """A largest set of nodes with all edges between them."""
    everything = (1 << len(graph.nodes)) - 1
    size, mask, steps = _independent([everything & ~near & ~(1 << at) for at, near in enumerate(graph.masks)])
    return Optimum(size, graph.named(mask), steps)


def smallest_cover(graph: Graph) -> Optimum:
    """A smallest set of nodes that contains an end of every edge."""
    size, mask, steps = _independent(graph.masks)
    everything = (1 << len(graph.nodes)) - 1
    return Optimum(len(graph.nodes) - size, graph.named(everything & ~mask), steps)


def _independent(masks: Sequence[int]) -> tuple[int, int, int]:
    """Size and bits of a largest independent set, and the steps.

    A step is a free node looked at.
    """
    best = (0, 0)
    steps = 0

    def search(free: int, size: int, chosen: int) -> None:
        nonlocal best, steps
        steps += free.bit_count()
        if size > best[0]:
            best = (size, chosen)
        if size + free.bit_count() <= best[0]:
            return
        degrees = [((masks[at] & free).bit_count(), at) for at in _bits(free)]
        least, most = min(degrees), max(degrees)
        node = least[1] if least[0] < 2 else most[1]  # a node with at most one neighbour is in some best set
        search(free & ~masks[node] & ~(1 << node), size + 1, chosen | 1 << node)
        if least[0] >= 2:
            search(free & ~(1 << node), size, chosen)

    search((1 << len(masks)) - 1, 0, 0)
    return (*best, steps)


def smallest_dominating_set(graph: Graph) -> Optimum:
    """A smallest set that every node is in or next to."""
    size, mask, steps = _cover([near | 1 << at for at, near in enumerate(graph.masks)])
    return Optimum(size, graph.named(mask), steps)


def _cover(closed: Sequence[int]) -> tuple[int, int, int]:
    """Size and bits of a smallest dominating set, and the steps.

    A step is an undominated node looked at.
    """
    everything = (1 << len(closed)) - 1
    best = (len(closed), everything)
    steps = 0
    reach = max(near.bit_count() for near in closed)

    def search(left: int, size: int, chosen: int) -> None:
        nonlocal best, steps
        steps += left.bit_count()
        if size + -(-left.bit_count() // reach) >= best[0]:
            return
        if not left:
            best = (size, chosen)
            return
        node = min(_bits(left), key=lambda at: closed[at].bit_count())
        for other in sorted(_bits(closed[node]), key=lambda at: -(closed[at] & left).bit_count()):
            search(left & ~closed[other], size + 1, chosen | 1 << other)

    search(everything, 0, 0)
    return (*best, steps)


def greedy_dominating_set(graph: Graph) -> tuple[Node, ...]:
    """Always the node that dominates most of the rest."""
    closed = [near | 1 << at for at, near in enumerate(graph.masks)]
    left, chosen = (1 << len(closed)) - 1, 0
    while left:
        node = max(range(len(closed)), key=lambda at: (closed[at] & left).bit_count())
        chosen |= 1 << node
        left &= ~closed[node]
    return graph.named(chosen)


def greedy_independent_set(graph: Graph) -> tuple[Node, ...]:
    """Nodes of small degree first, each if no neighbour is chosen."""
    chosen: list[Node] = []
    for node in sorted(graph.nodes, key=lambda node: len(graph.near[node])):
        if not any(other in graph.near[node] for other in chosen):
            chosen.append(node)
    return tuple(chosen)


def greedy_clique(graph: Graph) -> tuple[Node, ...]:
    """Nodes of large degree first, each if joined to all chosen."""
    chosen: list[Node] = []
    for node in sorted(graph.nodes, key=lambda node: -len(graph.near[node])):
        if all(other in graph.near[node] for other in chosen):
            chosen.append(node)
    return tuple(chosen)


def greedy_cover(graph: Graph) -> tuple[Node, ...]:
    """Always the node with the most edges that are not covered."""
    left, chosen = [edge[:2] for edge in graph.edges], []
    while left:
        chosen.append(max(graph.nodes, key=lambda node: sum(node in edge for edge in left)))
        left = [edge for edge in left if chosen[-1] not in edge]
    return tuple(chosen)


def paired_cover(graph: Graph) -> tuple[Node, ...]:
    """Both ends of every edge that is not covered yet."""
    chosen: list[Node] = []
    for edge in graph.edges:
        if not set(edge[:2]) & set(chosen):
            chosen += edge[:2]
    return tuple(chosen)


def centers(graph: Graph, count: int) -> Optimum:
    """Nodes from which the farthest node is as near as possible.

    A step is a set of nodes tried.
    """
    every = [distances(graph, node) for node in graph.nodes]
    far = [[there[node] for node in graph.nodes] for there in every]
    choices = list(combinations(range(len(far)), count))
    radii = [max(map(min, zip(*[far[at] for at in chosen], strict=True))) for chosen in choices]
    best = min(radii)
    return Optimum(best, tuple(graph.nodes[at] for at in choices[radii.index(best)]), len(choices))


def radius(far: Mapping[Node, Mapping[Node, int]], nodes: Sequence[Node]) -> int:
    """The largest distance of a node to the nearest center.

    Args:
        far: The distances of each center to all nodes.
        nodes: All nodes.
    """
    nearest = (min(there[node] for there in far.values()) for node in nodes)
    return max(nearest)


def farthest_first(graph: Graph, count: int) -> tuple[Node, ...]:
    """Always the node that is farthest from those chosen."""
    chosen = [graph.nodes[0]]
    far = {node: distances(graph, node) for node in graph.nodes}
    while len(chosen) < count:
        left = [node for node in graph.nodes if node not in chosen]
        chosen.append(max(left, key=lambda node: min(far[one][node] for one in chosen)))
    return tuple(chosen)


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
