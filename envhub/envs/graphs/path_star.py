"""path-star-v0: follow the arm of a star that leads to the goal.

Action: the nodes from the center to the goal and the total length of the way. Difficulty: more and longer arms. Effort
is the number of edges that a search from the center passes. Names and the order of edges do not change the problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.graph_kit import JSON, Graph, GraphTask, Optimum, Phrase, Stream, drawn_graph, knob, levels
from envhub.families.graph_task import weighted
from envhub.generators.graphs.graph import shortest
from envhub.generators.graphs.shapes import star
from envhub.generators.graphs.tours import fault, length
from envhub.verifiers.answers.graphs import Route


class PathStar(GraphTask):
    """Find the way from the center of a star to a goal."""

    Params = levels(
        arms=knob("number of arms", 3, 3, 3, 4, 4, 5, 5, 6, 7, 8, at_least=2, at_most=20),
        steps=knob("number of edges of each arm", 3, 4, 5, 5, 6, 6, 7, 8, 9, 10, at_least=2, at_most=25),
        length=knob("greatest length of an edge", 9, at_least=1),
    )
    answer = Route(value="total length", called="all nodes of the path in order, joined by arrows")
    unique = True
    data = drawn_graph("length")
    task = Phrase(
        "Find the path from {center} to {goal}, and its total length.",
        "Travel from {center} to {goal} along the edges. State the path and its total length.",
        "Which path leads from {center} to {goal}, and how long is it in total?",
        held_out="Determine the path from {center} to {goal} and the sum of the lengths of its edges.",
    )
    rules = (
        Phrase(
            "The graph is a star of {arms} arms that meet at {center}. Each arm is a path, and {goal} is the end of one arm.",
            "From {center}, {arms} separate paths lead outwards. {goal} is the last node of one of them.",
            "There are {arms} arms. They begin at {center} and share no other node, and one of them ends at {goal}.",
            held_out="The graph consists of {arms} paths that share only their end {center}. One of them ends at {goal}.",
        ),
        Phrase(
            "No node may be visited twice, so exactly one path is right.",
            "The path may not repeat a node. It is therefore unique.",
            "Do not visit a node more than once. There is only one such path.",
            held_out="The path is simple and hence unique.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Arms of equal length under random names."""
        count = 1 + p.arms * p.steps
        edges = weighted(rng, star(p.arms, p.steps), p.length)
        return {**self.stated(rng, count, edges, center=0, goal=p.steps), "arms": p.arms}

    def best(self, problem: JSON) -> Optimum:
        """By a search from the center."""
        graph = Graph.of(problem)
        path = tuple(shortest(graph, problem["center"], problem["goal"]) or ())
        return Optimum(length(graph, path), path, len(graph.edges))

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The total length of the path."""
        if (witness[0], witness[-1]) != (problem["center"], problem["goal"]):
            return f"The path must lead from {problem['center']} to {problem['goal']}."
        if len(set(witness)) < len(witness):
            return "A node is visited twice."
        graph = Graph.of(problem)
        return fault(graph, witness) or length(graph, witness)

    def greedy(self, problem: JSON) -> list[Any]:
        """The way back."""
        return [self.best(problem).witness[::-1]]
