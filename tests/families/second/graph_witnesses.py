"""Whether an answer to a graph task obeys the rules, by networkx."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Final

import networkx as nx

from envhub.core.types import JSON
from tests.families.second.graphs import ancestors, central, graph_of, land, walks


def is_spanning_tree(problem: JSON, witness: Any) -> bool:
    part = graph_of(problem).edge_subgraph(map(tuple, witness))
    return part.number_of_edges() == len(witness) and nx.is_tree(part) and len(part) == len(problem["nodes"])


def is_flow(problem: JSON, witness: Any) -> bool:
    graph = graph_of(problem)
    inside = dict.fromkeys(graph, 0)
    for one, other, amount in witness:
        if not 0 <= amount <= graph.edges[one, other]["weight"]:
            return False
        inside[one] -= amount
        inside[other] += amount
    return all(not left for node, left in inside.items() if node not in (problem["source"], problem["sink"]))


def is_matching(problem: JSON, witness: Any) -> bool:
    return nx.is_matching(graph_of(problem), {tuple(edge) for edge in witness})


def is_order(problem: JSON, witness: Any) -> bool:
    graph = graph_of(problem)
    later = {one: set(witness[at:]) for at, one in enumerate(witness)}
    return sorted(witness) == sorted(graph) and all(other in later[one] for one, other in graph.edges)


def are_components(problem: JSON, witness: Any) -> bool:
    return {frozenset(part) for part in witness} == set(
        map(frozenset, nx.strongly_connected_components(graph_of(problem)))
    )


def are_bridges(problem: JSON, witness: Any) -> bool:
    return {frozenset(edge) for edge in witness} == set(map(frozenset, nx.bridges(graph_of(problem))))


def is_trail(problem: JSON, witness: Any) -> bool:
    used = sorted(sorted(pair) for pair in pairwise(witness))
    return used == sorted(sorted(edge) for edge in problem["edges"]) and nx.has_eulerian_path(graph_of(problem))


def is_hamiltonian(problem: JSON, witness: Any) -> bool:
    closed = problem["kind"] == "cycle"
    inner = witness[:-1] if closed else witness
    ends = not closed or witness[0] == witness[-1]
    return ends and sorted(inner) == sorted(problem["nodes"]) and nx.is_path(graph_of(problem), list(witness))


def is_coloring(problem: JSON, witness: Any) -> bool:
    color = dict(witness)
    return set(color) == set(problem["nodes"]) and all(color[one] != color[other] for one, other in problem["edges"])


def is_clique(problem: JSON, witness: Any) -> bool:
    part = graph_of(problem).subgraph(witness)
    return part.number_of_edges() == len(witness) * (len(witness) - 1) // 2


def is_independent(problem: JSON, witness: Any) -> bool:
    return graph_of(problem).subgraph(witness).number_of_edges() == 0


def is_cover(problem: JSON, witness: Any) -> bool:
    return nx.is_empty(nx.subgraph_view(graph_of(problem), filter_node=lambda node: node not in witness))


def is_dominating(problem: JSON, witness: Any) -> bool:
    return nx.is_dominating_set(graph_of(problem), set(witness))


def is_steiner(problem: JSON, witness: Any) -> bool:
    part = graph_of(problem).edge_subgraph(map(tuple, witness))
    return nx.is_tree(part) and set(problem["terminals"]) <= set(part)


def is_isomorphism(problem: JSON, witness: Any) -> bool:
    first, second = graph_of(problem["first"]), graph_of(problem["second"])
    return nx.utils.graphs_equal(nx.relabel_nodes(first, dict(witness)), second) and nx.is_isomorphic(first, second)


def is_embedding(problem: JSON, witness: Any) -> bool:
    pattern, host, image = graph_of(problem["pattern"]), graph_of(problem["host"]), dict(witness)
    found = nx.isomorphism.GraphMatcher(host, pattern).subgraph_is_monomorphic()
    injective = len(set(image.values())) == len(image) == len(pattern)
    return found and injective and all(host.has_edge(image[one], image[other]) for one, other in pattern.edges)


def is_tour(problem: JSON, witness: Any) -> bool:
    return witness[0] == witness[-1] and sorted(witness[1:]) == sorted(problem["nodes"])


def is_cut(problem: JSON, witness: Any) -> bool:
    graph = graph_of(problem)
    graph.remove_edges_from(map(tuple, witness))
    return not nx.has_path(graph, problem["start"], problem["goal"])


def is_path(problem: JSON, witness: Any) -> bool:
    return nx.is_simple_path(graph_of(problem), list(witness))


def are_centers(problem: JSON, witness: Any) -> bool:
    return len(set(witness)) == problem["centers"]


def is_certificate(problem: JSON, witness: Any) -> bool:
    graph, (kind, nodes) = graph_of(problem), witness
    if kind == 0:
        ends = (nodes[0], nodes[-1]) == (problem["start"], problem["goal"])
        return ends and nx.is_path(graph, list(nodes)) and nx.has_path(graph, problem["start"], problem["goal"])
    inside = problem["start"] in nodes and problem["goal"] not in nodes
    return (
        inside
        and not list(nx.edge_boundary(graph, nodes))
        and not nx.has_path(graph, problem["start"], problem["goal"])
    )


def is_schedule(problem: JSON, witness: Any) -> bool:
    graph = graph_of(problem)
    if nx.is_directed_acyclic_graph(graph):
        return is_order(problem, witness)
    return len(witness) > 2 and witness[0] == witness[-1] and nx.is_path(graph, list(witness))


def is_postorder(problem: JSON, witness: Any) -> bool:
    """The tree that networkx walks after we join every node of the preorder to the deepest fitting ancestor."""
    place = {name: at for at, name in enumerate(problem["inorder"])}
    tree = nx.DiGraph()
    tree.add_nodes_from(problem["preorder"][:1])
    sides: dict[str, list[Any]] = {name: [None, None] for name in place}
    for name in problem["preorder"][1:]:
        at = problem["preorder"][0]
        while sides[at][place[name] > place[at]] is not None:
            at = sides[at][place[name] > place[at]]
        sides[at][place[name] > place[at]] = name
    tree.add_edges_from((at, child) for at, both in sides.items() for child in both if child is not None)
    return list(nx.dfs_postorder_nodes(tree, problem["preorder"][0])) == list(witness)


def is_island(problem: JSON, witness: Any) -> bool:
    return set(_places(witness)) in list(nx.connected_components(land(problem)))


def is_walk(problem: JSON, witness: Any) -> bool:
    cells = _places(witness)
    return [*_places([problem["start"], problem["goal"]])] == [cells[0], cells[-1]] and nx.is_path(land(problem), cells)


def _places(names: Any) -> list[tuple[int, int]]:
    return [(int(name[1:]) - 1, ord(name[0]) - 65) for name in names]


def _always(problem: JSON, witness: Any) -> bool:
    return True


VALID: Final[Mapping[str, Callable[[JSON, Any], bool]]] = {
    "graph-mst-v0": is_spanning_tree,
    "graph-maxflow-v0": is_flow,
    "graph-matching-v0": is_matching,
    "graph-topological-v0": is_order,
    "graph-scc-v0": are_components,
    "graph-bridges-v0": are_bridges,
    "graph-euler-v0": is_trail,
    "graph-hamilton-v0": is_hamiltonian,
    "graph-coloring-v0": is_coloring,
    "graph-clique-v0": is_clique,
    "graph-independent-set-v0": is_independent,
    "graph-vertex-cover-v0": is_cover,
    "graph-dominating-set-v0": is_dominating,
    "graph-steiner-v0": is_steiner,
    "graph-isomorphism-v0": is_isomorphism,
    "graph-subgraph-v0": is_embedding,
    "graph-tsp-v0": is_tour,
    "graph-cut-v0": is_cut,
    "graph-longest-path-dag-v0": is_path,
    "graph-kcenter-v0": are_centers,
    "graph-walks-v0": lambda problem, witness: set(witness) == walks(problem),
    "graph-centrality-v0": lambda problem, witness: set(witness) == central(problem)[1],
    "graph-reach-v0": is_certificate,
    "tree-diameter-v0": is_path,
    "tree-lca-v0": lambda problem, witness: list(witness) == ancestors(problem)[1],
    "tree-traversal-v0": is_postorder,
    "tree-edit-v0": _always,
    "course-schedule-v0": is_schedule,
    "largest-island-v0": is_island,
    "path-star-v0": is_path,
    "grid-path-v0": is_walk,
}
"""By member: whether a witness obeys the rules, decided another way."""
