"""graph-topological-v0: order tasks by their dependencies, and count the longest chain.

Action: all nodes in a valid order, and the number of nodes on a longest path. Any valid order counts. Difficulty: more
nodes and edges. Effort is the number of nodes and edges that Kahn's algorithm visits. Names and the order of edges do
not change the problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.graph_kit import JSON, Graph, GraphTask, Optimum, Phrase, drawn_graph, knob, levels
from envhub.generators.graphs.orders import longest_path, topological_order
from envhub.generators.graphs.shapes import acyclic
from envhub.verifiers.answers.graphs import Route


class TopologicalOrder(GraphTask):
    """Find a topological order and the length of the longest chain."""

    Params = levels(
        nodes=knob("number of nodes", 8, 9, 10, 11, 13, 15, 18, 21, 25, 30, at_least=5, at_most=60),
        edges=knob("number of edges", 11, 13, 16, 19, 23, 29, 36, 44, 54, 66, at_least=5, at_most=200),
    )
    answer = Route(value="number of nodes on a longest path", called="all nodes in order, joined by arrows")
    shape = acyclic
    directed = True
    data = drawn_graph()
    tie = None
    task = Phrase(
        "Find a topological order of this directed graph and the number of nodes on one of its longest paths.",
        "Order all nodes so that every edge leads forward, and count the nodes on a longest directed path.",
        "What is a topological order of the graph, and how many nodes does a longest directed path contain?",
        held_out="Determine a topological order of the directed graph, and the number of nodes of a longest directed path.",
    )
    rules = (
        Phrase(
            "Each of the {count} nodes occurs exactly once in the order.",
            "The order contains all {count} nodes, each of them once.",
            "List all {count} nodes. No node may be repeated.",
            held_out="The order is a permutation of the {count} nodes.",
        ),
        Phrase(
            "If an edge leads from one node to another, the first node comes earlier in the order.",
            "For every edge, the node where it starts must be listed before the node where it ends.",
            "The start of each edge must precede its end in the order.",
            held_out="For each edge u -> v, u precedes v.",
        ),
        Phrase(
            "Any order that satisfies these conditions counts.",
            "If several orders are valid, give any of them.",
            "There may be more than one valid order; each of them is accepted.",
            held_out="The order need not be unique. Each valid order is graded as correct.",
        ),
    )

    def best(self, problem: JSON) -> Optimum:
        """By Kahn's algorithm."""
        graph = Graph.of(problem)
        longest = longest_path(graph)
        return Optimum(longest.value + 1, topological_order(graph), longest.steps)

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The number of nodes on a longest path, for a valid order."""
        if sorted(witness) != problem["nodes"]:
            return "The order must contain each node exactly once."
        place = {node: at for at, node in enumerate(witness)}
        for one, other in problem["edges"]:
            if place[one] > place[other]:
                return f"There is an edge from {one} to {other}, so {one} must come before {other}."
        return longest_path(Graph.of(problem)).value + 1
