"""Given cells as clues of a grid puzzle: ``[cell, value]``."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase
from envhub.core.types import JSON
from envhub.families.cells import Cells
from envhub.generators.cells.law import Law
from envhub.generators.cells.laws import Within
from envhub.generators.cells.model import Grid

FILLED: Final = Phrase(
    "The answer is the complete grid: {height} rows of {width} numbers each, including the given numbers.",
    "Answer with the whole grid, given numbers included: {height} lines, each with {width} numbers.",
    "Write out all {height} rows of the finished grid, with {width} numbers per row; given numbers are repeated.",
    held_out="Return the full matrix of {height} rows and {width} columns. It repeats the given numbers.",
)


class Given(Cells):
    """A grid puzzle whose clues are the values of some cells."""

    def clues(self, problem: JSON, solution: Grid) -> list[JSON]:
        """The value of every cell."""
        return [[cell, value] for cell, value in enumerate(solution)]

    def clue(self, problem: JSON, clue: JSON) -> Law:
        """The value of a cell."""
        cell, value = clue
        return Within(cell, 1 << value)
