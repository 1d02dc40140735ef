"""grid-path-v0: find a shortest walk over the land of a map.

Action: the cells of the walk and the number of its steps. Any shortest walk counts. Difficulty: larger maps. Effort is
the number of steps of the walk times the number of land cells. Rotations and reflections do not change the problem.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from envhub.families.graph_kit import JSON, Optimum, Phrase, Stream, knob, levels
from envhub.families.map_renderings import CELL_NAMES
from envhub.families.map_task import MapTask
from envhub.generators.graphs.graph import layers, shortest
from envhub.generators.graphs.maps import LAND, WATER, land
from envhub.verifiers.answers.graphs import Route


class GridPath(MapTask):
    """Find a shortest walk over the land of a map."""

    Params = levels(
        rows=knob("number of rows", 5, 5, 6, 7, 8, 9, 10, 11, 12, 14, at_least=3, at_most=20),
        columns=knob("number of columns", 5, 6, 7, 7, 8, 9, 10, 12, 14, 16, at_least=3, at_most=26),
        land=knob("percentage of land", 70, 70, 68, 68, 66, 66, 65, 65, 64, 64, at_least=50, at_most=90),
    )
    answer = Route(value="number of steps", called="the cells of the walk in order, joined by arrows")
    task = Phrase(
        "Find a shortest walk over land from {start} to {goal}, and the number of its steps.",
        "Walk from {start} to {goal} over land in as few steps as possible. State the walk and the number of steps.",
        "Which walk over land leads from {start} to {goal} with the fewest steps, and how many steps are that?",
        held_out="Determine a shortest path of land cells from {start} to {goal}, and its number of steps.",
    )
    rules = (
        Phrase(
            "A step leads from a land cell to a land cell that shares a side with it. Diagonal steps are not allowed.",
            "In each step you move up, down, left or right by one cell, from land to land.",
            "Each step goes to one of the up to four cells that share a side with the current one, and it must be land.",
            held_out="Consecutive cells of the walk are land and share a side; sharing only a corner is not enough.",
        ),
        Phrase(
            "The walk begins with {start} and ends with {goal}. Name both of them and all cells in between.",
            "List every cell of the walk, including its first cell {start} and its last cell {goal}.",
            "The first cell of the list is {start}, the last one is {goal}, and no cell in between may be left out.",
            held_out="The sequence starts with {start}, ends with {goal}, and contains all cells that the walk visits.",
        ),
        CELL_NAMES,
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A map, a cell, and one of those farthest from it."""
        rows = ["".join(LAND if rng.below(100) < p.land else WATER for _ in range(p.columns)) for _ in range(p.rows)]
        graph = land(rows)
        if not graph.nodes:
            return None
        start = rng.choice(graph.nodes)
        return {"map": rows, "start": start, "goal": rng.choice(layers(graph, start)[-1])}

    def guard(self, problem: JSON, found: Optimum, p: Any) -> bool:
        """The walk is at least as long as the map."""
        return bool(found.value >= max(p.rows, p.columns))

    def best(self, problem: JSON) -> Optimum:
        """By breadth-first search."""
        graph = land(problem["map"])
        walk = tuple(shortest(graph, problem["start"], problem["goal"]) or ())
        return Optimum(len(walk) - 1, walk, len(walk) * len(graph.nodes))

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The number of steps of a walk."""
        if (witness[0], witness[-1]) != (problem["start"], problem["goal"]):
            return f"The walk must lead from {problem['start']} to {problem['goal']}."
        near = land(problem["map"]).near
        apart = next(
            (f"{one} and {other} share no side." for one, other in pairwise(witness) if other not in near[one]), ""
        )
        return apart or len(witness) - 1

    def others(self, problem: JSON, witness: Any) -> Iterator[Any]:
        """The walk that a search from the goal finds."""
        yield tuple(shortest(land(problem["map"]), problem["goal"], problem["start"]) or ())[::-1]
