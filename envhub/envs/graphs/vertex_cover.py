"""graph-vertex-cover-v0: find a smallest vertex cover of a graph.

Action: the nodes of the cover and their number. Any smallest cover counts. Difficulty: more nodes and edges. Effort is
the number of nodes that an exact search looks at. Names and the order of edges do not change the problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.graph_kit import JSON, GraphTask, Phrase, drawn_graph, knob, levels
from envhub.generators.graphs.sets import greedy_cover, paired_cover, smallest_cover
from envhub.verifiers.answers.graphs import NodeSet


class VertexCover(GraphTask):
    """Find a smallest set of nodes that touches every edge."""

    Params = levels(
        nodes=knob("number of nodes", 10, 11, 12, 13, 14, 16, 18, 21, 24, 29, at_least=6, at_most=34),
        edges=knob("number of edges", 16, 18, 20, 23, 26, 32, 38, 46, 56, 72, at_least=6, at_most=120),
    )
    answer = NodeSet(value="number of nodes")
    search = smallest_cover
    heuristics = (greedy_cover, paired_cover)
    data = drawn_graph()
    task = Phrase(
        "Find a smallest vertex cover of this graph and the number of its nodes.",
        "Choose as few nodes as possible such that every edge has at least one chosen end.",
        "Which nodes form a smallest vertex cover of the graph, and how many are there?",
        held_out="Determine a minimum vertex cover and its size.",
    )
    rules = (
        Phrase(
            "A vertex cover contains at least one end of each edge.",
            "No edge may be left without a chosen end. Both ends of an edge may be chosen.",
            "For every edge, one of its two nodes or both must be chosen.",
            held_out="For each edge u - v, u is in the cover or v is in the cover, or both are.",
        ),
    )

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The number of nodes of a cover."""
        for one, other in problem["edges"]:
            if one not in witness and other not in witness:
                return f"The edge between {one} and {other} is not covered."
        return len(witness)
