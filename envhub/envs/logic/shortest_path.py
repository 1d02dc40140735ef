"""shortest-path-v0: find a cheapest path in a weighted graph and its cost.

Action: the nodes of the path in order and its total cost. Any cheapest path counts: it is followed edge by edge, its
cost is summed, and must equal both the stated cost and the optimum of an exact search. Difficulty: more nodes and
edges, a cheapest path of more edges, larger weights; from level 4 on a path with fewer edges always exists and costs
more, and from level 7 on edges are one-way. Effort is the number of edges that Dijkstra's search examines.

The names of the nodes, the order of the edges and the direction of travel do not change the problem. Scaled weights are
not folded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, SingleTurn
from envhub.authoring.wording import Phrase, Rendering, Statement, Variants
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.generators.graphs import weighted
from envhub.verifiers.answers.claims import Claim
from envhub.verifiers.answers.paths import Path
from envhub.verifiers.answers.types import AnswerType

_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LEVELS: Final = (
    (5, 6, 2, 9, False, False),
    (6, 9, 2, 9, False, False),
    (8, 13, 3, 9, False, False),
    (10, 18, 3, 20, False, True),
    (12, 24, 4, 20, False, True),
    (15, 32, 4, 20, False, True),
    (18, 42, 5, 50, False, True),
    (22, 54, 6, 50, True, True),
    (26, 76, 7, 99, True, True),
    (32, 104, 8, 99, True, True),
)

_TASK: Final = Phrase(
    "Find a path from {start} to {goal} with the lowest possible total cost.",
    "What is the cheapest way from {start} to {goal}, and what does it cost?",
    "Travel from {start} to {goal} as cheaply as possible.",
    "I want to get from {start} to {goal} at the lowest total cost. Which path should I take?",
    held_out="Determine a walk of minimum weight with source {start} and target {goal}.",
)
_BOTH_WAYS: Final = Phrase(
    "Each edge joins two nodes and can be used in both directions, at the same cost.",
    "Every edge works both ways. Its cost is the same in either direction.",
    "You may use an edge from either of its two nodes to the other, for the same cost.",
    held_out="The graph is undirected: each edge may be traversed from either end, with equal weight.",
)
_ONE_WAY: Final = Phrase(
    "Each edge is one-way: it can be used only from its first node to its second node.",
    "Edges have a direction. You may use an edge only from the node that is named first to the node that is named second.",
    "No edge may be used backwards: it leads from its first node to its second node.",
    held_out="The graph is directed: an edge leads from its first node to its second, and not back.",
)
_COST: Final = Phrase(
    "The total cost of a path is the sum of the costs of its edges.",
    "Add up the costs of all edges on the path to get its total cost.",
    "A path costs as much as its edges together.",
    held_out="The weight of a walk is the sum over its edges; it is the cost to report.",
)
_ENDS: Final = Phrase(
    "The path begins with {start} and ends with {goal}. Name every node on the way, in order.",
    "List every node of the path in order, from {start} to {goal}, including these two.",
    "Write out all nodes that the path visits: {start} first, {goal} last, and the others between them in order.",
    held_out="Report the complete sequence of nodes. Its first term is {start} and its last term is {goal}.",
)
_TIES: Final = Phrase(
    "If several paths have the lowest cost, give any one of them.",
    "Any path of lowest cost is right, if there is more than one.",
    "When two or more paths are equally cheap, you may choose between them.",
    held_out="In case of ties, an arbitrary optimum is accepted.",
)


class Params(BaseParams):
    """The shape of the graph, and the distance of the goal."""

    nodes: int = Field(8, ge=3, le=60, description="how many nodes")
    edges: int = Field(12, ge=2, le=300, description="how many pairs of nodes are joined")
    hops: int = Field(3, ge=2, le=30, description="edges on the cheapest path (the fewest, if several are cheapest)")
    weight: int = Field(9, ge=2, le=10_000, description="the greatest weight of an edge")
    directed: bool = Field(False, description="edges are one-way (some pairs are joined both ways)")
    detour: bool = Field(False, description="a path with fewer edges exists, and costs more")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if not self.nodes - 1 <= self.edges <= self.nodes * (self.nodes - 1) // 2:
            raise ValueError("nodes - 1 <= edges <= nodes * (nodes - 1) / 2 must hold")
        if self.hops >= self.nodes:
            raise ValueError("hops < nodes must hold")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        nodes, edges, hops, weight, directed, detour = _LEVELS[difficulty - 1]
        return cls(nodes=nodes, edges=edges, hops=hops, weight=weight, directed=directed, detour=detour)


class ShortestPath(SingleTurn):
    """Find a cheapest path from a start to a goal."""

    Params = Params
    answer: AnswerType = Path()

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """A graph with a pair of nodes at the requested distance.

        Under random names.
        """
        edges = weighted.random_edges(rng, nodes=p.nodes, edges=p.edges, weight=p.weight, directed=p.directed)
        out = weighted.ways(edges, directed=p.directed)
        ends = [(one, other) for one in range(p.nodes) for other in range(p.nodes) if one != other]
        for one, other in rng.sample(ends, min(len(ends), 60)):
            route = weighted.route(out, one, other)
            if route is None or len(route.nodes) - 1 != p.hops:
                continue
            if not p.detour or weighted.fewest_edges(edges, one, other, directed=p.directed) != p.hops:
                return self._named(rng, p, edges, route)
        return None

    def _named(self, rng: Stream, p: Any, edges: list[list[int]], route: weighted.Route) -> Instance:
        known = _LETTERS if p.nodes <= len(_LETTERS) else [a + b for a in _LETTERS for b in _LETTERS]
        names = rng.sample(known, p.nodes)
        listed = [[names[one], names[other], weight] for one, other, weight in edges]
        rng.shuffle(listed)
        path = [names[node] for node in route.nodes]
        problem = {"directed": p.directed, "edges": listed, "start": path[0], "goal": path[-1]}
        return Instance(problem, key=f"{' -> '.join(path)}, cost {route.cost}")

    def canonical(self, content: JSON) -> JSON:
        """The graph without names."""
        return weighted.canonical(content["edges"], content["start"], content["goal"], directed=content["directed"])

    def prompt(self, problem: JSON) -> Statement:
        """The edges, the start and the goal."""
        return Statement(
            task=_TASK,
            data=_DATA,
            problem=problem,
            rules=(_ONE_WAY if problem["directed"] else _BOTH_WAYS, _COST, _ENDS, _TIES),
            values={"start": problem["start"], "goal": problem["goal"]},
        )

    def grade(self, inst: Instance, value: Claim) -> Verdict:
        """Check ends, edges, cost and optimum, in this order."""
        problem, (nodes, claimed) = inst.problem, value
        if (nodes[0], nodes[-1]) != (problem["start"], problem["goal"]):
            return Verdict.exact(False, f"The path must lead from {problem['start']} to {problem['goal']}.")
        out = weighted.ways(problem["edges"], directed=problem["directed"])
        cost = 0
        for one, other in pairwise(nodes):
            if other not in out.get(one, {}):
                return Verdict.exact(False, f"There is no edge from {one} to {other}.")
            cost += out[one][other]
        if cost != claimed:
            return Verdict.exact(False, f"The path costs {cost}, not {claimed}.")
        best = weighted.cheapest(problem["edges"], problem["start"], problem["goal"], directed=problem["directed"])
        if best is None:
            return Verdict.failed("no_path", "The problem has no path at all.")
        return Verdict.exact(cost == best.cost, "" if cost == best.cost else "There is a cheaper path.")

    def solve(self, inst: Instance) -> str:
        """A cheapest path."""
        return str(inst.key)

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """Equally cheap paths through nodes outside the recorded one, if any."""
        problem = inst.problem
        for nodes, cost in weighted.detours(
            problem["edges"], problem["start"], problem["goal"], directed=problem["directed"]
        ):
            yield f"{' -> '.join(nodes)}, cost {cost}"

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Wrong paths and wrong costs near the cheapest path.

        Its parts, reversed, with another cost, and the best path that avoids one of its edges.
        """
        problem = inst.problem
        witness, cost = self.answer.parse(inst.key)
        nodes = list(witness)
        weights = [weighted.ways(problem["edges"], directed=problem["directed"])[a][b] for a, b in pairwise(nodes)]
        yield from (f"{' -> '.join(nodes)}, cost {cost + step}" for step in (1, -1))
        yield f"{' -> '.join(reversed(nodes))}, cost {cost}"
        for part, price in ((nodes[1:], cost - weights[0]), (nodes[:-1], cost - weights[-1])):
            if len(part) > 1:
                yield f"{' -> '.join(part)}, cost {price}"
        yield f"{nodes[0]} -> {nodes[-1]}, cost {cost}" if len(nodes) > 2 else f"{nodes[0]} -> {nodes[0]}, cost 0"
        for one, other in pairwise(nodes):
            edges = [edge for edge in problem["edges"] if {one, other} != set(edge[:2])]
            found = weighted.cheapest(edges, problem["start"], problem["goal"], directed=problem["directed"])
            if found is not None and found.cost > cost:
                yield f"{' -> '.join(found.nodes)}, cost {found.cost}"

    def effort(self, inst: Instance) -> float:
        """Number of edges that Dijkstra's search examines."""
        problem = inst.problem
        found = weighted.cheapest(problem["edges"], problem["start"], problem["goal"], directed=problem["directed"])
        return float(found.scanned if found else 0)


