"""Graphs with named nodes: neighbours, reachability and components, in a fixed order.

::

    graph = Graph(("A", "B", "C"), (("A", "B", 2), ("B", "C", 5)))
    graph.near["B"]             # {"A": 2, "C": 5}
    distances(graph, "A")       # {"A": 0, "B": 2, "C": 7}

There is at most one edge from one node to another. Orders follow ``nodes`` and ``edges``, never a hash.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from typing import Any

from envhub.core.types import JSON

Node = Any
Edge = tuple[Node, Node, int]


@dataclass(frozen=True)
class Graph:
    """A graph.

    Attributes:
        nodes: Names.
        edges: From, to and weight of each edge.
        directed: Whether edges are one-way.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    directed: bool = False

    @classmethod
    def of(cls, problem: JSON) -> Graph:
        """The graph in the fields nodes, edges and directed.

        An edge without a weight has weight 1.
        """
        edges = tuple((edge[0], edge[1], edge[2] if len(edge) > 2 else 1) for edge in problem["edges"])
        return cls(tuple(problem["nodes"]), edges, problem["directed"])

    @cached_property
    def near(self) -> dict[Node, dict[Node, int]]:
        """Outgoing edges of every node, with their weights."""
        found: dict[Node, dict[Node, int]] = {node: {} for node in self.nodes}
        for one, other, weight in self.edges:
            found[one][other] = weight
            if not self.directed:
                found[other][one] = weight
        return found

    @cached_property
    def masks(self) -> list[int]:
        """Neighbours of every node as a bit set of positions."""
        at = {node: 1 << number for number, node in enumerate(self.nodes)}
        return [sum(at[other] for other in self.near[node]) for node in self.nodes]

    def named(self, mask: int) -> tuple[Node, ...]:
        """The nodes of a bit set."""
        return tuple(node for number, node in enumerate(self.nodes) if mask >> number & 1)

    def without(self, edges: Container[tuple[Node, Node]]) -> Graph:
        """The graph without some edges.

        Edges without a direction may be given either way.
        """
        kept = (
            edge for edge in self.edges if edge[:2] not in edges and (self.directed or (edge[1], edge[0]) not in edges)
        )
        return Graph(self.nodes, tuple(kept), self.directed)

    def reversed(self) -> Graph:
        """The graph with every edge turned round."""
        return Graph(self.nodes, tuple((other, one, weight) for one, other, weight in self.edges), self.directed)


def layers(graph: Graph, start: Node) -> list[list[Node]]:
    """Nodes by distance in edges from a start, by breadth-first search."""
    found = [[start]]
    seen = {start}
    while found[-1]:
        found.append([])
        for node in found[-2]:
            for other in graph.near[node]:
                if other not in seen:
                    seen.add(other)
                    found[-1].append(other)
    return found[:-1]


def reached(graph: Graph, start: Node) -> list[Node]:
    """The nodes that can be reached from a start, itself included."""
    return [node for layer in layers(graph, start) for node in layer]


def shortest(graph: Graph, start: Node, goal: Node) -> list[Node] | None:
    """A path with the fewest edges; None if no path exists."""
    before: dict[Node, Node] = {start: start}
    queue = [start]
    for node in queue:
        for other in graph.near[node]:
            if other not in before:
                before[other] = node
                queue.append(other)
    if goal not in before:
        return None
    path = [goal]
    while path[-1] != start:
        path.append(before[path[-1]])
    return path[::-1]


def distances(graph: Graph, start: Node) -> dict[Node, int]:
    """Least total weight of a path to every reachable node."""
    best = {start: 0}
    queue = [(0, 0, start)]
    pushed = 0
    while queue:
        far, _, node = heappop(queue)
        if far > best[node]:
            continue
        for other, weight in graph.near[node].items():
            if other not in best or far + weight < best[other]:
                best[other] = far + weight
                pushed += 1
                heappush(queue, (best[other], pushed, other))
    return best


def components(graph: Graph) -> list[list[Node]]:
    """Connected components; of a directed graph, the strongly connected ones."""
    back = graph.reversed() if graph.directed else graph
    left = dict.fromkeys(graph.nodes)
    found = []
    while left:
        start = next(iter(left))
        backward = set(reached(back, start))
        part = [node for node in reached(graph, start) if node in backward]
        for node in part:
            del left[node]
        found.append(part)
    return found


def is_connected(graph: Graph) -> bool:
    """Whether all nodes are one component."""
    return len(components(graph)) == 1


def bridges(graph: Graph) -> list[tuple[Node, Node]]:
    """Edges of a connected undirected graph whose removal separates their ends."""
    first: dict[Node, int] = {}  # the number of a node in a depth-first search
    low: dict[Node, int] = {}  # the smallest number that its subtree reaches without the edge to its parent

    def visit(node: Node, parent: Node) -> None:
        first[node] = low[node] = len(first)
        for other in graph.near[node]:
            if other not in first:
                visit(other, node)
                low[node] = min(low[node], low[other])
            elif other != parent:
                low[node] = min(low[node], first[other])

    visit(graph.nodes[0], None)
    down = (edge[:2] if first[edge[0]] < first[edge[1]] else (edge[1], edge[0]) for edge in graph.edges)
    return [(one, other) for one, other in down if low[other] > first[one]]
