"""slitherlink-v0: find the loop that satisfies all edge counts.

Action: a grid of 0 and 1 that marks the cells inside the loop. Any grid that satisfies rules and clues counts; there is exactly
one (proved). Difficulty: the size, then fewer clues; effort is the number of propagation steps of a search. Rotations and
reflections are the same problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.cells_kit import JSON, Grid, Laws, Marks, Phrase, Stream, knob, levels, marked
from envhub.generators.cells.board import beside
from envhub.generators.cells.connectivity import Connected
from envhub.generators.cells.laws import Table
from envhub.generators.cells.shapes import blob, outside_joined
from envhub.generators.cells.tables import sides


class Slitherlink(Marks):
    """Find the loop that satisfies all edge counts."""

    Params = levels(
        size=knob("side of the grid", 5, 5, 6, 6, 7, 7, 8, 8, 9, 9),
        given=knob("percentage of the clues that are given at least", 90, 60, 70, 48, 55, 45, 48, 42, 42, 38),
    )
    task = Phrase(
        "Solve this {size}x{size} Slitherlink: find the loop.",
        "Find the single closed loop along the grid lines of this {size}x{size} Slitherlink.",
        "This is a Slitherlink on a grid of {size} rows and {size} columns. Which cells are inside the loop?",
        held_out="Determine the interior of the loop of this {size}x{size} Slitherlink.",
    )
    rules = (
        Phrase(
            "The loop runs along sides of cells. It is one closed loop, and it never crosses or touches itself.",
            "There is one closed loop made of sides of cells; it neither crosses itself nor meets itself at a corner.",
            "The sides of cells that belong to the loop form a single closed line that visits no corner of a cell twice.",
            held_out="The loop is one simple closed curve along sides of cells: no corner is passed twice.",
        ),
        Phrase(
            "A number in a cell is the number of its four sides that belong to the loop. Cells without a number may have any "
            "number of such sides.",
            "Each number states how many of the four sides of its cell are part of the loop. An empty cell gives no "
            "information.",
            "Exactly as many of a cell's four sides belong to the loop as the number in the cell says; empty cells are not "
            "restricted.",
            held_out="A number counts the sides of its cell on the loop; cells without a number are free.",
        ),
        Phrase(
            "The sides at the edge of the grid may belong to the loop as well.",
            "The loop may also run along the edge of the grid.",
            "Sides of cells at the border of the grid can be part of the loop.",
            held_out="Border sides are admissible parts of the loop.",
        ),
        marked("cell inside the loop"),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid]:
        """A random area without holes; the last cell is the outside."""
        area = blob(rng, p.size, p.size, p.size**2 * 11 // 20)
        return {"height": p.size, "width": p.size}, (*area, 0)

    def domains(self, problem: JSON) -> list[int]:
        """Inside or outside."""
        return [*super().domains(problem), 0b01]

    def laws(self, problem: JSON) -> Laws:
        """Inside and outside are connected, so their border is one loop."""
        near = outside_joined(problem["height"], problem["width"])
        return {
            "The cells inside the loop are not connected.": [Connected(near, 0b10)],
            "A cell outside the loop is enclosed.": [Connected(near, 0b01)],
        }

    def clues(self, problem: JSON, solution: Grid) -> list[JSON]:
        """The number of sides of each cell that belong to the loop."""
        near = outside_joined(problem["height"], problem["width"])
        return [
            [cell, sum(solution[other] != solution[cell] for other in near[cell])] for cell in range(len(solution) - 1)
        ]

    def clue(self, problem: JSON, clue: JSON) -> Table:
        """The number of sides of a cell."""
        cell, number = clue
        near = beside(problem["height"], problem["width"])[cell]
        return Table((cell, *near), sides(len(near), number))

    def written(self, problem: JSON, solution: Grid) -> str:
        """The grid without the outside."""
        return super().written(problem, solution[: problem["height"] * problem["width"]])

    def cells(self, problem: JSON, value: Any) -> Grid | str:
        """The grid and the outside."""
        grid = super().cells(problem, value)
        return grid if isinstance(grid, str) else (*grid, 0)

    def example(self, problem: JSON) -> str:
        """Alternating columns."""
        size = problem["width"]
        return super().written(problem, tuple(cell % size % 2 for cell in range(size**2)))
