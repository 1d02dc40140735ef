"""MapTask: a graph task on a map of land and water.

Its nodes are the land cells, and its edges join land cells that share a side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from envhub.core.types import JSON, Instance
from envhub.families.graph_task import GraphTask
from envhub.families.map_renderings import SIGNS, drawn_map
from envhub.generators.graphs.maps import cell, land, symmetric
from envhub.scenes import Scene
from envhub.scenes.grid import Tile, counted, grid

_TILES: Final = {"#": Tile(fill="tint2"), ".": Tile(fill="tint0")}


class MapTask(GraphTask):
    """A task on the map in the field ``map``.

    The fields ``start`` and ``goal``, if a problem has them, name cells.
    """

    data = drawn_map()

    def canonical(self, content: JSON) -> JSON:
        """The first of the map's rotations and reflections in alphabetical order."""
        signs = {content[role]: sign for role, sign in SIGNS.items() if role in content}
        rows = content["map"]
        return min(
            symmetric(["".join(signs.get(cell(y, x), s) for x, s in enumerate(row)) for y, row in enumerate(rows)])
        )

    def drawable(self, problem: JSON) -> bool:
        """Always: a map is small."""
        return True

    def scene(self, inst: Instance, state: Any) -> Scene:
        """The map with named columns and numbered rows."""
        rows = inst.problem["map"]
        roles = {inst.problem[role]: Tile(sign, "tint5") for role, sign in SIGNS.items() if role in inst.problem}
        tiles = [[roles.get(cell(y, x)) or _TILES[sign] for x, sign in enumerate(row)] for y, row in enumerate(rows)]
        names = [cell(0, x).rstrip("1") for x in range(len(rows[0]))]
        return grid(tiles, columns=names, lines=counted(len(rows)))

    def labels(self, problem: JSON) -> Sequence[str]:
        """The land cells."""
        return land(problem["map"]).nodes
