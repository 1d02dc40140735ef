"""graph-kcenter-v0: place centers so that every node is near one.

Action: the centers and the largest distance of a node to its nearest center. Any best choice counts. Difficulty: more
nodes, edges and centers. Effort is the number of choices that an exhaustive search tries. Names and the order of edges
do not change the problem.
"""

from __future__ import annotations

from typing import Any

from envhub.core.errors import InvalidParameters
from envhub.families.graph_kit import JSON, Graph, GraphTask, Optimum, Phrase, Stream, drawn_graph, knob, levels
from envhub.families.graph_task import DISTANCE, weighted
from envhub.generators.graphs.graph import distances
from envhub.generators.graphs.sets import centers, farthest_first, radius
from envhub.generators.graphs.shapes import connected
from envhub.verifiers.answers.graphs import NodeSet


class Centers(GraphTask):
    """Choose centers with the smallest radius."""

    Params = levels(
        nodes=knob("number of nodes", 6, 8, 8, 10, 10, 11, 12, 13, 15, 17, at_least=4, at_most=20),
        edges=knob("number of edges", 8, 11, 11, 14, 14, 16, 18, 20, 23, 26, at_least=4, at_most=60),
        centers=knob("number of centers", 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, at_least=1),
        length=knob("greatest length of an edge", 9, 9, 15, 15, 20, 20, 30, 40, 60, 99, at_least=2),
    )
    answer = NodeSet(value="largest distance", called="the centers in braces, separated by commas")
    data = drawn_graph("length")
    task = Phrase(
        "Choose {centers} nodes as centers. Make the largest distance of a node to its nearest center as small as possible.",
        "Place {centers} centers on nodes so that the node farthest from its nearest center is as close to it as possible.",
        "Which {centers} nodes minimize the largest distance of a node to the nearest of them, and what is this distance?",
        held_out="Determine an optimal solution of the k-center problem for k = {centers}, and its radius.",
    )
    rules = (
        DISTANCE,
        Phrase(
            "Choose exactly {centers} different nodes. A center has distance 0 to itself.",
            "There must be exactly {centers} centers, all different. For a center, the distance to the nearest center is 0.",
            "Name {centers} different nodes, no more and no fewer. The nearest center of a center is the center itself.",
            held_out="The set of centers has exactly {centers} elements, and d(u, u) = 0.",
        ),
    )

    def check(self, p: Any) -> None:
        """There must be more nodes than centers."""
        super().check(p)
        if p.centers >= p.nodes:
            raise InvalidParameters(f"`centers` must be below `nodes`, got {p.centers} of {p.nodes}.")

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A connected graph."""
        edges = weighted(rng, connected(rng, p.nodes, p.edges), p.length)
        return {**self.stated(rng, p.nodes, edges), "centers": p.centers}

    def best(self, problem: JSON) -> Optimum:
        """By exhaustive search."""
        return centers(Graph.of(problem), problem["centers"])

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The largest distance to the nearest center."""
        if len(witness) != problem["centers"]:
            return f"There must be exactly {problem['centers']} centers."
        graph = Graph.of(problem)
        return radius({node: distances(graph, node) for node in witness}, graph.nodes)

    def greedy(self, problem: JSON) -> list[Any]:
        """Always the node that is farthest from all centers."""
        return [farthest_first(Graph.of(problem), problem["centers"])]
