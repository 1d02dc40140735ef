"""graph-bridges-v0: find all bridges of a graph.

Action: the bridges and their number. Difficulty: more nodes and edges. Effort is the number of nodes and edges that a
depth-first search visits. Names and the order of edges do not change the problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.graph_kit import JSON, Graph, GraphTask, Optimum, Phrase, drawn_graph, knob, levels
from envhub.families.graph_task import unknown_edge
from envhub.generators.graphs.graph import bridges
from envhub.verifiers.answers.graphs import EdgeSet


class Bridges(GraphTask):
    """Find all edges whose removal disconnects the graph."""

    Params = levels(
        nodes=knob("number of nodes", 11, 12, 13, 14, 16, 18, 20, 23, 26, 30, at_least=6, at_most=60),
        edges=knob("number of edges", 14, 15, 16, 18, 20, 22, 25, 28, 32, 37, at_least=6, at_most=100),
    )
    answer = EdgeSet(
        value="number of bridges", called="all bridges, each written as in the example and separated by commas"
    )
    unique = True
    data = drawn_graph()
    task = Phrase(
        "Find all bridges of this connected graph, and their number.",
        "List every bridge of the connected graph and count the bridges.",
        "Which edges of this connected graph are bridges, and how many are there?",
        held_out="Determine the set of bridges of the connected graph and its size.",
    )
    rules = (
        Phrase(
            "A bridge is an edge whose removal disconnects the graph.",
            "An edge is a bridge if the graph is no longer connected after this edge alone is removed.",
            "An edge is a bridge if the graph falls into two parts when only this edge is removed.",
            held_out="An edge e is a bridge if and only if the graph without e is not connected.",
        ),
    )

    def guard(self, problem: JSON, found: Optimum, p: Any) -> bool:
        """There are at least two bridges, and other edges too."""
        return bool(2 <= found.value <= p.nodes // 2 + 1)

    def best(self, problem: JSON) -> Optimum:
        """By one depth-first search."""
        found = tuple(bridges(Graph.of(problem)))
        return Optimum(len(found), found, len(problem["nodes"]) + len(problem["edges"]))

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The number of bridges, if they are right."""
        graph = Graph.of(problem)
        fault = unknown_edge(graph, witness)
        if fault:
            return fault
        found = {frozenset(edge) for edge in bridges(graph)}
        for one, other in witness:
            if {one, other} not in found:
                return f"The graph is still connected without {one}-{other}."
        return len(found) if len(witness) == len(found) else "Some bridges are missing."

    def greedy(self, problem: JSON) -> list[Any]:
        """The edges at nodes with one neighbour."""
        graph = Graph.of(problem)
        ends = tuple(edge[:2] for edge in graph.edges if min(len(graph.near[node]) for node in edge[:2]) == 1)
        return [ends] if ends else []
