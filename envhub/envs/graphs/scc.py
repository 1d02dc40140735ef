"""graph-scc-v0: find the strongly connected components of a directed graph.

Action: the components as sets of nodes, and their number. Difficulty: more nodes and edges. Effort is the number of
nodes and edges that Tarjan's algorithm visits. Names and the order of edges do not change the problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.graph_kit import JSON, Graph, GraphTask, Optimum, Phrase, drawn_graph, knob, levels
from envhub.generators.graphs.graph import components
from envhub.generators.graphs.shapes import cyclic
from envhub.verifiers.answers.graphs import Groups


class StrongComponents(GraphTask):
    """Find all strongly connected components."""

    Params = levels(
        nodes=knob("number of nodes", 7, 8, 9, 10, 12, 14, 17, 20, 24, 28, at_least=5, at_most=60),
        edges=knob("number of edges", 10, 12, 14, 16, 20, 24, 29, 34, 41, 48, at_least=5, at_most=200),
    )
    answer = Groups(value="number of components", called="the components, each in braces, separated by commas")
    unique = True
    shape = cyclic
    directed = True
    data = drawn_graph()
    task = Phrase(
        "Find the strongly connected components of this directed graph, and their number.",
        "Partition the nodes into strongly connected components and count the components.",
        "What are the strongly connected components of the graph, and how many are there?",
        held_out="Determine the equivalence classes of mutual reachability, and the number of classes.",
    )
    rules = (
        Phrase(
            "Two nodes belong to the same component if and only if each can be reached from the other along directed edges.",
            "Two nodes are in one component exactly when there are directed paths both ways between them.",
            "Put two nodes into the same component if you can travel from each to the other along the edges, and only then.",
            held_out="u and v are in the same class if and only if there are directed paths from u to v and from v to u.",
        ),
        Phrase(
            "Every node belongs to exactly one component. A component may consist of a single node.",
            "List every node exactly once. A node that shares its component with no other node is a component by itself.",
            "Each node occurs in exactly one component. Components of a single node are listed as well.",
            held_out="The components cover all nodes without overlap. Components with one node must be included.",
        ),
    )

    def guard(self, problem: JSON, found: Optimum, p: Any) -> bool:
        """There are several components, and one has at least three nodes."""
        return 1 < found.value < p.nodes - 2 and max(map(len, found.witness)) > 2

    def best(self, problem: JSON) -> Optimum:
        """By reachability."""
        found = components(Graph.of(problem))
        return Optimum(len(found), tuple(map(tuple, found)), len(problem["nodes"]) + len(problem["edges"]))

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The number of components, if they are right."""
        found = {frozenset(part) for part in components(Graph.of(problem))}
        for part in witness:
            if frozenset(part) not in found:
                return f"{{{', '.join(part)}}} is not a strongly connected component."
        return len(found) if len(witness) == len(found) else "Some components are missing."

    def greedy(self, problem: JSON) -> list[Any]:
        """All nodes as one component."""
        return [(tuple(problem["nodes"]),)]
