"""graph-cut-v0: separate two nodes by removing edges as cheaply as possible.

Action: the edges of the cut and their total cost. Any minimum cut counts. Difficulty: more nodes and edges, larger
costs; from level 3 on, isolating one of the two nodes is never best. Effort is the number of edges that Edmonds and
Karp's searches examine. Names and the order of edges do not change the problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.graph_kit import JSON, Graph, GraphTask, Optimum, Phrase, Stream, drawn_graph, knob, levels
from envhub.families.graph_task import unknown_edge, weighted
from envhub.generators.graphs.flows import minimum_cut
from envhub.generators.graphs.graph import reached
from envhub.generators.graphs.shapes import connected
from envhub.verifiers.answers.graphs import EdgeSet


class MinimumCut(GraphTask):
    """Find a cheapest set of edges whose removal separates two nodes."""

    Params = levels(
        nodes=knob("number of nodes", 6, 7, 8, 9, 10, 12, 14, 16, 19, 22, at_least=5, at_most=40),
        edges=knob("number of edges", 10, 13, 15, 18, 22, 28, 34, 41, 51, 62, at_least=5, at_most=120),
        width=knob("smallest number of edges in the cut", 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, at_least=1),
        cost=knob("greatest cost of an edge", 9, 9, 12, 15, 20, 20, 30, 40, 60, 99, at_least=2),
        trap=knob("whether isolating one of the nodes is worse than the best", *[False] * 2, *[True] * 8),
    )
    answer = EdgeSet(value="total cost")
    data = drawn_graph("cost")
    task = Phrase(
        "Separate {start} from {goal} by removing edges of the smallest possible total cost.",
        "Find a cheapest set of edges whose removal leaves no path between {start} and {goal}, and its total cost.",
        "Which edges must be removed to disconnect {start} from {goal} at the lowest total cost, and what is this cost?",
        held_out="Determine a minimum cut between {start} and {goal}: its edges and its total cost.",
    )
    rules = (
        Phrase(
            "After the removal, there is no path from {start} to {goal}.",
            "No path may lead from {start} to {goal} once the edges are removed.",
            "The edges that remain must not connect {start} with {goal}.",
            held_out="{start} and {goal} lie in different components of the graph without the removed edges.",
        ),
        Phrase(
            "The cost of removing an edge is the number given for it.",
            "Removing an edge costs as much as the cost stated for this edge.",
            "You pay the stated cost of each edge that you remove.",
            held_out="The total cost is the sum of the stated costs of the removed edges.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A connected graph with two nodes that share no edge."""
        start, goal = rng.sample(range(p.nodes), 2)
        pairs = connected(rng, p.nodes, p.edges)
        if (start, goal) in pairs or (goal, start) in pairs:
            return None
        return self.stated(rng, p.nodes, weighted(rng, pairs, p.cost), start=start, goal=goal)

    def guard(self, problem: JSON, found: Optimum, p: Any) -> bool:
        """The cut has several edges, and isolating a node costs more."""
        if len(found.witness) < p.width:
            return False
        near = Graph.of(problem).near
        return not p.trap or found.value < min(sum(near[problem[end]].values()) for end in ("start", "goal"))

    def best(self, problem: JSON) -> Optimum:
        """By a maximum flow."""
        return minimum_cut(Graph.of(problem), problem["start"], problem["goal"])

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The total cost of a cut."""
        graph = Graph.of(problem)
        fault = unknown_edge(graph, witness)
        if fault:
            return fault
        if problem["goal"] in reached(graph.without({tuple(edge) for edge in witness}), problem["start"]):
            return f"There is still a path from {problem['start']} to {problem['goal']}."
        return sum(graph.near[one][other] for one, other in witness)

    def greedy(self, problem: JSON) -> list[Any]:
        """All edges of either node."""
        ends = (problem["start"], problem["goal"])
        return [tuple(tuple(edge[:2]) for edge in problem["edges"] if end in edge[:2]) for end in ends]
