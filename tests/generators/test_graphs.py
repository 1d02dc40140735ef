"""Graphs: the search against brute force, and a form without names."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

from hypothesis import given, settings, strategies as st

from envhub.core.seeding import Stream
from envhub.generators.graphs import weighted


def brute(edges: list[list[Any]], start: int, goal: int, directed: bool) -> tuple[int, int] | None:
    """The least cost, then the fewest edges, over every simple path."""
    out = {(a, b): w for a, b, w in edges} | ({} if directed else {(b, a): w for a, b, w in edges})
    middle = {v for a, b, _ in edges for v in (a, b)} - {start, goal}
    found = []
    for count in range(len(middle) + 1):
        for between in permutations(sorted(middle), count):
            path = [start, *between, goal]
            steps = list(pairwise(path))
            if all(s in out for s in steps):
                found.append((sum(out[s] for s in steps), len(steps)))
    return min(found, default=None)


GRAPHS = st.tuples(st.integers(3, 6), st.integers(0, 10), st.integers(1, 4), st.booleans(), st.integers(0, 10**9)).map(
    lambda g: (
        g[3],
        weighted.random_edges(
            Stream(b"graph", g[4]),
            nodes=g[0],
            edges=min(g[0] - 1 + g[1], g[0] * (g[0] - 1) // 2),
            weight=g[2],
            directed=g[3],
        ),
    )
)


@given(GRAPHS)
@settings(max_examples=60)
def test_the_search_finds_what_trying_every_path_finds(drawn: tuple[bool, list[list[int]]]) -> None:
    directed, edges = drawn
    nodes = {v for a, b, _ in edges for v in (a, b)}
    for goal in sorted(nodes - {0}):
        route = weighted.cheapest(edges, 0, goal, directed=directed)
        assert (route and (route.cost, len(route.nodes) - 1)) == brute(edges, 0, goal, directed)
        fewest = brute([[a, b, 1] for a, b, _ in edges], 0, goal, directed)
        assert weighted.fewest_edges(edges, 0, goal, directed=directed) == (fewest and fewest[0])


@given(GRAPHS)
def test_drawn_graphs_are_connected_and_have_no_edge_twice(drawn: tuple[bool, list[list[int]]]) -> None:
    _, edges = drawn
    assert len({(a, b) for a, b, _ in edges}) == len(edges)
    assert all(a != b and w >= 1 for a, b, w in edges)
    nodes = {v for a, b, _ in edges for v in (a, b)}
    assert all(weighted.cheapest(edges, 0, v, directed=False) for v in nodes)


@given(GRAPHS, st.randoms(use_true_random=False))
def test_names_order_and_direction_of_travel_are_folded_and_weights_are_not(drawn: Any, rng: Any) -> None:
    directed, edges = drawn
    names = list("ABCDEF")
    rng.shuffle(names)
    other = [[names[a], names[b], w] for a, b, w in edges]
    rng.shuffle(other)
    if not directed:
        other = [[b, a, w] if rng.random() < 0.5 else [a, b, w] for a, b, w in other]
    form = weighted.canonical(edges, 0, 1, directed=directed)
    assert weighted.canonical(other, names[0], names[1], directed=directed) == form
    turned = [[b, a, w] for a, b, w in edges]
    assert weighted.canonical(turned, 1, 0, directed=directed) == form
    heavier = [[*edges[0][:2], edges[0][2] + 10], *edges[1:]]
    assert weighted.canonical(heavier, 0, 1, directed=directed) != form


def test_the_ends_and_the_direction_of_an_edge_matter() -> None:
    edges = [["A", "B", 1], ["B", "C", 2], ["A", "C", 4]]
    forms = [weighted.canonical(edges, *ends, directed=False) for ends in ("AB", "BC", "AC")]
    assert len({repr(f) for f in forms}) == 3
    assert weighted.canonical(edges, "A", "C", directed=True) != weighted.canonical(
        [["B", "A", 1], *edges[1:]], "A", "C", directed=True
    )
    assert weighted.cheapest([["A", "B", 1]], "B", "A", directed=True) is None
