"""star-battle-v0: place stars that do not touch, equally in all lines.

Action: a grid of 0 and 1. Any grid that satisfies the rules counts; there is exactly one (proved). Difficulty: the size, then
two stars per line; effort is the number of propagation steps of a search. The stars and the regions of a few cells at the edge
decide the split; rotations and reflections are the same problem.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from envhub.families.cells_kit import JSON, Grid, Laws, Marks, Phrase, Pieces, Stream, knob, levels, marked
from envhub.families.pieces import regions_of
from envhub.generators.cells.board import lines, members, squares
from envhub.generators.cells.laws import Count
from envhub.generators.cells.model import Model
from envhub.generators.cells.regions import round_marks, sharpened


class StarBattle(Marks):
    """Place stars that do not touch, equally many per line and region."""

    Params = levels(
        # never 8 with two stars: all such grids have one of two solutions
        size=knob("side of the grid", 6, 6, 7, 7, 7, 8, 8, 9, 9, 9),
        stars=knob("stars per row, column and region", *[1] * 7, *[2] * 3),
        least=knob("minimum effort (steps)", 0, 80, 110, 160, 250, 250, 450, 500, 3500, 5000, at_most=100_000),
        most=knob("maximum effort (steps)", 140, 220, 350, 500, 1600, 1500, 3000, 4500, 9000, 15_000, at_most=100_000),
    )
    layers = ("regions",)
    task = Phrase(
        "Solve this Star Battle: place stars on the {size}x{size} grid.",
        "Place stars in the cells of this {size}x{size} grid, which is divided into regions (Star Battle).",
        "This is a Star Battle puzzle on a grid of {size} rows and {size} columns. Find the cells that contain stars.",
        held_out="Determine the positions of all stars in this {size}x{size} Star Battle.",
    )
    rules = (
        Phrase(
            "Number of stars in each row, each column and each region: exactly {stars}.",
            "Every row, every column and every region contains as many stars as this number: {stars}.",
            "Count the stars of any row, column or region: the result must be {stars}.",
            held_out="The number of stars per row, per column and per region equals {stars}.",
        ),
        Phrase(
            "Two stars may not touch each other, not even at a corner.",
            "Stars may not be in neighbouring cells, horizontally, vertically or diagonally.",
            "No star has another star in any of the eight cells around it.",
            held_out="Cells that share a side or a corner may not both contain a star.",
        ),
        marked("cell with a star"),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid] | None:
        """Stars at random, and regions grown round them."""
        size, fixed = p.size, {"height": p.size, "width": p.size, "stars": p.stars}
        found = self.model({**fixed, "regions": []}).solutions(most=1, budget=20 * size**2, rng=rng)
        if not found.grids:
            return None
        stars = [cell for cell, value in enumerate(found.grids[0]) if value]
        regions = round_marks(rng, size, size, stars, p.stars)
        return ({**fixed, "regions": regions}, found.grids[0]) if regions else None

    def finished(self, rng: Stream, p: Any, problem: JSON, solution: Grid) -> JSON:
        """Regions changed until no other solution remains."""
        size, regions = p.size, problem["regions"]
        movable = set(range(size**2)) - _fixed_cells(size)

        def model(regions: Sequence[int]) -> Model:
            return self.model({**problem, "regions": regions})

        sharp = sharpened(rng, size, size, regions, solution, model, movable, 4 * size, self.budget)
        return {**problem, "regions": sharp} if sharp else None

    def canonical(self, content: JSON) -> JSON:
        """The stars and the regions of the fixed cells."""
        fixed = _fixed_cells(content["width"])
        regions = [label if cell in fixed else -1 for cell, label in enumerate(content["regions"])]
        return super().canonical({**content, "regions": regions})

    def laws(self, problem: JSON) -> Laws:
        """Stars per line and region, at most one in each 2x2 square."""
        size, stars = problem["width"], problem["stars"]
        regions = members(problem["regions"]) if problem["regions"] else []
        return {
            "A row or column has a wrong number of stars.": [Count(line, stars, stars) for line in lines(size, size)],
            "A region has a wrong number of stars.": [Count(region, stars, stars) for region in regions],
            "Two stars touch.": [Count(square, 0, 1) for square in squares(size, size)],
        }

    def pieces(self, problem: JSON) -> Pieces:
        """The regions."""
        return [regions_of(problem)]


@cache
def _fixed_cells(size: int) -> frozenset[int]:
    """The corners and the middle cells of each edge.

    They are few, because each takes moves away from the search for regions with one solution.
    """
    ends, places = {0, size - 1}, {0, (size - 1) // 2, size // 2, size - 1}
    return frozenset(row * size + column for row in places for column in places if row in ends or column in ends)
