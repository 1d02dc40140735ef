"""MapTask: a graph task on a map of land and water.

Its nodes are the land cells, and its edges join land cells that share a side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from envhub.core.types import JSON
from envhub.families.graph_task import GraphTask
from envhub.families.map_renderings import drawn_map
from envhub.generators.graphs.maps import cell, land, symmetric

_SIGNS: Final = {"start": "S", "goal": "G"}
"""The sign on the map of a cell with a role."""


class MapTask(GraphTask):
    """A task on the map in the field ``map``.

    The fields ``start`` and ``goal``, if a problem has them, name cells.
    """

    data = drawn_map()

    def canonical(self, content: JSON) -> JSON:
        """The first of the map's rotations and reflections in alphabetical order."""
        signs = {content[role]: sign for role, sign in _SIGNS.items() if role in content}
        rows = content["map"]
        return min(
            symmetric(["".join(signs.get(cell(y, x), s) for x, s in enumerate(row)) for y, row in enumerate(rows)])
        )

    def labels(self, problem: JSON) -> Sequence[str]:
        """The land cells."""
        return land(problem["map"]).nodes
