"""graph-maxflow-v0: find a maximum flow from a source to a sink.

Action: the amount on each edge that carries flow, and the value of the flow. Any maximum flow counts. Difficulty: more
nodes and edges, larger capacities. Effort is the number of edges that Edmonds and Karp's searches examine. Names and
the order of edges do not change the problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.graph_kit import JSON, Graph, GraphTask, Optimum, Phrase, Stream, drawn_graph, knob, levels
from envhub.families.graph_task import weighted
from envhub.generators.graphs.flows import maximum_flow
from envhub.generators.graphs.shapes import layered
from envhub.verifiers.answers.graphs import Flow


class MaximumFlow(GraphTask):
    """Find a maximum flow."""

    Params = levels(
        nodes=knob("number of nodes", 6, 7, 8, 9, 10, 12, 14, 16, 18, 21, at_least=5, at_most=40),
        edges=knob("number of edges", 8, 10, 13, 16, 19, 24, 29, 35, 41, 50, at_least=5, at_most=120),
        capacity=knob("greatest capacity of an edge", 9, 9, 12, 15, 20, 20, 30, 40, 60, 99, at_least=2),
    )
    answer = Flow(value="value of the flow")
    data = drawn_graph("capacity")
    task = Phrase(
        "Find a maximum flow from {source} to {sink} in this network, and its value.",
        "Send as much flow as possible from {source} to {sink}. State the amount on each edge and the total.",
        "What is the largest flow from {source} to {sink}, and how much of it does each edge carry?",
        held_out="Determine a flow of maximum value, where {source} is the source and {sink} is the sink.",
    )
    rules = (
        Phrase(
            "The flow on an edge is a whole number from 0 to the edge's capacity, in the direction of the edge.",
            "Each edge carries a whole amount of flow in its own direction, at most its capacity.",
            "Amounts are non-negative integers. No edge may carry more than its capacity, or carry flow backwards.",
            held_out="For each edge, the flow is an integer f with 0 <= f <= capacity, directed as the edge is.",
        ),
        Phrase(
            "At every node except {source} and {sink}, the flow in equals the flow out.",
            "Except at {source} and {sink}, as much flow must leave a node as enters it.",
            "Flow is conserved: for every node other than {source} and {sink}, inflow and outflow are equal.",
            held_out="Inflow minus outflow is zero at every node that is neither {source} nor {sink}.",
        ),
        Phrase(
            "The value is the total flow into {sink}. Edges without flow are omitted.",
            "List only edges that carry flow. The value of the flow is the amount that arrives at {sink}.",
            "Leave out edges with flow 0. The value counts everything that enters {sink}.",
            held_out="The value of the flow is the sum over all edges into {sink}. Omit each edge whose flow is 0.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Layers from the source to the sink."""
        edges = weighted(rng, layered(rng, p.nodes, p.edges), p.capacity)
        return self.stated(rng, p.nodes, edges, directed=True, source=0, sink=p.nodes - 1)

    def best(self, problem: JSON) -> Optimum:
        """By Edmonds and Karp's algorithm."""
        return maximum_flow(Graph.of(problem), problem["source"], problem["sink"])

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The flow into the sink, if it is conserved."""
        graph = Graph.of(problem)
        excess = dict.fromkeys(graph.nodes, 0)
        for one, other, amount in witness:
            if amount > graph.near[one].get(other, 0):
                return f"The edge {one}->{other} can carry {graph.near[one].get(other, 0)}, not {amount}."
            excess[one] -= amount
            excess[other] += amount
        for node, left in excess.items():
            if left and node not in (problem["source"], problem["sink"]):
                return f"The flow into {node} minus the flow out of it is {left}, not 0."
        return excess[problem["sink"]]

    def greedy(self, problem: JSON) -> list[Any]:
        """Every edge at its capacity."""
        return [tuple(map(tuple, problem["edges"]))]
