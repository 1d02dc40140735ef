"""aquarium-v0: fill tanks with water so that all counts hold.

Action: a grid of 0 and 1. Any grid that satisfies the rules counts; there is exactly one (proved). Difficulty: the size, then
fewer counts; effort is the number of propagation steps of a search. Reflections between left and right are the same problem.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from envhub.families.cells_kit import JSON, Grid, Laws, Phrase, Pieces, Stream, knob, levels, marked
from envhub.families.marks import LineCounts, counted, line_numbers
from envhub.families.pieces import regions_of
from envhub.generators.cells.board import grown, members
from envhub.generators.cells.laws import Table
from envhub.generators.cells.tables import EQUAL, NOT_GREATER


class Aquarium(LineCounts):
    """Fill tanks with water so that all counts hold."""

    Params = levels(
        size=knob("side of the grid", 5, 5, 6, 6, 7, 8, 9, 10, 11, 12),
        tank=knob("average number of cells of a tank", 5, 4, 5, 4, 5, 5, 5, 5, 5, 5, at_least=3, at_most=12),
        given=knob("percentage of the counts that are given at least", 100, 80, 100, 70, 70, 60, 60, 60, 60, 60),
    )
    symmetries = (0, 4)
    layers = ("regions",)
    task = Phrase(
        "Solve this {size}x{size} Aquarium puzzle: decide which cells contain water.",
        "The {size}x{size} grid is divided into tanks. Find the cells that contain water.",
        "This is an Aquarium puzzle on a grid of {size} rows and {size} columns. Determine the water level of each tank.",
        held_out="Find all water cells of this {size}x{size} Aquarium.",
    )
    rules = (
        Phrase(
            "Each region is a tank. In a tank, water fills whole rows from the bottom: if a cell contains water, then so does"
            " every cell of the same tank in the same row or in a lower row.",
            "Each region is a tank with one water level. If a cell of a tank contains water, every cell of the tank at the "
            "same height or lower contains water too.",
            "Regions are tanks. The water of a tank has one level: all cells of the tank up to some row from the bottom "
            "contain water, and all cells of the tank in higher rows contain none.",
            held_out="A region is a tank; its water cells are all of its cells from some row of the grid downwards, or none.",
        ),
        Phrase(
            "A tank may be empty, partly filled or full. The levels of different tanks are independent.",
            "Each tank has its own level, from empty to full.",
            "Tanks may be empty or full, and neighbouring tanks may have different levels.",
            held_out="Levels may differ from tank to tank; empty and full tanks are allowed.",
        ),
        counted("water cells", "cells of its row or column contain water", "cells with water"),
        marked("cell with water"),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid]:
        """Tanks grown at random, each filled up to a random level."""
        size = p.size
        seeds = rng.sample(range(size**2), max(2, size**2 // p.tank))
        regions = grown(rng, size, size, seeds)
        grid = [0] * size**2
        for tank in members(regions):
            rows = sorted({cell // size for cell in tank})
            surface = rng.choice([*rows, size])
            for cell in tank:
                grid[cell] = int(cell // size >= surface)
        return {"height": size, "width": size, "regions": regions}, tuple(grid)

    def laws(self, problem: JSON) -> Laws:
        """Equal cells in a row of a tank, and water below water."""
        width = problem["width"]
        level, below = [], []
        for tank in members(problem["regions"]):
            level += [Table(pair, EQUAL) for pair in pairwise(tank) if pair[0] // width == pair[1] // width]
            below += [Table((b, a), NOT_GREATER) for a, b in pairwise(tank) if a // width < b // width]
        return {
            "A row of a tank is filled only in part.": level,
            "A tank has water above a cell without water.": below,
        }

    def pieces(self, problem: JSON) -> Pieces:
        """The tanks and the counts."""
        return [regions_of(problem), *line_numbers(problem, "Numbers of water cells")]
