"""Directed graphs: topological orders, longest paths, short cycles."""

from __future__ import annotations

from envhub.generators.graphs.graph import Graph, Node, shortest
from envhub.generators.optimum import Optimum


def topological_order(graph: Graph) -> tuple[Node, ...] | None:
    """The nodes such that every edge leads forward; None if impossible."""
    missing = dict.fromkeys(graph.nodes, 0)
    for _, other, _ in graph.edges:
        missing[other] += 1
    order = [node for node, count in missing.items() if not count]
    for node in order:
        for other in graph.near[node]:
            missing[other] -= 1
            if not missing[other]:
                order.append(other)
    return tuple(order) if len(order) == len(graph.nodes) else None


def longest_path(graph: Graph) -> Optimum:
    """A path of the greatest total weight in an acyclic graph.

    A step is a node or an edge relaxed.
    """
    order = topological_order(graph)
    assert order is not None
    best = dict.fromkeys(graph.nodes, 0)
    before: dict[Node, Node] = {}
    for node in order:
        for other, weight in graph.near[node].items():
            if best[node] + weight > best[other]:
                best[other] = best[node] + weight
                before[other] = node
    end = max(order, key=lambda node: best[node])
    path = [end]
    while path[-1] in before:
        path.append(before[path[-1]])
    return Optimum(best[end], tuple(path[::-1]), len(graph.nodes) + len(graph.edges))


def heaviest_steps(graph: Graph) -> tuple[Node, ...]:
    """The path that always takes the heaviest edge."""
    one, other, _ = max(graph.edges, key=lambda edge: edge[2])
    path = [one, other]
    while graph.near[path[-1]]:
        path.append(max(graph.near[path[-1]].items(), key=lambda way: way[1])[0])
    return tuple(path)


def shortest_cycle(graph: Graph) -> tuple[Node, ...] | None:
    """A directed cycle with the fewest edges; None without a cycle.

    Its first node is at both ends.
    """
    found: tuple[Node, ...] | None = None
    for one, other, _ in graph.edges:
        back = shortest(graph, other, one)
        if back is not None and (found is None or len(back) < len(found) - 1):
            found = (one, *back)
    return found
