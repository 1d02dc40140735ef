"""graph-reach-v0: find a path between two nodes, or disprove it.

Action: a path, or a set of nodes with the start and without the goal that no edge leaves. Any such path or set counts;
half of the problems have a path. Difficulty: more nodes and edges. Effort is the number of nodes and edges of the
graph. Names and the order of edges do not change the problem.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from envhub.families.graph_kit import JSON, Graph, GraphTask, Optimum, Phrase, Stream, drawn_graph, knob, levels
from envhub.generators.graphs.graph import reached, shortest
from envhub.generators.graphs.shapes import cyclic
from envhub.generators.graphs.tours import fault
from envhub.verifiers.answers.graphs import ROUTE, SET, RouteOrSet

_PAIRS: Final = 16


class Reach(GraphTask):
    """Find a directed path, or prove that no path exists."""

    Params = levels(
        nodes=knob("number of nodes", 9, 10, 12, 14, 16, 19, 23, 28, 34, 42, at_least=6, at_most=120),
        edges=knob("number of edges", 13, 14, 17, 20, 23, 28, 34, 41, 50, 62, at_least=6, at_most=240),
    )
    answer = RouteOrSet()
    tie = None
    data = drawn_graph()
    task = Phrase(
        "Find a directed path from {start} to {goal}, or prove that there is none.",
        "Can {goal} be reached from {start} along the directed edges? Show how, or prove that it cannot.",
        "Decide whether a directed path leads from {start} to {goal}, and prove your answer.",
        held_out="Determine whether {goal} is reachable from {start}, with a certificate.",
    )
    rules = (
        Phrase(
            "If there is a path, give any path. It follows edges in their direction and names every node on the way.",
            "If a path exists, list the nodes of any path in order. Each step follows an edge in its direction.",
            "If a path exists, write all of its nodes in order. Every step must be an edge, used in its direction.",
            held_out="In the positive case, the certificate is a directed path. Any path is accepted.",
        ),
        Phrase(
            "Otherwise, give a set of nodes that contains {start} but not {goal} and that no edge leaves.",
            "If there is no path, name a set of nodes with {start} and without {goal}, such that no edge leads out of the set.",
            "If no path exists, prove it by a set of nodes: {start} is in it, {goal} is not, and no edge leads out of it.",
            held_out="In the negative case, the certificate is a set with {start} and without {goal} that no edge leaves.",
        ),
        Phrase(
            "An edge leaves a set if it leads from a node in the set to a node outside.",
            "An edge leads out of a set if it starts at a node of the set and ends at a node that is not in the set.",
            "An edge that leaves the set has its start in the set and its end outside.",
            held_out="An edge u -> v leaves a set if u is in the set and v is not.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A directed graph with two nodes that are far apart."""
        pairs = cyclic(rng, p.nodes, p.edges)
        graph = Graph(tuple(range(p.nodes)), tuple((*pair, 1) for pair in pairs), directed=True)
        fits = _far if rng.below(2) else _apart
        for _ in range(_PAIRS):
            start, goal = rng.sample(range(p.nodes), 2)
            if fits(graph, start, goal):
                return self.stated(rng, p.nodes, pairs, directed=True, start=start, goal=goal)
        return None

    def best(self, problem: JSON) -> Optimum:
        """By breadth-first search."""
        graph = Graph.of(problem)
        path = shortest(graph, problem["start"], problem["goal"])
        steps = len(graph.nodes) + len(graph.edges)
        if path is not None:
            return Optimum(0, (ROUTE, tuple(path)), steps)
        return Optimum(0, (SET, tuple(reached(graph, problem["start"]))), steps)

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """0 if the path or the set proves its claim."""
        graph = Graph.of(problem)
        kind, nodes = witness
        if kind == ROUTE:
            if (nodes[0], nodes[-1]) != (problem["start"], problem["goal"]):
                return f"The path must lead from {problem['start']} to {problem['goal']}."
            return fault(graph, nodes) or 0
        if problem["start"] not in nodes or problem["goal"] in nodes:
            return f"The set must contain {problem['start']} and must not contain {problem['goal']}."
        leaving = next(((one, other) for one, other, _ in graph.edges if one in nodes and other not in nodes), None)
        return 0 if leaving is None else f"The edge from {leaving[0]} to {leaving[1]} leaves the set."

    def slips(self, problem: JSON, value: int, witness: Any) -> Iterator[tuple[int, Any]]:
        """The other claim, and certificates with a node less."""
        kind, nodes = witness
        yield 0, (ROUTE, (problem["start"], problem["goal"]))
        yield 0, (ROUTE, tuple(nodes[::-1]))
        yield 0, (SET, (problem["start"],))
        yield 0, (SET, tuple(node for node in problem["nodes"] if node != problem["goal"]))
        yield from ((0, (kind, (*nodes[:at], *nodes[at + 1 :]))) for at in range(len(nodes)) if len(nodes) > 1)


def _far(graph: Graph, start: int, goal: int) -> bool:
    """Whether a shortest path has at least three edges."""
    return len(shortest(graph, start, goal) or ()) > 3


def _apart(graph: Graph, start: int, goal: int) -> bool:
    """Whether no path exists, though both nodes have large surroundings."""
    if shortest(graph, start, goal) is not None:
        return False
    return min(len(reached(graph, start)), len(reached(graph.reversed(), goal))) > len(graph.nodes) // 5
