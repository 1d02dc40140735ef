"""Random shapes of graphs on the nodes ``0 .. count - 1``, as pairs of nodes.

Every function takes a stream, the number of nodes and the number of edges, and returns that many different pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations, pairwise
from typing import Final

from envhub.core.seeding import Stream

Pairs = list[tuple[int, int]]
Shape = Callable[[Stream, int, int], Pairs]


def connected(rng: Stream, nodes: int, edges: int) -> Pairs:
    """A connected graph of a random shape."""
    return rng.choice(SHAPES)(rng, nodes, edges)


def scattered(rng: Stream, nodes: int, edges: int) -> Pairs:
    """A random tree and random further edges."""
    order = rng.sample(range(nodes), nodes)
    tree = [(order[rng.below(at)], order[at]) for at in range(1, nodes)]
    return _completed(rng, tree, combinations(range(nodes), 2), edges)


def nearby(rng: Stream, nodes: int, edges: int) -> Pairs:
    """Points in the plane, joined to near ones: long paths."""
    places = [(rng.below(1000), rng.below(1000)) for _ in range(nodes)]

    def apart(pair: tuple[int, int]) -> tuple[int, tuple[int, int]]:
        (a, b), (c, d) = places[pair[0]], places[pair[1]]
        return (a - c) ** 2 + (b - d) ** 2, pair

    pairs = sorted(combinations(range(nodes), 2), key=apart)
    tree = forest(nodes, pairs)
    kept = set(tree)
    return tree + [pair for pair in pairs if pair not in kept][: edges - len(tree)]


def stretched(rng: Stream, nodes: int, edges: int) -> Pairs:
    """A long, narrow tree, and edges between close nodes."""
    order = rng.sample(range(nodes), nodes)
    tree = [(order[max(0, at - 1 - rng.below(3))], order[at]) for at in range(1, nodes)]
    for width in range(3, nodes + 3, 3):
        close = [(order[a], order[b]) for a in range(nodes) for b in range(a + 1, min(nodes, a + width))]
        if len(close) >= edges + nodes or width >= nodes:
            return _completed(rng, tree, close, edges)
    return tree


SHAPES: Final[tuple[Shape, ...]] = (scattered, nearby, stretched)


def tree(rng: Stream, nodes: int) -> Pairs:
    """A random tree: pairs of a parent and a child, parents first."""
    width = rng.choice((2, 4, nodes))
    order = rng.sample(range(nodes), nodes)
    return [(order[max(0, at - 1 - rng.below(min(at, width)))], order[at]) for at in range(1, nodes)]


def acyclic(rng: Stream, nodes: int, edges: int) -> Pairs:
    """A weakly connected graph without a directed cycle."""
    order = rng.sample(range(nodes), nodes)
    place = {node: at for at, node in enumerate(order)}
    return [(one, other) if place[one] < place[other] else (other, one) for one, other in connected(rng, nodes, edges)]


def cyclic(rng: Stream, nodes: int, edges: int) -> Pairs:
    """A weakly connected graph with random directions."""
    return [pair if rng.below(2) else (pair[1], pair[0]) for pair in connected(rng, nodes, edges)]


def layered(rng: Stream, nodes: int, edges: int) -> Pairs:
    """A directed graph of layers between two nodes.

    Node 0 is the only source, and node ``nodes - 1`` the only sink.
    """
    wide = 2 + (nodes > 10) + (nodes > 16)
    inner = rng.sample(range(1, nodes - 1), nodes - 2)
    rows = [[0], *(inner[at : at + wide] for at in range(0, len(inner), wide)), [nodes - 1]]
    needed: dict[tuple[int, int], None] = {}
    for above, below in pairwise(rows):
        needed |= dict.fromkeys((rng.choice(above), node) for node in below)
        joined = {one for one, _ in needed}
        needed |= dict.fromkeys((node, rng.choice(below)) for node in above if node not in joined)
    rank = {node: number for number, row in enumerate(rows) for node in row}
    others = [
        (one, other)
        for one in range(nodes)
        for other in range(nodes)
        if 0 <= rank[other] - rank[one] <= 2 and (rank[one], one) < (rank[other], other)
    ]
    possible = [pair for pair in others if pair != (0, nodes - 1)]
    return _completed(rng, list(needed), possible, edges)


def along(rng: Stream, nodes: int, edges: int) -> tuple[Pairs, list[int]]:
    """A graph around a planted path through all nodes, and that path."""
    path = rng.sample(range(nodes), nodes)
    return _completed(rng, list(pairwise(path)), combinations(range(nodes), 2), edges), path


def forest(nodes: int, pairs: Iterable[tuple[int, int]]) -> Pairs:
    """A spanning forest: each pair, in order, that joins two parts."""
    group = list(range(nodes))
    found: Pairs = []
    for one, other in pairs:
        old, new = group[one], group[other]
        if old != new:
            found.append((one, other))
            group = [new if number == old else number for number in group]
    return found


def _completed(rng: Stream, chosen: Pairs, possible: Iterable[tuple[int, int]], edges: int) -> Pairs:
    """Chosen pairs and random possible ones, at most ``edges`` in all."""
    taken = {*chosen, *((other, one) for one, other in chosen)}
    free = [pair for pair in possible if pair not in taken]
    return chosen + rng.sample(free, max(0, min(edges - len(chosen), len(free))))


def stroke(rng: Stream, nodes: int, edges: int) -> Pairs | None:
    """The edges of a random trail through all nodes.

    None if the trail gets stuck too early.
    """
    used: dict[tuple[int, int], None] = {}
    order = rng.sample(range(nodes), nodes)
    at = order[0]
    while len(used) < edges:
        fresh = [node for node in order if node != at and (at, node) not in used and (node, at) not in used]
        unseen = [node for node in fresh if all(node not in edge for edge in used)]
        if not fresh:
            return None
        step = rng.choice(unseen if unseen and rng.below(2) else fresh)
        used[at, step] = None
        at = step
    return list(used) if len({node for edge in used for node in edge}) == nodes else None


def complete(nodes: int) -> Pairs:
    """All pairs of nodes."""
    return list(combinations(range(nodes), 2))


def star(arms: int, length: int) -> Pairs:
    """Paths of equal length from node 0.

    The first one ends at node ``length``.
    """
    first = range(1, 1 + arms * length, length)
    return [(0 if step == 0 else start + step - 1, start + step) for start in first for step in range(length)]


def with_cycle(rng: Stream, nodes: int, edges: int) -> Pairs | None:
    """A weakly connected directed graph with a cycle.

    It has at least three nodes. None if the draw has no room for it.
    """
    pairs = acyclic(rng, nodes, edges - 1)
    near: dict[int, list[int]] = {}
    for one, other in pairs:
        near.setdefault(one, []).append(other)
    far = [(one, last) for one in near for other in near[one] for last in near.get(other, ())]
    free = [(last, one) for one, last in far if (one, last) not in pairs]
    return [*pairs, rng.choice(free)] if free else None
