"""thermometers-v0: fill thermometers from the bulb so that all counts hold.

Action: a grid of 0 and 1. Any grid that satisfies the rules counts; there is exactly one (proved). Difficulty: the size, then
fewer counts; effort is the number of propagation steps of a search. Rotations and reflections are the same problem.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from envhub.families.cells_kit import JSON, Grid, Laws, Phrase, Pieces, Stream, knob, levels, marked
from envhub.families.marks import LineCounts, counted, line_numbers
from envhub.families.pieces import Facts
from envhub.generators.cells.board import beside
from envhub.generators.cells.laws import Table
from envhub.generators.cells.tables import NOT_GREATER
from envhub.scenes import Line, Oval, Shape
from envhub.scenes.grid import middle

_SEEN: Final = "Each tube is a thermometer. The large disc at one end is its bulb; the other end is its top."


class Thermometers(LineCounts):
    """Fill thermometers from the bulb so that all counts hold."""

    Params = levels(
        size=knob("side of the grid", 4, 4, 5, 5, 6, 6, 7, 7, 8, 8),
        longest=knob("maximum length of a thermometer", 3, 4, 3, 4, 4, 5, 4, 5, 4, 5, at_most=8),
        given=knob("percentage of the counts that are given at least", 100, 90, 100, 80, 100, 70, 90, 70, 80, 70),
        least=knob("minimum effort: steps of a search", 0, 18, 24, 30, 45, 60, 80, 110, 150, 200, at_most=100_000),
        most=knob("maximum effort: steps of a search", 20, 28, 45, 70, 110, 150, 250, 400, 900, 5000, at_most=100_000),
    )
    layers = ("thermometer",)
    task = Phrase(
        "Solve this {size}x{size} Thermometers puzzle: decide which cells are filled.",
        "The {size}x{size} grid is covered by thermometers. Find the cells that are filled with mercury.",
        "This is a Thermometers puzzle on a grid of {size} rows and {size} columns. Determine the filled cells.",
        held_out="Find the level of every thermometer on this {size}x{size} grid.",
    )
    rules = (
        Phrase(
            "Each thermometer is listed as its cells in order, from the bulb to the top.",
            "A thermometer is given by its cells in order; the first one is its bulb, the last one its top.",
            "The cells of each thermometer are listed from the bulb (first) to the top (last).",
            held_out="A thermometer is a list of cells that starts with the bulb and ends with the top.",
        ),
        Phrase(
            "A thermometer is filled from its bulb without gaps: a cell may be filled only if all cells of the thermometer "
            "before it are filled. It may be empty, partly filled or full.",
            "Mercury fills a thermometer from the bulb on. If a cell is filled, all cells between it and the bulb, and the "
            "bulb, are filled too. Empty and full thermometers are allowed.",
            "The filled cells of a thermometer are its first ones in the listed order. Their number may be anything from 0 to"
            " the length of the thermometer.",
            held_out="In each thermometer, the filled cells form a (possibly empty or complete) beginning of its list.",
        ),
        counted("filled cells", "cells of its row or column are filled"),
        marked("filled cell"),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid]:
        """Thermometers along random walks, each filled up to a random level."""
        near, free = beside(p.size, p.size), set(range(p.size**2))
        tubes: list[list[int]] = []
        for start in rng.sample(range(p.size**2), p.size**2):
            if start in free:
                tube = [start]
                free.discard(start)
                while len(tube) < p.longest and (ways := [cell for cell in near[tube[-1]] if cell in free]):
                    tube.append(rng.choice(ways))
                    free.discard(tube[-1])
                tubes.append(tube)
        grid, label = [0] * p.size**2, [0] * p.size**2
        for number, tube in enumerate(sorted(tubes)):
            level = rng.between(0, len(tube))
            for place, cell in enumerate(tube):
                grid[cell], label[cell] = int(place < level), number
        return {"height": p.size, "width": p.size, "tubes": sorted(tubes), "thermometer": label}, tuple(grid)

    def laws(self, problem: JSON) -> Laws:
        """A cell is filled only if the one before it is."""
        steps = [Table(pair, NOT_GREATER) for tube in problem["tubes"] for pair in pairwise(tube)]
        return {"A thermometer has a gap.": steps}

    def pieces(self, problem: JSON) -> Pieces:
        """The thermometers and the counts."""
        width = problem["width"]
        names = [", ".join(f"({cell // width + 1}, {cell % width + 1})" for cell in tube) for tube in problem["tubes"]]
        return [Facts("Thermometers", names, seen=_SEEN), *line_numbers(problem, "Numbers of filled cells")]

    def marks(self, problem: JSON) -> list[Shape]:
        """A tube from each bulb to the top."""
        tubes = [[middle(*divmod(cell, problem["width"])) for cell in tube] for tube in problem["tubes"]]
        lines = [Line(tuple(tube), "tint4", 14) for tube in tubes if len(tube) > 1]
        ends = [Oval(*tube[-1], 7, 7, "tint4") for tube in tubes]
        return [*lines, *ends, *(Oval(*tube[0], 15, 15, "tint4", "faint") for tube in tubes)]
