"""mines-v0: find all mines from the numbers around them.

Action: a grid of 0 and 1. Any grid that satisfies the clues counts; there is exactly one (proved). Difficulty: the size, then
fewer numbers; effort is the number of propagation steps of a search. Rotations and reflections are the same problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.cells_kit import JSON, Grid, Marks, Phrase, Stream, knob, levels, marked
from envhub.generators.cells.board import around
from envhub.generators.cells.laws import Total


class Mines(Marks):
    """Find all mines from the numbers around them."""

    Params = levels(
        size=knob("side of the grid", 5, 5, 6, 6, 7, 7, 8, 8, 9, 10),
        mines=knob("percentage of cells with a mine", 25, 28, 25, 28, 28, 30, 30, 33, 33, 33, at_least=15, at_most=40),
        given=knob("percentage of free cells with a number at least", 80, 60, 65, 50, 50, 40, 45, 40, 40, 35),
    )
    empty = "a cell without a number"
    task = Phrase(
        "Solve this {size}x{size} Minesweeper puzzle: find all mines.",
        "This is a Minesweeper puzzle on a grid of {size} rows and {size} columns. Decide which cells contain a mine.",
        "Find the cells with mines on this {size}x{size} grid (Minesweeper).",
        held_out="Determine the positions of all mines on this {size}x{size} Minesweeper board.",
    )
    rules = (
        Phrase(
            "A number states how many of the up to eight cells around it, diagonals included, contain a mine.",
            "Each number counts the mines in the cells that share a side or a corner with its cell.",
            "Count the mines in neighbouring cells, horizontally, vertically and diagonally: the result must be the number.",
            held_out="The number of a cell equals the number of mines among the cells that touch it at a side or a corner.",
        ),
        Phrase(
            "A cell with a number contains no mine. A cell without a number may contain a mine or not.",
            "Numbered cells are free of mines. Any other cell may or may not contain one.",
            "There is never a mine in a cell with a number; in a cell without a number there may be one.",
            held_out="Mines occur only in cells without a number, and not necessarily in all of them.",
        ),
        marked("cell with a mine"),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid]:
        """Mines at random."""
        return {"height": p.size, "width": p.size}, tuple(int(rng.below(100) < p.mines) for _ in range(p.size**2))

    def clues(self, problem: JSON, solution: Grid) -> list[JSON]:
        """The number of mines around every cell without one."""
        near = around(problem["height"], problem["width"])
        return [[at, sum(solution[cell] for cell in near[at])] for at, mine in enumerate(solution) if not mine]

    def clue(self, problem: JSON, clue: JSON) -> Total:
        """No mine in a cell, and the number of mines around it."""
        at, number = clue
        near = around(problem["height"], problem["width"])[at]
        return Total([at, *near], number, number, [9, *[1] * len(near)])  # a mine in the cell would be too much
