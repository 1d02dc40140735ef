"""graph-walks-v0: find all nodes at a given distance.

Action: the nodes and their number. Difficulty: more nodes and edges, larger distances; the distance is measured from
the start or, half of the time, to it. Effort is the number of nodes and edges of the graph. Names and the order of
edges do not change the problem.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from envhub.families.graph_kit import JSON, Graph, GraphTask, Optimum, Phrase, Stream, drawn_graph, knob, levels
from envhub.generators.graphs.graph import layers
from envhub.generators.graphs.shapes import cyclic
from envhub.verifiers.answers.graphs import NodeSet

_MOST: Final = 12
_STARTS: Final = 5


class Walks(GraphTask):
    """Find all nodes at a given distance by breadth-first search."""

    Params = levels(
        nodes=knob("number of nodes", 10, 13, 17, 22, 28, 36, 46, 60, 80, 110, at_least=6, at_most=300),
        edges=knob("number of edges", 16, 21, 27, 36, 46, 60, 78, 102, 136, 190, at_least=6, at_most=600),
        depth=knob("distance of the nodes asked for", 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, at_least=1),
    )
    answer = NodeSet(value="number of nodes")
    unique = True
    data = drawn_graph()
    task = Phrase(
        "Find all nodes with distance {depth} {way} {start}, and their number.",
        "List every node whose distance {way} {start} is exactly {depth}, and count these nodes.",
        "Which nodes have distance {depth} {way} {start}, and how many are there?",
        held_out="Determine the set of nodes v with distance {depth} {way} {start}, and the size of the set.",
    )
    rules = (
        Phrase(
            "The distance from a node u to a node v is the smallest number of edges on a directed path from u to v.",
            "The distance from u to v is the number of edges on a shortest directed path that leads from u to v.",
            "To measure the distance from a node u to a node v, count the edges of a shortest directed path from u to v.",
            held_out="The distance from u to v is the minimum number of edges over all directed paths from u to v.",
        ),
        Phrase(
            "Nodes at a smaller or larger distance do not count.",
            "Do not include nodes that are closer or farther.",
            "Leave out nodes that are nearer or farther away.",
            held_out="Nodes at any other distance are excluded.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A directed graph with some nodes at the distance and beyond."""
        pairs = cyclic(rng, p.nodes, p.edges)
        graph = Graph(tuple(range(p.nodes)), tuple((*pair, 1) for pair in pairs), directed=True)
        backward = bool(rng.below(2))
        for start in rng.sample(range(p.nodes), _STARTS):
            found = layers(graph.reversed() if backward else graph, start)
            if len(found) > p.depth + 1 and 2 <= len(found[p.depth]) <= _MOST:
                problem = self.stated(rng, p.nodes, pairs, directed=True, start=start)
                return {**problem, "depth": p.depth, "backward": backward}
        return None

    def values(self, problem: JSON) -> Mapping[str, Any]:
        """The direction in words."""
        return {"way": "to" if problem["backward"] else "from"}

    def best(self, problem: JSON) -> Optimum:
        """By breadth-first search."""
        found = tuple(_layers(problem)[problem["depth"]])
        return Optimum(len(found), found, len(problem["nodes"]) + len(problem["edges"]))

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The number of nodes, if they are right."""
        found = _layers(problem)
        for node in witness:
            if node not in found[problem["depth"]]:
                far = next((number for number, layer in enumerate(found) if node in layer), None)
                return f"The distance of {node} is {far}." if far is not None else f"No path connects {node}."
        return len(witness) if len(witness) == len(found[problem["depth"]]) else "Some nodes are missing."

    def greedy(self, problem: JSON) -> list[Any]:
        """The nodes one edge nearer, and those in the wrong direction."""
        wrong = _layers({**problem, "backward": not problem["backward"]})
        nearer = _layers(problem)[problem["depth"] - 1]
        return [tuple(nearer), tuple(wrong[min(problem["depth"], len(wrong) - 1)])]


def _layers(problem: JSON) -> list[list[str]]:
    """Nodes by distance from the start, or to it."""
    graph = Graph.of(problem)
    return layers(graph.reversed() if problem["backward"] else graph, problem["start"])
