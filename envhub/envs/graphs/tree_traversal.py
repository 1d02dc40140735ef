"""tree-traversal-v0: find the postorder from the preorder and the inorder.

Action: the nodes in postorder. Difficulty: more nodes. Effort is the number of nodes. Names do not change the problem.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from envhub.families.graph_kit import JSON, GraphTask, Optimum, Phrase, Stream, knob, levels
from envhub.families.tree_renderings import two_orders
from envhub.generators.graphs.names import names
from envhub.generators.graphs.trees import postorder, random_orders
from envhub.verifiers.answers.graphs import Route


class TreeTraversal(GraphTask):
    """Find the postorder of a binary tree."""

    Params = levels(nodes=knob("number of nodes", 10, 11, 12, 14, 16, 18, 21, 24, 28, 34, at_least=4, at_most=80))
    answer = Route(arrows=False, called="the nodes in postorder, separated by commas")
    unique = True
    data = two_orders()
    task = Phrase(
        "Find the postorder of the binary tree with this preorder and this inorder.",
        "A binary tree is described by its preorder and its inorder. Write down its postorder.",
        "What is the postorder of the binary tree, given its preorder and its inorder?",
        held_out="Reconstruct the binary tree from its preorder and its inorder, and report its postorder.",
    )
    rules = (
        Phrase(
            "The preorder lists the root, then the left subtree, then the right subtree, each of them in preorder.",
            "In preorder, a node comes first, then its left subtree, then its right subtree.",
            "Preorder: visit the node, then its left subtree in preorder, then its right subtree in preorder.",
            held_out="pre(t) = root(t), pre(left(t)), pre(right(t)).",
        ),
        Phrase(
            "The inorder lists the left subtree, then the root, then the right subtree.",
            "In inorder, a node comes after its left subtree and before its right subtree.",
            "Inorder: visit the left subtree in inorder, then the node, then the right subtree in inorder.",
            held_out="in(t) = in(left(t)), root(t), in(right(t)).",
        ),
        Phrase(
            "The postorder lists the left subtree, then the right subtree, then the root.",
            "In postorder, a node comes last, after its left subtree and its right subtree.",
            "Postorder: visit the left subtree in postorder, then the right subtree in postorder, then the node.",
            held_out="post(t) = post(left(t)), post(right(t)), root(t).",
        ),
        Phrase(
            "Each of the {count} nodes occurs exactly once. Subtrees may be empty.",
            "List all {count} nodes once. A node may have no left or no right subtree.",
            "The answer contains each of the {count} nodes once. Some subtrees are empty.",
            held_out="The tree has {count} nodes with different names; empty subtrees contribute nothing.",
        ),
    )
    pictured: ClassVar[bool] = False

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A random binary tree."""
        before, within = random_orders(rng, names(rng, p.nodes))
        return {"preorder": before, "inorder": within}

    def values(self, problem: JSON) -> Mapping[str, Any]:
        """The number of nodes."""
        return {"count": len(problem["preorder"])}

    def canonical(self, content: JSON) -> JSON:
        """The places of the nodes of the preorder in the inorder."""
        return [content["inorder"].index(name) for name in content["preorder"]]

    def labels(self, problem: JSON) -> Iterable[str]:
        """The nodes."""
        return list(problem["preorder"])

    def best(self, problem: JSON) -> Optimum:
        """By splitting both orders at the root."""
        found = postorder(problem["preorder"], problem["inorder"])
        return Optimum(0, tuple(found), len(found))

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """0 if it is the postorder."""
        right = self.best(problem).witness
        if len(witness) != len(right):
            return f"There are {len(right)} nodes, and the answer has {len(witness)}."
        wrong = next((at for at, (one, other) in enumerate(zip(witness, right, strict=True), 1) if one != other), None)
        return 0 if wrong is None else f"The node at position {wrong} is wrong."

    def greedy(self, problem: JSON) -> list[Any]:
        """The given orders, and the preorder backwards."""
        return [tuple(problem["preorder"]), tuple(problem["inorder"]), tuple(problem["preorder"][::-1])]
