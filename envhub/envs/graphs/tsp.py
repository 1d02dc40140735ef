"""graph-tsp-v0: find a cheapest round trip through all nodes.

Action: the nodes of the tour in order, and its total distance. Any cheapest tour counts. Difficulty: more nodes, larger
distances; from level 3 on the nearest-neighbour tour is longer. Effort is the number of steps of Held and Karp's
algorithm. Names and the order of edges do not change the problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.graph_kit import JSON, Graph, GraphTask, Phrase, Stream, drawn_graph, knob, levels
from envhub.families.graph_task import weighted
from envhub.generators.graphs.shapes import complete
from envhub.generators.graphs.tours import cheapest_tour, length, nearest_tour
from envhub.verifiers.answers.graphs import Route


class RoundTrip(GraphTask):
    """Find a cheapest tour through all nodes."""

    Params = levels(
        nodes=knob("number of nodes", 5, 5, 6, 6, 7, 7, 8, 8, 9, 10, at_least=4, at_most=12),
        distance=knob("greatest distance", 9, 20, 9, 20, 20, 50, 50, 99, 99, 99, at_least=3),
        trap=knob("whether always going to the nearest node is worse", *[False] * 2, *[True] * 8),
    )
    answer = Route(value="total distance", called="the nodes of the tour in order, joined by arrows")
    search = cheapest_tour
    heuristics = (nearest_tour,)
    data = drawn_graph("distance")
    task = Phrase(
        "Find a shortest round trip through all nodes, and its total distance.",
        "Solve this traveling salesman problem: visit every node once, return to the start, and travel as little as possible.",
        "Which round trip through all nodes has the smallest total distance, and what is this distance?",
        held_out="Determine a minimum-length Hamiltonian cycle of the complete graph, and its total distance.",
    )
    rules = (
        Phrase(
            "Each of the {count} nodes is visited exactly once. The start may be any node.",
            "Visit all {count} nodes, none of them twice. You may start anywhere.",
            "The trip passes through each of the {count} nodes once and may begin at any of them.",
            held_out="The tour contains each of the {count} nodes once; its first node is free.",
        ),
        Phrase(
            "The trip ends where it begins: write the first node again at the end.",
            "Return to the first node at the end, and write it again there. The way back counts as well.",
            "The first node must also be written as the last one.",
            held_out="The last node written equals the first. The total includes the closing edge.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Random distances between all nodes."""
        return self.stated(rng, p.nodes, weighted(rng, complete(p.nodes), p.distance))

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The total distance of a round trip."""
        if witness[0] != witness[-1]:
            return f"The trip must return to {witness[0]}."
        if sorted(witness[1:]) != problem["nodes"]:
            return "Every node must be visited exactly once."
        return length(Graph.of(problem), witness)
