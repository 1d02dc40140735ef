"""tree-diameter-v0: find a longest path in a weighted tree.

Action: the nodes of the path in order and its total length. Any longest path counts. Difficulty: more nodes, larger
lengths. Effort is the number of edges that two searches pass. Names and the order of edges do not change the problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.graph_kit import JSON, Graph, GraphTask, Optimum, Phrase, Stream, drawn_graph, knob, levels
from envhub.families.graph_task import weighted
from envhub.generators.graphs.graph import layers, shortest
from envhub.generators.graphs.shapes import tree
from envhub.generators.graphs.tours import fault, length
from envhub.generators.graphs.trees import diameter
from envhub.verifiers.answers.graphs import Route


class TreeDiameter(GraphTask):
    """Find a longest path of a tree."""

    Params = levels(
        nodes=knob("number of nodes", 7, 9, 11, 13, 15, 18, 22, 27, 33, 40, at_least=4, at_most=100),
        length=knob("greatest length of an edge", 9, 9, 12, 15, 20, 20, 30, 40, 60, 99, at_least=2),
    )
    answer = Route(value="total length", called="the nodes of the path in order, joined by arrows")
    search = diameter
    data = drawn_graph("length")
    task = Phrase(
        "Find a longest path in this tree, and its total length.",
        "Find the path in this tree whose edges have the largest possible total length.",
        "Which path in this tree has the greatest total length, and what is this length?",
        held_out="Determine a path of the tree that attains its weighted diameter, and the diameter.",
    )
    rules = (
        Phrase(
            "Every two consecutive nodes of the path are joined by an edge, and no node is repeated.",
            "The path moves along edges and visits no node twice.",
            "Every step follows an edge. A node may not be visited more than once.",
            held_out="The path is simple: consecutive nodes are adjacent, and all its nodes are different.",
        ),
        Phrase(
            "The path may begin and end at any nodes. List every node on the way.",
            "You may choose both ends of the path. All nodes between them must be named.",
            "Any two nodes may be the ends. Name all nodes of the path, not only its ends.",
            held_out="The ends of the path are free. All nodes of the path are listed.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A tree."""
        return self.stated(rng, p.nodes, weighted(rng, tree(rng, p.nodes), p.length))

    def guard(self, problem: JSON, found: Optimum, p: Any) -> bool:
        """The path has at least three edges."""
        return len(found.witness) > 3

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The total length of a path."""
        graph = Graph.of(problem)
        if len(set(witness)) < len(witness):
            return "A node is visited twice."
        return fault(graph, witness) or length(graph, witness)

    def greedy(self, problem: JSON) -> list[Any]:
        """The path with most edges, and that along the longest edges."""
        graph = Graph.of(problem)
        end = layers(graph, graph.nodes[0])[-1][0]
        other = layers(graph, end)[-1][0]
        path = list(max(graph.edges, key=lambda edge: edge[2])[:2])
        while left := {node: weight for node, weight in graph.near[path[-1]].items() if node not in path}:
            path.append(max(left, key=lambda node: left[node]))
        return [tuple(shortest(graph, end, other) or ()), tuple(path)]
