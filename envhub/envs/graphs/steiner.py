"""graph-steiner-v0: connect some nodes of a graph as cheaply as possible.

Action: the edges of the tree and their total cost. Any cheapest tree counts. Difficulty: more nodes, edges and
terminals. Effort is the number of steps of Dreyfus and Wagner's algorithm. Names and the order of edges do not change
the problem.
"""

from __future__ import annotations

from typing import Any

from envhub.core.errors import InvalidParameters
from envhub.families.graph_kit import JSON, Graph, GraphTask, Optimum, Phrase, Stream, drawn_graph, knob, levels
from envhub.families.graph_task import unknown_edge, weighted
from envhub.generators.graphs.shapes import connected
from envhub.generators.graphs.spanning import is_tree, spanning_tree, steiner_tree
from envhub.verifiers.answers.graphs import EdgeSet


class SteinerTree(GraphTask):
    """Find a cheapest tree that contains given nodes."""

    Params = levels(
        nodes=knob("number of nodes", 7, 8, 9, 10, 11, 12, 13, 14, 16, 18, at_least=5, at_most=24),
        edges=knob("number of edges", 10, 12, 14, 16, 18, 21, 23, 26, 30, 35, at_least=5, at_most=60),
        terminals=knob("number of nodes to connect", 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, at_least=3),
        weight=knob("greatest cost of an edge", 9, 9, 12, 15, 20, 20, 30, 40, 60, 99, at_least=2),
    )
    answer = EdgeSet(value="total cost")
    data = drawn_graph("cost")
    task = Phrase(
        "Connect the nodes {terminals} as cheaply as possible, and state the total cost.",
        "Choose edges of the smallest possible total cost that connect the nodes {terminals}.",
        "Which edges connect the nodes {terminals} at the lowest total cost, and what is this cost?",
        held_out="Determine a minimum Steiner tree of the graph for the terminals {terminals}, and its total cost.",
    )
    rules = (
        Phrase(
            "The chosen edges form a tree, and each of the named nodes belongs to it.",
            "Together the edges must be connected, without a cycle, and contain all the named nodes.",
            "There must be exactly one path of chosen edges between each two nodes that occur; all the named nodes must occur.",
            held_out="The edge set is connected and acyclic, and it contains every terminal.",
        ),
        Phrase(
            "The tree may contain other nodes as well.",
            "You may use any other node of the graph on the way.",
            "Other nodes may be part of the tree, but do not have to be.",
            held_out="Nodes that are not terminals are optional.",
        ),
    )

    def check(self, p: Any) -> None:
        """There must be as many nodes as terminals."""
        super().check(p)
        if p.terminals >= p.nodes:
            raise InvalidParameters(f"`terminals` must be below `nodes`, got {p.terminals} of {p.nodes}.")

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A connected graph with terminals among its nodes."""
        edges = weighted(rng, connected(rng, p.nodes, p.edges), p.weight)
        return self.stated(rng, p.nodes, edges, terminals=rng.sample(range(p.nodes), p.terminals))

    def best(self, problem: JSON) -> Optimum:
        """By Dreyfus and Wagner's algorithm."""
        return steiner_tree(Graph.of(problem), problem["terminals"])

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The total cost of a tree with all terminals."""
        graph = Graph.of(problem)
        fault = unknown_edge(graph, witness)
        if fault:
            return fault
        ends = {node for edge in witness for node in edge}
        missing = [node for node in problem["terminals"] if node not in ends]
        if missing:
            return f"{missing[0]} is not connected."
        return (
            sum(graph.near[one][other] for one, other in witness) if is_tree(graph, witness) else "This is not a tree."
        )

    def greedy(self, problem: JSON) -> list[Any]:
        """The minimum spanning tree, without the edges that lead to no terminal."""
        tree = list(spanning_tree(Graph.of(problem)).witness)
        while True:
            ends = [node for edge in tree for node in edge]
            kept = [edge for edge in tree if all(ends.count(node) > 1 or node in problem["terminals"] for node in edge)]
            if len(kept) == len(tree):
                return [tuple(tree)]
            tree = kept
