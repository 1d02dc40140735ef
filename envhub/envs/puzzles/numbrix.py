"""numbrix-v0: complete a path of consecutive numbers through all cells.

Action: the whole grid. Any grid that satisfies the rules counts; there is exactly one (proved). With ``variant="hidato"``,
steps may be diagonal. Difficulty: the size, then fewer given numbers; effort is the number of propagation steps of a search.
Rotations and reflections are the same problem.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from envhub.families.cells import grid_text
from envhub.families.cells_kit import JSON, Cells, Grid, Laws, Phrase, Pieces, Stream, knob, levels, picture
from envhub.families.given import FILLED
from envhub.generators.cells.board import around, beside, turned
from envhub.generators.cells.law import Law
from envhub.generators.cells.laws import Different, Within
from envhub.generators.cells.paths import snake, through_all
from envhub.generators.cells.steps import Step
from envhub.verifiers.answers.grids import Grid as GridAnswer

_STEPS: Final = {
    "numbrix": Phrase(
        "Consecutive numbers, such as 1 and 2, are in cells that share a side.",
        "Each number is next to its successor, horizontally or vertically.",
        "From every number, the next one is reached by one step up, down, left or right.",
        held_out="The cells of n and n + 1 have a side in common, for every n.",
    ),
    "hidato": Phrase(
        "Consecutive numbers, such as 1 and 2, are in cells that share a side or a corner.",
        "Each number is next to its successor, horizontally, vertically or diagonally.",
        "From every number, the next one is reached by one step in any of the eight directions.",
        held_out="The cells of n and n + 1 have a side or a corner in common, for every n.",
    ),
}


class Numbrix(Cells):
    """Complete a path of consecutive numbers through all cells."""

    Params = levels(
        size=knob("side of the grid", 6, 6, 6, 6, 7, 7, 7, 7, 8, 8, at_least=5, at_most=12),
        given=knob(
            "percentage of the numbers that are given at least", 60, 45, 33, 27, 30, 25, 20, 18, 16, 14, at_most=80
        ),
        variant=knob("whether steps may be diagonal: numbrix or hidato", "numbrix", choices=("numbrix", "hidato")),
    )
    answer = GridAnswer()
    task = Phrase(
        "Complete this {size}x{size} grid with the numbers 1 to {count}, so that they form a path.",
        "Fill the {size}x{size} grid with a path of the numbers 1 to {count}; some numbers are given.",
        "Find the path of the numbers 1 to {count} through all cells of this {size}x{size} grid.",
        held_out="Extend the given numbers to a path 1, 2, ..., {count} that covers the {size}x{size} grid.",
    )
    rules = (
        Phrase(
            "Each of the numbers 1 to {count} occurs exactly once.",
            "Use each number from 1 to {count} exactly once.",
            "All numbers from 1 to {count} occur, each in one cell.",
            held_out="The cells contain a permutation of 1 to {count}.",
        ),
    )

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """With the rule on steps."""
        return (*self.rules, _STEPS[problem["variant"]], FILLED)

    def values(self, problem: JSON) -> dict[str, int]:
        """The number of cells."""
        return {"count": problem["width"] ** 2}

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid]:
        """A random path: for each number, its cell."""
        problem = {"height": p.size, "width": p.size, "variant": p.variant}
        path = through_all(rng, _near(problem), snake(p.size, p.size), 20 * p.size**2)
        return problem, tuple(path)

    def domains(self, problem: JSON) -> list[int]:
        """For each number, all cells."""
        size = problem["width"] ** 2
        return [(1 << size) - 1] * size

    def laws(self, problem: JSON) -> Laws:
        """Different cells, and a step between consecutive numbers."""
        near, size = _near(problem), problem["width"] ** 2
        return {
            "A number is used twice.": [Different(range(size), (1 << size) - 1)],
            "Two consecutive numbers are not next to each other.": [Step(a, b, near) for a, b in pairwise(range(size))],
        }

    def clues(self, problem: JSON, solution: Grid) -> list[JSON]:
        """The cell of every number."""
        return [[number, cell] for number, cell in enumerate(solution, 1)]

    def clue(self, problem: JSON, clue: JSON) -> Law:
        """The cell of a number."""
        number, cell = clue
        return Within(number - 1, 1 << cell)

    def pieces(self, problem: JSON) -> Pieces:
        """The given numbers."""
        return [picture("Grid", problem, {cell: number for number, cell in problem["clues"]})]

    def canonical(self, content: JSON) -> JSON:
        """The variant and the grid, the least of all turned boards."""
        size = content["width"]
        grid = _grid(content["solution"])
        return [content["variant"], size, min(turned(grid, size, size, turn) for turn in self.symmetries)]

    def example(self, problem: JSON) -> str:
        """The numbers row by row, all rows from left to right."""
        return grid_text(range(1, problem["width"] ** 2 + 1), problem["width"])

    def written(self, problem: JSON, solution: Grid) -> str:
        """The grid of numbers."""
        return grid_text(_grid(solution), problem["width"])

    def cells(self, problem: JSON, value: Any) -> Grid | str:
        """For each number, its cell."""
        grid = super().cells(problem, value)
        if isinstance(grid, str):
            return grid
        places = {number: cell for cell, number in enumerate(grid)}
        if sorted(grid) != list(range(1, len(grid) + 1)):
            return f"The numbers 1 to {len(grid)} must occur once each."
        return tuple(places[number] for number in range(1, len(grid) + 1))


def _grid(path: Grid) -> list[int]:
    """The number of each cell on a path; 0 off the path."""
    numbers = {cell: number for number, cell in enumerate(path, 1)}
    return [numbers.get(cell, 0) for cell in range(len(path))]


def _near(problem: JSON) -> list[list[int]]:
    size = problem["width"]
    return around(size, size) if problem["variant"] == "hidato" else beside(size, size)
