"""Renderings of trees, as two orders or as ordered trees.

Training prompts show orders as lists, and trees as brackets, outlines or JSON; tables are held out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from envhub.authoring.wording import Variants

Rendering = Callable[[Any], str]


def two_orders() -> Variants[Rendering]:
    """Renderings of the fields preorder and inorder."""
    return Variants(_lines, _sentences, _object, held_out=_table, name="orders")


def _lines(problem: Any) -> str:
    return f"Preorder: {', '.join(problem['preorder'])}\nInorder: {', '.join(problem['inorder'])}"


def _sentences(problem: Any) -> str:
    orders = (" ".join(problem[order]) for order in ("preorder", "inorder"))
    return "The preorder visits the nodes as {}. The inorder visits them as {}.".format(*orders)


def _object(problem: Any) -> str:
    return json.dumps({order: problem[order] for order in ("preorder", "inorder")})


def _table(problem: Any) -> str:
    pairs = zip(problem["preorder"], problem["inorder"], strict=True)
    rows = [f"| {at} | {one} | {other} |" for at, (one, other) in enumerate(pairs, 1)]
    return "\n".join(["| position | preorder | inorder |", "|---|---|---|", *rows])


def two_trees(**titles: str) -> Variants[Rendering]:
    """Renderings of ordered trees, each under its title, by field."""

    def together(explained: str, drawn: Callable[[Any], str]) -> Rendering:
        return lambda problem: "\n".join(
            [explained, *(f"{title}\n{drawn(problem[field])}" for field, title in titles.items())]
        )

    return Variants(
        together("The children of a node follow it in parentheses, in order.", _brackets),
        together("Each line is a node. Its children are indented beneath it, in order.", _outline),
        together(
            "Each node is a JSON list: its name, then its children in order.", lambda tree: json.dumps(_nested(tree))
        ),
        held_out=together("Each line lists the children of one node, in order. The first line is the root.", _children),
        name="trees",
    )


def _brackets(tree: Any) -> str:
    name, children = tree
    return f"{name}({', '.join(map(_brackets, children))})" if children else str(name)


def _outline(tree: Any) -> str:
    return "\n".join(_indented(tree, 0))


def _indented(tree: Any, depth: int) -> Iterator[str]:
    yield f"{'  ' * depth}{tree[0]}"
    for child in tree[1]:
        yield from _indented(child, depth + 1)


def _nested(tree: Any) -> list[Any]:
    return [tree[0], *map(_nested, tree[1])]


def _children(tree: Any) -> str:
    return "\n".join(f"{name} -> {' '.join(children) or '(none)'}" for name, children in _families(tree))


def _families(tree: Any) -> Iterator[tuple[str, list[str]]]:
    yield tree[0], [child[0] for child in tree[1]]
    for child in tree[1]:
        yield from _families(child)
