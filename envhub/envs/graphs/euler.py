"""graph-euler-v0: draw a graph in one stroke.

Action: the nodes of a trail that uses every edge exactly once. Any such trail counts. Difficulty: more nodes and edges.
Effort is the number of edges that Hierholzer's algorithm passes. Names and the order of edges do not change the
problem.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from envhub.families.graph_kit import JSON, Graph, GraphTask, Phrase, Stream, drawn_graph, knob, levels
from envhub.families.graph_task import EXISTS
from envhub.generators.graphs.shapes import stroke
from envhub.generators.graphs.tours import eulerian_trail, fault
from envhub.verifiers.answers.graphs import Route


class EulerianTrail(GraphTask):
    """Find a trail that uses every edge exactly once."""

    Params = levels(
        nodes=knob("number of nodes", 10, 11, 11, 12, 13, 15, 17, 19, 21, 24, at_least=5, at_most=40),
        edges=knob("number of edges", 15, 17, 19, 22, 25, 29, 33, 38, 44, 52, at_least=5, at_most=120),
    )
    answer = Route(called="the nodes of the trail in order, joined by arrows")
    tie = EXISTS
    search = eulerian_trail
    data = drawn_graph()
    task = Phrase(
        "Find a trail that uses every edge of this graph exactly once.",
        "Draw this graph in one stroke: travel along each edge exactly once.",
        "How can you traverse every edge of the graph exactly once without a break?",
        held_out="Determine an Eulerian trail of the graph.",
    )
    rules = (
        Phrase(
            "Every two consecutive nodes of the trail are joined by an edge.",
            "The trail moves from node to node along edges only.",
            "You may move from one node to the next only along an edge.",
            held_out="Consecutive nodes of the trail are adjacent in the graph.",
        ),
        Phrase(
            "No edge is used twice, in either direction, and no edge is left out.",
            "Each edge is used once in total, in one direction of your choice.",
            "Every edge must be used, and you may not use it again, not even in the opposite direction.",
            held_out="The trail contains each edge exactly once, traversed in either direction.",
        ),
        Phrase(
            "Nodes may be visited more than once. The trail may begin and end at any node.",
            "You may pass through a node repeatedly. Start and finish where you like.",
            "A node may occur several times in the trail. The first and the last node are up to you.",
            held_out="Repeated nodes are allowed. The trail may be open or closed, and its ends are free.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """The edges of a random trail."""
        edges = stroke(rng, p.nodes, p.edges)
        return None if edges is None else self.stated(rng, p.nodes, edges)

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """0 if the trail uses every edge once."""
        missing = fault(Graph.of(problem), witness)
        if missing:
            return missing
        used = [frozenset(pair) for pair in pairwise(witness)]
        if len(set(used)) < len(used):
            return "An edge is used twice."
        left = len(problem["edges"]) - len(used)
        return f"{left} of the {len(problem['edges'])} edges are not used." if left else 0
