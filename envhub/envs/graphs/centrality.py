"""graph-centrality-v0: find the most central nodes of a graph.

Action: all nodes with the smallest total distance to the others, and this total. Difficulty: more nodes and edges,
larger lengths. Effort is the number of edges that a search from every node examines. Names and the order of edges do
not change the problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.graph_kit import JSON, Graph, GraphTask, Optimum, Phrase, drawn_graph, knob, levels
from envhub.families.graph_task import DISTANCE
from envhub.generators.graphs.graph import distances
from envhub.verifiers.answers.graphs import NodeSet


class Centrality(GraphTask):
    """Find all nodes with the smallest total distance to the others."""

    Params = levels(
        nodes=knob("number of nodes", 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, at_least=4, at_most=30),
        edges=knob("number of edges", 8, 10, 11, 13, 14, 16, 18, 21, 25, 29, at_least=4, at_most=80),
        length=knob("greatest length of an edge", 3, 4, 4, 5, 6, 8, 10, 12, 16, 20, at_least=2),
    )
    answer = NodeSet(value="smallest total distance")
    unique = True
    weight = "length"
    data = drawn_graph("length")
    task = Phrase(
        "Find every node with the smallest total distance to all other nodes, and this total distance.",
        "List all nodes for which the sum of the distances to the other nodes is as small as possible, and state this sum.",
        "Which nodes have the smallest sum of distances to all other nodes, and what is this sum?",
        held_out="Determine the set of nodes of maximum closeness centrality, and the sum of distances from each of them.",
    )
    rules = (
        DISTANCE,
        Phrase(
            "If several nodes have the smallest total, name all of them.",
            "In case of a tie, all tied nodes must be listed.",
            "There may be more than one such node. The answer contains each of them.",
            held_out="The set contains every node that attains the minimum.",
        ),
    )

    def best(self, problem: JSON) -> Optimum:
        """By a search from every node."""
        totals = _totals(problem)
        least = min(totals.values())
        central = tuple(node for node, total in totals.items() if total == least)
        return Optimum(least, central, 2 * len(problem["nodes"]) * len(problem["edges"]))

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The total distance, if the nodes are right."""
        totals = _totals(problem)
        least = min(totals.values())
        for node in witness:
            if totals[node] > least:
                return f"The total distance of {node} is {totals[node]}, which is not the smallest."
        return least if len(witness) == list(totals.values()).count(least) else "Some nodes are missing."

    def slips(self, problem: JSON, value: int, witness: Any) -> list[tuple[int, Any]]:
        """Nodes with many or short edges, and the second best."""
        totals, near = _totals(problem), Graph.of(problem).near
        most = max(near, key=lambda node: len(near[node]))
        short = min(near, key=lambda node: sum(near[node].values()))
        second = sorted(totals, key=lambda node: totals[node])[len(witness)]
        return [*((totals[node], (node,)) for node in (most, short, second)), (value, (*witness, second))]


def _totals(problem: JSON) -> dict[str, int]:
    """The total distance from every node to all others."""
    graph = Graph.of(problem)
    return {node: sum(distances(graph, node).values()) for node in graph.nodes}
