"""Embeddings of one graph in another, by search with counted steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from envhub.generators.graphs.canonical import colours
from envhub.generators.graphs.graph import Graph, Node
from envhub.generators.optimum import Optimum


def embedding(pattern: Graph, host: Graph, alike: Mapping[Node, Iterable[Node]] | None = None) -> Optimum | None:
    """An embedding of a pattern: edges map to edges of equal weight.

    Different nodes have different images.

    Where both graphs have as many nodes and edges, it is an isomorphism. A step is a pair of nodes compared.

    Args:
        pattern: A connected graph.
        host: A graph.
        alike: The host nodes that may be the image of each node; by default those with enough edges.
    """
    order = _connected_order(pattern)
    possible = {node: dict.fromkeys(alike[node] if alike else _large(node, pattern, host)) for node in order}
    place: dict[Node, Node] = {}
    used: set[Node] = set()
    steps = len(pattern.nodes) * len(host.nodes)

    def fits(node: Node, other: Node) -> bool:
        return all(
            host.near[other].get(place[near]) == weight for near, weight in pattern.near[node].items() if near in place
        )

    def search(at: int) -> bool:
        nonlocal steps
        if at == len(order):
            return True
        node = order[at]
        known = next((place[near] for near in pattern.near[node] if near in place), None)
        for other in possible[node] if known is None else host.near[known]:
            if other not in used and other in possible[node]:
                steps += 1
                if fits(node, other):
                    place[node] = other
                    used.add(other)
                    if search(at + 1):
                        return True
                    used.discard(other)
                    del place[node]
        return False

    return Optimum(0, tuple((node, place[node]) for node in pattern.nodes), steps) if search(0) else None


def isomorphism(one: Graph, other: Graph) -> Optimum | None:
    """An isomorphism, by colour refinement and search.

    Both graphs must be connected and have as many nodes and edges.
    """
    first, second = colours(one, {}), colours(other, {})
    alike = {node: [image for image in other.nodes if second[image] == first[node]] for node in one.nodes}
    return embedding(one, other, alike)


def image_fault(pattern: Graph, host: Graph, image: Mapping[Node, Node]) -> str:
    """The first fault of an embedding; empty if it is right."""
    if set(image) != set(pattern.nodes) or not set(image.values()) <= set(host.nodes):
        return "Every node must have an image in the other graph, and nothing else."
    if len(set(image.values())) < len(image):
        return "Two nodes have the same image."
    for one, other, weight in pattern.edges:
        if host.near[image[one]].get(image[other]) != weight:
            return f"There is an edge from {one} to {other}, but not from {image[one]} to {image[other]}."
    return ""


def _connected_order(graph: Graph) -> list[Node]:
    """The nodes such that each has as many earlier neighbours as possible."""
    order: list[Node] = []
    left = dict.fromkeys(graph.nodes)
    while left:
        node = max(left, key=lambda one: (sum(other in graph.near[one] for other in order), len(graph.near[one])))
        order.append(node)
        del left[node]
    return order


def _large(node: Node, pattern: Graph, host: Graph) -> list[Node]:
    """The host nodes with enough edges for a pattern node."""
    return [other for other in host.nodes if len(host.near[other]) >= len(pattern.near[node])]
