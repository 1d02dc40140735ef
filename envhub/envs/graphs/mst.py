"""graph-mst-v0: find a minimum spanning tree of a weighted graph.

Action: the edges of the tree and its total weight. Any minimum spanning tree counts. Difficulty: more nodes and edges,
larger weights. Effort is the number of edges that Kruskal's algorithm sorts and tries. Names and the order of edges do
not change the problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.graph_kit import JSON, Graph, GraphTask, Phrase, drawn_graph, knob, levels
from envhub.families.graph_task import unknown_edge
from envhub.generators.graphs.graph import distances
from envhub.generators.graphs.spanning import is_tree, spanning_tree
from envhub.verifiers.answers.graphs import EdgeSet


class SpanningTree(GraphTask):
    """Find a spanning tree of the least total weight."""

    Params = levels(
        nodes=knob("number of nodes", 6, 7, 8, 9, 10, 12, 14, 16, 19, 22, at_least=4, at_most=40),
        edges=knob("number of edges", 9, 12, 15, 18, 21, 26, 31, 37, 45, 54, at_least=4, at_most=200),
        weight=knob("greatest weight of an edge", 9, 9, 12, 15, 20, 20, 30, 40, 60, 99, at_least=2),
    )
    answer = EdgeSet(value="total weight")
    weight = "weight"
    search = spanning_tree
    data = drawn_graph("weight")
    task = Phrase(
        "Find a minimum spanning tree of this graph and its total weight.",
        "Choose edges that connect all nodes and have the smallest possible total weight.",
        "Which edges form a minimum spanning tree of the graph, and what is their total weight?",
        held_out="Determine a spanning tree of minimum total weight, and this weight.",
    )
    rules = (
        Phrase(
            "The chosen edges connect all {count} nodes and contain no cycle.",
            "A spanning tree of {count} nodes has no cycle and joins every node to every other.",
            "Each of the {count} nodes must be connected to all others by exactly one path of chosen edges.",
            held_out="The tree is connected, acyclic and contains all {count} nodes.",
        ),
    )

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The total weight of a spanning tree."""
        graph = Graph.of(problem)
        fault = unknown_edge(graph, witness)
        if fault:
            return fault
        if len(witness) != len(graph.nodes) - 1 or not is_tree(graph, witness):
            return f"These {len(witness)} edges are not a tree on all {len(graph.nodes)} nodes."
        return sum(graph.near[one][other] for one, other in witness)

    def greedy(self, problem: JSON) -> list[Any]:
        """The shortest paths from the first node."""
        graph = Graph.of(problem)
        far = distances(graph, graph.nodes[0])
        ways = ((one, other) for one, other, _ in graph.edges)
        closer = [(a, b) if far[a] < far[b] else (b, a) for a, b in ways]
        return [tuple({b: (a, b) for a, b in closer if far[a] + graph.near[a][b] == far[b]}.values())]