def _edge_list(problem: JSON) -> str:
    sign = "->" if problem["directed"] else "-"
    edges = "\n".join(f"{one} {sign} {other}: {weight}" for one, other, weight in problem["edges"])
    kind = "a one-way edge" if problem["directed"] else "an edge"
    return f"Each line is {kind}. The number after the colon is its cost.\n\n{edges}"


def _by_node(problem: JSON) -> str:
    edges: dict[str, list[str]] = {}
    for one, other, weight in problem["edges"]:
        edges.setdefault(one, []).append(f"{other} ({weight})")
    rows = "\n".join(f"{node}: {', '.join(ends)}" for node, ends in edges.items())
    return (
        "Each line gives a node and, after the colon, the second nodes of edges that have it as their first node. The cost of "
        f"an edge is in parentheses. Each edge is listed once.\n\n{rows}"
    )


def _as_json(problem: JSON) -> str:
    return f"The edges as JSON, each one as [first node, second node, cost]:\n\n{json.dumps(problem['edges'])}"


def _as_weights(problem: JSON) -> str:
    weights = "; ".join(f"w({one}, {other}) = {weight}" for one, other, weight in problem["edges"])
    return f"w(x, y) is the weight of the edge with first node x and second node y.\n{weights}"


_DATA: Final[Variants[Rendering]] = Variants(_edge_list, _by_node, _as_json, held_out=_as_weights, name="data")
