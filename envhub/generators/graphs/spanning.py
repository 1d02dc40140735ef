"""Cheapest trees: minimum spanning trees (Kruskal) and Steiner trees (Dreyfus and Wagner)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush

from envhub.generators.graphs.graph import Graph, Node, components
from envhub.generators.optimum import Optimum


def spanning_tree(graph: Graph) -> Optimum:
    """A minimum spanning tree of a connected graph.

    A step is an edge sorted or an edge tried.
    """
    group = {node: node for node in graph.nodes}
    tree = []
    weight = steps = 0
    for one, other, cost in sorted(graph.edges, key=lambda edge: edge[2]):
        steps += 1
        old, new = group[one], group[other]
        if old != new:
            tree.append((one, other))
            weight += cost
            group = {node: new if name == old else name for node, name in group.items()}
        if len(tree) == len(graph.nodes) - 1:
            break
    return Optimum(weight, tuple(tree), steps + len(graph.edges))


def is_tree(graph: Graph, edges: Sequence[tuple[Node, Node]]) -> bool:
    """Whether different edges of a graph are a tree on their ends."""
    ends = dict.fromkeys(node for edge in edges for node in edge)
    part = Graph(tuple(ends), tuple((one, other, 1) for one, other in edges))
    return len(ends) == len(edges) + 1 and len(components(part)) == 1


def steiner_tree(graph: Graph, terminals: Sequence[Node]) -> Optimum:
    """A cheapest tree that contains all terminals.

    A step is a tree extended by an edge or joined with another.
    """
    everything = (1 << len(terminals)) - 1
    best: list[dict[Node, int]] = [{} for _ in range(everything + 1)]
    origin: dict[tuple[int, Node], tuple[int, Node]] = {}
    steps = 0
    for number, terminal in enumerate(terminals):
        best[1 << number][terminal] = 0
    for mask in range(1, everything + 1):
        reach = best[mask]
        part = (mask - 1) & mask
        while part > mask - part:
            for node in graph.nodes:
                if node in best[part] and node in best[mask - part]:
                    steps += 1
                    cost = best[part][node] + best[mask - part][node]
                    if node not in reach or cost < reach[node]:
                        reach[node] = cost
                        origin[mask, node] = (part, node)
            part = (part - 1) & mask
        steps += _extended(graph, reach, mask, origin)
    root = terminals[0]
    edges = dict.fromkeys(_edges(everything, root, origin))
    return Optimum(best[everything][root], tuple(edges), steps)


def _extended(graph: Graph, reach: dict[Node, int], mask: int, origin: dict[tuple[int, Node], tuple[int, Node]]) -> int:
    """Extend trees by edges, cheapest first; return the steps."""
    place = {node: number for number, node in enumerate(graph.nodes)}
    queue = [(cost, place[node], node) for node, cost in reach.items()]
    heapify(queue)
    steps = 0
    while queue:
        cost, _, node = heappop(queue)
        if cost > reach[node]:
            continue
        for other, weight in graph.near[node].items():
            steps += 1
            if other not in reach or cost + weight < reach[other]:
                reach[other] = cost + weight
                origin[mask, other] = (mask, node)
                heappush(queue, (cost + weight, place[other], other))
    return steps


def _edges(mask: int, node: Node, origin: dict[tuple[int, Node], tuple[int, Node]]) -> Iterator[tuple[Node, Node]]:
    """The edges of the tree of some terminals at a node."""
    if (mask, node) not in origin:
        return
    part, other = origin[mask, node]
    if part == mask:
        yield (node, other)
        yield from _edges(mask, other, origin)
    else:
        yield from _edges(part, node, origin)
        yield from _edges(mask - part, node, origin)
