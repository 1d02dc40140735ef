"""largest-island-v0: find the largest connected piece of land on a map.

Action: the cells of the island and their number. Any largest island counts. Difficulty: larger maps. Effort is the
number of cells that a flood fill visits. Rotations and reflections do not change the problem.
"""

from __future__ import annotations

from typing import Any, Final

from envhub.families.graph_kit import JSON, Graph, Optimum, Phrase, Stream, knob, levels
from envhub.families.map_renderings import CELL_NAMES
from envhub.families.map_task import MapTask
from envhub.generators.graphs.graph import components
from envhub.generators.graphs.maps import LAND, WATER, land
from envhub.verifiers.answers.graphs import NodeSet

_MOST: Final = 30


class LargestIsland(MapTask):
    """Find the largest island of a map."""

    Params = levels(
        rows=knob("number of rows", 5, 5, 6, 7, 8, 9, 10, 11, 12, 14, at_least=3, at_most=20),
        columns=knob("number of columns", 5, 6, 7, 7, 8, 9, 10, 12, 14, 16, at_least=3, at_most=26),
        land=knob("percentage of land", 50, 50, 48, 48, 46, 45, 44, 43, 42, 40, at_least=10, at_most=70),
    )
    answer = NodeSet(value="number of cells", called="the cells of the island in braces, separated by commas")
    task = Phrase(
        "Find the largest island on this map, and the number of its cells.",
        "Which cells form the largest island of the map, and how many are there?",
        "List all cells of the largest island on the map and count them.",
        held_out="Determine a connected component of land of maximum size, and its size.",
    )
    rules = (
        Phrase(
            "An island consists of land cells that are connected horizontally or vertically.",
            "Land cells belong to the same island if one can walk between them over land, moving up, down, left or right.",
            "Two land cells that share a side belong to the same island.",
            held_out="Islands are the connected components of land cells, where cells are adjacent if they share a side.",
        ),
        Phrase(
            "Cells that touch only at a corner are not connected.",
            "Diagonal contact does not connect cells.",
            "Cells are not connected diagonally.",
            held_out="Cells that share only a corner are not adjacent.",
        ),
        CELL_NAMES,
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A map with several islands and a largest one of moderate size."""
        cells = ["".join(LAND if rng.below(100) < p.land else WATER for _ in range(p.columns)) for _ in range(p.rows)]
        sizes = sorted(map(len, components(land(cells))))
        return {"map": cells} if len(sizes) > 1 and 3 < sizes[-1] <= _MOST else None

    def best(self, problem: JSON) -> Optimum:
        """By flood fill."""
        found = max(components(land(problem["map"])), key=len)
        return Optimum(len(found), tuple(found), len(problem["map"]) * len(problem["map"][0]))

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The size of an island."""
        graph = land(problem["map"])
        inside = set(witness)
        missing = next((near for node in witness for near in graph.near[node] if near not in inside), None)
        if missing is not None:
            return f"{missing} belongs to the same island."
        parts = components(Graph(tuple(witness), tuple(edge for edge in graph.edges if edge[0] in inside)))
        return len(witness) if len(parts) == 1 else "These cells are not one island."

    def greedy(self, problem: JSON) -> list[Any]:
        """The other islands, and all land."""
        graph = land(problem["map"])
        return [graph.nodes, *map(tuple, sorted(components(graph), key=len)[:-1])]
