"""graph-longest-path-dag-v0: find a longest path in a directed graph without cycles.

Action: the nodes of the path in order and its total length. Any longest path counts. Difficulty: more nodes and edges,
larger lengths; from level 3 on, always taking the longest edge is worse. Effort is the number of nodes and edges that
dynamic programming visits. Names and the order of edges do not change the problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.graph_kit import JSON, Graph, GraphTask, Phrase, drawn_graph, knob, levels
from envhub.generators.graphs.orders import heaviest_steps, longest_path
from envhub.generators.graphs.shapes import acyclic
from envhub.generators.graphs.tours import fault, length
from envhub.verifiers.answers.graphs import Route


class LongestPath(GraphTask):
    """Find a path of the greatest total length."""

    Params = levels(
        nodes=knob("number of nodes", 6, 7, 8, 9, 10, 12, 15, 18, 22, 27, at_least=4, at_most=60),
        edges=knob("number of edges", 9, 11, 13, 16, 19, 24, 31, 38, 48, 60, at_least=4, at_most=200),
        length=knob("greatest length of an edge", 9, 9, 12, 15, 20, 20, 30, 40, 60, 99, at_least=2),
        trap=knob("whether always taking the longest edge is worse", *[False] * 2, *[True] * 8),
    )
    answer = Route(value="total length", called="the nodes of the path in order, joined by arrows")
    weight = "length"
    directed = True
    shape = acyclic
    search = longest_path
    heuristics = (heaviest_steps,)
    data = drawn_graph("length")
    task = Phrase(
        "Find a longest path in this directed graph, and its total length.",
        "Find a directed path whose edges have the largest possible total length.",
        "Which directed path has the greatest total length, and what is this length?",
        held_out="Determine a path of maximum total length in the directed acyclic graph.",
    )
    rules = (
        Phrase(
            "The path follows edges in their direction. It may begin and end at any node.",
            "Each step follows a directed edge from its start to its end. You may choose the first and the last node freely.",
            "You may start and stop anywhere, but must move along the edges in their direction.",
            held_out="Consecutive nodes u, v of the path satisfy u -> v. The ends of the path are free.",
        ),
        Phrase(
            "The graph has no directed cycle, and the path need not visit all nodes.",
            "There are no directed cycles. Nodes may be left out.",
            "Not every node has to be visited. The graph contains no directed cycle.",
            held_out="The graph is acyclic. The path may omit nodes.",
        ),
    )

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The total length of a path."""
        graph = Graph.of(problem)
        return fault(graph, witness) or length(graph, witness)
