"""The kinds of arguments for walks: graphs and commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from envhub.core.seeding import Stream
from envhub.generators.programs.kind import NO_HINTS, Args, Hints, Kind, always_given

MOST_NODES: Final = 10
MOST_EDGES: Final = 22
MOST_MOVES: Final = 14

# -- graphs ------------------------------------------------------------------------------------------------------------


def _edges(rng: Stream, count: int, edges: int) -> list[list[int]]:
    return [[rng.below(count), rng.below(count)] for _ in range(edges)]


def _graph(rng: Stream, number: int, hints: Hints) -> Args:
    count = (number * 3 + 4) % (MOST_NODES - 1) + 2
    return count, _edges(rng, count, number * 5 % (MOST_EDGES + 1)), rng.below(count)


def _named(rng: Stream, count: int, edges: list[tuple[int, int]]) -> Args:
    """A graph of a known form, randomly relabelled.

    Node numbers, edge order and direction are random.
    """
    names = rng.sample(range(count), count)
    found = [[names[a], names[b]] if rng.below(2) else [names[b], names[a]] for a, b in edges]
    return count, rng.sample(found, len(found)), names[0]


def _tree(rng: Stream) -> Args:
    count = rng.between(5, MOST_NODES)
    return _named(rng, count, [(rng.below(at), at) for at in range(1, count)])


_GRAPH_EDGES: Final[tuple[Callable[[Stream], Args], ...]] = (
    always_given(1, [], 0),
    always_given(1, [[0, 0]], 0),
    always_given(2, [], 1),
    always_given(2, [[0, 1]], 0),
    always_given(2, [[0, 1]], 1),
    lambda rng: (MOST_NODES, [], rng.below(MOST_NODES)),
    lambda rng: (MOST_NODES, _edges(rng, MOST_NODES, MOST_EDGES), rng.below(MOST_NODES)),
    lambda rng: _named(rng, MOST_NODES, [(at, at + 1) for at in range(MOST_NODES - 1)]),
    lambda rng: _named(rng, MOST_NODES, [(at, (at + 1) % MOST_NODES) for at in range(MOST_NODES)]),
    lambda rng: _named(rng, 8, [(0, at) for at in range(1, 8)]),
    _tree,
    _tree,
    _tree,
    lambda rng: _named(rng, 5, [(a, b) for a in range(5) for b in range(5)][:MOST_EDGES]),
    lambda rng: _named(rng, 4, [(0, 1), (0, 1), (1, 2), (2, 2), (1, 2)]),
    lambda rng: _named(rng, 7, [(0, 1), (0, 2), (1, 3), (3, 4), (2, 5), (5, 6)]),
)


# -- commands ----------------------------------------------------------------------------------------------------------


def _moves(rng: Stream, number: int, hints: Hints) -> Args:
    turns = ["L", "R"] * (1 + number % 2)
    return ([rng.choice([*turns, *(f"F{n}" for n in range(1, 7))]) for _ in range(number % MOST_MOVES + 1)],)


_MOVES_EDGES: Final = (
    always_given([]),
    *(always_given([move]) for move in ("L", "R", "F1", "F6")),
    always_given(["F6"] * MOST_MOVES),
    always_given(["L", "L"]),
    always_given(["R", "F1"]),
    always_given(["F6", "F6", "R", "F6", "F6"]),
    always_given(["L", "F6", "R", "F1"]),
    lambda rng: _moves(rng, MOST_MOVES - 1, NO_HINTS),
)


GRAPH: Final = Kind(
    "int, list[list[int]], int",
    "a graph",
    ("count", "edges", "start"),
    f"count nodes (1 to {MOST_NODES}), numbered from 0 to count - 1; edges is a list of up to {MOST_EDGES} pairs [a, b] of "
    "nodes (a may equal b, pairs may repeat, there may be none); start is a node",
    _GRAPH_EDGES,
    _graph,
)
MOVES: Final = Kind(
    "list[str]",
    "a list of commands",
    ("commands",),
    f"up to {MOST_MOVES} commands: 'L', 'R', or 'F' followed by a digit from 1 to 6; it may be empty",
    _MOVES_EDGES,
    _moves,
)
