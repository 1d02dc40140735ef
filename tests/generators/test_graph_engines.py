"""Engines of graphs: shapes, names, canonical forms, and searches against brute force on small graphs."""

from __future__ import annotations

from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.seeding import Stream
from envhub.generators.graphs import (
    coloring,
    embeddings,
    flows,
    maps,
    matching,
    names,
    orders,
    sets,
    shapes,
    tours,
    trees,
)
from envhub.generators.graphs.canonical import canonical
from envhub.generators.graphs.graph import Graph, bridges, components, distances, is_connected, reached

KEYS = st.binary(max_size=8)


def small(key: bytes, *, directed: bool = False) -> Graph:
    rng = Stream(key, "graph")
    nodes = rng.between(4, 7)
    pairs = shapes.connected(rng, nodes, rng.between(nodes - 1, nodes * (nodes - 1) // 2))
    return Graph(tuple(range(nodes)), tuple((one, other, rng.between(1, 5)) for one, other in pairs), directed)


@given(key=KEYS)
def test_a_shape_is_connected_and_has_as_many_edges_as_asked_for(key: bytes) -> None:
    rng = Stream(key)
    nodes = rng.between(4, 20)
    edges = rng.between(nodes - 1, min(3 * nodes, nodes * (nodes - 1) // 2))
    for shape in (*shapes.SHAPES, shapes.acyclic, shapes.cyclic):
        pairs = shape(rng, nodes, edges)
        graph = Graph(tuple(range(nodes)), tuple((one, other, 1) for one, other in pairs))
        assert is_connected(graph)
        assert len({frozenset(pair) for pair in pairs}) == len(pairs) == edges


@given(key=KEYS)
def test_special_shapes_are_what_they_say(key: bytes) -> None:
    rng = Stream(key)
    nodes = rng.between(6, 24)
    layered = shapes.layered(rng, nodes, 2 * nodes)
    network = Graph(tuple(range(nodes)), tuple((one, other, 1) for one, other in layered), directed=True)
    assert orders.topological_order(network) is not None
    assert set(reached(network, 0)) == set(network.nodes) == set(reached(network.reversed(), nodes - 1))
    ring = shapes.with_cycle(rng, nodes, 2 * nodes)
    if ring is not None:
        graph = Graph(network.nodes, tuple((one, other, 1) for one, other in ring), directed=True)
        assert orders.topological_order(graph) is None
        assert len(orders.shortest_cycle(graph) or ()) > 3
    stroke = shapes.stroke(rng, 8, 14)
    if stroke is not None:
        graph = Graph(tuple(range(8)), tuple((one, other, 1) for one, other in stroke))
        trail = tours.eulerian_trail(graph)
        assert trail is not None
        assert len(trail.witness) == 15


@given(key=KEYS, count=st.integers(1, 500))
def test_names_differ(key: bytes, count: int) -> None:
    found = names.names(Stream(key), count)
    assert len({name.upper() for name in found}) == len(found) == count


def test_no_name_turns_into_another_by_one_sign() -> None:
    """What the audit's slightly changed answers rely on: a letter becomes A or B, a digit the next one."""
    kinds = [*names._LETTERS], names._WORDS, *([*map(str, found)] for found in names._NUMBERS.values())
    for kind in kinds:
        known = {name.upper() for name in kind}
        for name in known:
            for at, sign in enumerate(name):
                slips = [str((int(sign) + 1) % 10)] if sign.isdigit() else ["A", "B"]
                assert not {name[:at] + slip + name[at + 1 :] for slip in slips if slip != sign} & known


@given(key=KEYS, directed=st.booleans())
def test_renaming_and_reordering_do_not_change_the_canonical_form(key: bytes, directed: bool) -> None:
    graph = small(key, directed=directed)
    rng = Stream(key, "names")
    known = dict(zip(graph.nodes, rng.sample(range(100), len(graph.nodes)), strict=True))
    edges = [(known[one], known[other], weight) for one, other, weight in graph.edges]
    if not directed:
        edges = [(other, one, weight) for one, other, weight in edges]
    rng.shuffle(edges)
    twin = Graph(tuple(sorted(known.values())), tuple(edges), directed)
    assert canonical(graph, {0: 1, 2: 2}) == canonical(twin, {known[0]: 1, known[2]: 2})
    heavier = Graph(graph.nodes, ((*graph.edges[0][:2], 9), *graph.edges[1:]), directed)
    assert canonical(graph, {}) != canonical(heavier, {})


@given(key=KEYS)
def test_a_bridge_separates_the_graph_and_no_other_edge_does(key: bytes) -> None:
    graph = small(key)
    found = {frozenset(edge) for edge in bridges(graph)}
    for one, other, _ in graph.edges:
        assert (not is_connected(graph.without({(one, other)}))) == ({one, other} in found)


@given(key=KEYS)
def test_strong_components_are_the_classes_of_mutual_reachability(key: bytes) -> None:
    graph = small(key, directed=True)
    part = {node: set(found) for found in components(graph) for node in found}
    for one, other in combinations(graph.nodes, 2):
        both = other in reached(graph, one) and one in reached(graph, other)
        assert both == (other in part[one])


@given(key=KEYS)
@settings(max_examples=40)
def test_sets_matchings_and_colorings_are_best(key: bytes) -> None:
    graph = small(key)
    subsets = [set(part) for size in range(len(graph.nodes) + 1) for part in combinations(graph.nodes, size)]
    free = [part for part in subsets if not any({one, other} <= part for one, other, _ in graph.edges)]
    closed = {node: {node, *graph.near[node]} for node in graph.nodes}
    assert sets.largest_independent_set(graph).value == max(map(len, free))
    assert sets.smallest_cover(graph).value == len(graph.nodes) - max(map(len, free))
    dominating = [part for part in subsets if all(part & closed[node] for node in graph.nodes)]
    assert sets.smallest_dominating_set(graph).value == min(map(len, dominating))
    cliques = [part for part in subsets if all(other in closed[one] for one, other in combinations(part, 2))]
    assert sets.largest_clique(graph).value == max(map(len, cliques))
    pairings = [
        part
        for size in range(4)
        for part in combinations(graph.edges, size)
        if len({node for edge in part for node in edge[:2]}) == 2 * size
    ]
    assert matching.heaviest_matching(graph).value == max(sum(edge[2] for edge in part) for part in pairings)
    found = coloring.fewest_colors(graph, 10_000)
    assert found is not None
    painted = list(product(range(found.value - 1), repeat=len(graph.nodes)))
    assert not any(all(color[one] != color[other] for one, other, _ in graph.edges) for color in painted)


@given(key=KEYS)
@settings(max_examples=40)
def test_a_cut_costs_what_flows(key: bytes) -> None:
    graph = small(key)
    found = flows.minimum_cut(graph, 0, 1)
    assert 1 not in reached(graph.without(set(found.witness)), 0)
    assert found.value == sum(graph.near[one][other] for one, other in found.witness)
    sides = [{0, *part} for size in range(len(graph.nodes)) for part in combinations(graph.nodes[2:], size)]
    assert found.value == min(sum(w for a, b, w in graph.edges if (a in side) != (b in side)) for side in sides)


@given(key=KEYS)
@settings(max_examples=40)
def test_tours_and_paths_are_best(key: bytes) -> None:
    rng = Stream(key)
    graph = Graph(tuple(range(6)), tuple((one, other, rng.between(1, 9)) for one, other in shapes.complete(6)))
    best = min(tours.length(graph, (0, *rest, 0)) for rest in permutations(range(1, 6)))
    assert tours.cheapest_tour(graph).value == best == tours.length(graph, tours.cheapest_tour(graph).witness)
    sparse = small(key)
    for closed in (True, False):
        found = tours.hamiltonian(sparse, closed=closed, limit=10_000)
        orders_ = ((*order, order[0]) if closed else order for order in permutations(sparse.nodes))
        assert (found is not None) == any(not tours.fault(sparse, order) for order in orders_)


def test_a_search_that_takes_too_long_gives_up() -> None:
    graph = small(b"limit")
    assert tours.hamiltonian(graph, closed=False, limit=1) is None
    assert coloring.fewest_colors(graph, 1) is None


@given(key=KEYS)
def test_a_renamed_graph_is_isomorphic_and_contains_its_parts(key: bytes) -> None:
    graph = small(key)
    image = {node: f"n{node}" for node in graph.nodes}
    twin = Graph(tuple(image.values()), tuple((image[one], image[other], w) for one, other, w in graph.edges))
    found = embeddings.isomorphism(graph, twin)
    assert found is not None
    assert not embeddings.image_fault(graph, twin, dict(found.witness))
    part = Graph(graph.nodes, graph.edges[: len(graph.nodes) - 1])
    if is_connected(part):
        assert embeddings.embedding(part, twin) is not None
    heavier = Graph(twin.nodes, tuple((one, other, w + 1) for one, other, w in twin.edges))
    assert embeddings.isomorphism(graph, heavier) is None


@given(key=KEYS)
def test_the_diameter_is_the_largest_distance(key: bytes) -> None:
    rng = Stream(key)
    nodes = rng.between(2, 12)
    graph = Graph(tuple(range(nodes)), tuple((*pair, rng.between(1, 9)) for pair in shapes.tree(rng, nodes)))
    found = trees.diameter(graph)
    assert found.value == max(max(distances(graph, node).values()) for node in graph.nodes)
    assert tours.length(graph, found.witness) == found.value


@given(key=KEYS)
@settings(max_examples=40)
def test_changed_trees_are_at_most_as_far_apart_as_the_changes(key: bytes) -> None:
    rng = Stream(key)
    known = names.names(rng, 9)
    tree = trees.random_tree(rng, known[:6])
    changed = trees.edited(rng, tree, known[6:])
    found, back = trees.edit(tree, changed), trees.edit(changed, tree)
    assert found.value == back.value <= 3
    assert trees.edit(tree, tree).value == 0
    assert set(trees.order_of(tree)) == set(trees.nodes_of(tree)) == set(known[:6])


@given(key=KEYS)
def test_orders_of_a_random_tree_give_its_postorder(key: bytes) -> None:
    before, within = trees.random_orders(Stream(key), [*"CDEFGHI"])
    after = trees.postorder(before, within)
    assert sorted(after) == sorted(before) == sorted(within)
    assert after[-1] == before[0]


def test_a_map_has_eight_symmetries_and_cells_are_named_like_a_spreadsheet() -> None:
    rows = ["#.", "##", ".."]
    assert maps.land(rows).nodes == ("A1", "A2", "B2")
    assert maps.land(rows).edges == (("A1", "A2", 1), ("A2", "B2", 1))
    assert len({tuple(turned) for turned in maps.symmetric(rows)}) == 8


@pytest.mark.parametrize("nodes", [2, 3])
def test_the_smallest_graphs_work(nodes: int) -> None:
    graph = Graph(tuple(range(nodes)), tuple((at, at + 1, 1) for at in range(nodes - 1)))
    assert sets.largest_clique(graph).value == 2
    assert coloring.fewest_colors(graph, 100) is not None
    assert matching.heaviest_matching(graph).value == 1
