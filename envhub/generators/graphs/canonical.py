"""Canonical forms of graphs, independent of names and order.

Colour refinement gives each node a number that depends on its surroundings alone. Graphs that are the same up to names
always have equal forms. Very regular different graphs may have equal forms too: as one problem, they share a split.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envhub.core.types import JSON
from envhub.generators.graphs.graph import Graph


def canonical(graph: Graph, marks: Mapping[Any, int]) -> JSON:
    """The edges between colours.

    Args:
        graph: A graph.
        marks: A number for each node with a role, such as the start.
    """
    colour = colours(graph, marks)
    edges = ([colour[one], colour[other], weight] for one, other, weight in graph.edges)
    ordered = edges if graph.directed else ([*sorted(edge[:2]), edge[2]] for edge in edges)
    return [graph.directed, len(graph.nodes), sorted(colour[node] for node in marks), sorted(ordered)]


def colours(graph: Graph, marks: Mapping[Any, int]) -> dict[Any, int]:
    """A number for every node, refined until it distinguishes no more nodes."""
    ways: dict[Any, list[tuple[int, int, Any]]] = {node: [] for node in graph.nodes}
    for one, other, weight in graph.edges:
        ways[one].append((0, weight, other))
        ways[other].append((1 if graph.directed else 0, weight, one))
    colour = {node: marks.get(node, 0) for node in graph.nodes}
    count = 0
    while count < len(set(colour.values())):
        count = len(set(colour.values()))
        signs = {
            node: (colour[node], *sorted((way, weight, colour[to]) for way, weight, to in ways[node])) for node in ways
        }
        ranks = {sign: rank for rank, sign in enumerate(sorted(set(signs.values())))}
        colour = {node: ranks[sign] for node, sign in signs.items()}
    return colour
