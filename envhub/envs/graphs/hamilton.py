"""graph-hamilton-v0: find a path or a cycle through every node.

Action: the nodes of the path in order. Any Hamiltonian path (or cycle) counts; one is planted. Difficulty: more nodes
and edges; from level 4 on, cycles are asked for, and a greedy search reaches a dead end. Effort is the number of nodes
that a search with backtracking tries. Names and the order of edges do not change the problem.
"""

from __future__ import annotations

from typing import Any, Final

from envhub.families.graph_kit import JSON, Graph, GraphTask, Optimum, Phrase, Stream, drawn_graph, knob, levels
from envhub.families.graph_task import EXISTS
from envhub.generators.graphs.shapes import along
from envhub.generators.graphs.tours import fault, hamiltonian
from envhub.verifiers.answers.graphs import Route

_LIMIT: Final = 2  # steps per node; a longer search would make the effort of a level vary too much


CLOSED: Final = Phrase(
    "The cycle ends at the node where it begins. Write this node at both ends.",
    "Return to the first node at the end, and write it again there.",
    "The first node must also be written as the last one, because the cycle closes there.",
    held_out="The last node written equals the first. No other node is repeated.",
)
OPEN: Final = Phrase(
    "The path may begin and end at any node.",
    "You may choose the first and the last node freely.",
    "Start at any node. The last node does not have to be adjacent to the first.",
    held_out="The ends of the path are free, and it need not be closed.",
)


class HamiltonianPath(GraphTask):
    """Find a path or a cycle through every node."""

    Params = levels(
        nodes=knob("number of nodes", 9, 10, 11, 12, 14, 16, 18, 21, 25, 30, at_least=6, at_most=40),
        edges=knob("number of edges", 15, 17, 19, 21, 24, 27, 31, 36, 43, 52, at_least=6, at_most=120),
        closed=knob("whether the path must return to its first node", *[False] * 3, *[True] * 7),
        trap=knob("whether a greedy search reaches a dead end", *[False] * 3, *[True] * 7),
    )
    answer = Route(called="the nodes in order, joined by arrows")
    tie = EXISTS
    data = drawn_graph()
    task = Phrase(
        "Find a {kind} that visits every node of this graph exactly once.",
        "Visit each node of the graph exactly once with a {kind} along the edges.",
        "Which {kind} passes through every node of the graph exactly once?",
        held_out="Determine a Hamiltonian {kind} of the graph.",
    )
    rules = (
        Phrase(
            "Every two consecutive nodes are joined by an edge.",
            "You may move from one node to the next only along an edge.",
            "Every step follows an edge of the graph.",
            held_out="Consecutive nodes are adjacent in the graph.",
        ),
        Phrase(
            "None of the {count} nodes may be left out.",
            "All {count} nodes must occur.",
            "The answer must contain all {count} nodes.",
            held_out="Each of the {count} nodes is visited.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Edges around a planted path or cycle."""
        pairs, path = along(rng, p.nodes, p.edges - p.closed)
        ends = (path[-1], path[0])
        if p.closed and ends not in pairs and ends[::-1] not in pairs:
            pairs.append(ends)
        return {**self.stated(rng, p.nodes, pairs), "kind": "cycle" if p.closed else "path"}

    def guard(self, problem: JSON, found: Optimum, p: Any) -> bool:
        """A greedy search reaches a dead end."""
        return not p.trap or found.steps > p.nodes

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """With the rule on the ends."""
        return (*self.rules, CLOSED if problem["kind"] == "cycle" else OPEN, EXISTS)

    def best(self, problem: JSON) -> Optimum | None:
        """By search."""
        return hamiltonian(Graph.of(problem), closed=problem["kind"] == "cycle", limit=_LIMIT * len(problem["nodes"]))

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """0 if every node is visited once."""
        missing = fault(Graph.of(problem), witness)
        if missing:
            return missing
        visited = list(witness)
        if problem["kind"] == "cycle" and visited.pop() != witness[0]:
            return f"The cycle must return to {witness[0]}."
        return 0 if sorted(visited) == problem["nodes"] else "Every node must be visited exactly once."
