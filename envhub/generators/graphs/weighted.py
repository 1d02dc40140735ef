"""Weighted graphs.

Random graphs, cheapest paths, and a canonical form independent of names. An edge is ``[from, to, weight]`` with any
names and a positive whole weight; ``directed`` says whether it is one-way. There is at most one edge from one node to
another. Costs are exact; ties are broken the same way everywhere::

    edges = [["A", "B", 2], ["B", "C", 2], ["A", "C", 5]]
    cheapest(edges, "A", "C", directed=False)     # Route(cost=4, nodes=["A", "B", "C"], scanned=...)

:func:`canonical` folds the names and the order of the edges by colour refinement. Graphs that are the same up to names
always agree. Very regular different graphs may agree too: as one problem, they share a split.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import combinations
from typing import Any, NamedTuple

from envhub.core.seeding import Stream
from envhub.core.types import JSON

Edges = Sequence[Sequence[Any]]
Ways = dict[Any, dict[Any, int]]


class Route(NamedTuple):
    """A cheapest path with the fewest edges.

    Attributes:
        cost: The sum of its weights.
        nodes: From the start to the goal.
        scanned: Number of edges Dijkstra's search scans until it settles the goal.
    """

    cost: int
    nodes: list[Any]
    scanned: int


def ways(edges: Edges, *, directed: bool) -> Ways:
    """Maps every node to its outgoing edges with their costs."""
    found: Ways = {}
    for one, other, weight in edges:
        found.setdefault(one, {})[other] = weight
        back = found.setdefault(other, {})
        if not directed:
            back[one] = weight
    return found


def cheapest(edges: Edges, start: Any, goal: Any, *, directed: bool) -> Route | None:
    """A cheapest path by Dijkstra's search; None if the goal is unreachable."""
    return route(ways(edges, directed=directed), start, goal)


def route(out: Ways, start: Any, goal: Any) -> Route | None:
    """A cheapest path along :func:`ways`, for repeated searches; None if unreachable."""
    best = {start: (0, 0)}  # cost, then edges
    before: dict[Any, Any] = {}
    queue: list[tuple[int, int, Any]] = [(0, 0, start)]
    scanned = 0
    while queue:
        cost, hops, node = heappop(queue)
        if (cost, hops) != best[node]:
            continue
        if node == goal:
            nodes = [node]
            while nodes[-1] != start:
                nodes.append(before[nodes[-1]])
            return Route(cost, nodes[::-1], scanned)
        for to, weight in out.get(node, {}).items():
            scanned += 1
            reached = (cost + weight, hops + 1)
            if to not in best or reached < best[to]:
                best[to] = reached
                before[to] = node
                heappush(queue, (*reached, to))
    return None


def detours(edges: Edges, start: Any, goal: Any, *, directed: bool) -> Iterator[tuple[list[Any], int]]:
    """Equally cheap alternatives to a cheapest path, with their cost.

    One per node off it.
    """
    out = ways(edges, directed=directed)
    best = route(out, start, goal)
    if best is None:
        return
    for node in out:
        if node not in best.nodes:
            there, back = route(out, start, node), route(out, node, goal)
            if there is not None and back is not None and there.cost + back.cost == best.cost:
                yield [*there.nodes, *back.nodes[1:]], best.cost


def fewest_edges(edges: Edges, start: Any, goal: Any, *, directed: bool) -> int | None:
    """Minimum number of edges of a path, ignoring costs; None if unreachable."""
    found = cheapest([[one, other, 1] for one, other, _ in edges], start, goal, directed=directed)
    return None if found is None else found.cost


def random_edges(rng: Stream, *, nodes: int, edges: int, weight: int, directed: bool) -> list[list[int]]:
    """A connected graph on ``0 .. nodes - 1`` with nearby neighbours, so paths are long.

    Weights are independent of distances. In a directed graph, half of the pairs on average are joined both ways with
    two weights, the others one way, so some nodes may be unreachable from others.

    Args:
        rng: Source of all randomness.
        nodes: Number of nodes.
        edges: Number of joined pairs, at least ``nodes - 1``.
        weight: The greatest weight; the least is 1.
        directed: Whether edges are one-way.
    """
    places = [(rng.below(1000), rng.below(1000)) for _ in range(nodes)]
    pairs = sorted(combinations(range(nodes), 2), key=lambda pair: (_apart(places[pair[0]], places[pair[1]]), pair))
    group = list(range(nodes))
    tree: list[tuple[int, int]] = []
    for one, other in pairs:
        if group[one] != group[other]:
            tree.append((one, other))
            gone, kept = group[one], group[other]
            group = [kept if g == gone else g for g in group]
    joined = set(tree)
    chosen = tree + [pair for pair in pairs if pair not in joined][: edges - len(tree)]
    found: list[list[int]] = []
    for pair in chosen:
        one, other = pair if rng.below(2) else pair[::-1]
        found.append([one, other, rng.between(1, weight)])
        if directed and rng.below(2):
            found.append([other, one, rng.between(1, weight)])
    return found


def _apart(one: tuple[int, int], other: tuple[int, int]) -> int:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def canonical(edges: Edges, start: Any, goal: Any, *, directed: bool) -> JSON:
    """Canonical form of a shortest-path problem.

    It ignores names, edge order and which end is the start. The reversed problem, with all one-way edges reversed, is
    the same.
    """
    turned = [[other, one, weight] for one, other, weight in edges]
    forms = [_refined(edges, start, goal, directed), _refined(turned, goal, start, directed)]
    return [directed, min(forms)]


def _refined(edges: Edges, start: Any, goal: Any, directed: bool) -> list[list[int]]:
    """The edges between colours, once refinement distinguishes no more nodes."""
    near: dict[Any, list[tuple[int, int, Any]]] = {start: [], goal: []}
    for one, other, weight in edges:
        near.setdefault(one, []).append((0, weight, other))
        near.setdefault(other, []).append((1 if directed else 0, weight, one))
    colour = {node: 1 if node == start else 2 if node == goal else 0 for node in near}
    count = 0
    while count < len(set(colour.values())):
        count = len(set(colour.values()))
        sign = {v: (colour[v], sorted((way, weight, colour[to]) for way, weight, to in near[v])) for v in near}
        ranks: dict[str, int] = {}
        for _, text in sorted((s, repr(s)) for s in sign.values()):
            ranks.setdefault(text, len(ranks))
        colour = {node: ranks[repr(s)] for node, s in sign.items()}
    found = []
    for one, other, weight in edges:
        ends = [colour[one], colour[other]]
        found.append([*(ends if directed else sorted(ends)), weight])
    return [*sorted(found), [colour[start], colour[goal], 0]]
