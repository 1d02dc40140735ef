"""Rooted trees: ancestors, traversals, diameters, and the edit distance of ordered trees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.graphs.graph import Graph, Node, distances
from envhub.generators.optimum import Optimum

Tree = tuple[str, tuple[Any, ...]]
"""A name and the children, in order."""


def parents(graph: Graph) -> dict[Node, Node]:
    """The parent of every node but the root.

    Edges lead from parents to children.
    """
    return {other: one for one, other, _ in graph.edges}


def ancestors(up: Mapping[Node, Node], node: Node) -> list[Node]:
    """A node, its parent, and so on up to the root."""
    found = [node]
    while found[-1] in up:
        found.append(up[found[-1]])
    return found


def common_ancestor(up: Mapping[Node, Node], one: Node, other: Node) -> Optimum:
    """The lowest common ancestor, and the distance of the nodes.

    The distance counts edges. A step is a node visited.
    """
    above, below = ancestors(up, one), ancestors(up, other)
    meeting = next(node for node in above if node in below)
    return Optimum(above.index(meeting) + below.index(meeting), meeting, len(above) + len(below))


def diameter(graph: Graph) -> Optimum:
    """A longest path of a tree, with its total weight.

    A step is an edge passed by one of two searches.
    """
    far = distances(graph, graph.nodes[0])
    end = max(graph.nodes, key=lambda node: far[node])
    back = distances(graph, end)
    goal = max(graph.nodes, key=lambda node: back[node])
    path = [goal]
    while path[-1] != end:
        node = path[-1]
        path.append(next(other for other, weight in graph.near[node].items() if back[other] + weight == back[node]))
    return Optimum(back[goal], tuple(path), 2 * len(graph.edges))


def postorder(before: Sequence[str], within: Sequence[str]) -> list[str]:
    """The postorder of the binary tree with a preorder and an inorder."""
    if not before:
        return []
    at = within.index(before[0])
    return [*postorder(before[1 : at + 1], within[:at]), *postorder(before[at + 1 :], within[at + 1 :]), before[0]]


def tree_of(nested: JSON) -> Tree:
    """The tree in a JSON list of a name and the children."""
    return nested[0], tuple(map(tree_of, nested[1]))


def as_json(tree: Tree) -> JSON:
    """A tree as a JSON list of a name and the children."""
    return [tree[0], [as_json(child) for child in tree[1]]]


def nodes_of(tree: Tree) -> Iterator[str]:
    """The names in preorder."""
    yield tree[0]
    for child in tree[1]:
        yield from nodes_of(child)


def edit(one: Tree, other: Tree) -> Optimum:
    """The edit distance of two ordered trees, with a mapping.

    The mapping holds the pairs of nodes that are kept or renamed.

    Inserting, deleting and renaming a node cost 1 each. The recursion is Zhang and Shasha's, over forests; a step is a pair
    of forests.
    """
    steps = 0

    @cache
    def size(forest: tuple[Tree, ...]) -> int:
        return sum(1 + size(tree[1]) for tree in forest)

    @cache
    def best(left: tuple[Tree, ...], right: tuple[Tree, ...]) -> tuple[int, tuple[tuple[str, str], ...]]:
        nonlocal steps
        steps += 1
        if not left or not right:
            return size(left) + size(right), ()
        (name, children), (label, others) = left[-1], right[-1]
        deleted, kept = best((*left[:-1], *children), right)
        inserted, held = best(left, (*right[:-1], *others))
        inside, inner = best(children, others)
        outside, outer = best(left[:-1], right[:-1])
        options = [
            (inside + outside + (name != label), (*outer, *inner, (name, label))),
            (deleted + 1, kept),
            (inserted + 1, held),
        ]
        return min(options, key=lambda option: option[0])

    value, pairs = best((one,), (other,))
    return Optimum(value, pairs, steps)


def order_of(tree: Tree) -> dict[str, tuple[int, int]]:
    """The places of every node in preorder and in postorder.

    An ancestor is earlier in the one and later in the other.
    """
    first = {name: at for at, name in enumerate(nodes_of(tree))}
    last: dict[str, int] = {}

    def leave(branch: Tree) -> None:
        for child in branch[1]:
            leave(child)
        last[branch[0]] = len(last)

    leave(tree)
    return {name: (first[name], last[name]) for name in first}


def renamed(tree: Tree, known: Mapping[str, str]) -> Tree:
    """The tree with other names."""
    return known.get(tree[0], tree[0]), tuple(renamed(child, known) for child in tree[1])


def random_tree(rng: Stream, names: Sequence[str]) -> Tree:
    """An ordered tree in which random earlier nodes are parents."""
    children: dict[str, list[str]] = {name: [] for name in names}
    for at in range(1, len(names)):
        children[names[max(0, at - 1 - rng.below(min(at, 4)))]].append(names[at])

    def grown(name: str) -> Tree:
        return name, tuple(map(grown, children[name]))

    return grown(names[0])


def edited(rng: Stream, tree: Tree, fresh: Sequence[str]) -> Tree:
    """The tree after one random change per fresh name.

    A node is renamed, deleted or inserted. The root may only be renamed.
    """
    for name in fresh:
        known = list(nodes_of(tree))
        target = rng.choice(known)
        kind = rng.below(3)
        if kind == 0 or len(known) < 3:
            tree = renamed(tree, {target: name})
        elif kind == 1:
            tree = (tree[0], _without(tree[1], target))
        else:
            tree = _adopted(rng, tree, target, name)
    return tree


def _without(forest: tuple[Any, ...], target: str) -> tuple[Any, ...]:
    """The forest without a node, whose children take its place."""
    found: list[Tree] = []
    for name, children in forest:
        rest = _without(children, target)
        found += rest if name == target else [(name, rest)]
    return tuple(found)


def _adopted(rng: Stream, tree: Tree, target: str, name: str) -> Tree:
    """The tree with a new node above some consecutive children."""
    if tree[0] != target:
        return tree[0], tuple(_adopted(rng, child, target, name) for child in tree[1])
    start = rng.between(0, len(tree[1]))
    end = rng.between(start, len(tree[1]))
    return target, (*tree[1][:start], (name, tree[1][start:end]), *tree[1][end:])


def random_orders(rng: Stream, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Preorder and inorder of a random binary tree."""

    def split(part: Sequence[str]) -> tuple[list[str], list[str]]:
        if not part:
            return [], []
        left = rng.below(len(part))
        (first, inner), (second, outer) = split(part[1 : left + 1]), split(part[left + 1 :])
        return [part[0], *first, *second], [*inner, part[0], *outer]

    return split(names)
