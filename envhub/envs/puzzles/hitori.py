"""hitori-v0: shade cells so that no number repeats in a line.

Action: a grid of 0 and 1. Any grid that satisfies the rules counts; there is exactly one (proved). Difficulty: the size; effort
is the number of propagation steps of a search. Rotations and reflections are the same problem.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from envhub.families.cells_kit import JSON, Grid, Laws, Marks, Phrase, Pieces, Stream, knob, levels, marked, picture
from envhub.families.marks import SHADED_APART
from envhub.generators.cells.board import beside, lines, pairs
from envhub.generators.cells.connectivity import Connected
from envhub.generators.cells.latin import latin
from envhub.generators.cells.laws import Count


class Hitori(Marks):
    """Shade cells so that no number repeats in a row or column."""

    Params = levels(size=knob("side of the grid", 4, 5, 6, 7, 8, 9, 10, 11, 12, 14))
    layers = ("numbers",)
    task = Phrase(
        "Solve this {size}x{size} Hitori: decide which cells are shaded.",
        "Shade cells of this {size}x{size} grid of numbers (Hitori).",
        "This is a Hitori puzzle on a grid of {size} rows and {size} columns. Find the shaded cells.",
        held_out="Determine the set of shaded cells in this {size}x{size} Hitori.",
    )
    rules = (
        Phrase(
            "No row and no column contains the same number in two cells that are not shaded.",
            "Among the cells of a row or column that are not shaded, each number occurs at most once.",
            "In every row and every column, the numbers without shading are all different.",
            held_out="Unshaded numbers repeat neither within a row nor within a column.",
        ),
        SHADED_APART,
        Phrase(
            "All cells that are not shaded form one connected group: you can get from each to each other one by steps up, "
            "down, left and right without entering a shaded cell.",
            "The cells without shading must be connected through their sides.",
            "From any cell that is not shaded, every other such cell can be reached by moving up, down, left and right over "
            "cells that are not shaded.",
            held_out="The unshaded cells form a single group that is connected horizontally and vertically.",
        ),
        marked("shaded cell"),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid] | None:
        """A Latin square in which shaded cells repeat a number."""
        size = p.size
        near, numbers, grid = beside(size, size), list(latin(rng, size)), [0] * size**2
        free = Connected(near, 0b01)
        for cell in rng.sample(range(size**2), size**2):
            grid[cell] = 1
            if any(grid[other] for other in near[cell]) or not free.holds(grid):
                grid[cell] = 0
        for cell in (cell for cell, shaded in enumerate(grid) if shaded):
            line = rng.choice([line for line in lines(size, size) if cell in line])
            numbers[cell] = numbers[rng.choice([other for other in line if not grid[other]])]
        return {"height": size, "width": size, "numbers": numbers}, tuple(grid)

    def laws(self, problem: JSON) -> Laws:
        """Numbers do not repeat, shading is apart, the rest is connected."""
        height, width, numbers = problem["height"], problem["width"], problem["numbers"]
        equal = []
        for line in lines(height, width):
            counts = Counter(numbers[cell] for cell in line)
            for number in sorted(number for number, count in counts.items() if count > 1):
                equal.append(Count([cell for cell in line if numbers[cell] == number], 0, 1, mask=0b01))
        return {
            "A row or column repeats a number that is not shaded.": equal,
            "Two shaded cells share a side.": [Count(pair, 0, 1) for pair in pairs(height, width)],
            "The cells that are not shaded are not connected.": [Connected(beside(height, width), 0b01)],
        }

    def pieces(self, problem: JSON) -> Pieces:
        """The numbers."""
        return [picture("Grid", problem, dict(enumerate(problem["numbers"])))]
