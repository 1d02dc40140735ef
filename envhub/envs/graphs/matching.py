"""graph-matching-v0: find a matching of the greatest total weight.

Action: the edges of the matching and their total weight. Any best matching counts. Difficulty: more nodes and edges,
larger weights; from level 3 on the greedy matching is always worse. Effort is the number of choices that dynamic
programming over sets of free nodes examines. Names and the order of edges do not change the problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.graph_kit import JSON, Graph, GraphTask, Phrase, drawn_graph, knob, levels
from envhub.families.graph_task import unknown_edge
from envhub.generators.graphs.matching import greedy_matching, heaviest_matching
from envhub.verifiers.answers.graphs import EdgeSet


class Matching(GraphTask):
    """Find a matching of the greatest total weight."""

    Params = levels(
        nodes=knob("number of nodes", 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, at_least=5, at_most=16),
        edges=knob("number of edges", 8, 10, 13, 15, 18, 21, 24, 27, 31, 35, at_least=5, at_most=40),
        weight=knob("greatest weight of an edge", 9, 9, 12, 15, 20, 20, 30, 40, 60, 99, at_least=4),
        trap=knob("whether the greedy matching is worse than the best", *[False] * 2, *[True] * 8),
    )
    answer = EdgeSet(value="total weight")
    weight = "weight"
    search = heaviest_matching
    heuristics = (greedy_matching,)
    data = drawn_graph("weight")
    task = Phrase(
        "Find a matching with the largest possible total weight in this graph, and this weight.",
        "Pair up nodes along edges so that the total weight of the chosen edges is as large as possible.",
        "Which matching of the graph has the greatest total weight, and what is this weight?",
        held_out="Determine a maximum-weight matching and the sum of the weights of its edges.",
    )
    rules = (
        Phrase(
            "A matching is a set of edges in which no two edges share a node.",
            "Each node may belong to at most one chosen edge.",
            "No two of the chosen edges may have a node in common.",
            held_out="Distinct edges of the matching have no common endpoint.",
        ),
        Phrase(
            "Nodes may remain unmatched.",
            "Not every node needs a partner.",
            "It is allowed to leave nodes without a partner.",
            held_out="The matching need not be perfect: some nodes may be unmatched.",
        ),
    )

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The total weight of a matching."""
        graph = Graph.of(problem)
        fault = unknown_edge(graph, witness)
        if fault:
            return fault
        ends = [node for edge in witness for node in edge]
        twice = next((node for node in ends if ends.count(node) > 1), None)
        return sum(graph.near[one][other] for one, other in witness) if twice is None else f"{twice} is matched twice."
