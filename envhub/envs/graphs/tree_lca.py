"""tree-lca-v0: find the lowest common ancestors of pairs of nodes.

Action: the ancestor of each pair, in order, and the total distance between the nodes of all pairs. Difficulty: more
nodes and pairs. Effort is the number of nodes on the ways from the pairs to the root, and the number of edges read.
Names, the order of edges and the order within a pair do not change the problem.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envhub.core.errors import InvalidParameters
from envhub.core.types import Instance
from envhub.families.graph_kit import JSON, Graph, GraphTask, Optimum, Phrase, Stream, drawn_graph, knob, levels
from envhub.generators.graphs.canonical import canonical
from envhub.generators.graphs.shapes import tree
from envhub.generators.graphs.trees import ancestors, common_ancestor, parents
from envhub.scenes import Scene, network
from envhub.verifiers.answers.graphs import Route


class CommonAncestors(GraphTask):
    """Find the lowest common ancestor of each pair of nodes."""

    Params = levels(
        nodes=knob("number of nodes", 9, 11, 13, 16, 19, 23, 28, 34, 42, 54, at_least=8, at_most=120),
        pairs=knob("number of pairs", 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, at_least=2, at_most=8),
    )
    answer = Route(
        arrows=False,
        value="sum of the distances",
        called="the lowest common ancestors in the order of the pairs, separated by commas",
    )
    unique = True
    data = drawn_graph(caption="The root is at the top, and each edge leads down, from a parent to a child.")
    task = Phrase(
        "Find the lowest common ancestor of each of these pairs of nodes, and the sum of the distances: {pairs}.",
        "For the pairs {pairs}, find the lowest common ancestor of each pair and the sum of the distances.",
        "What are the lowest common ancestors of the pairs {pairs}, and what is the sum of the distances?",
        held_out="Let the pairs be {pairs}. Determine the lowest common ancestor of each pair, and the sum of the distances.",
    )
    rules = (
        Phrase(
            "The graph is a rooted tree: every edge leads from a parent to its child.",
            "Edges lead from parents to their children. Together they form a rooted tree.",
            "In this rooted tree, the first node of an edge is the parent of the second.",
            held_out="The digraph is a rooted tree. An edge u -> v states that u is the parent of v.",
        ),
        Phrase(
            "The ancestors of a node are the node itself, its parent, the parent of its parent, and so on up to the root.",
            "Going from a node up to the root, you meet its ancestors. The node is also an ancestor of itself.",
            "Every node is its own ancestor. So are its parent, the parent's parent, and so on up to the root.",
            held_out="The ancestor relation is the reflexive and transitive closure of the parent relation.",
        ),
        Phrase(
            "The lowest common ancestor of a pair is the common ancestor that is farthest from the root.",
            "Of all common ancestors of a pair, the lowest is the one with the largest distance from the root.",
            "Among the common ancestors of two nodes, the lowest one is farthest away from the root.",
            held_out="The lowest common ancestor is the common ancestor of maximum depth.",
        ),
        Phrase(
            "The distance of a pair is the number of edges on the path between its two nodes, in either direction.",
            "For the distance between the two nodes of a pair, count the edges on the path between them, ignoring directions.",
            "A pair's distance is the number of edges between its nodes if you may follow edges in both directions.",
            held_out="The distance of a pair is the number of edges of the path that joins its nodes in the undirected tree.",
        ),
    )

    def check(self, p: Any) -> None:
        """No node is in two pairs."""
        if 2 * p.pairs > p.nodes:
            raise InvalidParameters(f"`pairs` must be at most half of `nodes`, got {p.pairs} with {p.nodes} nodes.")

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A rooted tree and pairs of different nodes."""
        nodes = rng.sample(range(p.nodes), 2 * p.pairs)
        edges = tree(rng, p.nodes)
        return self.stated(rng, p.nodes, edges, directed=True, one=nodes[: p.pairs], other=nodes[p.pairs :])

    def guard(self, problem: JSON, found: Optimum, p: Any) -> bool:
        """The ancestors differ, and some are not in the pairs."""
        known = {*problem["one"], *problem["other"]}
        return len(set(found.witness)) > 1 and len(known & set(found.witness)) < p.pairs

    def scene(self, inst: Instance, state: Any) -> Scene:
        """The tree, its root at the top."""
        edges = inst.problem["edges"]
        below = {node: [child for parent, child in edges if parent == node] for node in inst.problem["nodes"]}
        return network.tree(below, root=next(node for node in below if all(child != node for _, child in edges)))

    def values(self, problem: JSON) -> Mapping[str, Any]:
        """The pairs as text."""
        pairs = zip(problem["one"], problem["other"], strict=True)
        return {"pairs": "; ".join(f"{one} and {other}" for one, other in pairs)}

    def canonical(self, content: JSON) -> JSON:
        """The tree without names, its nodes marked by pair."""
        marks = {node: at for field in ("one", "other") for at, node in enumerate(content[field], 1)}
        return canonical(Graph.of(content), marks)

    def best(self, problem: JSON) -> Optimum:
        """By the ways to the root."""
        up = parents(Graph.of(problem))
        pairs = list(zip(problem["one"], problem["other"], strict=True))
        found = [common_ancestor(up, one, other) for one, other in pairs]
        steps = len(problem["edges"]) * len(pairs) + sum(one.steps for one in found)
        return Optimum(sum(one.value for one in found), tuple(one.witness for one in found), steps)

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The sum of the distances, if the ancestors are right."""
        right = self.best(problem)
        if len(witness) != len(right.witness):
            return f"There are {len(right.witness)} pairs, and the answer has {len(witness)} nodes."
        for at, (node, lowest) in enumerate(zip(witness, right.witness, strict=True)):
            if node != lowest:
                return f"{node} is not the lowest common ancestor of {problem['one'][at]} and {problem['other'][at]}."
        return right.value

    def greedy(self, problem: JSON) -> list[Any]:
        """The root, and the parents of the first nodes."""
        up = parents(Graph.of(problem))
        root = ancestors(up, problem["one"][0])[-1]
        return [(root,) * len(problem["one"]), tuple(up.get(node, root) for node in problem["one"])]
