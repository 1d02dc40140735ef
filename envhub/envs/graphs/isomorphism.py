"""graph-isomorphism-v0: find an isomorphism between two graphs.

Action: for each node of the first graph, its image in the second. Any isomorphism counts; one is planted. Difficulty:
more nodes and edges. Effort is the number of pairs of nodes that colour refinement and search compare. Names and the
order of edges do not change the problem.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from envhub.families.graph_kit import JSON, Graph, GraphTask, Optimum, Phrase, Stream, knob, levels
from envhub.families.graph_renderings import drawn_graphs
from envhub.families.graph_task import EXISTS
from envhub.generators.graphs.canonical import canonical
from envhub.generators.graphs.embeddings import image_fault, isomorphism
from envhub.generators.graphs.shapes import connected
from envhub.verifiers.answers.graphs import Labelling


class Isomorphism(GraphTask):
    """Find a renaming of nodes that turns one graph into another."""

    Params = levels(
        nodes=knob("number of nodes of each graph", 10, 11, 12, 13, 14, 15, 17, 19, 22, 26, at_least=6, at_most=26),
        edges=knob("number of edges of each graph", 16, 18, 20, 22, 25, 28, 32, 37, 43, 51, at_least=6, at_most=100),
    )
    answer = Labelling(called="each node of graph G with its image in graph H after a colon, separated by commas")
    tie = EXISTS
    data = drawn_graphs(first="Graph G:", second="Graph H:")
    titles = (("first", "Graph G"), ("second", "Graph H"))
    task = Phrase(
        "Graphs G and H are isomorphic. Find an isomorphism from G to H.",
        "Graph H is graph G with other names for the nodes. Assign to each node of G its name in H.",
        "Which node of H corresponds to each node of G, if the two graphs are the same up to names?",
        held_out="Given two isomorphic graphs G and H, determine a bijection f from the nodes of G to the nodes of H.",
    )
    rules = (
        Phrase(
            "Each of the {count} nodes of G has exactly one image, and different nodes have different images.",
            "Assign a different node of H to each of the {count} nodes of G.",
            "Every one of the {count} nodes of G needs its own node of H; no node of H may be used twice.",
            held_out="f is defined on all {count} nodes of G and is injective.",
        ),
        Phrase(
            "Two nodes of G are joined by an edge if and only if their images in H are joined by an edge.",
            "Nodes that are joined in G have images that are joined in H. Nodes that are not joined have images that are not.",
            "The images of two nodes must be joined by an edge of H exactly when the two nodes are joined by an edge of G.",
            held_out="For all nodes u and v of G, u - v is an edge of G if and only if f(u) - f(v) is an edge of H.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """One graph under two sets of names."""
        pairs = connected(rng, p.nodes, p.edges)
        return {"first": self.stated(rng, p.nodes, pairs), "second": self.stated(rng, p.nodes, pairs)}

    def best(self, problem: JSON) -> Optimum | None:
        """By colour refinement and search."""
        return isomorphism(Graph.of(problem["first"]), Graph.of(problem["second"]))

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """0 if it is an isomorphism.

        Both graphs have as many edges, so it suffices that edges map to edges.
        """
        return image_fault(Graph.of(problem["first"]), Graph.of(problem["second"]), dict(witness)) or 0

    def canonical(self, content: JSON) -> JSON:
        """One of the graphs without names."""
        return canonical(Graph.of(content["first"]), {})

    def values(self, problem: JSON) -> Mapping[str, Any]:
        """The number of nodes of each graph."""
        return {"count": len(problem["first"]["nodes"])}

    def labels(self, problem: JSON) -> Iterable[str]:
        """The nodes of both graphs."""
        return [*problem["first"]["nodes"], *problem["second"]["nodes"]]
