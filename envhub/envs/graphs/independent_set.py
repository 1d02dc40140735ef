"""graph-independent-set-v0: find a largest independent set of a graph.

Action: the nodes of the set and their number. Any largest set counts. Difficulty: more nodes and edges; from level 3
on, the greedy set is smaller. Effort is the number of nodes that an exact search looks at. Names and the order of edges
do not change the problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.graph_kit import JSON, GraphTask, Phrase, drawn_graph, knob, levels
from envhub.generators.graphs.sets import greedy_independent_set, largest_independent_set
from envhub.verifiers.answers.graphs import NodeSet


class IndependentSet(GraphTask):
    """Find a largest set of nodes without an edge between them."""

    Params = levels(
        nodes=knob("number of nodes", 10, 11, 12, 13, 14, 16, 18, 21, 25, 30, at_least=6, at_most=34),
        edges=knob("number of edges", 15, 17, 19, 23, 27, 32, 38, 46, 58, 74, at_least=6, at_most=120),
        trap=knob("whether the greedy set is smaller than the best", *[False] * 3, *[True] * 7),
    )
    answer = NodeSet(value="number of nodes")
    search = largest_independent_set
    heuristics = (greedy_independent_set,)
    data = drawn_graph()
    task = Phrase(
        "Find a largest independent set of this graph and the number of its nodes.",
        "Choose as many nodes as possible such that no two of them are joined by an edge.",
        "Which nodes form a largest independent set of the graph, and how many are there?",
        held_out="Determine a maximum independent set and its size.",
    )
    rules = (
        Phrase(
            "In an independent set, no two nodes are joined by an edge.",
            "No edge may join two of the chosen nodes.",
            "Two nodes that share an edge may not both be chosen.",
            held_out="The graph contains no edge u - v with both u and v in the set.",
        ),
    )

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The number of nodes of an independent set."""
        for one, other in problem["edges"]:
            if one in witness and other in witness:
                return f"{one} and {other} are joined by an edge."
        return len(witness)
