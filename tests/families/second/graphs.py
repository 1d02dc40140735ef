"""The optimum of every graph task with a value, by networkx and OR-tools."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from typing import Any, Final

import networkx as nx
from networkx.algorithms.approximation import steinertree
from ortools.sat.python import cp_model

from envhub.core.types import JSON


def graph_of(problem: JSON) -> Any:
    """The graph of a problem in networkx."""
    graph = nx.DiGraph() if problem["directed"] else nx.Graph()
    graph.add_nodes_from(problem["nodes"])
    graph.add_weighted_edges_from((edge[0], edge[1], edge[2] if len(edge) > 2 else 1) for edge in problem["edges"])
    return graph


def solved(build: Callable[[cp_model.CpModel], Any], sense: str) -> int:
    """The optimum of a model: ``build`` adds the constraints and returns the objective."""
    model = cp_model.CpModel()
    objective = build(model)
    getattr(model, sense)(objective)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(model) == cp_model.OPTIMAL
    return int(solver.objective_value)


def _chosen(model: cp_model.CpModel, names: Iterable[Any]) -> dict[Any, Any]:
    return {name: model.new_bool_var(str(name)) for name in names}


# -- values ------------------------------------------------------------------------------------------------------------


def spanning_tree(problem: JSON) -> int:
    return int(nx.minimum_spanning_tree(graph_of(problem)).size("weight"))


def maximum_flow(problem: JSON) -> int:
    return int(nx.maximum_flow_value(graph_of(problem), problem["source"], problem["sink"], capacity="weight"))


def matching(problem: JSON) -> int:
    graph = graph_of(problem)
    return sum(graph.edges[pair]["weight"] for pair in nx.max_weight_matching(graph))


def longest_chain(problem: JSON) -> int:
    return int(nx.dag_longest_path_length(graph_of(problem), weight=None, default_weight=1)) + 1


def strong_components(problem: JSON) -> int:
    return nx.number_strongly_connected_components(graph_of(problem))


def bridges(problem: JSON) -> int:
    return len(list(nx.bridges(graph_of(problem))))


def colors(problem: JSON) -> int:
    def build(model: cp_model.CpModel) -> Any:
        color = {node: model.new_int_var(1, len(problem["nodes"]), node) for node in problem["nodes"]}
        most = model.new_int_var(1, len(problem["nodes"]), "most")
        for one, other in problem["edges"]:
            model.add(color[one] != color[other])
        model.add_max_equality(most, color.values())
        return most

    return solved(build, "minimize")


def clique(problem: JSON) -> int:
    return max(map(len, nx.find_cliques(graph_of(problem))))


def independent_set(problem: JSON) -> int:
    return max(map(len, nx.find_cliques(nx.complement(graph_of(problem)))))


def vertex_cover(problem: JSON) -> int:
    def build(model: cp_model.CpModel) -> Any:
        chosen = _chosen(model, problem["nodes"])
        for one, other in problem["edges"]:
            model.add_bool_or(chosen[one], chosen[other])
        return sum(chosen.values())

    return solved(build, "minimize")


def dominating_set(problem: JSON) -> int:
    graph = graph_of(problem)

    def build(model: cp_model.CpModel) -> Any:
        chosen = _chosen(model, problem["nodes"])
        for node in graph:
            model.add_bool_or(chosen[node], *(chosen[other] for other in graph[node]))
        return sum(chosen.values())

    return solved(build, "minimize")


def steiner(problem: JSON) -> int:
    """By the best spanning tree over all sets of further nodes; small graphs only, else a bound and a flow model."""
    graph = graph_of(problem)
    free = [node for node in graph if node not in problem["terminals"]]
    best = steinertree.steiner_tree(graph, problem["terminals"], weight="weight").size("weight")
    for count in range(len(free) + 1):
        for extra in combinations(free, count):
            part = graph.subgraph([*problem["terminals"], *extra])
            if nx.is_connected(part):
                best = min(best, nx.minimum_spanning_tree(part).size("weight"))
    return int(best)


def tour(problem: JSON) -> int:
    place = {node: at for at, node in enumerate(problem["nodes"])}

    def build(model: cp_model.CpModel) -> Any:
        arcs, costs = [], []
        for one, other, cost in problem["edges"]:
            for a, b in ((one, other), (other, one)):
                used = model.new_bool_var(f"{a}{b}")
                arcs.append((place[a], place[b], used))
                costs.append(cost * used)
        model.add_circuit(arcs)
        return sum(costs)

    return solved(build, "minimize")


def cut(problem: JSON) -> int:
    return int(nx.minimum_cut_value(graph_of(problem), problem["start"], problem["goal"], capacity="weight"))


def longest_path(problem: JSON) -> int:
    return int(nx.dag_longest_path_length(graph_of(problem)))


def radius(problem: JSON) -> int:
    far = dict(nx.all_pairs_dijkstra_path_length(graph_of(problem)))

    def build(model: cp_model.CpModel) -> Any:
        chosen = _chosen(model, problem["nodes"])
        most = model.new_int_var(0, max(max(there.values()) for there in far.values()), "most")
        model.add(sum(chosen.values()) == problem["centers"])
        for node in far:
            serves = {other: model.new_bool_var(f"{node}{other}") for other in far}
            model.add_exactly_one(serves.values())
            for other, serving in serves.items():
                model.add_implication(serving, chosen[other])
                model.add(most >= far[node][other]).only_enforce_if(serving)
        return most

    return solved(build, "minimize")


def walks(problem: JSON) -> set[str]:
    graph = graph_of(problem)
    graph = graph.reverse() if problem["backward"] else graph
    far = nx.single_source_shortest_path_length(graph, problem["start"])
    return {node for node, distance in far.items() if distance == problem["depth"]}


def central(problem: JSON) -> tuple[int, set[str]]:
    totals = {node: sum(there.values()) for node, there in nx.all_pairs_dijkstra_path_length(graph_of(problem))}
    least = min(totals.values())
    return int(least), {node for node, total in totals.items() if total == least}


def diameter(problem: JSON) -> int:
    return int(max(max(there.values()) for _, there in nx.all_pairs_dijkstra_path_length(graph_of(problem))))


def ancestors(problem: JSON) -> tuple[int, list[str]]:
    graph = graph_of(problem)
    pairs = list(zip(problem["one"], problem["other"], strict=True))
    found = [nx.lowest_common_ancestor(graph, one, other) for one, other in pairs]
    joined = graph.to_undirected()
    return sum(nx.shortest_path_length(joined, one, other) for one, other in pairs), found


def arm(problem: JSON) -> int:
    return int(nx.shortest_path_length(graph_of(problem), problem["center"], problem["goal"], weight="weight"))


def edit_distance(problem: JSON) -> int:
    """By an integer program over all pairs of nodes that excludes pairs of pairs in the wrong order."""
    left, right = _spans(problem["first"]), _spans(problem["second"])

    def build(model: cp_model.CpModel) -> Any:
        mapped = _chosen(model, [(one, other) for one in left for other in right])
        for (one, other), (two, partner) in combinations(mapped, 2):
            clash = one == two or other == partner
            if clash or _relation(left[one], left[two]) != _relation(right[other], right[partner]):
                model.add_bool_or(mapped[one, other].negated(), mapped[two, partner].negated())
        gain = [(2 if one == other else 1) * used for (one, other), used in mapped.items()]
        return len(left) + len(right) - sum(gain)

    return solved(build, "minimize")


def _spans(tree: Any) -> dict[str, tuple[int, int]]:
    """First and last moment of every node in a walk around the tree."""
    found: dict[str, tuple[int, int]] = {}
    clock = iter(range(10_000))

    def walk(branch: Any) -> None:
        start = next(clock)
        for child in branch[1]:
            walk(child)
        found[branch[0]] = (start, next(clock))

    walk(tree)
    return found


def _relation(one: tuple[int, int], other: tuple[int, int]) -> str:
    if one[0] < other[0] and other[1] < one[1]:
        return "above"
    if other[0] < one[0] and one[1] < other[1]:
        return "below"
    return "left" if one[1] < other[0] else "right"


def island(problem: JSON) -> int:
    return max(map(len, nx.connected_components(land(problem))))


def land(problem: JSON) -> Any:
    """The land cells as (row, column)."""
    rows = problem["map"]
    grid = nx.grid_2d_graph(len(rows), len(rows[0]))
    return grid.subgraph((y, x) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "#")


def steps_over_land(problem: JSON) -> int:
    ends = [(int(problem[end][1:]) - 1, ord(problem[end][0]) - 65) for end in ("start", "goal")]
    return int(nx.astar_path_length(land(problem), *ends))


VALUES: Final[Mapping[str, Callable[[JSON], int]]] = {
    "graph-mst-v0": spanning_tree,
    "graph-maxflow-v0": maximum_flow,
    "graph-matching-v0": matching,
    "graph-topological-v0": longest_chain,
    "graph-scc-v0": strong_components,
    "graph-bridges-v0": bridges,
    "graph-coloring-v0": colors,
    "graph-clique-v0": clique,
    "graph-independent-set-v0": independent_set,
    "graph-vertex-cover-v0": vertex_cover,
    "graph-dominating-set-v0": dominating_set,
    "graph-steiner-v0": steiner,
    "graph-tsp-v0": tour,
    "graph-cut-v0": cut,
    "graph-longest-path-dag-v0": longest_path,
    "graph-kcenter-v0": radius,
    "graph-walks-v0": lambda problem: len(walks(problem)),
    "graph-centrality-v0": lambda problem: central(problem)[0],
    "tree-diameter-v0": diameter,
    "tree-lca-v0": lambda problem: ancestors(problem)[0],
    "path-star-v0": arm,
    "tree-edit-v0": edit_distance,
    "largest-island-v0": island,
    "grid-path-v0": steps_over_land,
}
"""By member: the best value, computed another way. Members without a value are missing."""
