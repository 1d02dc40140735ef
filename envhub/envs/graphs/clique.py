"""graph-clique-v0: find a largest clique of a graph.

Action: the nodes of the clique and their number. Any largest clique counts. Difficulty: more nodes and edges. Effort is
the number of nodes that an exact search looks at. Names and the order of edges do not change the problem.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from envhub.families.graph_kit import JSON, Graph, GraphTask, Optimum, Phrase, drawn_graph, knob, levels
from envhub.generators.graphs.sets import greedy_clique, largest_clique
from envhub.generators.graphs.shapes import scattered
from envhub.verifiers.answers.graphs import NodeSet


class Clique(GraphTask):
    """Find a largest set of nodes that are all joined."""

    Params = levels(
        nodes=knob("number of nodes", 9, 10, 11, 12, 13, 15, 17, 19, 22, 25, at_least=6, at_most=32),
        edges=knob("number of edges", 18, 22, 27, 32, 39, 52, 66, 83, 112, 146, at_least=6, at_most=250),
    )
    answer = NodeSet(value="number of nodes")
    shape = scattered
    search = largest_clique
    heuristics = (greedy_clique,)
    data = drawn_graph()
    task = Phrase(
        "Find a largest clique of this graph and the number of its nodes.",
        "Choose as many nodes as possible such that every two of them are joined by an edge.",
        "Which nodes form a largest clique of the graph, and how many are there?",
        held_out="Determine a maximum clique and its size.",
    )
    rules = (
        Phrase(
            "In a clique, every two nodes are joined by an edge.",
            "Each pair of chosen nodes must be joined by an edge.",
            "Two nodes without an edge between them may not both be chosen.",
            held_out="For all distinct u and v in the clique, the graph contains the edge u - v.",
        ),
    )

    def guard(self, problem: JSON, found: Optimum, p: Any) -> bool:
        """There is a triangle."""
        return found.value > 2

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The number of nodes of a clique."""
        near = Graph.of(problem).near
        for one, other in combinations(witness, 2):
            if other not in near[one]:
                return f"{one} and {other} are not joined by an edge."
        return len(witness)
