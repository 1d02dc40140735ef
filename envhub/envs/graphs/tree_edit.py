"""tree-edit-v0: turn one ordered tree into another with few changes.

Action: which nodes of the first tree become which of the second, and the number of changes. Any best mapping counts.
Difficulty: larger trees and more changes. Effort is the number of pairs of forests that Zhang and Shasha's recursion
visits. Names do not change the problem, except which of them are equal.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any, ClassVar

from envhub.families.graph_kit import JSON, GraphTask, Optimum, Phrase, Stream, knob, levels
from envhub.families.tree_renderings import two_trees
from envhub.generators.graphs.names import names
from envhub.generators.graphs.trees import as_json, edit, edited, nodes_of, order_of, random_tree, renamed, tree_of
from envhub.verifiers.answers.graphs import Labelling


class TreeEdit(GraphTask):
    """Find a mapping between two ordered trees that needs the fewest changes."""

    Params = levels(
        nodes=knob("number of nodes of the first tree", 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, at_least=3, at_most=18),
        changes=knob("number of changes made to it", 3, 3, 3, 4, 4, 4, 5, 5, 6, 7, at_least=1, at_most=10),
    )
    answer = Labelling(
        value="number of changes",
        called="the pairs of nodes kept or renamed, each as FIRST:SECOND, separated by commas",
    )
    data = two_trees(first="Tree 1:", second="Tree 2:")
    task = Phrase(
        "Turn tree 1 into tree 2 with as few changes as possible. State which nodes are kept or renamed.",
        "Find the edit distance from tree 1 to tree 2, and which nodes of tree 1 become which nodes of tree 2.",
        "What is the smallest number of changes needed to turn tree 1 into tree 2, and which nodes are kept or renamed?",
        held_out="Determine an optimal edit mapping from tree 1 to tree 2, and the tree edit distance.",
    )
    rules = (
        Phrase(
            "A change renames a node, deletes a node, or inserts a node. Each change costs 1.",
            "There are three kinds of changes: rename one node, delete one node, insert one node. Each of them counts 1.",
            "You may rename, delete and insert single nodes. Every such step is one change.",
            held_out="The edit operations are renaming, deleting and inserting one node, at cost 1 each.",
        ),
        Phrase(
            "When a node is deleted, its children take its place in the same order. Inserting is the reverse of deleting.",
            "The children of a deleted node become children of its parent, in its place. Inserting is the opposite.",
            "Deleting a node moves its children up into its place, in order. Inserting a node is the opposite operation.",
            held_out="Deletion replaces a node by the sequence of its children; insertion is the inverse operation.",
        ),
        Phrase(
            "The order of children matters.",
            "Children are ordered, so exchanging two children is not free.",
            "Trees whose children have a different order are different.",
            held_out="Both trees are ordered: siblings have a fixed sequence.",
        ),
        Phrase(
            "List a pair for each node that is kept or renamed: its name in tree 1, a colon, its name in tree 2.",
            "For every node that is neither deleted nor inserted, write its name in tree 1, a colon and its name in tree 2.",
            "Write one pair for each kept or renamed node: before the colon its name in tree 1, after it its name in tree 2.",
            held_out="The mapping has one pair u:v per node u of tree 1 that becomes the node v of tree 2; names may be equal.",
        ),
        Phrase(
            "Ancestors stay ancestors, and a node to the left of another one stays to the left of it.",
            "Kept and renamed nodes keep their relations: who is an ancestor of whom, and who is to the left of whom.",
            "If one mapped node is an ancestor of another or to the left of it, so is its partner.",
            held_out="The mapping preserves the ancestor relation and the left-to-right order.",
        ),
        Phrase(
            "The number of changes counts renamed pairs, nodes of tree 1 without a pair, and nodes of tree 2 without a pair.",
            "Count 1 for each pair with different names and for each node of either tree that is in no pair.",
            "Pairs with different names and all nodes without a pair, in either tree, count as one change each.",
            held_out="The distance is the number of pairs with different names plus the number of unmapped nodes.",
        ),
    )
    pictured: ClassVar[bool] = False

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A random tree, and the same tree after random changes."""
        known = names(rng, p.nodes + p.changes)
        first = random_tree(rng, known[: p.nodes])
        return {"first": as_json(first), "second": as_json(edited(rng, first, known[p.nodes :]))}

    def guard(self, problem: JSON, found: Optimum, p: Any) -> bool:
        """The trees differ, and have something in common."""
        return found.value > 0 and len(found.witness) > 1

    def canonical(self, content: JSON) -> JSON:
        """Both trees with names numbered by first occurrence."""
        known: dict[str, str] = {}
        for name in (*nodes_of(content["first"]), *nodes_of(content["second"])):
            known.setdefault(name, str(len(known)))
        return [renamed(content[field], known) for field in ("first", "second")]

    def labels(self, problem: JSON) -> Iterable[str]:
        """The nodes of both trees."""
        return list(dict.fromkeys([*nodes_of(problem["first"]), *nodes_of(problem["second"])]))

    def best(self, problem: JSON) -> Optimum:
        """By Zhang and Shasha's recursion."""
        return edit(tree_of(problem["first"]), tree_of(problem["second"]))

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The number of changes of a mapping."""
        left, right = order_of(problem["first"]), order_of(problem["second"])
        for one, other in witness:
            if one not in left or other not in right:
                return f"{one}:{other} is not a node of tree 1 and a node of tree 2."
        if len({other for _, other in witness}) < len(witness):
            return "Two nodes of tree 1 become the same node of tree 2."
        for (one, other), (two, partner) in combinations(witness, 2):
            before = [left[one][at] < left[two][at] for at in (0, 1)]
            if before != [right[other][at] < right[partner][at] for at in (0, 1)]:
                return f"{one}:{other} and {two}:{partner} do not keep the order of the trees."
        changed: int = sum(one != other for one, other in witness)
        return len(left) + len(right) - 2 * len(witness) + changed

    def greedy(self, problem: JSON) -> list[Any]:
        """All nodes with equal names."""
        right = order_of(problem["second"])
        return [tuple((name, name) for name in nodes_of(problem["first"]) if name in right)]
