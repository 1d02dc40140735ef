"""Maximum flows and minimum cuts (Edmonds and Karp)."""

from __future__ import annotations

from typing import NamedTuple

from envhub.generators.graphs.graph import Graph, Node
from envhub.generators.optimum import Optimum


class Flow(NamedTuple):
    """A maximum flow and a minimum cut.

    Attributes:
        value: The flow's value, which is the cut's capacity.
        amounts: From, to and amount of each edge that carries flow.
        near_side: The nodes on the side of the source of a minimum cut.
        steps: Number of edges that the searches examined.
    """

    value: int
    amounts: tuple[tuple[Node, Node, int], ...]
    near_side: frozenset[Node]
    steps: int


def flow(graph: Graph, source: Node, sink: Node) -> Flow:
    """A maximum flow along the weights as capacities."""
    left = {node: dict(graph.near[node]) for node in graph.nodes}
    for one, other, _ in graph.edges:
        left[other].setdefault(one, 0)
    value = steps = 0
    while True:
        before: dict[Node, Node] = {source: source}
        queue = [source]
        for node in queue:
            for other, room in left[node].items():
                steps += 1
                if room and other not in before:
                    before[other] = node
                    queue.append(other)
        if sink not in before:
            break
        path = [sink]
        while path[-1] != source:
            path.append(before[path[-1]])
        pairs = list(zip(path[1:], path, strict=False))
        amount = min(left[one][other] for one, other in pairs)
        for one, other in pairs:
            left[one][other] -= amount
            left[other][one] += amount
        value += amount
    amounts = tuple(
        (one, other, weight - left[one][other]) for one, other, weight in graph.edges if weight > left[one][other]
    )
    return Flow(value, amounts, frozenset(before), steps)


def maximum_flow(graph: Graph, source: Node, sink: Node) -> Optimum:
    """The amounts of a maximum flow through a directed graph."""
    found = flow(graph, source, sink)
    return Optimum(found.value, found.amounts, found.steps)


def minimum_cut(graph: Graph, source: Node, sink: Node) -> Optimum:
    """The edges of a minimum cut between two nodes."""
    found = flow(graph, source, sink)
    crossing = (edge[:2] for edge in graph.edges if (edge[0] in found.near_side) != (edge[1] in found.near_side))
    kept = tuple(edge for edge in crossing if not graph.directed or edge[0] in found.near_side)
    return Optimum(found.value, kept, found.steps)
