"""galaxies-v0: divide a grid into regions that are symmetric about their dots.

Action: a grid with the number of a dot in each cell. Any grid that satisfies the rules counts; there is exactly one (proved).
Difficulty: the size, then fewer given cells; effort is the number of propagation steps of a search. Rotations, reflections and
the order of the dots make no other problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.cells_kit import JSON, Grid, Laws, Phrase, Pieces, Stream, knob, levels
from envhub.families.hinted import Hinted
from envhub.families.pieces import Facts
from envhub.generators.cells.board import beside, relabelled, turned
from envhub.generators.cells.connectivity import Connected
from envhub.generators.cells.symmetry import Together, at_point, galaxies, mirrored
from envhub.scenes import Oval, Shape, Text
from envhub.scenes.grid import middle
from envhub.verifiers.answers.grids import Grid as GridAnswer


class Galaxies(Hinted):
    """Divide a grid into regions that are symmetric about their dots."""

    Params = levels(
        size=knob("side of the grid", 5, 5, 5, 6, 6, 7, 7, 8, 9, 10),
        cells=knob("greatest intended number of cells of a region", 8, 8, 10, 11, 13, 15, 18, 18, 20, 22, at_least=3),
        least=knob("minimum effort: steps of a search", 2, 3, 4, 6, 10, 13, 18, 24, 36, 60, at_most=100_000),
        most=knob("maximum effort: steps of a search", 4, 6, 9, 12, 16, 24, 32, 50, 90, 5000, at_most=100_000),
        given=knob("percentage of the cells that are given at least", 0, at_least=0, at_most=90),
    )
    answer = GridAnswer()
    task = Phrase(
        "Solve this {size}x{size} Galaxies puzzle: divide the grid into one region for each of the {dots} dots.",
        "This is a Galaxies puzzle (Tentai Show) on a grid of {size} rows and {size} columns with {dots} dots. Find the "
        "region of each dot.",
        "Divide this {size}x{size} grid into {dots} regions, each of them symmetric about one of the {dots} dots (Galaxies).",
        held_out="Determine which of the {dots} dots each cell of this Galaxies (Tentai Show) grid with side {size} belongs "
        "to.",
    )
    rules = (
        Phrase(
            "A dot at (r, c) with whole numbers is in the middle of that cell. With one half, as in (1.5, 2), it is in the "
            "middle of the side between two cells, here (1, 2) and (2, 2). With two halves it is at the corner that four "
            "cells share.",
            "Dots are placed in the middle of a cell if both coordinates are whole, in the middle of a side between two cells "
            "if one of them ends in .5, and at a corner of four cells if both do. For example, (1.5, 2) is between (1, 2) and "
            "(2, 2).",
            "The coordinates of a dot are those of the middle of a cell, or lie half way between cells: (1.5, 2) is on the "
            "side that (1, 2) and (2, 2) share, and (1.5, 2.5) is on the corner of four cells.",
            held_out="Coordinates of dots refer to the middles of cells. A half lies between two neighbouring cells: (1.5, 2) "
            "is the middle of the side shared by (1, 2) and (2, 2), and two halves denote a corner of four cells.",
        ),
        Phrase(
            "Each cell belongs to the region of exactly one dot. A region contains all cells that its dot touches.",
            "Every cell is in the region of one dot. If a dot is in a cell, on a side of it or at a corner of "
            "it, the cell is in the region of that dot.",
            "Assign each cell to one dot. The one, two or four cells that a dot touches are assigned to this dot.",
            held_out="The regions partition the grid, one per dot, and a dot's region includes every cell that the dot "
            "touches.",
        ),
        Phrase(
            "Each region is symmetric about its dot: if it is rotated by 180 degrees about the dot, it covers the same cells.",
            "A half turn about its dot maps each region to itself.",
            "For each cell of a region, the cell opposite to it with respect to the dot belongs to the same region.",
            held_out="Every region has twofold rotational symmetry with its dot as the centre.",
        ),
        Phrase(
            "Each region is connected: you can get from each of its cells to each other one by steps up, down, left and right "
            "without leaving the region.",
            "The cells of a region must be connected through their sides.",
            "Within a region, every cell can be reached from every other one by moving up, down, left and right.",
            held_out="Regions are connected horizontally and vertically.",
        ),
        Phrase(
            "The answer is a grid of {height} rows and {width} columns with the number of its dot in each cell.",
            "Answer with {height} rows of {width} numbers. Each is the number of the dot whose region the cell belongs to.",
            "Write {height} rows with {width} numbers each: for every cell, the number of its dot.",
            held_out="Return a matrix with {height} rows and {width} columns whose entries are numbers of dots.",
        ),
    )

    def values(self, problem: JSON) -> dict[str, int]:
        """The number of dots."""
        return {"dots": len(problem["dots"])}

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid] | None:
        """Symmetric regions, few of them a single cell."""
        points, label = galaxies(rng, p.size, p.size, p.cells)
        if sum(label.count(region) == 1 for region in range(len(points))) > p.size // 2:
            return None
        order = sorted(range(len(points)), key=lambda at: tuple(points[at]))
        names = {region: name for name, region in enumerate(order, 1)}
        problem = {"height": p.size, "width": p.size, "dots": [list(points[at]) for at in order]}
        return problem, tuple(names[region] for region in label)

    def outline(self, content: JSON, turn: int) -> list[int]:
        """The regions."""
        return relabelled(turned(content["solution"], content["height"], content["width"], turn))

    def domains(self, problem: JSON) -> list[int]:
        """The dots about which a cell can be turned."""
        height, width, dots = problem["height"], problem["width"], problem["dots"]
        owners = {cell: number for number, dot in enumerate(dots, 1) for cell in at_point(width, dot)}
        found = []
        for cell in range(height * width):
            twins = {number: mirrored(height, width, cell, dot) for number, dot in enumerate(dots, 1)}
            possible = {
                n for n, twin in twins.items() if twin >= 0 and {owners.get(cell, n), owners.get(twin, n)} == {n}
            }
            found.append(sum(1 << number for number in possible))
        return found

    def laws(self, problem: JSON) -> Laws:
        """Symmetric and connected regions."""
        height, width = problem["height"], problem["width"]
        near, domains = beside(height, width), self.domains(problem)
        places = {
            number: [cell for cell, mask in enumerate(domains) if mask >> number & 1]
            for number in range(1, len(problem["dots"]) + 1)
        }
        return {
            "A region is not symmetric about its dot.": [
                Together(cell, twin, 1 << number)
                for number, dot in enumerate(problem["dots"], 1)
                for cell in places[number]
                if (twin := mirrored(height, width, cell, dot)) > cell
            ],
            "A region is not connected.": [Connected(near, 1 << number, cells) for number, cells in places.items()],
        }

    def pieces(self, problem: JSON) -> Pieces:
        """The dots and the given cells."""
        dots = [
            f"dot {number}: ({_half(row)}, {_half(column)})" for number, (row, column) in enumerate(problem["dots"], 1)
        ]
        return [Facts("Dots", dots, seen="Each small disc is a dot with its number."), *self.hints(problem)]

    def marks(self, problem: JSON) -> list[Shape]:
        """The dots with their numbers."""
        shapes: list[Shape] = []
        for number, (row, column) in enumerate(problem["dots"], 1):
            x, y = middle(row / 2, column / 2)
            shapes += [Oval(x, y, 11, 11, "tint1", "ink", 2), Text(x, y, str(number), 13)]
        return shapes


def _half(double: int) -> str:
    """A coordinate from 1, given twice the coordinate from 0."""
    return f"{double // 2 + 1}{'.5' if double & 1 else ''}"
