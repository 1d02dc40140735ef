"""graph-dominating-set-v0: find a smallest dominating set of a graph.

Action: the nodes of the set and their number. Any smallest set counts. Difficulty: more nodes and edges; from level 4
on, the greedy set is larger. Effort is the number of undominated nodes that an exact search looks at. Names and the
order of edges do not change the problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.graph_kit import JSON, Graph, GraphTask, Phrase, drawn_graph, knob, levels
from envhub.generators.graphs.sets import greedy_dominating_set, smallest_dominating_set
from envhub.verifiers.answers.graphs import NodeSet


class DominatingSet(GraphTask):
    """Find a smallest set of nodes whose neighbours are all other nodes."""

    Params = levels(
        nodes=knob("number of nodes", 10, 11, 12, 13, 14, 16, 18, 21, 24, 28, at_least=6, at_most=32),
        edges=knob("number of edges", 14, 16, 18, 20, 22, 26, 31, 37, 44, 53, at_least=6, at_most=100),
        trap=knob("whether the greedy set is larger than the best", *[False] * 3, *[True] * 7),
    )
    answer = NodeSet(value="number of nodes")
    search = smallest_dominating_set
    heuristics = (greedy_dominating_set,)
    data = drawn_graph()
    task = Phrase(
        "Find a smallest dominating set of this graph and the number of its nodes.",
        "Choose as few nodes as possible such that every node is chosen or has a chosen neighbor.",
        "Which nodes form a smallest dominating set of the graph, and how many are there?",
        held_out="Determine a minimum dominating set and its size.",
    )
    rules = (
        Phrase(
            "Every node that is not in the set must share an edge with a node in the set.",
            "Each node must be chosen itself or be joined by an edge to a chosen node.",
            "A node that is not chosen needs at least one chosen neighbor. Two nodes are neighbors if an edge joins them.",
            held_out="For each node v, v is in the set or the graph contains an edge u - v with u in the set.",
        ),
    )

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The number of nodes of a dominating set."""
        for node, near in Graph.of(problem).near.items():
            if node not in witness and not any(other in witness for other in near):
                return f"Neither {node} nor a neighbor of it is chosen."
        return len(witness)
