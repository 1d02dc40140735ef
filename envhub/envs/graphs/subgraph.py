"""graph-subgraph-v0: find a pattern inside a larger graph.

Action: for each node of the pattern, its image in the large graph. Any embedding counts; one is planted. Difficulty:
larger graphs and patterns. Effort is the number of pairs of nodes that a search compares. Names and the order of edges
do not change the problem.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from envhub.core.errors import InvalidParameters
from envhub.families.graph_kit import JSON, Graph, GraphTask, Optimum, Phrase, Stream, knob, levels
from envhub.families.graph_renderings import drawn_graphs
from envhub.families.graph_task import EXISTS
from envhub.generators.graphs.canonical import canonical
from envhub.generators.graphs.embeddings import embedding, image_fault
from envhub.generators.graphs.graph import reached
from envhub.generators.graphs.shapes import connected
from envhub.verifiers.answers.graphs import Labelling


class Subgraph(GraphTask):
    """Find nodes of a graph that are joined as a pattern demands."""

    Params = levels(
        nodes=knob("number of nodes of the large graph", 9, 10, 11, 12, 13, 15, 17, 19, 22, 25, at_least=6, at_most=40),
        edges=knob(
            "number of edges of the large graph", 15, 17, 19, 21, 24, 28, 32, 37, 44, 52, at_least=6, at_most=120
        ),
        pattern=knob("number of nodes of the pattern", 4, 4, 5, 5, 6, 6, 7, 8, 9, 10, at_least=3),
    )
    answer = Labelling(called="each node of the pattern P with its image in G after a colon, separated by commas")
    tie = EXISTS
    data = drawn_graphs(pattern="Pattern P:", host="Graph G:")
    titles = (("pattern", "Pattern P"), ("host", "Graph G"))
    task = Phrase(
        "Find a copy of the pattern P in the graph G.",
        "Assign to each node of P a node of G such that every edge of P is also an edge of G.",
        "Which nodes of G can stand for the nodes of P, so that all edges of P exist in G?",
        held_out="Determine an injective map f from the nodes of P to the nodes of G that preserves edges.",
    )
    rules = (
        Phrase(
            "Each of the {count} nodes of P has exactly one image, and different nodes have different images.",
            "Assign a different node of G to each of the {count} nodes of P.",
            "Every one of the {count} nodes of P needs its own node of G; no node of G may be used twice.",
            held_out="f is defined on all {count} nodes of P and is injective.",
        ),
        Phrase(
            "If two nodes of P are joined by an edge, their images must be joined by an edge of G.",
            "The images of nodes that are joined in P must be joined in G.",
            "Each edge of P must lead to an edge of G between the two images.",
            held_out="For each edge u - v of P, f(u) - f(v) is an edge of G.",
        ),
        Phrase(
            "G may have further edges between the images.",
            "Images may be joined in G even if the nodes of P are not joined.",
            "Additional edges of G between the images do no harm.",
            held_out="The copy need not be induced: other edges of G between images are allowed.",
        ),
    )

    def check(self, p: Any) -> None:
        """The pattern must be smaller than the graph."""
        super().check(p)
        if p.pattern >= p.nodes:
            raise InvalidParameters(f"`pattern` must be below `nodes`, got {p.pattern} of {p.nodes}.")

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A graph, and a connected part of it that has a cycle."""
        pairs = connected(rng, p.nodes, p.edges)
        host = Graph(tuple(range(p.nodes)), tuple((one, other, 1) for one, other in pairs))
        part = {node: at for at, node in enumerate(reached(host, rng.below(p.nodes))[: p.pattern])}
        kept = [(part[one], part[other]) for one, other in pairs if one in part and other in part]
        if len(kept) < p.pattern:
            return None
        return {"pattern": self.stated(rng, p.pattern, kept), "host": self.stated(rng, p.nodes, pairs)}

    def best(self, problem: JSON) -> Optimum | None:
        """By search."""
        return embedding(Graph.of(problem["pattern"]), Graph.of(problem["host"]))

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """0 if every edge of the pattern maps to an edge."""
        return image_fault(Graph.of(problem["pattern"]), Graph.of(problem["host"]), dict(witness)) or 0

    def canonical(self, content: JSON) -> JSON:
        """Both graphs without names."""
        return [canonical(Graph.of(content["pattern"]), {}), canonical(Graph.of(content["host"]), {})]

    def values(self, problem: JSON) -> Mapping[str, Any]:
        """The number of nodes of the pattern."""
        return {"count": len(problem["pattern"]["nodes"])}

    def labels(self, problem: JSON) -> Iterable[str]:
        """The nodes of both graphs."""
        return [*problem["pattern"]["nodes"], *problem["host"]["nodes"]]
