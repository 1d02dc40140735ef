"""light-up-v0: place bulbs that light all cells but not each other.

Action: a grid of 0 and 1. Any grid that satisfies rules and clues counts; there is exactly one (proved). Difficulty: the size,
then fewer numbered walls; effort is the number of propagation steps of a search. Rotations and reflections are the same
problem.
"""

from __future__ import annotations

from typing import Any, ClassVar

from envhub.families.cells_kit import JSON, Grid, Laws, Marks, Phrase, Pieces, Stream, knob, levels, marked, picture
from envhub.families.seen import Signs
from envhub.generators.cells.board import beside, lines
from envhub.generators.cells.laws import Count
from envhub.scenes.grid import Tile


class LightUp(Marks):
    """Place bulbs that light every cell and do not light each other."""

    Params = levels(
        size=knob("side of the grid", 5, 5, 6, 6, 7, 8, 9, 10, 11, 12),
        given=knob("percentage of the walls with a number at least", 90, 60, 80, 50, 50, 40, 40, 30, 30, 30),
        least=knob("minimum effort: steps of a search", 0, 20, 25, 30, 45, 60, 80, 110, 150, 220, at_most=100_000),
        most=knob("maximum effort: steps of a search", 25, 30, 40, 60, 90, 120, 200, 300, 500, 5000, at_most=100_000),
    )
    layers = ("walls",)
    task = Phrase(
        "Solve this Light Up puzzle: place light bulbs on the {size}x{size} grid.",
        "Place light bulbs in cells of this {size}x{size} grid so that every cell without a wall is lit (Light Up, Akari).",
        "This is a Light Up puzzle on a grid of {size} rows and {size} columns. Find the cells that contain bulbs.",
        held_out="Determine the positions of the bulbs in this {size}x{size} Akari.",
    )
    rules = (
        Phrase(
            "A bulb lights its own cell and all cells in its row and column up to the next wall or the edge of the grid.",
            "Light travels from a bulb up, down, left and right to the next wall or the edge. It also lights the bulb's cell.",
            "Each bulb lights the cell it is in and, in the four straight directions, all cells before the next wall or edge.",
            held_out="A bulb lights its own cell and those that it reaches horizontally and vertically without a wall.",
        ),
        Phrase(
            "Each cell without a wall must be lit by at least one bulb.",
            "Every cell that is not a wall must be lit.",
            "No cell may stay dark, except for walls.",
            held_out="All cells other than walls are lit.",
        ),
        Phrase(
            "A bulb may not be lit by another bulb.",
            "Two bulbs may not light each other.",
            "No bulb may be in a cell that another bulb lights.",
            held_out="The cell of a bulb receives light from no other bulb.",
        ),
        Phrase(
            "A number on a wall is the number of bulbs in the up to four cells that share a side with it. A wall "
            "without a number may have any number of bulbs beside it.",
            "A numbered wall has exactly that many bulbs in the up to four cells that share a side with it. Other walls are "
            "not restricted.",
            "If a wall has a number, exactly that many of the cells that share a side with it contain bulbs. Walls without a "
            "number give no information.",
            held_out="The number of a wall counts the bulbs that share a side with it; an unnumbered wall allows any count.",
        ),
        Phrase(
            "A bulb may not be on a wall.",
            "Walls contain no bulbs.",
            "Bulbs are placed only in cells without a wall.",
            held_out="The cell of a wall never has a bulb.",
        ),
        marked("cell with a bulb"),
    )
    signs: ClassVar[Signs] = {str(number): Tile(str(number), "dark", "paper") for number in range(5)}

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid] | None:
        """Walls at random, and bulbs found by a random search."""
        walls = [int(rng.below(100) < 30) for _ in range(p.size**2)]
        problem = {"height": p.size, "width": p.size, "walls": walls}
        found = self.model(problem).solutions(most=1, budget=20 * p.size**2, rng=rng)
        return (problem, found.grids[0]) if found.grids else None

    def domains(self, problem: JSON) -> list[int]:
        """A bulb is possible where there is no wall."""
        return [0b01 if wall else 0b11 for wall in problem["walls"]]

    def laws(self, problem: JSON) -> Laws:
        """One bulb at most per stretch, one in sight of each cell."""
        stretches = list(_stretches(problem))
        seen: list[set[int]] = [set() for _ in problem["walls"]]
        for stretch in stretches:
            for cell in stretch:
                seen[cell].update(stretch)
        return {
            "A bulb lights another bulb.": [Count(stretch, 0, 1) for stretch in stretches if len(stretch) > 1],
            "A cell is not lit.": [Count(sorted(cells), 1, len(cells)) for cells in seen if cells],
        }

    def clues(self, problem: JSON, solution: Grid) -> list[JSON]:
        """The number of bulbs beside each wall."""
        near = beside(problem["height"], problem["width"])
        return [
            [cell, sum(solution[other] for other in near[cell])] for cell, wall in enumerate(problem["walls"]) if wall
        ]

    def clue(self, problem: JSON, clue: JSON) -> Count:
        """The number of bulbs beside a wall."""
        cell, number = clue
        return Count(beside(problem["height"], problem["width"])[cell], number, number)

    def pieces(self, problem: JSON) -> Pieces:
        """Walls, some with a number."""
        walls = {cell: "#" for cell, wall in enumerate(problem["walls"]) if wall}
        numbered = {cell: str(number) for cell, number in problem["clues"]}
        meanings = {"#": "a wall without a number", **{str(n): f"a wall with the number {n}" for n in range(5)}}
        return [picture("Grid", problem, {**walls, **numbered}, **meanings)]


def _stretches(problem: JSON) -> list[list[int]]:
    """Cells in succession without a wall, in every row and column."""
    found: list[list[int]] = []
    for line in lines(problem["height"], problem["width"]):
        stretch: list[int] = []
        for cell in [*line, None]:
            if cell is not None and not problem["walls"][cell]:
                stretch.append(cell)
            elif stretch:
                found.append(stretch)
                stretch = []
    return found
